/*
 * groups.h - what is compared with what. A group is all cells of one experiment
 * that differ only in lock and in number of threads (or in readers and writers):
 * one picture, one table. Decides also which repetitions are pooled.
 */
#ifndef HARNESS_GROUPS_H
#define HARNESS_GROUPS_H

#include "readings.h"

/* A place on the horizontal axis. */
struct place_x {
	char label[32]; /* "8", or "31r 16w" */
	unsigned threads;
	int readers, writers;
	bool oversubscribed;
};

struct group {
	char *title; /* experiment, workload, and the parameters that vary */
	char *about; /* the parameters that do not */
	char *slug;  /* unique in the folder, safe as a file's name */
	bool roles;  /* labels are readers and writers */
	const struct reading_cell *any;
	const char **lock; /* in the order of the records' cells */
	unsigned locks;
	struct place_x *x;
	unsigned xs;
	struct reading_cell **cell; /* [lock * xs + x]; NULL where there is none */
	/* of the x that the pictures by lock show; both may be the same */
	unsigned busiest, busiest_fitting;
	unsigned runs_low, runs_high;	     /* pooled repetitions over the cells with any */
	unsigned bad, dirty, far, two_modes; /* repetitions, and cells for the last */
};

struct groups {
	struct group *group;
	unsigned count;
	const char **lock; /* every lock of the folder, once */
	unsigned locks;
};

/*
 * Arranges the cells, pools and sets what readings.h says is set here. Borrows
 * from the readings. Aborts without memory.
 */
void groups_make(struct groups *g, struct readings *r);
void groups_free(struct groups *g);

struct reading_cell *group_cell(const struct group *g, unsigned lock, unsigned x);

/*
 * Chooses the repetitions that figures rest on: status ok, and all measured at
 * about the same distance of CPUs. Distances are alike within a factor of
 * 1 + NOISE_DISTANCE. Of all windows of that width the one is taken that leaves
 * the poorest cell the most, then the one with the most, then the nearest.
 * Cells whose sections overlapped pool nothing. For cells (NULL allowed) that
 * will be compared with each other.
 */
void pool_alike(struct reading_cell **cell, unsigned cells);

/* "8 threads", "1 thread", "3r 1w" */
const char *group_x_text(const struct group *g, unsigned x, char *text, size_t size);

/* "5 runs", "4 to 5 runs": pooled repetitions over the cells that have any. */
const char *group_runs(const struct group *g, char *text, size_t size);

/* "hung", or "2 of 5 hung"; "" for a cell without fault. */
const char *cell_fault(const struct reading_cell *c, char *text, size_t size);

#endif
