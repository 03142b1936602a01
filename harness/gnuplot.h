/* gnuplot.h - runs gnuplot without a shell. */
#ifndef HARNESS_GNUPLOT_H
#define HARNESS_GNUPLOT_H

#include <stdbool.h>
#include <stdio.h>

/* Whether there is a gnuplot on the path. */
bool gnuplot_found(void);

/*
 * Runs `gnuplot -e set FILE` for each of files, in the folder, as many at a time
 * as there are CPUs. Its complaints go to stderr with the file's name before
 * them. done[i]: that one went well (done may be NULL). The number that did not.
 */
unsigned gnuplot_draw(const char *folder, const char *set, const char *const *files, unsigned count,
		      bool *done);

/* Feeds the script to gnuplot, with its output in to. 0 or -errno. */
int gnuplot_print(FILE *script, FILE *to);

#endif
