/*
 * cell.c - the only file where a lock meets a workload. Built once for each
 * pair, with LOCK_FILE and WORKLOAD_FILE defined to quoted paths; without
 * LOCK_FILE it becomes the workload's outline cell, which calls any lock
 * through its table.
 */
#include "cell.h"

#include WORKLOAD_FILE
#ifdef LOCK_FILE
#include LOCK_FILE
#define CELL_LOCK(t) (&lock_ops)
#else
#define CELL_LOCK(t) ((t)->run->lock_ops)
#endif

/* With latency off, look at the clock about this often. */
#define TICK_NS 50000
#define TICK_MAX 65536

static void cell_loop(struct thread *t)
{
	struct run *run = t->run;
	struct slot *slot = t->slot;
	const struct lock_ops *lk = CELL_LOCK(t);
	uint64_t n = 0, limit = run->ops_limit;
	uint32_t every = run->sample_every ? run->sample_every : 1, left = every;
	uint64_t last = clock_now(), now;

	while (!load_rlx(&run->stop) && n < limit) {
		if (likely(--left)) {
			workload_ops.op(lk, t, false);
			store_rlx(&slot->progress, ++n << 1);
			continue;
		}
		workload_ops.op(lk, t, true);
		store_rlx(&slot->progress, ++n << 1);
		now = clock_now();
		if (now - last > slot->gap_max_ns)
			slot->gap_max_ns = now - last;
		if (!run->sample_every) {
			if (now - last < TICK_NS / 2 && every < TICK_MAX)
				every *= 2;
			else if (now - last > TICK_NS && every > 1)
				every /= 2;
		}
		last = now;
		left = every;
	}
	now = clock_now();
	if (now - last > slot->gap_max_ns)
		slot->gap_max_ns = now - last;
	slot->ops = n;
}

static const struct cell cell = {
#ifdef LOCK_FILE
	.lock = &lock_ops,
#endif
	.workload = &workload_ops,
	.loop = cell_loop,
};

__attribute__((section("latchmark_cells"), used)) static const struct cell *const cell_entry =
	&cell;
