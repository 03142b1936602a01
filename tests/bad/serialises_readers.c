/*
 * serialises_readers.c - a known-bad lock: a sound exclusive lock that claims
 * to let readers overlap. Expected: violated, by the look at two readers before
 * the measuring; every figure of it would pass for a slow lock otherwise.
 */
#include "lock.h"

struct serialises_readers {
	_Atomic uint32_t held;
};

HOT void serialises_readers_acquire(void *lock, void *ctx)
{
	struct serialises_readers *l = lock;

	(void)ctx;
	while (xchg_acq(&l->held, 1))
		cpu_yield();
}

HOT void serialises_readers_release(void *lock, void *ctx)
{
	struct serialises_readers *l = lock;

	(void)ctx;
	store_rel(&l->held, 0);
}

static const struct lock_ops lock_ops = {
	.name = "serialises_readers",
	.about = "known bad: says that readers overlap, and serialises them",
	.caps = LOCK_SHARED,
	.size = sizeof(struct serialises_readers),
	.ctx_size = 0,
	.acquire_read = serialises_readers_acquire,
	.release_read = serialises_readers_release,
	.acquire_write = serialises_readers_acquire,
	.release_write = serialises_readers_release,
};
