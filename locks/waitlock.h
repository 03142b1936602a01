/*
 * waitlock.h - the small lock inside a lock: it protects a queue of waiters
 * for some tens of instructions.
 *
 * A word of three values, after U. Drepper, "Futexes Are Tricky" (2011), mutex
 * 2: a short spin, then sleep. It sleeps because its holder can be preempted
 * like anybody else, and with more threads than cores pure spinning would then
 * burn a time slice.
 */
#ifndef LOCKS_WAITLOCK_H
#define LOCKS_WAITLOCK_H

#include "lock.h"
#include "spin_cap.h"

enum { WAITLOCK_FREE, WAITLOCK_HELD, WAITLOCK_HELD_ASLEEP /* somebody may sleep */ };

struct waitlock {
	_Atomic uint32_t word;
};

HOT bool waitlock_try(struct waitlock *l)
{
	uint32_t free = WAITLOCK_FREE;

	/* pairs with the release in waitlock_release: without it the queue could be read half-linked */
	return cas_acq(&l->word, &free, WAITLOCK_HELD);
}

/*
 * Whoever sleeps leaves HELD_ASLEEP behind, and takes the lock with it when it
 * is woken, as others may still sleep: so the release that frees the word
 * after a sleeper has checked it sees HELD_ASLEEP and wakes one. false: the
 * deadline passed and the lock is not held.
 */
static __attribute__((noinline, cold, unused)) bool waitlock_wait(struct waitlock *l,
								  uint64_t deadline)
{
	lock_event_wait_lock_waits(l);
	for (int i = 0; i < SPIN_CAP(SPIN_PAUSES); i++) {
		if (load_rlx(&l->word) == WAITLOCK_FREE && waitlock_try(l))
			return true;
		cpu_pause();
	}
	/* acquire: as in waitlock_try */
	while (xchg_acq(&l->word, WAITLOCK_HELD_ASLEEP) != WAITLOCK_FREE)
		if (futex_wait(&l->word, WAITLOCK_HELD_ASLEEP, deadline) == FUTEX_TIMEDOUT)
			return false;
	return true;
}

HOT void waitlock_acquire(struct waitlock *l)
{
	if (unlikely(!waitlock_try(l)))
		waitlock_wait(l, NO_DEADLINE);
	lock_event_wait_lock_taken(l);
}

HOT void waitlock_release(struct waitlock *l)
{
	lock_event_wait_lock_free(l);
	/* pairs with the acquire of the next holder: what we linked is seen before the free word */
	if (unlikely(xchg_rel(&l->word, WAITLOCK_FREE) == WAITLOCK_HELD_ASLEEP))
		futex_wake(&l->word, 1);
}

HOT bool waitlock_idle(const struct waitlock *l)
{
	return load_rlx(&((struct waitlock *)l)->word) == WAITLOCK_FREE;
}

#endif
