/*
 * rwsem_steal.c - the count word with lock stealing by writers (M. Lespinasse,
 * Linux 3.9 and 3.10, 2013, after a first form by A. Shi).
 *
 * The state word, both paths and who owes a wakeup: xadd_steal.h. What this
 * one adds to the semaphore of 2001: a writer at the head is woken, not granted,
 * and takes the lock by compare-and-swap, so a writer that arrives while it
 * wakes up may steal the lock instead of waiting for a sleeping owner.
 * Readers are granted as before. Nobody spins; sleepers are woken with the wait
 * lock held.
 *
 * Good at: writers that come often and stay short, against the 2001 forms: the
 * lock is never owned by a thread that is still asleep. Bad at: fairness among
 * writers (no bound is claimed: a woken writer can lose each time), and every
 * blocked writer still pays a sleep (2013: 91.6 % of them).
 */
#include "xadd_steal.h"

static const struct steal_policy rwsem_steal_policy = { 0 };

HOT bool rwsem_steal_acquire_read_until(void *lock, void *ctx, uint64_t deadline)
{
	(void)ctx;
	return steal_acquire_read(lock, &rwsem_steal_policy, deadline);
}

HOT bool rwsem_steal_acquire_write_until(void *lock, void *ctx, uint64_t deadline)
{
	(void)ctx;
	return steal_acquire_write(lock, &rwsem_steal_policy, NULL, deadline);
}

HOT void rwsem_steal_acquire_read(void *lock, void *ctx)
{
	rwsem_steal_acquire_read_until(lock, ctx, NO_DEADLINE);
}

HOT void rwsem_steal_acquire_write(void *lock, void *ctx)
{
	rwsem_steal_acquire_write_until(lock, ctx, NO_DEADLINE);
}

HOT void rwsem_steal_release_read(void *lock, void *ctx)
{
	(void)ctx;
	steal_release_read(lock, &rwsem_steal_policy);
}

HOT void rwsem_steal_release_write(void *lock, void *ctx)
{
	(void)ctx;
	steal_release_write(lock, &rwsem_steal_policy);
}

HOT void rwsem_steal_downgrade(void *lock, void *ctx)
{
	(void)ctx;
	steal_downgrade(lock, &rwsem_steal_policy);
}

HOT bool rwsem_steal_try_read(void *lock, void *ctx)
{
	(void)ctx;
	return steal_try_read(lock);
}

HOT bool rwsem_steal_try_write(void *lock, void *ctx)
{
	(void)ctx;
	return steal_try_write(lock);
}

static const struct lock_ops lock_ops = {
	.name = "rwsem_steal",
	.about = "2013: woken writers compete, so an arriving one may steal",
	.caps = LOCK_SHARED,
	.size = sizeof(struct xadd_steal),
	.events = COUNTS_READS | COUNTS_WRITES,
	.acquire_read = rwsem_steal_acquire_read,
	.release_read = rwsem_steal_release_read,
	.acquire_write = rwsem_steal_acquire_write,
	.release_write = rwsem_steal_release_write,
	.try_read = rwsem_steal_try_read,
	.try_write = rwsem_steal_try_write,
	.acquire_read_until = rwsem_steal_acquire_read_until,
	.acquire_write_until = rwsem_steal_acquire_write_until,
	.downgrade = rwsem_steal_downgrade,
	.check_idle = steal_check_idle,
};
