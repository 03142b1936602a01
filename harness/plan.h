/*
 * plan.h - every cell of a run spelled out: what is measured, before anything
 * is. A config becomes a plan; the plan can be printed, and a run and a resume
 * read nothing else.
 */
#ifndef HARNESS_PLAN_H
#define HARNESS_PLAN_H

#include <stdio.h>

#include "cell.h"

/* One cell: lock × workload × threads × placement × parameters. */
struct cell_spec {
	unsigned id; /* its place in the plan's cells, before the shuffle */
	const char *experiment;
	const char *lock;		 /* as on the graphs: "mcs", "rwsem_wakeq:wake=inside" */
	const struct cell *cell;	 /* the loop to run */
	const struct lock_ops *lock_ops; /* also for an outline cell */
	const struct workload_ops *workload_ops;
	bool outline;
	int64_t params[MAX_PARAMS];	    /* in the order of workload_ops->params */
	int64_t lock_params[MAX_PARAMS];    /* in the order of lock_ops->params */
	unsigned threads, readers, writers; /* readers, writers: 0 without roles */
	const char *placement;		    /* as in the config */
	int32_t *cpus;			    /* [threads], the CPU of each; −1: not pinned */
	const char *memory;		    /* as in the config */
	uint64_t duration_ns;		    /* 0 when operations are given */
	uint64_t operations;		    /* per thread; 0 when a duration is given */
	uint64_t warmup_ns;
	uint64_t timeout_ns; /* from fork to exit; then the cell is hung */
	unsigned repetitions;
	uint32_t sample_every; /* latency: every n-th operation; 0: off */
	bool events;	       /* count what happens inside the lock */
	const char **counters; /* NULL-terminated PAPI names; NULL for none */
	const char *baseline;  /* the lock that ratios are made against, or NULL */
};

/* One repetition of one cell, in the order in which they will run. */
struct plan_step {
	unsigned cell; /* index into plan.cells */
	unsigned repetition;
};

struct plan {
	const char *name; /* the config's stem */
	uint64_t seed;
	struct cell_spec *cells;
	unsigned cell_count;
	struct plan_step *steps; /* every repetition of every cell, shuffled */
	unsigned step_count;
};

/*
 * Makes plan->steps from the cells: first repetition 0 of every cell in an order
 * drawn from plan->seed, then repetition 1 in another, and so on, so that what
 * drifts in a run hits all cells alike. 0 or -ENOMEM.
 */
int plan_shuffle(struct plan *plan);

/*
 * Where c->events is set and the lock counts anything, makes its counting cell
 * the one to run. c->lock_ops and c->cell stand already; outline stays outline.
 */
void plan_count_events(struct cell_spec *c);

/*
 * How long the measuring will take, warm-up and turnover included, ns. Cells
 * that end by a number of operations are not in it, as nobody knows; unknown,
 * unless NULL, gets their number.
 */
uint64_t plan_time(const struct plan *plan, unsigned *unknown);

/* Every string and array of a plan is its own. NULL is fine. */
void plan_free(struct plan *plan);

#endif
