/*
 * wake_list.h - sleepers gathered under the wait lock and woken after it is
 * dropped, so that nobody waits for the wait lock while its holder is in a
 * system call (D. Bueso 2016, after P. Zijlstra's wake queue of 2015).
 *
 * Two kinds of sleeper:
 *   granted  has left the queue and owns the lock already, though it does not
 *            know: its frame stays alive until wake_list_flush tells it, so
 *            the frames themselves carry the list.
 *   poked    is still queued and only told to try: it may be gone by the time
 *            of the flush. So its word is stored under the wait lock, and the
 *            flush keeps only the address. A futex wake does not look at what
 *            the address holds; if it is another sleeper's by then, that one
 *            wakes early and sleeps on (park.h). At most one is poked at a
 *            time, the head of the queue.
 */
#ifndef LOCKS_WAKE_LIST_H
#define LOCKS_WAKE_LIST_H

#include "waiters.h"

struct wake_list {
	struct waiter *granted, *last;
	_Atomic uint32_t *poked;
};

#define WAKE_LIST_EMPTY          \
	{                        \
		NULL, NULL, NULL \
	}

/* Under the wait lock; w has left the queue and the count is w's already. */
HOT void wake_list_grant(struct wake_list *l, struct waiter *w)
{
	plain_write(&w->next);
	w->next = NULL;
	if (l->last) {
		plain_write(&l->last->next);
		l->last->next = w;
	} else {
		l->granted = w;
	}
	l->last = w;
}

/* Under the wait lock; w stays queued. */
HOT void wake_list_poke(struct wake_list *l, struct waiter *w)
{
	/* relaxed: a poked thread learns all it needs under the wait lock or from the count */
	store_rlx(&w->state, WAITER_POKED);
	l->poked = &w->state;
}

/* Leaves the list empty: it may be filled and flushed again. */
HOT void wake_list_flush(struct wake_list *l)
{
	struct waiter *w = l->granted;

	while (w) {
		lock_event_wake(waiter_kind(w));
		/* first all that we need of the frame: after the store it may be gone */
		struct waiter *next = waiters_after(w);
		_Atomic uint32_t *word = &w->state;

		/*
		 * pairs with the acquire in park: without it the sleeper could enter
		 * before it sees what the last holder wrote, which we saw when we
		 * took the count for it
		 */
		store_rel(word, WAITER_GRANTED);
		futex_wake(word, 1);
		w = next;
	}
	if (l->poked) {
		/* only writers are */
		lock_event_wake(SIDE_WRITE);
		futex_wake(l->poked, 1);
	}
	lock_event_woken_all();
	*l = (struct wake_list)WAKE_LIST_EMPTY;
}

#endif
