/*
 * faults.h - what a machine may do to a lock at the worst moment, done often:
 * the thread is delayed before an access, and a futex sleep ends early (a stray
 * wakeup, a signal, a word that changed and changed back). Part of atomic.h
 * with -DLOCK_FAULTS. Deadlines are never faked.
 *
 * Each thread draws from its own sequence. fault_seed() fixes it; a thread
 * that never calls it gets a number in the order of first use.
 */
#ifndef HARNESS_FAULTS_H
#define HARNESS_FAULTS_H

#include "atomic.h"

/* weak: every object that holds a lock shares the one of the thread */
__attribute__((weak)) _Thread_local uint64_t fault_state;
__attribute__((weak)) _Atomic uint64_t fault_threads;

/* any seed but the thread's number should be the same for a run to be repeated */
static inline void fault_seed(uint64_t seed)
{
	/* splitmix64: neighbouring seeds give unrelated sequences */
	seed += 0x9e3779b97f4a7c15ull;
	seed = (seed ^ seed >> 30) * 0xbf58476d1ce4e5b9ull;
	seed = (seed ^ seed >> 27) * 0x94d049bb133111ebull;
	seed ^= seed >> 31;
	fault_state = seed ? seed : 1;
}

static inline uint64_t fault_draw(void)
{
	uint64_t x = fault_state;

	if (!x) {
		fault_seed(atomic_fetch_add_explicit(&fault_threads, 1, memory_order_relaxed));
		x = fault_state;
	}
	x ^= x << 13;
	x ^= x >> 7;
	x ^= x << 17;
	fault_state = x;
	return x;
}

/* one access in 8 is delayed a little, one in 64 to the back of the run queue, one in 4096 asleep */
static inline void fault_delay(void)
{
	uint64_t x = fault_draw();

	if (!(x & 0xfff)) {
		struct timespec ts = { .tv_nsec = 20000 };

		nanosleep(&ts, NULL);
	} else if (!(x & 0x3f)) {
		sched_yield();
	} else if (!(x & 7)) {
		for (volatile unsigned i = x >> 32 & 0xff; i; i--)
			;
	}
}

/* true: do not sleep, return *result instead; one sleep in 4 */
static inline bool fault_futex(enum futex_result *result)
{
	static const enum futex_result early[] = { FUTEX_WOKEN, FUTEX_CHANGED, FUTEX_INTERRUPTED };
	uint64_t x = fault_draw();

	fault_delay();
	if (x & 3)
		return false;
	*result = early[(x >> 8) % 3];
	return true;
}

#endif
