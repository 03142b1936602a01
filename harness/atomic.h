/*
 * atomic.h - the one door between a lock file and the machine.
 *
 * Every atomic access, futex call, pause, yield and clock read of a file in
 * locks/ goes through the names below, so that one unmodified lock file can be
 * built for measuring, under ThreadSanitizer, with injected faults
 * (-DLOCK_FAULTS) and under the interleaving explorer (-DLOCK_EXPLORE).
 *
 * Shared words are declared _Atomic and touched only by these names; the order
 * is part of the name, and the plain operators are never used on them:
 *
 *   load_{rlx,acq,seq}(p)
 *   store_{rlx,rel,seq}(p, v)
 *   xchg_{rlx,acq,rel,acq_rel,seq}(p, v)      value before
 *   add_{rlx,acq,rel,acq_rel,seq}(p, v)       value before
 *   or_, and_{rlx,acq,rel,acq_rel}(p, v)      value before
 *   cas_{rlx,acq,rel,acq_rel,seq}(p, &expected, v)
 *       strong; true when stored; otherwise expected holds what was found,
 *       read relaxed
 *   fence_{acq,rel,seq}()
 *
 *   futex_wait(p, v, deadline)   sleep while *p (an _Atomic uint32_t) is v
 *   futex_wake(p, n)             wake at most n sleepers on p
 *   cpu_pause(), cpu_yield()     be polite to the sibling, to the scheduler
 *   clock_now()                  CLOCK_MONOTONIC in ns
 *
 *   plain_read(p), plain_write(p)
 *       say that plain data (a queue's links, a waiter's frame) is about to be
 *       read or written. Free when measured; the explorer checks races and use
 *       of dead frames there.
 *   lock_word_init(p, v)         a store before anybody else can know the word
 *   lock_bug_on(condition)       an invariant of the lock; checked everywhere
 *                                but in the measured build
 */
#ifndef HARNESS_ATOMIC_H
#define HARNESS_ATOMIC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define NO_DEADLINE UINT64_MAX

enum futex_result {
	FUTEX_WOKEN,	   /* somebody called futex_wake, or nobody did: check again */
	FUTEX_CHANGED,	   /* the word was not v: no sleep */
	FUTEX_INTERRUPTED, /* a signal */
	FUTEX_TIMEDOUT,	   /* the deadline passed */
};

#if defined LOCK_EXPLORE
#include "atomic_explore.h"
#else
#include "atomic_real.h"
#endif

#define load_rlx(p) atomic_op_load(p, memory_order_relaxed)
#define load_acq(p) atomic_op_load(p, memory_order_acquire)
#define load_seq(p) atomic_op_load(p, memory_order_seq_cst)

#define store_rlx(p, v) atomic_op_store(p, v, memory_order_relaxed)
#define store_rel(p, v) atomic_op_store(p, v, memory_order_release)
#define store_seq(p, v) atomic_op_store(p, v, memory_order_seq_cst)

#define xchg_rlx(p, v) atomic_op_xchg(p, v, memory_order_relaxed)
#define xchg_acq(p, v) atomic_op_xchg(p, v, memory_order_acquire)
#define xchg_rel(p, v) atomic_op_xchg(p, v, memory_order_release)
#define xchg_acq_rel(p, v) atomic_op_xchg(p, v, memory_order_acq_rel)
#define xchg_seq(p, v) atomic_op_xchg(p, v, memory_order_seq_cst)

#define add_rlx(p, v) atomic_op_add(p, v, memory_order_relaxed)
#define add_acq(p, v) atomic_op_add(p, v, memory_order_acquire)
#define add_rel(p, v) atomic_op_add(p, v, memory_order_release)
#define add_acq_rel(p, v) atomic_op_add(p, v, memory_order_acq_rel)
#define add_seq(p, v) atomic_op_add(p, v, memory_order_seq_cst)

#define or_rlx(p, v) atomic_op_or(p, v, memory_order_relaxed)
#define or_acq(p, v) atomic_op_or(p, v, memory_order_acquire)
#define or_rel(p, v) atomic_op_or(p, v, memory_order_release)
#define or_acq_rel(p, v) atomic_op_or(p, v, memory_order_acq_rel)

#define and_rlx(p, v) atomic_op_and(p, v, memory_order_relaxed)
#define and_acq(p, v) atomic_op_and(p, v, memory_order_acquire)
#define and_rel(p, v) atomic_op_and(p, v, memory_order_release)
#define and_acq_rel(p, v) atomic_op_and(p, v, memory_order_acq_rel)

#define cas_rlx(p, e, v) atomic_op_cas(p, e, v, memory_order_relaxed)
#define cas_acq(p, e, v) atomic_op_cas(p, e, v, memory_order_acquire)
#define cas_rel(p, e, v) atomic_op_cas(p, e, v, memory_order_release)
#define cas_acq_rel(p, e, v) atomic_op_cas(p, e, v, memory_order_acq_rel)
#define cas_seq(p, e, v) atomic_op_cas(p, e, v, memory_order_seq_cst)

#define fence_acq() atomic_op_fence(memory_order_acquire)
#define fence_rel() atomic_op_fence(memory_order_release)
#define fence_seq() atomic_op_fence(memory_order_seq_cst)

#endif
