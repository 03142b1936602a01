/*
 * pthread_rwlock.c - the C library's default read-write lock, which prefers
 * readers: a reader enters whenever readers hold, though writers wait. Good
 * when writes are rare and short; under a steady stream of readers a writer
 * may wait without bound. No downgrade.
 */
#include "pthread_rwlock_ops.h"

static int pthread_rwlock_setup(void *lock, const struct lock_env *env)
{
	(void)env;
	return rwlock_setup(lock, PTHREAD_RWLOCK_PREFER_READER_NP);
}

static const struct lock_ops lock_ops = {
	.name = "pthread_rwlock",
	.about = "the C library's read-write lock, readers first",
	.caps = LOCK_SHARED | LOCK_READER_PREFERRING,
	.size = sizeof(pthread_rwlock_t),
	.init = pthread_rwlock_setup,
	.destroy = rwlock_teardown,
	.acquire_read = rwlock_acquire_read,
	.release_read = rwlock_release,
	.acquire_write = rwlock_acquire_write,
	.release_write = rwlock_release,
	.try_read = rwlock_try_read,
	.try_write = rwlock_try_write,
	.acquire_read_until = rwlock_acquire_read_until,
	.acquire_write_until = rwlock_acquire_write_until,
};
