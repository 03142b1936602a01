/*
 * rwsem_mutex.c - rwsem_xadd with its write side wrapped in a mutex, so that
 * the semaphore sees one contending writer at a time.
 *
 * Edwin Török measured it on the kernel's mmap_sem in May 2011 and found
 * mmap() 21 times faster: the other writers queue at the mutex, so a writer
 * that leaves finds no writer in the semaphore's queue and wakes the readers,
 * and a mutex can be taken by the thread that runs, while a queued writer of
 * the semaphore of that time could not.
 *
 * The mutex is the suite's own (waitlock.h: spin, then sleep, whoever comes
 * first gets it) and not pthread_mutex, so that this file too runs under the
 * explorer and the fault build. It has no hand-off: under a steady stream of
 * writers one of them may wait long, and no bound is claimed.
 *
 * The state words, the slow paths and who owes a wakeup: rwsem_xadd.c and
 * waitlock.h. The order is always mutex, then semaphore; downgrade gives the
 * mutex back, as the thread is no writer from then on.
 *
 * Good at: many writers and some readers. Bad at: the price of a write without
 * contention, which is two locks instead of one.
 */

/* the same code under the same rules, without its table */
#define RWSEM_XADD_AS_PART
#include "rwsem_xadd.c"

struct rwsem_mutex {
	struct rwsem_xadd sem;
	LINE_ALIGNED struct waitlock mutex;
};

HOT struct rwsem_xadd *rwsem_mutex_sem(void *lock)
{
	return &((struct rwsem_mutex *)lock)->sem;
}

HOT struct waitlock *rwsem_mutex_mutex(void *lock)
{
	return &((struct rwsem_mutex *)lock)->mutex;
}

HOT void rwsem_mutex_acquire_read(void *lock, void *ctx)
{
	rwsem_xadd_acquire_read(rwsem_mutex_sem(lock), ctx);
}

HOT void rwsem_mutex_release_read(void *lock, void *ctx)
{
	rwsem_xadd_release_read(rwsem_mutex_sem(lock), ctx);
}

/* False: the deadline passed and the mutex is not held. */
HOT bool rwsem_mutex_enter(struct waitlock *mutex, uint64_t deadline)
{
	if (likely(waitlock_try(mutex)))
		return true;
	lock_event_blocked(SIDE_WRITE);
	lock_event_blocker(BY_WRITER);
	lock_event_mutex(mutex);
	return waitlock_wait(mutex, deadline);
}

HOT void rwsem_mutex_acquire_write(void *lock, void *ctx)
{
	rwsem_mutex_enter(rwsem_mutex_mutex(lock), NO_DEADLINE);
	rwsem_xadd_acquire_write(rwsem_mutex_sem(lock), ctx);
	lock_event_ended(ENDED_SPINNING);
}

HOT void rwsem_mutex_release_write(void *lock, void *ctx)
{
	rwsem_xadd_release_write(rwsem_mutex_sem(lock), ctx);
	waitlock_release(rwsem_mutex_mutex(lock));
}

HOT bool rwsem_mutex_try_read(void *lock, void *ctx)
{
	return rwsem_xadd_try_read(rwsem_mutex_sem(lock), ctx);
}

HOT bool rwsem_mutex_try_write(void *lock, void *ctx)
{
	if (!waitlock_try(rwsem_mutex_mutex(lock)))
		return false;
	if (rwsem_xadd_try_write(rwsem_mutex_sem(lock), ctx))
		return true;
	waitlock_release(rwsem_mutex_mutex(lock));
	return false;
}

HOT bool rwsem_mutex_acquire_read_until(void *lock, void *ctx, uint64_t deadline)
{
	return rwsem_xadd_acquire_read_until(rwsem_mutex_sem(lock), ctx, deadline);
}

HOT bool rwsem_mutex_acquire_write_until(void *lock, void *ctx, uint64_t deadline)
{
	bool entered = rwsem_mutex_enter(rwsem_mutex_mutex(lock), deadline), got = false;

	if (entered)
		got = rwsem_xadd_acquire_write_until(rwsem_mutex_sem(lock), ctx, deadline);
	lock_event_ended(got ? ENDED_SPINNING : ENDED_GAVE_UP);
	if (!entered || got)
		return got;
	waitlock_release(rwsem_mutex_mutex(lock));
	return false;
}

HOT void rwsem_mutex_downgrade(void *lock, void *ctx)
{
	rwsem_xadd_downgrade(rwsem_mutex_sem(lock), ctx);
	waitlock_release(rwsem_mutex_mutex(lock));
}

static const char *rwsem_mutex_check_idle(const void *lock)
{
	const struct rwsem_mutex *m = lock;

	if (!waitlock_idle(&m->mutex))
		return "the writers' mutex is held";
	return rwsem_xadd_check_idle(&m->sem);
}

static const struct lock_ops lock_ops = {
	.name = "rwsem_mutex",
	.about = "rwsem_xadd with its write side wrapped in a mutex",
	.caps = LOCK_SHARED,
	.size = sizeof(struct rwsem_mutex),
	.events = COUNTS_READS | COUNTS_WRITES | COUNTS_SPINNING | COUNTS_HANDOFF,
	.acquire_read = rwsem_mutex_acquire_read,
	.release_read = rwsem_mutex_release_read,
	.acquire_write = rwsem_mutex_acquire_write,
	.release_write = rwsem_mutex_release_write,
	.try_read = rwsem_mutex_try_read,
	.try_write = rwsem_mutex_try_write,
	.acquire_read_until = rwsem_mutex_acquire_read_until,
	.acquire_write_until = rwsem_mutex_acquire_write_until,
	.downgrade = rwsem_mutex_downgrade,
	.check_idle = rwsem_mutex_check_idle,
};
