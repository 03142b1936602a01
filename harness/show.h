/* show.h - a results folder in a terminal: a short table and a graph. */
#ifndef HARNESS_SHOW_H
#define HARNESS_SHOW_H

#include <stdio.h>

/*
 * The medians by lock and number of threads, what failed, and a graph by
 * gnuplot's `dumb` terminal where gnuplot is there. 0 or -errno, with what went
 * wrong on stderr.
 */
int show_results(const char *dir, FILE *to);

#endif
