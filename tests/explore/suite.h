/* suite.h - the fixed list of explorations that every lock has to pass. */
#ifndef EXPLORE_SUITE_H
#define EXPLORE_SUITE_H

#include <stdbool.h>

/*
 * Run them on explore.ops. Prints one line per exploration, tab-separated:
 * lock, what, model, states, transitions or runs, result, CPU seconds. full:
 * with the wide limits. kill: stop at the first fault, print its text only. Returns the exit code of explore.c.
 */
int suite_run(bool full, bool kill);

#endif
