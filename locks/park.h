/*
 * park.h - sleep until somebody says otherwise, on one futex word.
 */
#ifndef LOCKS_PARK_H
#define LOCKS_PARK_H

#include "lock.h"

/*
 * Sleeps while *word is `asleep`. Returns the value that ended the sleep, or
 * `asleep` itself when the deadline passed first. Early returns of the futex
 * (a signal, a wakeup meant for whoever owned this address before) are looked
 * through: only the word counts.
 *
 * The acquire pairs with the release that stores the word: without it the
 * woken thread could read what the section protects as it was before.
 */
HOT uint32_t park(_Atomic uint32_t *word, uint32_t asleep, uint64_t deadline)
{
	uint32_t seen;

	lock_event_park();
	while ((seen = load_acq(word)) == asleep)
		if (futex_wait(word, asleep, deadline) == FUTEX_TIMEDOUT)
			return load_acq(word);
	return seen;
}

#endif
