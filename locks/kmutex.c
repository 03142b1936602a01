/*
 * kmutex.c - a sleeping mutex that spins before it sleeps: the kernel's mutex
 * as of Linux 3.10 (2013; spinning by P. Zijlstra 2009, the queue of spinners by
 * W. Long 2013), which the anon_vma thread of June 2013 compares the semaphore
 * with. An exclusive lock: it serves reads as writes.
 *
 * The word (the kernel counts 1, 0, -1 instead, so that zeroed memory here is a
 * free lock)
 *
 *	FREE 0    HELD 1    CONTENDED 2: held, and somebody may be queued
 *
 * Fast paths: acquire swaps FREE for HELD; release exchanges FREE in, and is
 * done if the word was HELD.
 *
 * Slow path: queue among the spinners (spin_queue.h); their first one takes the
 * word as it becomes FREE, for at most SPIN_PAUSES looks: the kernel spins as
 * long as the owner runs, which user space cannot see. Then queue under the
 * wait lock and, there, exchange CONTENDED in: if the word was FREE, it is ours;
 * else sleep until the release pokes us, and try again.
 *
 * Who owes a wakeup, and why none is lost
 *
 *	Whoever exchanges FREE in and finds CONTENDED: it pokes the head, under
 *	the wait lock. A sleeper has put CONTENDED in after it queued, in the
 *	same hold of the wait lock; only releases and the owner take it out. A
 *	thread that steals between a release and the poke leaves HELD, though
 *	somebody is queued: that is sound, since the poke is still to come, and
 *	the poked thread puts CONTENDED back before it sleeps again. A poked
 *	thread that gives up instead (its deadline) pokes the next. The new
 *	owner takes CONTENDED back to HELD only if it leaves the queue empty.
 *
 * Order of memory: every exchange that comes in acquires, and pairs with the
 * release in kmutex_release: without it a section could miss the last one's
 * writes.
 *
 * Good at: short sections (2013: 99.6 % of the blocked got it spinning). Bad
 * at: fairness: no hand-off (the kernel has one since 2016), no bound claimed.
 */
#include "lock.h"
#include "park.h"
#include "spin_queue.h"
#include "waitlock.h"
#include "wake_list.h"

enum { KMUTEX_FREE, KMUTEX_HELD, KMUTEX_CONTENDED };

struct kmutex {
	LINE_ALIGNED _Atomic uint32_t word;
	LINE_ALIGNED struct waitlock wait_lock;
	struct waiters queue;
	LINE_ALIGNED struct spin_queue spinners;
};

HOT bool kmutex_try(void *lock, void *ctx)
{
	struct kmutex *m = lock;
	uint32_t free = KMUTEX_FREE;

	(void)ctx;
	return cas_acq(&m->word, &free, KMUTEX_HELD);
}

static bool kmutex_spin(struct kmutex *m, struct spin_node *node)
{
	bool got = false;

	if (!spin_queue_acquire(&m->spinners, node))
		return false;
	for (int i = 0; !got && i < SPIN_CAP(SPIN_PAUSES); i++) {
		got = load_rlx(&m->word) == KMUTEX_FREE && kmutex_try(m, node);
		if (!got)
			cpu_pause();
	}
	spin_queue_release(&m->spinners, node);
	return got;
}

/* Under the wait lock. */
static void kmutex_poke_head(struct kmutex *m, struct wake_list *wakes)
{
	struct waiter *head = waiters_first(&m->queue);

	if (head)
		wake_list_poke(wakes, head);
}

COLD bool kmutex_wait(struct kmutex *m, struct spin_node *node, uint64_t deadline)
{
	struct wake_list wakes = WAKE_LIST_EMPTY;
	struct waiter w;
	bool got = true;

	lock_event_blocked(SIDE_WRITE);
	lock_event_blocker(BY_WRITER);
	if (kmutex_spin(m, node)) {
		lock_event_ended(ENDED_SPINNING);
		return true;
	}
	lock_event(EVENT_SPIN_FAIL);
	waiter_init(&w, WAITER_WRITE);
	waitlock_acquire(&m->wait_lock);
	waiters_push(&m->queue, &w);
	while (xchg_acq(&m->word, KMUTEX_CONTENDED) != KMUTEX_FREE) {
		waitlock_release(&m->wait_lock);
		got = park(&w.state, WAITER_ASLEEP, deadline) != WAITER_ASLEEP;
		waitlock_acquire(&m->wait_lock);
		if (!got)
			break;
		/* before the next exchange: a poke that comes after it must not be lost */
		store_rlx(&w.state, WAITER_ASLEEP);
	}
	waiters_remove(&m->queue, &w);
	if (!got)
		/* a poke may have come with the deadline, and was meant for whoever waits */
		kmutex_poke_head(m, &wakes);
	else if (!waiters_first(&m->queue))
		/* ours, and under the wait lock nobody puts CONTENDED in */
		store_rlx(&m->word, KMUTEX_HELD);
	waitlock_release(&m->wait_lock);
	wake_list_flush(&wakes);
	waiter_end(&w);
	lock_event_ended(got ? ENDED_STOLEN : ENDED_GAVE_UP);
	return got;
}

COLD void kmutex_wake(struct kmutex *m)
{
	struct wake_list wakes = WAKE_LIST_EMPTY;

	waitlock_acquire(&m->wait_lock);
	kmutex_poke_head(m, &wakes);
	waitlock_release(&m->wait_lock);
	wake_list_flush(&wakes);
}

HOT bool kmutex_acquire_until(void *lock, void *ctx, uint64_t deadline)
{
	if (unlikely(!kmutex_try(lock, ctx)))
		return kmutex_wait(lock, ctx, deadline);
	lock_event_fast(SIDE_WRITE);
	return true;
}

HOT void kmutex_acquire(void *lock, void *ctx)
{
	kmutex_acquire_until(lock, ctx, NO_DEADLINE);
}

/* pairs with the acquires of the next owner: without it that one could miss our writes */
HOT void kmutex_release(void *lock, void *ctx)
{
	struct kmutex *m = lock;

	(void)ctx;
	if (unlikely(xchg_rel(&m->word, KMUTEX_FREE) == KMUTEX_CONTENDED))
		kmutex_wake(m);
}

static const char *kmutex_check_idle(const void *lock)
{
	struct kmutex *m = (void *)lock;

	if (load_rlx(&m->word) != KMUTEX_FREE)
		return "the word is not free";
	if (!waitlock_idle(&m->wait_lock))
		return "the wait lock is held";
	if (m->queue.head || m->queue.tail)
		return "the queue is not empty";
	if (!spin_queue_idle(&m->spinners))
		return "somebody is in the spinner queue";
	return NULL;
}

static const struct lock_ops lock_ops = {
	.name = "kmutex",
	.about = "2013: a mutex that spins in a queue, then sleeps",
	.caps = 0,
	.size = sizeof(struct kmutex),
	.events = COUNTS_WRITES | COUNTS_SPINNING_WRITES,
	.ctx_size = sizeof(struct spin_node),
	.acquire_read = kmutex_acquire,
	.release_read = kmutex_release,
	.acquire_write = kmutex_acquire,
	.release_write = kmutex_release,
	.try_read = kmutex_try,
	.try_write = kmutex_try,
	.acquire_read_until = kmutex_acquire_until,
	.acquire_write_until = kmutex_acquire_until,
	.check_idle = kmutex_check_idle,
};
