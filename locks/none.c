/*
 * none.c - no lock at all: the floor under every other number, and the way to
 * leave locking to the kernel in workloads made of system calls.
 *
 * It excludes nobody; the harness does not hold that against it.
 */
#include "lock.h"

HOT void none_acquire(void *lock, void *ctx)
{
	(void)lock;
	(void)ctx;
}

HOT void none_release(void *lock, void *ctx)
{
	(void)lock;
	(void)ctx;
}

HOT bool none_try(void *lock, void *ctx)
{
	(void)lock;
	(void)ctx;
	return true;
}

static const struct lock_ops lock_ops = {
	.name = "none",
	.about = "no lock: the floor",
	.caps = LOCK_SHARED | LOCK_NOT_EXCLUSIVE,
	.size = 1,
	.acquire_read = none_acquire,
	.release_read = none_release,
	.acquire_write = none_acquire,
	.release_write = none_release,
	.try_read = none_try,
	.try_write = none_try,
	.downgrade = none_release,
};
