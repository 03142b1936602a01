/*
 * atomic_real.h - atomic.h on the real machine: C11 atomics, the futex system
 * call, the vDSO clock. With -DLOCK_FAULTS every access may be delayed, and
 * every futex sleep may end early, as the kernel is allowed to do.
 */
#ifndef HARNESS_ATOMIC_REAL_H
#define HARNESS_ATOMIC_REAL_H

#include <errno.h>
#include <linux/futex.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#if defined LOCK_FAULTS
#include "faults.h"
#else
#define fault_delay() ((void)0)
#define fault_futex(result) false
#endif

#define atomic_op_load(p, mo) (fault_delay(), atomic_load_explicit(p, mo))
#define atomic_op_store(p, v, mo) (fault_delay(), atomic_store_explicit(p, v, mo))
#define atomic_op_xchg(p, v, mo) (fault_delay(), atomic_exchange_explicit(p, v, mo))
#define atomic_op_add(p, v, mo) (fault_delay(), atomic_fetch_add_explicit(p, v, mo))
#define atomic_op_or(p, v, mo) (fault_delay(), atomic_fetch_or_explicit(p, v, mo))
#define atomic_op_and(p, v, mo) (fault_delay(), atomic_fetch_and_explicit(p, v, mo))
#define atomic_op_cas(p, e, v, mo) \
	(fault_delay(), atomic_compare_exchange_strong_explicit(p, e, v, mo, memory_order_relaxed))
#define atomic_op_fence(mo) (fault_delay(), atomic_thread_fence(mo))

#define plain_read(p) ((void)(p))
#define plain_write(p) ((void)(p))
#define lock_word_init(p, v) atomic_store_explicit(p, v, memory_order_relaxed)

#if defined LOCK_CHECKED || defined LOCK_FAULTS
#define lock_bug_on(condition)                                                               \
	do {                                                                                 \
		if (condition) {                                                             \
			fprintf(stderr, "%s:%d: broken invariant: %s\n", __FILE__, __LINE__, \
				#condition);                                                 \
			abort();                                                             \
		}                                                                            \
	} while (0)
#else
#define lock_bug_on(condition) ((void)sizeof(condition))
#endif

static inline __attribute__((always_inline)) uint64_t clock_now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * 1000000000u + (uint64_t)ts.tv_nsec;
}

static inline void cpu_pause(void)
{
	fault_delay();
#if defined __x86_64__ || defined __i386__
	__builtin_ia32_pause();
#elif defined __aarch64__
	__asm__ volatile("yield");
#endif
}

static inline void cpu_yield(void)
{
	sched_yield();
}

/*
 * deadline: CLOCK_MONOTONIC in ns, or NO_DEADLINE. FUTEX_WAIT_BITSET takes it
 * as an absolute time, so that a sleep that was interrupted and taken up again
 * does not grow.
 */
static inline enum futex_result futex_wait(_Atomic uint32_t *word, uint32_t value,
					   uint64_t deadline)
{
	struct timespec ts = { .tv_sec = (time_t)(deadline / 1000000000u),
			       .tv_nsec = (long)(deadline % 1000000000u) };
	enum futex_result fault;

	if (fault_futex(&fault))
		return fault;
	if (syscall(SYS_futex, word, FUTEX_WAIT_BITSET | FUTEX_PRIVATE_FLAG, value,
		    deadline == NO_DEADLINE ? NULL : &ts, NULL, FUTEX_BITSET_MATCH_ANY) == 0)
		return FUTEX_WOKEN;
	switch (errno) {
	case EAGAIN:
		return FUTEX_CHANGED;
	case EINTR:
		return FUTEX_INTERRUPTED;
	case ETIMEDOUT:
		return FUTEX_TIMEDOUT;
	default:
		abort(); /* a bad address or word: the lock is broken */
	}
}

static inline void futex_wake(_Atomic uint32_t *word, int n)
{
	fault_delay();
	syscall(SYS_futex, word, FUTEX_WAKE | FUTEX_PRIVATE_FLAG, n, NULL, NULL, 0);
}

#endif
