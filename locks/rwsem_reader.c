/*
 * rwsem_reader.c - the semaphore that prefers waking readers: what Edwin Török
 * proposed on the list in May 2011, after he had seen that wrapping the write
 * side in a mutex helps because up_write then finds no writer to wake.
 *
 * The state word, the paths and who owes a wakeup: xadd_steal.h, without
 * spinning. The policy: whoever wakes grants to every reader in the queue,
 * wherever it stands, and to a writer only if no reader waits. A reader that
 * arrives while somebody is queued queues as well, so that readers pass writers
 * only when the lock changes hands.
 *
 * His argument: to wake a writer first costs every reader that waits, and those
 * that come to wait meanwhile, a write section and a switch; to wake the
 * readers first costs the writer one read section and a switch, however many
 * they are.
 *
 * Good at: read latency under heavy writing. Bad at: writers: as long as
 * readers come to wait in every write section, a writer that sleeps is never
 * woken. No bound is claimed; rwsem_adaptive has one.
 */
#include "xadd_steal.h"

static bool rwsem_reader_always(struct xadd_steal *s)
{
	(void)s;
	return true;
}

static const struct steal_policy rwsem_reader_policy = { .readers_first = rwsem_reader_always };

HOT bool rwsem_reader_acquire_read_until(void *lock, void *ctx, uint64_t deadline)
{
	(void)ctx;
	return steal_acquire_read(lock, &rwsem_reader_policy, deadline);
}

HOT bool rwsem_reader_acquire_write_until(void *lock, void *ctx, uint64_t deadline)
{
	(void)ctx;
	return steal_acquire_write(lock, &rwsem_reader_policy, NULL, deadline);
}

HOT void rwsem_reader_acquire_read(void *lock, void *ctx)
{
	rwsem_reader_acquire_read_until(lock, ctx, NO_DEADLINE);
}

HOT void rwsem_reader_acquire_write(void *lock, void *ctx)
{
	rwsem_reader_acquire_write_until(lock, ctx, NO_DEADLINE);
}

HOT void rwsem_reader_release_read(void *lock, void *ctx)
{
	(void)ctx;
	steal_release_read(lock, &rwsem_reader_policy);
}

HOT void rwsem_reader_release_write(void *lock, void *ctx)
{
	(void)ctx;
	steal_release_write(lock, &rwsem_reader_policy);
}

HOT void rwsem_reader_downgrade(void *lock, void *ctx)
{
	(void)ctx;
	steal_downgrade(lock, &rwsem_reader_policy);
}

HOT bool rwsem_reader_try_read(void *lock, void *ctx)
{
	(void)ctx;
	return steal_try_read(lock);
}

HOT bool rwsem_reader_try_write(void *lock, void *ctx)
{
	(void)ctx;
	return steal_try_write(lock);
}

static const struct lock_ops lock_ops = {
	.name = "rwsem_reader",
	.about = "2011: whoever wakes wakes all waiting readers first",
	.caps = LOCK_SHARED | LOCK_READER_PREFERRING,
	.size = sizeof(struct xadd_steal),
	.events = COUNTS_READS | COUNTS_WRITES,
	.acquire_read = rwsem_reader_acquire_read,
	.release_read = rwsem_reader_release_read,
	.acquire_write = rwsem_reader_acquire_write,
	.release_write = rwsem_reader_release_write,
	.try_read = rwsem_reader_try_read,
	.try_write = rwsem_reader_try_write,
	.acquire_read_until = rwsem_reader_acquire_read_until,
	.acquire_write_until = rwsem_reader_acquire_write_until,
	.downgrade = rwsem_reader_downgrade,
	.check_idle = steal_check_idle,
};
