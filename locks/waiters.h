/*
 * waiters.h - a first-in first-out queue of waiting threads. Each waiter is a
 * frame on its own thread's stack, so nothing is allocated.
 *
 * All fields but `state` are plain and belong to the holder of the lock's wait
 * lock. A frame lives until its thread has left the queue by itself, or has
 * seen WAITER_GRANTED: whoever grants must have read all that it needs of the
 * frame before.
 */
#ifndef LOCKS_WAITERS_H
#define LOCKS_WAITERS_H

#include "lock.h"

enum waiter_kind { WAITER_READ = SIDE_READ, WAITER_WRITE = SIDE_WRITE };

enum waiter_state {
	WAITER_ASLEEP,	/* sleeps, or is about to */
	WAITER_POKED,	/* woken to try for itself, still queued */
	WAITER_GRANTED, /* owns the lock, no longer queued */
};

struct waiter {
	struct waiter *next, *prev;
	enum waiter_kind kind;
	bool queued;
	uint64_t since;		/* clock_now() of its arrival, in locks that ask for it */
	_Atomic uint32_t state; /* enum waiter_state; the futex it sleeps on */
};

struct waiters {
	struct waiter *head, *tail;
	lock_event_field(_Atomic uint32_t length);
};

HOT void waiter_init(struct waiter *w, enum waiter_kind kind)
{
	plain_write(&w->kind);
	w->kind = kind;
	plain_write(&w->queued);
	w->queued = false;
	lock_word_init(&w->state, WAITER_ASLEEP);
}

/*
 * The last touch of a frame by its own thread: a lock that let somebody else
 * use it later is caught here by the explorer.
 */
HOT void waiter_end(struct waiter *w)
{
	plain_write(&w->next);
	plain_write(&w->queued);
}

HOT struct waiter *waiters_first(const struct waiters *q)
{
	plain_read(&q->head);
	return q->head;
}

HOT struct waiter *waiters_after(const struct waiter *w)
{
	plain_read(&w->next);
	return w->next;
}

HOT enum waiter_kind waiter_kind(const struct waiter *w)
{
	plain_read(&w->kind);
	return w->kind;
}

HOT bool waiter_queued(const struct waiter *w)
{
	plain_read(&w->queued);
	return w->queued;
}

HOT void waiters_push(struct waiters *q, struct waiter *w)
{
	plain_write(&w->next);
	plain_write(&w->prev);
	plain_write(&w->queued);
	plain_write(&q->tail);
	w->next = NULL;
	w->prev = q->tail;
	w->queued = true;
	if (q->tail) {
		plain_write(&q->tail->next);
		q->tail->next = w;
	} else {
		plain_write(&q->head);
		q->head = w;
	}
	q->tail = w;
	lock_event_queued(&q->length);
}

HOT void waiters_remove(struct waiters *q, struct waiter *w)
{
	plain_write(&w->queued);
	lock_bug_on(!w->queued);
	w->queued = false;
	plain_read(&w->next);
	plain_read(&w->prev);
	if (w->prev) {
		plain_write(&w->prev->next);
		w->prev->next = w->next;
	} else {
		plain_write(&q->head);
		q->head = w->next;
	}
	if (w->next) {
		plain_write(&w->next->prev);
		w->next->prev = w->prev;
	} else {
		plain_write(&q->tail);
		q->tail = w->prev;
	}
	lock_event_unqueued(&q->length);
}

/* How many readers stand at the head before the first writer, at most `max`. */
HOT unsigned waiters_leading_readers(const struct waiters *q, unsigned max)
{
	unsigned n = 0;

	for (struct waiter *w = waiters_first(q); w && n < max; w = waiters_after(w), n++)
		if (waiter_kind(w) != WAITER_READ)
			break;
	return n;
}

#endif
