/*
 * pthread_mutex.c - the C library's default mutex: one compare-and-swap to
 * take, a futex to sleep on. Whoever comes first when it is released gets it,
 * so an owner that comes back at once mostly wins over a thread being woken:
 * high throughput, little hand-over, long waits.
 */
#include <pthread.h>

#include "lock.h"

static int pthread_mutex_setup(void *lock, const struct lock_env *env)
{
	(void)env;
	return -pthread_mutex_init(lock, NULL);
}

static void pthread_mutex_teardown(void *lock)
{
	pthread_mutex_destroy(lock);
}

HOT void pthread_mutex_acquire(void *lock, void *ctx)
{
	(void)ctx;
	pthread_mutex_lock(lock);
}

HOT bool pthread_mutex_try(void *lock, void *ctx)
{
	(void)ctx;
	return pthread_mutex_trylock(lock) == 0;
}

HOT void pthread_mutex_release(void *lock, void *ctx)
{
	(void)ctx;
	pthread_mutex_unlock(lock);
}

static const struct lock_ops lock_ops = {
	.name = "pthread_mutex",
	.about = "the C library's default mutex",
	.caps = 0,
	.size = sizeof(pthread_mutex_t),
	.init = pthread_mutex_setup,
	.destroy = pthread_mutex_teardown,
	.acquire_read = pthread_mutex_acquire,
	.release_read = pthread_mutex_release,
	.acquire_write = pthread_mutex_acquire,
	.release_write = pthread_mutex_release,
	.try_read = pthread_mutex_try,
	.try_write = pthread_mutex_try,
};
