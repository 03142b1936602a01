/* main.c - the verbs of latchmark: which function serves which word. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cells.h"
#include "verbs.h"

static const struct verb verbs[] = {
	{ "plan", "every cell of a configuration, and the time it will take", verb_plan },
	{ "run", "measure a configuration into a results folder", verb_run },
	{ "resume", "go on with a run that was ended", verb_resume },
	{ "list", "locks, workloads, CPUs and counters", verb_list },
	{ "machine", "what here disturbs a measurement, and what mends it", verb_machine },
	{ "show", "a results folder as a table and a graph", verb_show },
	{ "events", "what was counted inside the locks of a results folder", verb_events },
	{ "compare", "two results folders: faster, slower, or noise", verb_compare },
	{ "plot", "all pictures of a results folder, made again", verb_plot },
	{ 0 },
};

static void usage(FILE *to)
{
	fprintf(to, "usage: latchmark VERB ARGUMENT… [--plugin FILE.so]…\n"
		    "       latchmark CONFIG, for run CONFIG\n\n");
	for (const struct verb *v = verbs; v->name; v++)
		fprintf(to, "  %-9s %s\n", v->name, v->about);
}

static const struct verb *find(const char *name)
{
	for (const struct verb *v = verbs; v->name; v++)
		if (!strcmp(name, v->name))
			return v;
	return NULL;
}

/*
 * Takes every `--plugin FILE` out of the arguments and loads it, before any
 * verb looks at the locks. The new argc, or -1 when one was refused.
 */
static int load_plugins(int argc, char **argv)
{
	char why[512];
	int kept = 0;

	for (int i = 0; i < argc; i++) {
		const char *path = NULL;

		if (!strncmp(argv[i], "--plugin=", 9))
			path = argv[i] + 9;
		else if (!strcmp(argv[i], "--plugin"))
			path = ++i < argc ? argv[i] : "";
		if (!path) {
			argv[kept++] = argv[i];
			continue;
		}
		if (!*path) {
			fprintf(stderr, "latchmark: --plugin wants the path of a .so file\n");
			return -1;
		}
		if (cells_add_plugin(path, why, sizeof(why))) {
			fprintf(stderr, "latchmark: --plugin: %s\n", why);
			return -1;
		}
	}
	argv[kept] = NULL;
	return kept;
}

int main(int argc, char **argv)
{
	const struct verb *v;

	argc = load_plugins(argc, argv);
	if (argc < 0)
		return EXIT_USAGE;
	if (argc < 2) {
		usage(stderr);
		return EXIT_USAGE;
	}
	if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h")) {
		usage(stdout);
		return EXIT_FINE;
	}
	if (!strcmp(argv[1], "--version")) {
		printf("latchmark %s (plug-in ABI %d)\n", LATCHMARK_VERSION, LATCHMARK_ABI);
		return EXIT_FINE;
	}
	v = find(argv[1]);
	if (v)
		return v->serve(argc - 1, argv + 1);
	/* a path or an option where a verb would stand: `run` is meant */
	v = find("run");
	if (v && (strpbrk(argv[1], "/.") || argv[1][0] == '-' || !access(argv[1], F_OK))) {
		argv[0] = (char *)v->name;
		return v->serve(argc, argv);
	}
	fprintf(stderr, "latchmark: no verb '%s'\n", argv[1]);
	usage(stderr);
	return EXIT_USAGE;
}
