/* show_verb.c - the verb `show`. */
#include <stdio.h>
#include <string.h>

#include "show.h"
#include "verbs.h"

int verb_show(int argc, char **argv)
{
	if (argc > 1 && !strcmp(argv[1], "--help")) {
		puts("usage: show DIR\n\n"
		     "Prints the results folder DIR: the medians, what failed, and a graph.");
		return EXIT_FINE;
	}
	if (argc != 2 || argv[1][0] == '-') {
		fprintf(stderr, "usage: show DIR\n");
		return EXIT_USAGE;
	}
	return show_results(argv[1], stdout) ? EXIT_USAGE : EXIT_FINE;
}
