/*
 * pthread_rwlock_writer.c - the C library's read-write lock of the kind
 * PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP: a new reader waits while a
 * writer does, and a thread must not take the read lock twice. (The kind
 * without NONRECURSIVE in its name behaves like the default one.) Writers
 * cannot starve; a steady stream of them starves the readers. No downgrade.
 */
#include "pthread_rwlock_ops.h"

static int pthread_rwlock_writer_setup(void *lock, const struct lock_env *env)
{
	(void)env;
	return rwlock_setup(lock, PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP);
}

static const struct lock_ops lock_ops = {
	.name = "pthread_rwlock_writer",
	.about = "the C library's read-write lock, writers first",
	.caps = LOCK_SHARED | LOCK_WRITER_PREFERRING,
	.size = sizeof(pthread_rwlock_t),
	.init = pthread_rwlock_writer_setup,
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
