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
	uint64_t random;   /* state of thread_random(), seeded per repetition; any value */
	uint64_t progress; /* 2 × operations done in this loop */
	uint64_t handovers, reads, writes, broken;
	uint64_t mark;	  /* what its last write made of section->before; low 16 bits: id */
	uint64_t word[2]; /* the workload's, set in thread_setup: held in registers */
	/* set in thread_setup, below workload_ops.variants, 0 otherwise; see there */
	unsigned variant;
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
	/*
	 * What the parameters decide once for all operations need not be asked in
	 * each: with variants > 1 the loop is compiled once for every value of
	 * t->variant from 0 to variants − 1 (at most 4), in which op's tests of
	 * t->variant fold away.
	 */
	unsigned variants;
	/* One operation. HOT. */
	void (*op)(const struct lock_ops *lk, struct thread *t, const bool sampled);
	/*
	 * After the last thread has stopped: NULL, or in words why the work that
	 * was claimed cannot have happened.
	 */
	const char *(*check)(const struct run *run, const struct slot *slots);
};

/*
 * A 64-bit linear congruential generator (Knuth, TAOCP 2, 3.3.4, line 26). Its
 * high bits are good, its low ones are not.
 */
HOT uint64_t thread_random_high(struct thread *t)
{
	return t->random = t->random * 6364136223846793005u + 1442695040888963407u;
}

/* True with probability below / 2^64: two instructions and a comparison. */
HOT bool thread_chance(struct thread *t, uint64_t below)
{
	return thread_random_high(t) < below;
}

/* What to give thread_chance for a share; 100 per cent lacks one draw in 2^64. */
HOT uint64_t chance_of_pct(int64_t pct)
{
	return pct >= 100 ? UINT64_MAX : UINT64_MAX / 100 * (uint64_t)pct;
}

/* All 64 bits good: the same, permuted (RXS-M-XS, O'Neill 2014, pcg-random.org). */
HOT uint64_t thread_random(struct thread *t)
{
	uint64_t x = t->random;

	thread_random_high(t);
	x = ((x >> ((x >> 59) + 5)) ^ x) * 12605985483714917081u;
	return x ^ (x >> 43);
}

#include "section.h"

#endif
