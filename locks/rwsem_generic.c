/*
 * rwsem_generic.c - the semaphore with everything under one small lock: the
 * spinlock variant of Linux 2.4.4 (D. Howells, April 2001), for machines that
 * have no exchange-and-add, and the base line of the 2001 tables.
 *
 * State, all of it plain and under the wait lock
 *
 *	activity   -1: a writer holds; 0: free; n: so many readers hold
 *	queue      who waits, in order of arrival
 *
 * Fast path: none to speak of. Each acquire and each release takes the wait
 * lock, changes `activity`, drops it: four locked instructions a pair where
 * the count word needs two. A read is granted if activity >= 0 and nobody
 * waits; a write if activity is 0 and nobody waits.
 *
 * Slow path: queue, drop the wait lock, sleep until granted. The holder that
 * makes activity 0 grants to the head: one writer, or the whole run of readers
 * there. Ownership is handed over before the wake, so nobody can overtake.
 *
 * Who owes a wakeup, and why none is lost: the check and the queueing are one
 * hold of the wait lock, and so are the release and the grant. So after each
 * hold the queue is empty or the lock is held: by somebody who will release,
 * or by a sleeper that has been granted and will.
 *
 * Two departures. The wait lock spins only for a while and then sleeps
 * (waitlock.h), as a user-space thread can be preempted inside. And the
 * original reads the waiter's frame after the store that lets its owner return,
 * by when it may be gone; here all that is needed is read first (wake_list.h).
 * As in the original, sleepers are woken with the wait lock held.
 *
 * Good at: many writers (the 2001 tables: wo 2.2 times the count word of that
 * time, since a grant costs one hold and no retry); strict order; small code.
 * Bad at: readers, who serialise on the wait lock.
 */
#include "lock.h"
#include "park.h"
#include "waitlock.h"
#include "wake_list.h"

struct rwsem_generic {
	LINE_ALIGNED struct waitlock wait_lock;
	int32_t activity;
	struct waiters queue;
};

/* Under the wait lock. */
HOT bool rwsem_generic_may(const struct rwsem_generic *s, enum waiter_kind kind)
{
	plain_read(&s->activity);
	return kind == WAITER_READ ? s->activity >= 0 : s->activity == 0;
}

HOT void rwsem_generic_take(struct rwsem_generic *s, enum waiter_kind kind)
{
	plain_write(&s->activity);
	if (kind == WAITER_READ)
		s->activity++;
	else
		s->activity = -1;
}

/* Under the wait lock: everybody at the head of the queue who may hold now does. */
COLD void rwsem_generic_grant(struct rwsem_generic *s)
{
	struct wake_list wakes = WAKE_LIST_EMPTY;
	struct waiter *w;

	while ((w = waiters_first(&s->queue)) && rwsem_generic_may(s, waiter_kind(w))) {
		rwsem_generic_take(s, waiter_kind(w));
		waiters_remove(&s->queue, w);
		wake_list_grant(&wakes, w);
	}
	wake_list_flush(&wakes);
}

/* Takes the lock if that overtakes nobody; leaves the wait lock held. */
HOT bool rwsem_generic_try(struct rwsem_generic *s, enum waiter_kind kind)
{
	waitlock_acquire(&s->wait_lock);
	if (waiters_first(&s->queue) || !rwsem_generic_may(s, kind))
		return false;
	rwsem_generic_take(s, kind);
	return true;
}

#ifdef LOCK_EVENTS
/* Under the wait lock. */
static inline enum lock_blocker rwsem_generic_blocker(const struct rwsem_generic *s)
{
	if (!s->activity)
		return BY_NONE;
	return s->activity < 0 ? BY_WRITER : BY_READER;
}
#endif

/* Called with the wait lock held, returns without it. */
COLD bool rwsem_generic_wait(struct rwsem_generic *s, enum waiter_kind kind, uint64_t deadline)
{
	struct waiter w;
	bool got = true;

	lock_event_blocked(kind);
	lock_event_blocker(rwsem_generic_blocker(s));
	waiter_init(&w, kind);
	waiters_push(&s->queue, &w);
	waitlock_release(&s->wait_lock);
	if (park(&w.state, WAITER_ASLEEP, deadline) == WAITER_ASLEEP) {
		waitlock_acquire(&s->wait_lock);
		got = !waiter_queued(&w);
		if (!got) {
			waiters_remove(&s->queue, &w);
			/* those behind us may have waited for us alone */
			rwsem_generic_grant(s);
		}
		waitlock_release(&s->wait_lock);
		if (got) /* granted meanwhile; the word of it is on its way */
			park(&w.state, WAITER_ASLEEP, NO_DEADLINE);
	}
	waiter_end(&w);
	lock_event_ended(got ? ENDED_STOLEN : ENDED_GAVE_UP);
	return got;
}

HOT bool rwsem_generic_acquire_read_until(void *lock, void *ctx, uint64_t deadline)
{
	struct rwsem_generic *s = lock;

	(void)ctx;
	if (unlikely(!rwsem_generic_try(s, WAITER_READ)))
		return rwsem_generic_wait(s, WAITER_READ, deadline);
	waitlock_release(&s->wait_lock);
	lock_event_fast(SIDE_READ);
	return true;
}

HOT bool rwsem_generic_acquire_write_until(void *lock, void *ctx, uint64_t deadline)
{
	struct rwsem_generic *s = lock;

	(void)ctx;
	if (unlikely(!rwsem_generic_try(s, WAITER_WRITE)))
		return rwsem_generic_wait(s, WAITER_WRITE, deadline);
	waitlock_release(&s->wait_lock);
	lock_event_fast(SIDE_WRITE);
	return true;
}

HOT void rwsem_generic_acquire_read(void *lock, void *ctx)
{
	rwsem_generic_acquire_read_until(lock, ctx, NO_DEADLINE);
}

HOT void rwsem_generic_acquire_write(void *lock, void *ctx)
{
	rwsem_generic_acquire_write_until(lock, ctx, NO_DEADLINE);
}

HOT bool rwsem_generic_try_read(void *lock, void *ctx)
{
	struct rwsem_generic *s = lock;
	bool got = rwsem_generic_try(s, WAITER_READ);

	(void)ctx;
	waitlock_release(&s->wait_lock);
	return got;
}

HOT bool rwsem_generic_try_write(void *lock, void *ctx)
{
	struct rwsem_generic *s = lock;
	bool got = rwsem_generic_try(s, WAITER_WRITE);

	(void)ctx;
	waitlock_release(&s->wait_lock);
	return got;
}

/* The holder changes activity by `change`, and grants to whoever that lets in. */
HOT void rwsem_generic_give(void *lock, int32_t change)
{
	struct rwsem_generic *s = lock;

	waitlock_acquire(&s->wait_lock);
	plain_write(&s->activity);
	s->activity += change;
	if (unlikely(waiters_first(&s->queue) != NULL))
		rwsem_generic_grant(s);
	waitlock_release(&s->wait_lock);
}

HOT void rwsem_generic_release_read(void *lock, void *ctx)
{
	(void)ctx;
	rwsem_generic_give(lock, -1);
}

HOT void rwsem_generic_release_write(void *lock, void *ctx)
{
	(void)ctx;
	rwsem_generic_give(lock, 1);
}

/* from the one writer to the one reader */
HOT void rwsem_generic_downgrade(void *lock, void *ctx)
{
	(void)ctx;
	rwsem_generic_give(lock, 2);
}

static const char *rwsem_generic_check_idle(const void *lock)
{
	const struct rwsem_generic *s = lock;

	if (!waitlock_idle(&s->wait_lock))
		return "the wait lock is held";
	if (s->activity)
		return "the activity is not 0";
	if (s->queue.head || s->queue.tail)
		return "the queue is not empty";
	return NULL;
}

static const struct lock_ops lock_ops = {
	.name = "rwsem_generic",
	.about = "2001: all state under a small lock, strictly first come first served",
	.caps = LOCK_SHARED | LOCK_FIFO,
	.size = sizeof(struct rwsem_generic),
	.events = COUNTS_READS | COUNTS_WRITES,
	.acquire_read = rwsem_generic_acquire_read,
	.release_read = rwsem_generic_release_read,
	.acquire_write = rwsem_generic_acquire_write,
	.release_write = rwsem_generic_release_write,
	.try_read = rwsem_generic_try_read,
	.try_write = rwsem_generic_try_write,
	.acquire_read_until = rwsem_generic_acquire_read_until,
	.acquire_write_until = rwsem_generic_acquire_write_until,
	.downgrade = rwsem_generic_downgrade,
	.check_idle = rwsem_generic_check_idle,
};
