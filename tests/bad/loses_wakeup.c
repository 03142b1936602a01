/*
 * loses_wakeup.c - a known-bad lock: a futex mutex that forgets every wake it
 * owes. The sleepers never end, while the others go on.
 * Expected: hung.
 */
#include "lock.h"

struct loses_wakeup {
	_Atomic uint32_t held; /* 0 free, 1 held, 2 held and somebody may sleep */
};

HOT void loses_wakeup_acquire(void *lock, void *ctx)
{
	struct loses_wakeup *l = lock;
	uint32_t free = 0;

	(void)ctx;
	if (cas_acq(&l->held, &free, 1))
		return;
	while (xchg_acq(&l->held, 2))
		futex_wait(&l->held, 2, NO_DEADLINE);
}

HOT void loses_wakeup_release(void *lock, void *ctx)
{
	struct loses_wakeup *l = lock;

	(void)ctx;
	store_rel(&l->held, 0); /* and where it was 2, one should be woken */
}

static const struct lock_ops lock_ops = {
	.name = "loses_wakeup",
	.about = "known bad: forgets to wake a sleeper",
	.caps = 0,
	.size = sizeof(struct loses_wakeup),
	.ctx_size = 0,
	.acquire_read = loses_wakeup_acquire,
	.release_read = loses_wakeup_release,
	.acquire_write = loses_wakeup_acquire,
	.release_write = loses_wakeup_release,
};
