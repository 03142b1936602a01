/* explore.c - the command line of an explorer with one lock linked in. */
#include "search.h"
#include "suite.h"

#include <getopt.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const struct lock_ops *subject(void);

static void usage(FILE *to)
{
	fputs("usage: explore [options] SCRIPT,SCRIPT,...   one script per thread\n"
	      "       explore [options] --threads N --ops M  every script of up to M operations\n"
	      "       explore --suite|--full                 what docs/verification.md shows\n"
	      "       explore --kill                         the first fault, in one line\n"
	      "letters: w r write, read; t y try; k q with a deadline; d write, downgrade;\n"
	      "         H D R readers that meet; A alone (see script.c)\n"
	      "--model sc|tso|c11   --old N      values kept of a word (c11; 2)\n"
	      "--spurious           --fifo       --live     --leaps N  (1)\n"
	      "--steals N           overtaken at most N times once much time has passed\n"
	      "--bound PREEMPTIONS  --states N   --seconds S\n"
	      "--letters LETTERS    --runs N     random runs instead  --seed N\n"
	      "--replay MOVES       as printed with a failure\n"
	      "exit: 0 no fault, 1 fault found, 2 usage, 3 cannot be explored\n",
	      to);
}

/* The lock computes for ever without an operation, or crashed: report, do not hang. */
static void on_signal(int sig)
{
	static uint64_t last = UINT64_MAX;
	static const char loop[] = "endless loop without any shared access\n";
	static const char crash[] = "crash inside the lock\n";

	if (sig == SIGALRM && explore.running < 0)
		last = UINT64_MAX;
	if (sig == SIGALRM && explore.steps != last) {
		last = explore.running < 0 ? UINT64_MAX : explore.steps;
		alarm(3);
		return;
	}
	if (write(STDOUT_FILENO, sig == SIGALRM ? loop : crash,
		  sig == SIGALRM ? sizeof(loop) - 1 : sizeof(crash) - 1) < 0)
		_exit(2);
	_exit(1);
}

static void catch_signals(void)
{
	static char stack[32768];
	const stack_t alternative = { .ss_sp = stack, .ss_size = sizeof(stack) };
	struct sigaction action = { .sa_handler = on_signal, .sa_flags = SA_ONSTACK };

	sigaltstack(&alternative, NULL);
	sigaction(SIGSEGV, &action, NULL);
	sigaction(SIGBUS, &action, NULL);
	sigaction(SIGFPE, &action, NULL);
	sigaction(SIGALRM, &action, NULL);
	alarm(3);
}

static bool split_scripts(char *text)
{
	explore.opt.letters = NULL;
	explore.opt.threads = 0;
	for (char *s = strtok(text, ","); s; s = strtok(NULL, ",")) {
		if (explore.opt.threads == MAX_THREADS || strlen(s) > 12)
			return false;
		for (const char *c = s; *c && strcmp(s, "-"); c++) {
			if (!strchr("HDRA", *c) && !strchr(script_letters(), *c))
				return false;
		}
		explore.opt.scripts[explore.opt.threads++] = strcmp(s, "-") ? s : "";
	}
	return explore.opt.threads > 0;
}

static int report(struct outcome *out, bool shrink)
{
	if (out->failed && out->unsupported) {
		printf("cannot be explored: %s\n", out->failure);
		return 3;
	}
	printf("%s: %llu states, %llu transitions, %llu runs, %s, %.2f s\n", explore.ops->name,
	       (unsigned long long)out->states, (unsigned long long)out->transitions,
	       (unsigned long long)out->runs,
	       out->failed     ? "fault"
	       : out->complete ? "exhaustive"
			       : "bounded",
	       out->seconds);
	if (!out->failed)
		return 0;
	if (shrink)
		trace_shrink(out);
	trace_print(out);
	return 1;
}

enum { BY_SCRIPT, BY_SUITE, BY_RUNS, BY_REPLAY };

int main(int argc, char **argv)
{
	static const struct option names[] = {
		{ "model", 1, 0, 'm' },	  { "old", 1, 0, 'k' },	    { "spurious", 0, 0, 's' },
		{ "fifo", 0, 0, 'f' },	  { "steals", 1, 0, 'g' },  { "live", 0, 0, 'L' },
		{ "leaps", 1, 0, 'l' },	  { "bound", 1, 0, 'b' },   { "states", 1, 0, 'M' },
		{ "seconds", 1, 0, 'T' }, { "letters", 1, 0, 'e' }, { "runs", 1, 0, 'r' },
		{ "seed", 1, 0, 'S' },	  { "replay", 1, 0, 'R' },  { "threads", 1, 0, 't' },
		{ "ops", 1, 0, 'o' },	  { "suite", 0, 0, 'X' },   { "full", 0, 0, 'F' },
		{ "kill", 0, 0, 'K' },	  { "help", 0, 0, 'h' },    { 0 },
	};
	struct limits limits = { .states = 100000000, .seconds = 600, .bound = -1 };
	uint64_t runs = 1000, seed = 1;
	const char *replay = NULL;
	bool kill = false, full = false;
	int way = BY_SCRIPT, o;
	struct outcome out = { 0 };

	setvbuf(stdout, NULL, _IOLBF, 0);
	explore.ops = subject();
	explore.opt = (struct options){ .threads = 2, .ops = 1, .old = 2, .leaps = 1 };
	explore.opt.letters = script_letters();
	while ((o = getopt_long(argc, argv, "", names, NULL)) >= 0) {
		switch (o) {
		case 'm':
			if (strcmp(optarg, "sc") && strcmp(optarg, "tso") && strcmp(optarg, "c11"))
				return usage(stderr), 2;
			explore.opt.model = !strcmp(optarg, "sc")    ? MODEL_SC
					    : !strcmp(optarg, "tso") ? MODEL_TSO
								     : MODEL_C11;
			break;
		case 'k':
			explore.opt.old = (unsigned)atoi(optarg);
			break;
		case 's':
			explore.opt.spurious = true;
			break;
		case 'g':
			explore.opt.steals = (unsigned)atoi(optarg);
			break;
		case 'f':
			explore.opt.fifo = true;
			break;
		case 'L':
			limits.live = true;
			break;
		case 'l':
			explore.opt.leaps = (unsigned)atoi(optarg);
			break;
		case 'b':
			limits.bound = atoi(optarg);
			break;
		case 'M':
			limits.states = strtoull(optarg, NULL, 0);
			break;
		case 'T':
			limits.seconds = atof(optarg);
			break;
		case 'e':
			explore.opt.letters = optarg;
			break;
		case 'r':
			runs = strtoull(optarg, NULL, 0);
			way = BY_RUNS;
			break;
		case 'S':
			seed = strtoull(optarg, NULL, 0);
			break;
		case 'R':
			replay = optarg;
			way = BY_REPLAY;
			break;
		case 't':
			explore.opt.threads = (unsigned)atoi(optarg);
			break;
		case 'o':
			explore.opt.ops = (unsigned)atoi(optarg);
			break;
		case 'K':
			kill = true;
			way = BY_SUITE;
			break;
		case 'X':
			way = BY_SUITE;
			break;
		case 'F':
			full = true;
			way = BY_SUITE;
			break;
		case 'h':
			return usage(stdout), 0;
		default:
			return usage(stderr), 2;
		}
	}
	if (explore.opt.threads < 1 || explore.opt.threads > MAX_THREADS || explore.opt.old < 1 ||
	    explore.opt.old > MAX_OLD || (optind < argc && !split_scripts(argv[optind])))
		return usage(stderr), 2;
	if (way == BY_REPLAY && explore.opt.letters)
		return usage(stderr), 2;
	catch_signals();
	switch (way) {
	case BY_SUITE:
		return suite_run(full, kill);
	case BY_RUNS:
		out = random_runs(runs, explore.opt.ops, seed);
		break;
	case BY_REPLAY:
		if (!trace_replay(replay, &out)) {
			fprintf(stderr,
				"explore: the moves do not fit this lock and these scripts\n");
			return 2;
		}
		return report(&out, false);
	default:
		out = search(&limits);
	}
	return report(&out, true);
}
