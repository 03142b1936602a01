/*
 * cell.c - the only file where a lock meets a workload. Built once for each
 * pair, with LOCK_FILE and WORKLOAD_FILE defined to quoted paths; without
 * LOCK_FILE it becomes the workload's outline cell, which calls any lock
 * through its table. With LOCK_EVENTS it is the pair's counting cell (events.h),
 * which is kept apart from those that are measured.
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

/*
 * Plain operations up to `until`; false when told to stop. Works on a copy whose
 * address goes nowhere, so that the compiler may keep its fields in registers
 * over the lock's calls; and each variant is a function of its own, so that no
 * register is held for what only the others use. A lock's address that comes
 * from memory costs a cycle in each operation.
 */
HOT bool cell_plain(struct thread *thread, uint64_t until, unsigned variant)
{
	struct thread t = *thread;
	const struct run *run = t.run;
	const struct lock_ops *lk = run->lock_ops;
	bool go_on = true;

	t.variant = variant;
	while (t.progress < until) {
		if (unlikely(load_rlx(&run->stop))) {
			go_on = false;
			goto out;
		}
		workload_ops.op(LOCK_OPS(lk), &t, false);
		t.progress += 2;
	}
out:
	thread->random = t.random;
	thread->progress = t.progress;
	thread->handovers = t.handovers;
	thread->reads = t.reads;
	thread->writes = t.writes;
	thread->broken = t.broken;
	thread->mark = t.mark;
	thread->word[0] = t.word[0];
	thread->word[1] = t.word[1];
	return go_on;
}

#define CELL_VARIANT static __attribute__((noinline, hot)) bool

CELL_VARIANT cell_plain_0(struct thread *t, uint64_t until)
{
	return cell_plain(t, until, 0);
}

CELL_VARIANT cell_plain_1(struct thread *t, uint64_t until)
{
	return cell_plain(t, until, 1);
}

CELL_VARIANT cell_plain_2(struct thread *t, uint64_t until)
{
	return cell_plain(t, until, 2);
}

CELL_VARIANT cell_plain_3(struct thread *t, uint64_t until)
{
	return cell_plain(t, until, 3);
}

static bool cell_burst(struct thread *t, uint64_t until)
{
	if (workload_ops.variants > 1 && t->variant == 1)
		return cell_plain_1(t, until);
	if (workload_ops.variants > 2 && t->variant == 2)
		return cell_plain_2(t, until);
	if (workload_ops.variants > 3 && t->variant == 3)
		return cell_plain_3(t, until);
	return cell_plain_0(t, until);
}

static void cell_loop(struct thread *t)
{
	struct run *run = t->run;
	struct slot *slot = t->slot;
	const struct lock_ops *lk = run->lock_ops;
	const uint64_t limit = run->ops_limit > UINT64_MAX / 2 ? UINT64_MAX & ~1ull
							       : run->ops_limit * 2;
	struct ticks ticks = { .last = clock_now(), .every = run->sample_every };
	uint64_t plain_until;

	t->progress = 0;
	t->mark = (uint16_t)t->id;
	if (!ticks.every)
		ticks.every = 1;
	for (;;) {
		plain_until = t->progress + 2 * (ticks.every - 1);
		if (plain_until > limit)
			plain_until = limit;
		if (!cell_burst(t, plain_until))
			break;
		if (t->progress >= limit || load_rlx(&run->stop))
			break;
		workload_ops.op(LOCK_OPS(lk), t, true);
		t->progress += 2;
		store_rlx(&slot->progress, t->progress);
		cell_tick(run, &ticks);
	}
	store_rlx(&slot->progress, t->progress);
	cell_tick(run, &ticks);
	if (ticks.gap_max > slot->gap_max_ns)
		slot->gap_max_ns = ticks.gap_max;
	slot->ops = t->progress / 2;
}

static const struct cell cell = {
#ifdef LOCK_FILE
	.lock = &lock_ops,
#endif
	.workload = &workload_ops,
	.loop = cell_loop,
};

#ifdef LOCK_EVENTS
#define CELL_SECTION "latchmark_event_cells"
#else
#define CELL_SECTION "latchmark_cells"
#endif

__attribute__((section(CELL_SECTION), used)) static const struct cell *const cell_entry = &cell;
