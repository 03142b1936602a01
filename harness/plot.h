/*
 * plot.h - pictures and the page beside them, from a results folder alone.
 *
 * Everything is written under DIR/plots and replaces what stood there: NAME.svg
 * and NAME.png (and NAME.pdf when asked), index.html, and data/ with the numbers
 * and the gnuplot sources of each picture, so that a picture can be drawn again
 * or restyled without latchmark.
 */
#ifndef HARNESS_PLOT_H
#define HARNESS_PLOT_H

#include <stdbool.h>

/*
 * 0; -ENOENT when gnuplot is not installed; another -errno. What went wrong is
 * on stderr. A folder without a single good repetition is not an error: the
 * page says so.
 */
int plot_results(const char *dir);
int plot_results_as(const char *dir, bool pdf);

#endif
