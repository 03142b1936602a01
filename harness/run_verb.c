/* run_verb.c - the verbs `run` and `resume`. */
#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "config.h"
#include "host.h"
#include "machine.h"
#include "placement.h"
#include "plan_json.h"
#include "plot.h"
#include "run.h"
#include "show.h"
#include "verbs.h"
#include "work.h"

#define RERUNS 2

struct arguments {
	const char *operand; /* CONFIG or DIR */
	const char *out;
	const char **sets; /* NULL-terminated */
	bool strict, no_plot;
	struct run_options options;
};

static volatile sig_atomic_t interrupts;

static void on_interrupt(int signal)
{
	static const char once[] = "\nfinishing this repetition; once more ends it at once\n";

	(void)signal;
	interrupts++;
	if (interrupts == 1)
		(void)!write(STDERR_FILENO, once, sizeof(once) - 1);
}

static void catch_interrupts(void)
{
	struct sigaction action = { .sa_handler = on_interrupt };

	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
}

static void help(const char *verb)
{
	if (!strcmp(verb, "run"))
		puts("usage: run CONFIG [-o DIR] [OPTION…]\n"
		     "       run PLAN.json [-o DIR] [OPTION…]\n\n"
		     "Measures every cell of the configuration, or of a plan.json that another "
		     "run\n"
		     "left, into DIR (by default results/<name>-<time>). Ends with pictures in "
		     "DIR/plots, a\n"
		     "table, a graph, and the path of DIR as the last line.\n\n"
		     "  -o DIR            the results folder; must not exist, or be empty\n"
		     "  --set KEY=VALUE   override a setting of the configuration");
	else
		puts("usage: resume DIR [OPTION…]\n\n"
		     "Measures what the run that was ended in DIR has not, and ends like run.\n");
	puts("  --reruns N        measure a disturbed repetition again at most N times (2),\n"
	     "                    and at most a quarter of all\n"
	     "  --strict          refuse to measure on a machine that is not quiet\n"
	     "  --no-plot         make no pictures at the end\n"
	     "  --plugin FILE.so  add the lock of a plug-in\n"
	     "  -q, -v            the path alone; say every repetition\n"
	     "  --help\n\n"
	     "^C finishes the running repetition, twice ends at once; both can be resumed.\n\n"
	     "exit codes: 0 fine, 2 usage, 3 some repetitions are not ok,\n"
	     "4 the machine was refused, 130 interrupted");
}

static int refuse(const char *verb, const char *why)
{
	fprintf(stderr, "%s: %s\n", verb, why);
	return EXIT_USAGE;
}

/* 0, EXIT_USAGE, or -1 when only help was asked for. */
static int parse(int argc, char **argv, struct arguments *a)
{
	static const struct option longs[] = {
		{ "help", no_argument, NULL, 'h' },	    { "set", required_argument, NULL, 'S' },
		{ "strict", no_argument, NULL, 's' },	    { "no-plot", no_argument, NULL, 'n' },
		{ "reruns", required_argument, NULL, 'r' }, { 0 }
	};
	const char *verb = argv[0];
	size_t sets = 0;
	char *end;
	int c;

	*a = (struct arguments){ .sets = calloc((size_t)argc + 1, sizeof(*a->sets)),
				 .options = { .reruns = RERUNS, .interrupts = &interrupts } };
	optind = 1;
	while ((c = getopt_long(argc, argv, !strcmp(verb, "run") ? "o:qv" : "qv", longs, NULL)) !=
	       -1) {
		switch (c) {
		case 'h':
			help(verb);
			return -1;
		case 'o':
			a->out = optarg;
			break;
		case 'S':
			if (strcmp(verb, "run"))
				return refuse(verb, "--set is for run: the plan stands already");
			a->sets[sets++] = optarg;
			break;
		case 's':
			a->strict = true;
			break;
		case 'n':
			a->no_plot = true;
			break;
		case 'q':
			a->options.verbosity = QUIET;
			break;
		case 'v':
			a->options.verbosity = VERBOSE;
			break;
		case 'r':
			a->options.reruns = (unsigned)strtoul(optarg, &end, 10);
			if (*end || end == optarg || *optarg == '-')
				return refuse(verb, "--reruns wants a whole number, like 2");
			break;
		default:
			return refuse(verb, "see --help");
		}
	}
	if (argc - optind != 1)
		return refuse(verb, !strcmp(verb, "run") ? "wants one configuration; see --help"
							 : "wants one results folder; see --help");
	a->operand = argv[optind];
	return 0;
}

static char *dump(json_t *json, size_t flags)
{
	char *text = json_dumps(json, flags);

	json_decref(json);
	return text;
}

static struct plan *read_plan(const char *path, char *why, size_t size)
{
	json_error_t error;
	json_t *json = json_load_file(path, JSON_REJECT_DUPLICATES, &error);
	struct plan *plan = NULL;

	if (!json)
		snprintf(why, size, "%s line %d: %s", path, error.line, error.text);
	else
		plan = plan_read_json(json, why, size);
	json_decref(json);
	return plan;
}

static bool is_json(const char *path)
{
	size_t n = strlen(path);

	return n > 5 && !strcmp(path + n - 5, ".json");
}

/* The folder with what is known before the first repetition. */
static int create(struct results *results, const char *path, const struct plan *plan,
		  const char *config, const struct floors *floors, char *why, size_t size)
{
	json_t *host = host_describe();
	struct results_file files[] = { { "plan.json", NULL },
					{ "host.json", NULL },
					{ config ? "config" : NULL, config },
					{ 0 } };
	char *plan_text = dump(plan_write_json(plan), JSON_COMPACT), *host_text;
	int rc;

	json_object_set_new(host, "floors", json_incref(floors->json));
	json_object_set_new(host, "clock_step_ns", json_integer((json_int_t)floors->clock_ns));
	json_object_set_new(host, "clock_cost_ns", json_real(floors->clock_cost_ns));
	host_text = dump(host, JSON_INDENT(2));
	files[0].content = plan_text;
	files[1].content = host_text;
	rc = results_create(results, path, files, why, size);
	free(plan_text);
	free(host_text);
	return rc;
}

/* What both verbs need before any child is forked. */
static int prepare(const struct plan *plan, struct floors *floors)
{
	catch_interrupts();
	placement_cpus();
	work_calibrate();
	return floors_measure(floors, plan, &interrupts);
}

/* Measures, closes the folder, shows what is in it. */
static int measure(const struct plan *plan, struct results *results,
		   const struct results_left *left, struct floors *floors,
		   const struct arguments *a)
{
	int rc = run_plan(plan, results, left, floors, &a->options);
	char *path = strdup(results->path);

	floors_free(floors);
	results_close(results);
	if (rc == EXIT_INTERRUPTED) {
		fprintf(stderr, "interrupted; 'resume %s' goes on\n", path);
	} else {
		/* what goes wrong with pictures is said there, and changes no result */
		if (!a->no_plot)
			plot_results(path);
		if (a->options.verbosity != QUIET)
			show_results(path, stdout);
	}
	puts(path);
	free(path);
	return rc;
}

int verb_run(int argc, char **argv)
{
	struct arguments a;
	struct results results;
	struct floors floors;
	struct plan *plan;
	char why[1024], *path, *config = NULL;
	int rc = parse(argc, argv, &a);

	if (rc)
		return rc < 0 ? EXIT_FINE : rc;
	if (is_json(a.operand) && *a.sets)
		return refuse("run", "--set is for configurations: a plan stands already");
	if (is_json(a.operand))
		plan = read_plan(a.operand, why, sizeof(why));
	else
		plan = config_plan(a.operand, a.sets, &config, why, sizeof(why));
	if (!plan)
		return refuse("run", why);
	if (a.strict && machine_check(stderr))
		return EXIT_REFUSED;
	path = a.out ? strdup(a.out) : results_default_path(plan->name);
	rc = prepare(plan, &floors);
	if (rc == -EINTR)
		return EXIT_INTERRUPTED; /* nothing was written yet */
	if (rc)
		return refuse("run", strerror(-rc));
	if (create(&results, path, plan, config, &floors, why, sizeof(why)))
		return refuse("run", why);
	free(path);
	free(config);
	return measure(plan, &results, NULL, &floors, &a);
}

int verb_resume(int argc, char **argv)
{
	struct arguments a;
	struct results results;
	struct results_left left;
	struct floors floors;
	struct plan *plan;
	char why[512], *path;
	int rc = parse(argc, argv, &a);

	if (rc)
		return rc < 0 ? EXIT_FINE : rc;
	if (a.strict && machine_check(stderr))
		return EXIT_REFUSED;
	if (asprintf(&path, "%s/plan.json", a.operand) < 0)
		return refuse("resume", strerror(errno));
	plan = read_plan(path, why, sizeof(why));
	free(path);
	if (!plan || results_open(&results, a.operand, why, sizeof(why)) ||
	    results_read(&results, plan, &left, why, sizeof(why)))
		return refuse("resume", why);
	if (left.dropped)
		fprintf(stderr,
			"resume: the last line of %s/records.jsonl was cut short (%zu bytes) "
			"and is dropped; it is measured again\n",
			a.operand, left.dropped);
	if (a.options.verbosity != QUIET)
		fprintf(stderr, "resume: %u of %u repetitions are there\n", left.count,
			plan->step_count);
	rc = left.count < plan->step_count ? prepare(plan, &floors) : 0;
	if (left.count == plan->step_count)
		floors = (struct floors){ 0 };
	if (rc == -EINTR)
		return EXIT_INTERRUPTED;
	if (rc)
		return refuse("resume", strerror(-rc));
	rc = measure(plan, &results, &left, &floors, &a);
	results_left_free(&left);
	return rc;
}
