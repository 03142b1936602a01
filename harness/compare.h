/* compare.h - two results folders: which cells became faster or slower. */
#ifndef HARNESS_COMPARE_H
#define HARNESS_COMPARE_H

#include "claim.h"
#include "groups.h"

struct compare_options {
	double alpha;	      /* of the whole family of cells */
	double max_regress;   /* a slower cell is a regression from this share on: 0.05 */
	bool across_machines; /* compare although the processors differ */
};

struct compared {
	struct reading_cell *base, *new;
	const char *experiment; /* title of its group in NEW */
	char x[32];
	struct claim claim; /* of new against base */
	char reason[96];    /* why not comparable; empty otherwise */
	bool regressed;
};

struct comparison {
	struct compared *pair;
	unsigned pairs, only_base, only_new; /* cells */
	unsigned count[VERDICT_NOT + 1];     /* pairs by verdict */
	unsigned family, runs_needed;	     /* claims tested together; runs a side that would do */
	unsigned regressed;
};

/*
 * Cells are the same when all that was asked for is: experiment, workload,
 * parameters, lock, call, threads, placement, memory, duration. Pools again, so
 * that both sides are at like distance of the CPUs. `groups` are of new.
 */
void compare(struct comparison *c, struct readings *base, struct readings *new,
	     const struct groups *groups, const struct compare_options *options);
void comparison_free(struct comparison *c);

#endif
