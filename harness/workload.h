/*
 * workload.h - contract 2: what a workload is.
 *
 * A file in workloads/ includes this header and ends with one table:
 *
 *	static const struct workload_ops workload_ops = { .name = "mine", ... };
 *
 * It describes one operation; the loop around it (the stop check, the sampling,
 * the counting) is harness/cell.c and the same for all. `op` is HOT and gets
 * the lock's table as a compile-time constant, and `sampled` as a compile-time
 * constant too: use it through section.h and pay nothing in plain operations.
 */
#ifndef HARNESS_WORKLOAD_H
#define HARNESS_WORKLOAD_H

#include "lock.h"
#include "sample.h"
#include "work.h"

enum role { ROLE_ANY, ROLE_READER, ROLE_WRITER, ROLE_DOWNGRADER };

/* One run of one cell, the same for all its threads. */
struct run {
	LINE_ALIGNED _Atomic uint32_t stop; /* set when the time is up */

	/* written before the threads start, constant after */
	LINE_ALIGNED const struct lock_ops *lock_ops;
	void *lock;
	struct section *section;
	void *data;	       /* the workload's own, from its setup */
	const int64_t *params; /* in the order of workload_ops.params */
	const int64_t *lock_params;
	unsigned threads, readers, writers;
	uint64_t ops_limit;    /* per thread; UINT64_MAX: until stop */
	uint32_t sample_every; /* latency: every n-th operation; 0: off */
	unsigned nodes;
};

/*
 * One thread of it. Private to the thread but for `slot`. An op sees a copy of
 * the loop's own: it may change it, and must not keep its address or hand it to
 * a function that is not inlined (that is allowed, and costs).
 */
struct thread {
	LINE_ALIGNED struct run *run;
	void *lock; /* = run->lock, a load nearer */
	void *ctx;
	struct section *section;
	struct slot *slot; /* what the parent may read at any time */
	const int64_t *params;
	void *data; /* = run->data */
	void *own;  /* the workload's per-thread memory, from thread_setup */
	unsigned id;
	enum role role;
	uint64_t random; /* state of thread_random(), seeded per repetition */
	uint64_t progress; /* 2 × operations done in this loop */
	uint64_t handovers, reads, writes, broken;
	uint64_t word[2]; /* the workload's, set in thread_setup: held in registers */
};

struct workload_ops {
	const char *name;  /* the file's stem */
	const char *about; /* one line for `list workloads` */
	const char *unit;  /* what one operation is: "acquisitions", "faults" */
	bool has_roles;	   /* takes readers and writers */
	const struct param *params;

	/* Whole-cell memory into run->data; 0 or -errno. Once, in the child. */
	int (*setup)(struct run *run);
	void (*teardown)(struct run *run);
	/* Per-thread memory into t->own; in the thread, after pinning. */
	int (*thread_setup)(struct thread *t);
	void (*thread_teardown)(struct thread *t);
	/* One operation. HOT. */
	void (*op)(const struct lock_ops *lk, struct thread *t, const bool sampled);
	/*
	 * After the last thread has stopped: NULL, or in words why the work that
	 * was claimed cannot have happened.
	 */
	const char *(*check)(const struct run *run, const struct slot *slots);
};

/* xorshift64*: Vigna 2016, https://doi.org/10.1145/2845077; never 0 from seed ≠ 0 */
HOT uint64_t thread_random(struct thread *t)
{
	uint64_t x = t->random;

	x ^= x >> 12;
	x ^= x << 25;
	x ^= x >> 27;
	t->random = x;
	return x * 0x2545f4914f6cdd1dull;
}

#include "section.h"

#endif
