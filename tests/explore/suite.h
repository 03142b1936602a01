/* suite.h - the fixed list of explorations that every lock has to pass. */
#ifndef EXPLORE_SUITE_H
#define EXPLORE_SUITE_H

#include <stdbool.h>

/*
 * Run them on explore.ops. Prints one line per exploration, tab-separated:
 * lock, what, model, states, transitions or runs, result, CPU seconds. percent
 * scales the limits of those that are bounded. kill: stop at the first fault,
 * print its text only. Returns the exit code of explore.c.
 */
int suite_run(unsigned percent, bool kill);

#endif
