/*
 * pthread_rwlock_ops.h - the C library's read-write lock, shared by the two
 * kinds that the suite measures: which one it is, is said at init.
 */
#ifndef LOCKS_PTHREAD_RWLOCK_OPS_H
#define LOCKS_PTHREAD_RWLOCK_OPS_H

#include <pthread.h>

#include "lock.h"

/* kind: PTHREAD_RWLOCK_PREFER_*; 0 or -errno */
static inline int rwlock_setup(void *lock, int kind)
{
	pthread_rwlockattr_t attr;
	int err = pthread_rwlockattr_init(&attr);

	if (err)
		return -err;
	err = pthread_rwlockattr_setkind_np(&attr, kind);
	if (!err)
		err = pthread_rwlock_init(lock, &attr);
	pthread_rwlockattr_destroy(&attr);
	return -err;
}

static void rwlock_teardown(void *lock)
{
	pthread_rwlock_destroy(lock);
}

HOT void rwlock_acquire_read(void *lock, void *ctx)
{
	(void)ctx;
	pthread_rwlock_rdlock(lock);
}

HOT void rwlock_acquire_write(void *lock, void *ctx)
{
	(void)ctx;
	pthread_rwlock_wrlock(lock);
}

HOT bool rwlock_try_read(void *lock, void *ctx)
{
	(void)ctx;
	return pthread_rwlock_tryrdlock(lock) == 0;
}

HOT bool rwlock_try_write(void *lock, void *ctx)
{
	(void)ctx;
	return pthread_rwlock_trywrlock(lock) == 0;
}

HOT void rwlock_release(void *lock, void *ctx)
{
	(void)ctx;
	pthread_rwlock_unlock(lock);
}

/*
 * The timed pair of POSIX counts by the wall clock; the clock pair (glibc 2.30)
 * does not, but ThreadSanitizer does not know it (gcc 12) and would see races
 * in sections it guards: its build converts the time.
 */
#ifdef __SANITIZE_THREAD__
static inline struct timespec rwlock_time(uint64_t deadline)
{
	uint64_t now = clock_now(), left = deadline > now ? deadline - now : 0;
	struct timespec ts;

	clock_gettime(CLOCK_REALTIME, &ts);
	/* a deadline that never comes would overflow the seconds */
	if (left > 1000000000u * 3600ull)
		left = 1000000000u * 3600ull;
	left += (uint64_t)ts.tv_nsec;
	ts.tv_sec += (time_t)(left / 1000000000u);
	ts.tv_nsec = (long)(left % 1000000000u);
	return ts;
}
#define rwlock_read_by(lock, ts) pthread_rwlock_timedrdlock(lock, ts)
#define rwlock_write_by(lock, ts) pthread_rwlock_timedwrlock(lock, ts)
#else
static inline struct timespec rwlock_time(uint64_t deadline)
{
	return (struct timespec){ .tv_sec = (time_t)(deadline / 1000000000u),
				  .tv_nsec = (long)(deadline % 1000000000u) };
}
#define rwlock_read_by(lock, ts) pthread_rwlock_clockrdlock(lock, CLOCK_MONOTONIC, ts)
#define rwlock_write_by(lock, ts) pthread_rwlock_clockwrlock(lock, CLOCK_MONOTONIC, ts)
#endif

static inline bool rwlock_acquire_read_until(void *lock, void *ctx, uint64_t deadline)
{
	struct timespec ts = rwlock_time(deadline);

	(void)ctx;
	return rwlock_read_by(lock, &ts) == 0;
}

static inline bool rwlock_acquire_write_until(void *lock, void *ctx, uint64_t deadline)
{
	struct timespec ts = rwlock_time(deadline);

	(void)ctx;
	return rwlock_write_by(lock, &ts) == 0;
}

#endif
