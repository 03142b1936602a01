/*
 * xadd_steal.h - the count word of the kernel's semaphore from 2013 on, when
 * writers began to be woken instead of granted, so that whoever runs may take
 * the lock first. Shared by rwsem_steal, rwsem_spin, rwsem_wakeq, rwsem_reader
 * and rwsem_adaptive, which differ in their policy.
 *
 * The word, signed
 *
 *	 63                  32 31                0
 *	|  -(queue) -(writers)   |  active          |
 *
 *	ACTIVE  = +1          everybody who holds, or has just claimed
 *	WAITING = -2^32       once, if the queue is not empty
 *	WRITE   = WAITING + 1 what a writer adds
 *
 *	0: free. WAITING: free, and somebody is queued. n > 0: readers, nobody
 *	queued. With a queue, a word below WAITING has a writer or his claim in.
 *
 * Fast paths: read adds ACTIVE (in if not negative), write adds WRITE (in if it
 * was 0), release subtracts, and wakes if the word is negative and nobody is
 * active.
 *
 * Slow paths: a writer first takes its claim back. Then it may spin; then it
 * queues and tries, under the wait lock, to turn WAITING into WRITE (+ WAITING,
 * if others are queued), each time it is woken. Readers are granted by the
 * waker, all counts before the first wake.
 *
 * Who owes a wakeup, and why none is lost
 *
 *	Whoever leaves the word at WAITING: a release (it sees the word negative
 *	and nobody active), or a claim that is withdrawn. A reader withdraws
 *	under the wait lock and wakes there. A writer that has withdrawn always
 *	goes on to take the lock or to try it under the wait lock: if it finds
 *	WAITING it is the owner, and will wake at its release; if not, somebody
 *	is active who will find the same duty.
 *	A waker of readers adds 1 first and looks for a writer after; if one is
 *	in, it takes the 1 back, and tries again if that left nobody active, as
 *	the writer has then left and found our 1 in the word instead of nobody.
 *	A writer poked and a writer that gives up at that moment are one: who
 *	leaves the queue without the lock wakes the next, under the wait lock.
 *
 * Order of memory: every addition or swap by which a thread comes in acquires,
 * and pairs with the releases of release_read and release_write: without the
 * pair a section could see old data, or let its writes be seen by readers
 * before. Withdrawals, and WAITING itself, order nothing.
 */
#ifndef LOCKS_XADD_STEAL_H
#define LOCKS_XADD_STEAL_H

#include "lock.h"
#include "park.h"
#include "spin_queue.h"
#include "waitlock.h"
#include "wake_list.h"

#define STEAL_ACTIVE ((int64_t)1)
#define STEAL_ACTIVE_MASK ((int64_t)0xffffffff)
#define STEAL_WAITING (-((int64_t)1 << 32))
#define STEAL_WRITE (STEAL_WAITING + STEAL_ACTIVE)

struct xadd_steal {
	LINE_ALIGNED _Atomic int64_t count;
	LINE_ALIGNED struct waitlock wait_lock;
	struct waiters queue;
	bool wake_outside; /* constant after init */
	LINE_ALIGNED struct spin_queue spinners;
};

struct steal_policy {
	bool spins; /* a context holds a struct spin_node */
	/* Under the wait lock: may readers be served before a writer at the head? NULL: no. */
	bool (*readers_first)(struct xadd_steal *s);
	/* Told, under the wait lock, who is about to be woken; NULL: no. */
	void (*waking)(struct xadd_steal *s, enum waiter_kind whom);
	/* Told by a thread that has slept, with nothing held but maybe the lock; NULL: no. */
	void (*awake)(struct xadd_steal *s);
};

enum steal_wake {
	STEAL_WAKE_ANY,	    /* the lock was free a moment ago */
	STEAL_WAKE_READERS, /* readers may hold: no writer can use a wakeup */
	STEAL_WAKE_BESIDE,  /* the caller reads on: readers may come in beside it */
};

HOT void steal_unlock(struct xadd_steal *s, struct wake_list *wakes)
{
	if (!s->wake_outside)
		wake_list_flush(wakes);
	waitlock_release(&s->wait_lock);
	wake_list_flush(wakes);
}

/* Under the wait lock: grants to n readers from the head on, passing over writers. */
static void steal_grant_readers(struct xadd_steal *s, unsigned n, struct wake_list *wakes)
{
	struct waiter *w = waiters_first(&s->queue);

	while (n) {
		struct waiter *next = waiters_after(w);

		if (waiter_kind(w) == WAITER_READ) {
			waiters_remove(&s->queue, w);
			wake_list_grant(wakes, w);
			n--;
		}
		w = next;
	}
}

/* Under the wait lock: how many readers, of the leading run or of the whole queue. */
static unsigned steal_count_readers(struct xadd_steal *s, bool everywhere, bool *others)
{
	unsigned n = 0, all = 0;

	if (!everywhere)
		n = waiters_leading_readers(&s->queue, UINT32_MAX);
	for (struct waiter *w = waiters_first(&s->queue); w; w = waiters_after(w), all++)
		if (everywhere)
			n += waiter_kind(w) == WAITER_READ;
	*others = all > n;
	return n;
}

/* Under the wait lock. */
static void steal_serve(struct xadd_steal *s, const struct steal_policy *policy,
			enum steal_wake what, struct wake_list *wakes)
{
	struct waiter *head = waiters_first(&s->queue);
	int64_t mine = 0, change;
	bool others;
	unsigned n;

	if (!head)
		return;
	n = steal_count_readers(s, policy->readers_first && policy->readers_first(s), &others);
	if (!n) {
		if (what == STEAL_WAKE_ANY) {
			if (policy->waking)
				policy->waking(s, WAITER_WRITE);
			wake_list_poke(wakes, head);
		}
		return;
	}
	if (what != STEAL_WAKE_BESIDE) {
		mine = STEAL_ACTIVE;
		/* acquire: on behalf of the sleepers, which synchronise with us alone */
		while (add_acq(&s->count, mine) < STEAL_WAITING)
			if ((add_rlx(&s->count, -mine) - mine) & STEAL_ACTIVE_MASK)
				return; /* the writer who is in will wake */
	}
	change = n * STEAL_ACTIVE - mine;
	if (!others)
		change -= STEAL_WAITING;
	if (change)
		add_acq(&s->count, change);
	if (policy->waking)
		policy->waking(s, WAITER_READ);
	steal_grant_readers(s, n, wakes);
}

static __attribute__((noinline, cold, unused)) void
steal_wake(struct xadd_steal *s, const struct steal_policy *policy, enum steal_wake what)
{
	struct wake_list wakes = WAKE_LIST_EMPTY;

	waitlock_acquire(&s->wait_lock);
	steal_serve(s, policy, what, &wakes);
	steal_unlock(s, &wakes);
}

/* Under the wait lock: w leaves the queue with nothing, and wakes whom it kept waiting. */
static void steal_abandon(struct xadd_steal *s, const struct steal_policy *policy, struct waiter *w,
			  struct wake_list *wakes)
{
	waiters_remove(&s->queue, w);
	if (!waiters_first(&s->queue))
		add_rlx(&s->count, -STEAL_WAITING);
	else
		steal_serve(s, policy,
			    load_rlx(&s->count) & STEAL_ACTIVE_MASK ? STEAL_WAKE_READERS
								    : STEAL_WAKE_ANY,
			    wakes);
}

#ifdef LOCK_EVENTS
/*
 * The caller's claim is in the word. WAITING stands in it once for all who are
 * queued, so that one writer looks like one reader with a queue; whether there is
 * one is asked before and after, as it is without the wait lock. Wrong only
 * in the moment in which the first one queues.
 */
static inline enum lock_blocker steal_blocker(struct xadd_steal *s, enum waiter_kind kind)
{
	bool queued = load_rlx(&s->queue.length);
	int64_t c = load_rlx(&s->count);

	queued = queued && load_rlx(&s->queue.length);
	c -= kind == WAITER_READ ? STEAL_ACTIVE : STEAL_WRITE;
	if (-(c >> 32) > queued)
		return BY_WRITER;
	/* readers alone do not keep a reader out */
	return c & STEAL_ACTIVE_MASK && (queued || kind == WAITER_WRITE) ? BY_READER : BY_NONE;
}
#endif

/* The reader's claim is in the word, which was negative. */
static __attribute__((noinline, cold, unused)) bool
steal_wait_read(struct xadd_steal *s, const struct steal_policy *policy, uint64_t deadline)
{
	struct wake_list wakes = WAKE_LIST_EMPTY;
	int64_t change = -STEAL_ACTIVE, c;
	struct waiter w;
	bool first, got = true;

	lock_event_blocked(SIDE_READ);
	lock_event_blocker(steal_blocker(s, WAITER_READ));
	waiter_init(&w, WAITER_READ);
	waitlock_acquire(&s->wait_lock);
	first = !waiters_first(&s->queue);
	if (first)
		change += STEAL_WAITING;
	waiters_push(&s->queue, &w);
	c = add_rlx(&s->count, change) + change;
	/* nobody is active; or only readers are, and nobody was here before us */
	if (c == STEAL_WAITING || (first && c > STEAL_WAITING))
		steal_serve(s, policy, STEAL_WAKE_ANY, &wakes);
	steal_unlock(s, &wakes);
	if (park(&w.state, WAITER_ASLEEP, deadline) == WAITER_ASLEEP) {
		waitlock_acquire(&s->wait_lock);
		got = !waiter_queued(&w);
		if (!got)
			steal_abandon(s, policy, &w, &wakes);
		steal_unlock(s, &wakes);
		if (got) /* granted meanwhile; the word of it is on its way */
			park(&w.state, WAITER_ASLEEP, NO_DEADLINE);
	}
	if (policy->awake)
		policy->awake(s);
	waiter_end(&w);
	lock_event_ended(got ? ENDED_STOLEN : ENDED_GAVE_UP);
	return got;
}

/* Under the wait lock, w is queued: true if the lock is w's, and it has left the queue. */
static bool steal_take(struct xadd_steal *s, struct waiter *w)
{
	struct waiter *head = waiters_first(&s->queue);
	int64_t c = STEAL_WAITING, next = STEAL_WRITE;

	if (head != w || waiters_after(w))
		next += STEAL_WAITING;
	if (load_rlx(&s->count) != c || !cas_acq(&s->count, &c, next))
		return false;
	waiters_remove(&s->queue, w);
	return true;
}

/* Takes the lock past the queue, if it comes free soon. */
static bool steal_spin(struct xadd_steal *s, struct spin_node *node)
{
	bool got = false;

	if (!spin_queue_acquire(&s->spinners, node))
		return false;
	for (int i = 0; !got && i < SPIN_CAP(SPIN_PAUSES); i++) {
		int64_t c = load_rlx(&s->count);

		if ((c == 0 || c == STEAL_WAITING) && cas_acq(&s->count, &c, c + STEAL_WRITE))
			got = true;
		else
			cpu_pause();
	}
	spin_queue_release(&s->spinners, node);
	return got;
}

/* The writer's claim is in the word, which was not 0. */
static __attribute__((noinline, cold, unused)) bool
steal_wait_write(struct xadd_steal *s, const struct steal_policy *policy, struct spin_node *node,
		 uint64_t deadline)
{
	struct wake_list wakes = WAKE_LIST_EMPTY;
	struct waiter w;
	uint32_t woken;
	bool first;

	lock_event_blocked(SIDE_WRITE);
	lock_event_blocker(steal_blocker(s, WAITER_WRITE));
	add_rlx(&s->count, -STEAL_WRITE);
	if (policy->spins && steal_spin(s, node)) {
		lock_event_ended(ENDED_SPINNING);
		return true;
	}
	lock_event_if(policy->spins, EVENT_SPIN_FAIL);
	waiter_init(&w, WAITER_WRITE);
	waitlock_acquire(&s->wait_lock);
	first = !waiters_first(&s->queue);
	waiters_push(&s->queue, &w);
	if (first)
		add_rlx(&s->count, STEAL_WAITING);
	else if (load_rlx(&s->count) > STEAL_WAITING)
		/* readers hold: those at the head of the queue may as well */
		steal_serve(s, policy, STEAL_WAKE_READERS, &wakes);
	while (!steal_take(s, &w)) {
		steal_unlock(s, &wakes);
		woken = park(&w.state, WAITER_ASLEEP, deadline);
		if (policy->awake)
			policy->awake(s);
		waitlock_acquire(&s->wait_lock);
		if (woken == WAITER_ASLEEP) {
			steal_abandon(s, policy, &w, &wakes);
			steal_unlock(s, &wakes);
			waiter_end(&w);
			lock_event_ended(ENDED_GAVE_UP);
			return false;
		}
		/* before the next look at the word, which a waker may change after us */
		store_rlx(&w.state, WAITER_ASLEEP);
	}
	steal_unlock(s, &wakes);
	waiter_end(&w);
	lock_event_ended(ENDED_STOLEN);
	return true;
}

HOT bool steal_acquire_read(struct xadd_steal *s, const struct steal_policy *policy,
			    uint64_t deadline)
{
	if (likely(add_acq(&s->count, STEAL_ACTIVE) >= 0)) {
		lock_event_fast(SIDE_READ);
		return true;
	}
	return steal_wait_read(s, policy, deadline);
}

HOT bool steal_acquire_write(struct xadd_steal *s, const struct steal_policy *policy, void *node,
			     uint64_t deadline)
{
	if (likely(add_acq(&s->count, STEAL_WRITE) == 0)) {
		lock_event_fast(SIDE_WRITE);
		return true;
	}
	return steal_wait_write(s, policy, node, deadline);
}

HOT void steal_release_read(struct xadd_steal *s, const struct steal_policy *policy)
{
	int64_t c = add_rel(&s->count, -STEAL_ACTIVE) - STEAL_ACTIVE;

	if (unlikely(c < 0 && !(c & STEAL_ACTIVE_MASK)))
		steal_wake(s, policy, STEAL_WAKE_ANY);
}

HOT void steal_release_write(struct xadd_steal *s, const struct steal_policy *policy)
{
	if (unlikely(add_rel(&s->count, -STEAL_WRITE) - STEAL_WRITE < 0))
		steal_wake(s, policy, STEAL_WAKE_ANY);
}

HOT void steal_downgrade(struct xadd_steal *s, const struct steal_policy *policy)
{
	if (unlikely(add_rel(&s->count, -STEAL_WAITING) - STEAL_WAITING < 0))
		steal_wake(s, policy, STEAL_WAKE_BESIDE);
}

HOT bool steal_try_read(struct xadd_steal *s)
{
	int64_t c = load_rlx(&s->count);

	while (c >= 0)
		if (cas_acq(&s->count, &c, c + STEAL_ACTIVE))
			return true;
	return false;
}

HOT bool steal_try_write(struct xadd_steal *s)
{
	int64_t none = 0;

	return cas_acq(&s->count, &none, STEAL_WRITE);
}

static const char *steal_check_idle(const void *lock)
{
	struct xadd_steal *s = (void *)lock;

	if (load_rlx(&s->count))
		return "the count is not 0";
	if (!waitlock_idle(&s->wait_lock))
		return "the wait lock is held";
	if (s->queue.head || s->queue.tail)
		return "the queue is not empty";
	if (!spin_queue_idle(&s->spinners))
		return "somebody is in the spinner queue";
	return NULL;
}

#endif
