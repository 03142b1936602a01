/*
 * futex_mutex.c - a plain three-state futex mutex (0 free, 1 held, 2 held and
 * somebody may sleep), the smallest lock that sleeps: the explorer's own
 * control. It has to pass everything.
 */
#include "lock.h"

struct futex_mutex {
	_Atomic uint32_t word;
};

static bool acquire(struct futex_mutex *m, uint64_t deadline)
{
	uint32_t seen = 0;

	/* pairs with the release below: else the last owner's writes may be missed */
	if (cas_acq(&m->word, &seen, 1))
		return true;
	while (xchg_acq(&m->word, 2) != 0) {
		if (futex_wait(&m->word, 2, deadline) == FUTEX_TIMEDOUT)
			return false;
	}
	return true;
}

static void futex_mutex_acquire(void *lock, void *ctx)
{
	(void)ctx;
	acquire(lock, NO_DEADLINE);
}

static bool futex_mutex_until(void *lock, void *ctx, uint64_t deadline)
{
	(void)ctx;
	return acquire(lock, deadline);
}

static bool futex_mutex_try(void *lock, void *ctx)
{
	struct futex_mutex *m = lock;
	uint32_t seen = 0;

	(void)ctx;
	return cas_acq(&m->word, &seen, 1);
}

static void futex_mutex_release(void *lock, void *ctx)
{
	struct futex_mutex *m = lock;

	(void)ctx;
	if (xchg_rel(&m->word, 0) == 2)
		futex_wake(&m->word, 1);
}

static const char *futex_mutex_idle(const void *lock)
{
	const struct futex_mutex *m = lock;

	return load_rlx(&m->word) ? "still held" : NULL;
}

static const struct lock_ops lock_ops = {
	.name = "futex_mutex",
	.about = "the explorer's control",
	.size = sizeof(struct futex_mutex),
	.acquire_read = futex_mutex_acquire,
	.release_read = futex_mutex_release,
	.acquire_write = futex_mutex_acquire,
	.release_write = futex_mutex_release,
	.try_write = futex_mutex_try,
	.acquire_write_until = futex_mutex_until,
	.check_idle = futex_mutex_idle,
};
