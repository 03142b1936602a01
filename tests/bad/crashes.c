/*
 * crashes.c - a known-bad lock: a sound lock until its tenth acquisition,
 * which writes through a pointer that nobody set. Expected: crashed.
 */
#include "lock.h"

struct crashes {
	_Atomic uint32_t held;
	uint32_t taken; /* protected by the lock */
	uint32_t *volatile never_set;
};

HOT void crashes_acquire(void *lock, void *ctx)
{
	struct crashes *l = lock;

	(void)ctx;
	while (xchg_acq(&l->held, 1))
		cpu_yield();
	if (++l->taken == 10)
		*l->never_set = 1;
}

HOT void crashes_release(void *lock, void *ctx)
{
	struct crashes *l = lock;

	(void)ctx;
	store_rel(&l->held, 0);
}

static const struct lock_ops lock_ops = {
	.name = "crashes",
	.about = "known bad: writes through a null pointer",
	.caps = 0,
	.size = sizeof(struct crashes),
	.ctx_size = 0,
	.acquire_read = crashes_acquire,
	.release_read = crashes_release,
	.acquire_write = crashes_acquire,
	.release_write = crashes_release,
};
