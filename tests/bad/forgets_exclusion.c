/*
 * forgets_exclusion.c - a known-bad lock: every second acquire does not wait.
 * Expected: violated, by the count of writes or by meeting a writer inside.
 */
#include "lock.h"

struct forgets_exclusion {
	_Atomic uint32_t held;
};

HOT void forgets_exclusion_acquire(void *lock, void *ctx)
{
	struct forgets_exclusion *l = lock;
	uint32_t *calls = ctx;

	if (++*calls % 2 == 0)
		return;
	while (xchg_acq(&l->held, 1))
		cpu_yield();
}

HOT void forgets_exclusion_release(void *lock, void *ctx)
{
	struct forgets_exclusion *l = lock;

	(void)ctx;
	store_rel(&l->held, 0);
}

static const struct lock_ops lock_ops = {
	.name = "forgets_exclusion",
	.about = "known bad: every second acquire does not wait",
	.caps = 0,
	.size = sizeof(struct forgets_exclusion),
	.ctx_size = sizeof(uint32_t),
	.acquire_read = forgets_exclusion_acquire,
	.release_read = forgets_exclusion_release,
	.acquire_write = forgets_exclusion_acquire,
	.release_write = forgets_exclusion_release,
};
