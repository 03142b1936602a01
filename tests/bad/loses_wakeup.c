/*
 * loses_wakeup.c - a known-bad lock: a futex mutex that forgets every fourth
 * wake it owes. The sleeper it forgot never ends, while the others go on.
 * Expected: hung.
 */
#include "lock.h"

struct loses_wakeup {
	_Atomic uint32_t held; /* 0 free, 1 held, 2 held and somebody may sleep */
	_Atomic uint32_t wakes;
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
	if (xchg_rel(&l->held, 0) == 2 && add_rlx(&l->wakes, 1) % 4 != 3)
		futex_wake(&l->held, 1);
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
