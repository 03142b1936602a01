/* plot_verb.c - the verb `plot`: all pictures of a results folder, made again. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "plot.h"
#include "verbs.h"

int verb_plot(int argc, char **argv)
{
	const char *dir = NULL;
	bool pdf = false;
	int rc;

	for (int i = 1; i < argc; i++) {
		if (!strcmp(argv[i], "--help")) {
			puts("usage: plot DIR [--pdf]\n\n"
			     "Draws every picture of the results folder DIR from its records, as "
			     "svg\n"
			     "and png (and pdf), into DIR/plots, with index.html beside them.");
			return EXIT_FINE;
		}
		if (!strcmp(argv[i], "--pdf")) {
			pdf = true;
		} else if (argv[i][0] == '-') {
			fprintf(stderr, "plot: no option '%s'; there are --pdf, --help\n", argv[i]);
			return EXIT_USAGE;
		} else if (dir) {
			fprintf(stderr, "plot: one folder, not '%s' and '%s'\n", dir, argv[i]);
			return EXIT_USAGE;
		} else {
			dir = argv[i];
		}
	}
	if (!dir) {
		fprintf(stderr, "usage: plot DIR [--pdf]\n");
		return EXIT_USAGE;
	}
	rc = plot_results_as(dir, pdf);
	if (rc)
		return rc == -EIO ? EXIT_CELLS : EXIT_USAGE;
	printf("%s/plots/index.html\n", dir);
	return EXIT_FINE;
}
