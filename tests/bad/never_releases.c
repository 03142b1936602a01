/*
 * never_releases.c - a known-bad lock: its release does nothing, so everybody
 * waits after the first section. Expected: hung.
 */
#include "lock.h"

struct never_releases {
	_Atomic uint32_t held;
};

HOT void never_releases_acquire(void *lock, void *ctx)
{
	struct never_releases *l = lock;

	(void)ctx;
	while (xchg_acq(&l->held, 1))
		cpu_yield();
}

HOT void never_releases_release(void *lock, void *ctx)
{
	(void)lock;
	(void)ctx;
}

static const struct lock_ops lock_ops = {
	.name = "never_releases",
	.about = "known bad: never releases",
	.caps = 0,
	.size = sizeof(struct never_releases),
	.ctx_size = 0,
	.acquire_read = never_releases_acquire,
	.release_read = never_releases_release,
	.acquire_write = never_releases_acquire,
	.release_write = never_releases_release,
};
