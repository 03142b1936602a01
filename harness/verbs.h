/*
 * verbs.h - one function a verb. argv[0] is the verb itself; each knows
 * --help, writes results to stdout and everything else to stderr, and returns
 * an exit code.
 */
#ifndef HARNESS_VERBS_H
#define HARNESS_VERBS_H

enum exit_code {
	EXIT_FINE = 0,
	EXIT_REGRESSED = 1,	/* a regression gate failed */
	EXIT_USAGE = 2,		/* usage or config */
	EXIT_CELLS = 3,		/* some cells failed, hung, broke exclusion or could not run */
	EXIT_REFUSED = 4,	/* --strict: the machine is not fit */
	EXIT_INTERRUPTED = 130, /* resumable */
};

struct verb {
	const char *name, *about;
	int (*serve)(int argc, char **argv);
};

int verb_plan(int argc, char **argv);
int verb_list(int argc, char **argv);
int verb_plot(int argc, char **argv);
int verb_show(int argc, char **argv);
int verb_events(int argc, char **argv);
int verb_compare(int argc, char **argv);
int verb_machine(int argc, char **argv);
int verb_run(int argc, char **argv);
int verb_resume(int argc, char **argv);

#endif
