/*
 * cell.c - the only file where a lock meets a workload. Built once for each
 * pair, with LOCK_FILE and WORKLOAD_FILE defined to quoted paths; without
 * LOCK_FILE it becomes the workload's outline cell, which calls any lock
 * through its table.
 *
 * The lock comes first, so that section.h can name its table: a table that only
 * arrives through a pointer lets clang merge the calls of two branches into one
 * indirect call before it knows where they go.
 */
#include "lock.h"

#ifdef LOCK_FILE
#include LOCK_FILE
#define LOCK_OPS(lk) ((void)(lk), &lock_ops)
#endif
#include WORKLOAD_FILE

#include "cell.h"

/* With latency off, look at the clock about this often. */
#define TICK_NS 50000
#define TICK_MAX 65536

/* How far apart the looks at the clock are, and what was seen at them. */
struct ticks {
	uint64_t last, gap_max;
	uint64_t every;
};

COLD void cell_tick(const struct run *run, struct ticks *ticks)
{
	uint64_t now = clock_now(), gap = now - ticks->last;

	if (gap > ticks->gap_max)
		ticks->gap_max = gap;
	if (!run->sample_every) {
		if (gap < TICK_NS / 2 && ticks->every < TICK_MAX)
			ticks->every *= 2;
		else if (gap > TICK_NS && ticks->every > 1)
			ticks->every /= 2;
	}
	ticks->last = now;
}

static void cell_loop(struct thread *thread)
{
	/*
	 * A copy whose address goes nowhere: the compiler may keep its fields in
	 * registers over the lock's calls.
	 */
	struct thread t = *thread;
	struct run *run = t.run;
	struct slot *slot = t.slot;
	const struct lock_ops *lk = run->lock_ops;
	const uint64_t limit = run->ops_limit > UINT64_MAX / 2 ? UINT64_MAX & ~1ull
							       : run->ops_limit * 2;
	struct ticks ticks = { .last = clock_now(), .every = run->sample_every };
	uint64_t plain_until;

	t.progress = 0;
	if (!ticks.every)
		ticks.every = 1;
	for (;;) {
		plain_until = t.progress + 2 * (ticks.every - 1);
		if (plain_until > limit)
			plain_until = limit;
		while (t.progress < plain_until) {
			if (unlikely(load_rlx(&run->stop)))
				goto stopped;
			workload_ops.op(LOCK_OPS(lk), &t, false);
			t.progress += 2;
		}
		if (t.progress >= limit || load_rlx(&run->stop))
			break;
		workload_ops.op(LOCK_OPS(lk), &t, true);
		t.progress += 2;
		store_rlx(&slot->progress, t.progress);
		cell_tick(run, &ticks);
	}
stopped:
	cell_tick(run, &ticks);
	if (ticks.gap_max > slot->gap_max_ns)
		slot->gap_max_ns = ticks.gap_max;
	slot->ops = t.progress / 2;
	*thread = t;
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
