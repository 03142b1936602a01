/*
 * bench.h - measuring a few things against each other in one process: short
 * repetitions, interleaved, so that a slow moment of the machine hits all alike.
 */
#ifndef TESTS_BENCH_H
#define TESTS_BENCH_H

#include "cells.h"

/* One cell set up for one thread, in memory of its own. */
struct bench_cell {
	struct run run;
	struct thread thread;
	struct section section;
	const struct cell *cell;
	/* sizes that keep lock, context and slot apart modulo a page: a load that
	   agrees with an earlier store in its low 12 bits waits for it */
	LINE_ALIGNED char lock[4096 + 256];
	LINE_ALIGNED char ctx[4096 + 256];
	struct slot slot;
	int64_t params[MAX_PARAMS], lock_params[MAX_PARAMS];
};

/* The named cell with default parameters; ends the program where there is none. */
void bench_cell_open(struct bench_cell *c, const char *lock, const char *workload,
		     uint64_t operations);
void bench_cell_param(struct bench_cell *c, const char *name, int64_t value);

/* ns per operation of one repetition; arg is a struct bench_cell */
double bench_cell_run(void *arg);

struct bench_case {
	const char *name;
	double (*run)(void *arg); /* ns per operation of one repetition */
	void *arg;
	double *ns; /* [repetitions], sorted, by bench_interleaved */
};

/* Each case once per round, in an order that turns; the first round is dropped. */
void bench_interleaved(struct bench_case *cases, unsigned n, unsigned repetitions);

/* the median and the middle half, ns per operation */
void bench_print(const struct bench_case *c, unsigned repetitions);

/* base's median time over c's median time, and whether it reaches the target */
void bench_print_ratio(const char *what, const struct bench_case *base, const struct bench_case *c,
		       unsigned repetitions, double target);

/* c's median time over base's, and whether it stays within the limit */
void bench_print_cost(const struct bench_case *c, const struct bench_case *base,
		      unsigned repetitions, double limit);

#endif
