/*
 * pthread_spin.c - the C library's spinlock: one word, atomic decrement to
 * take, plain store to release. No queue, so no fairness; no sleep, so a
 * preempted owner stops everybody for a time slice.
 */
#include <pthread.h>

#include "lock.h"

static int pthread_spin_setup(void *lock, const struct lock_env *env)
{
	(void)env;
	return -pthread_spin_init(lock, PTHREAD_PROCESS_PRIVATE);
}

static void pthread_spin_teardown(void *lock)
{
	pthread_spin_destroy(lock);
}

HOT void pthread_spin_acquire(void *lock, void *ctx)
{
	(void)ctx;
	pthread_spin_lock(lock);
}

HOT bool pthread_spin_try(void *lock, void *ctx)
{
	(void)ctx;
	return pthread_spin_trylock(lock) == 0;
}

HOT void pthread_spin_release(void *lock, void *ctx)
{
	(void)ctx;
	pthread_spin_unlock(lock);
}

static const struct lock_ops lock_ops = {
	.name = "pthread_spin",
	.about = "the C library's spinlock",
	.caps = LOCK_SPINS,
	.size = sizeof(pthread_spinlock_t),
	.init = pthread_spin_setup,
	.destroy = pthread_spin_teardown,
	.acquire_read = pthread_spin_acquire,
	.release_read = pthread_spin_release,
	.acquire_write = pthread_spin_acquire,
	.release_write = pthread_spin_release,
	.try_read = pthread_spin_try,
	.try_write = pthread_spin_try,
};
