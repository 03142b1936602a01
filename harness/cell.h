/*
 * cell.h - a lock and a workload compiled together. Each object file built
 * from cell.c leaves a pointer to one of these in the section
 * `latchmark_cells`; the linker makes the array. The objects are linked as
 * objects: out of an archive they would vanish unseen. Counting cells (events.h)
 * are in the section `latchmark_event_cells` instead.
 */
#ifndef HARNESS_CELL_H
#define HARNESS_CELL_H

#include "workload.h"

struct cell {
	/* NULL in an outline cell: the lock comes from run->lock_ops, by pointer */
	const struct lock_ops *lock;
	const struct workload_ops *workload;
	/*
	 * Runs operations until run->stop or t->run->ops_limit, leaves the counts
	 * in *t and in t->slot (ops, reads, writes, handovers, broken, looks,
	 * overlaps, gap_max_ns, wait_max_ns, wait).
	 */
	void (*loop)(struct thread *t);
};

/* Bumped whenever a struct of lock.h, workload.h, sample.h or this file changes. */
#define LATCHMARK_ABI 3

/* harness/plugin.c: what a plug-in exports, under the one symbol name `latchmark_plugin`. */
struct latchmark_plugin {
	uint32_t abi;
	uint32_t lock_ops_size, thread_size; /* catches a forgotten bump */
	const struct cell *const *cells, *const *cells_end;
	const struct cell *const *event_cells, *const *event_cells_end;
};

#endif
