/* main.c - the verbs of latchmark: which function serves which word. */
#include <stdio.h>
#include <string.h>

#include "verbs.h"

static const struct verb verbs[] = {
	{ "list", "locks and workloads in this build", verb_list },
	{ 0 },
};

static void usage(FILE *to)
{
	fprintf(to, "usage: latchmark VERB …\n\n");
	for (const struct verb *v = verbs; v->name; v++)
		fprintf(to, "  %-9s %s\n", v->name, v->about);
}

int main(int argc, char **argv)
{
	if (argc < 2) {
		usage(stderr);
		return EXIT_USAGE;
	}
	if (!strcmp(argv[1], "--help")) {
		usage(stdout);
		return EXIT_FINE;
	}
	for (const struct verb *v = verbs; v->name; v++)
		if (!strcmp(argv[1], v->name))
			return v->serve(argc - 1, argv + 1);
	fprintf(stderr, "latchmark: no verb '%s'\n", argv[1]);
	usage(stderr);
	return EXIT_USAGE;
}
