/*
 * rwsem_xadd_aa.c - Andrea Arcangeli's count word of April 2001, on 64 bits:
 * every path is an addition, and one rule says who wakes.
 *
 * The word
 *
 *	 63                 32 31                 0
 *	|  queued, and a writer |  active           |
 *
 *	READ  = 1           one active
 *	WRITE = 2^32 + 1    one active, and one in the high half
 *
 *	0: free. High half 0: so many readers, nobody waits.
 *
 * Fast paths
 *
 *	read     add READ; in, if the high half was 0
 *	write    add WRITE; in, if the word was 0
 *	release  subtract the same; done, unless that brought the active half
 *	         from 1 to 0 with a high half that is not 0
 *
 * Slow paths: under the wait lock, queue and retire: take the 1 out of the
 * active half and leave a 1 in the high half (a reader adds 2^32 - 1, a writer
 * -1). The frame keeps that value, so the waker gives the claim back by
 * subtracting it, whoever it is. Then sleep until granted.
 *
 * Who owes a wakeup, and why none is lost
 *
 *	Arcangeli's rule: whoever brings the active half from 1 to 0 owes one
 *	wakeup; it does not matter who that is or where. It holds for a release,
 *	for a claim that retires, and for a waker that takes a try back. The
 *	waker, under the wait lock, gives the oldest waiter its claim back: if
 *	somebody else was active, it retires it again, and has itself brought
 *	the half from 1 to 0 if that one has left meanwhile: then it tries
 *	again. So whenever the active half is 0 and somebody is queued, there is
 *	a thread between its step to 0 and the end of its wake.
 *	Once a first reader of a run is granted, the others are given their
 *	claims without asking: no writer can have come in, since the high half
 *	is not 0 while they are queued, and grants need the wait lock.
 *
 * Howells held that the plain subtraction in release write is a race with a
 * failing down. In his own form it was (a server there did not test for 0 to
 * 1); here the rule makes it harmless. The search over all interleavings
 * agrees: no fault in any case tried, while Howells' form with a plain
 * subtraction breaks exclusion with two writers and a reader.
 *
 * Order of memory: as in rwsem_xadd_dh.c. A reader whose claim is in looks once
 * more under the wait lock, as there.
 *
 * Good at: both fast paths, one addition each way (2001: w1 1.041 of Howells').
 * Bad at: writers in numbers, as Howells' form. At most 2^32 - 1 in each half.
 * No spinning, no deadlines.
 */
#include "lock.h"
#include "park.h"
#include "waitlock.h"
#include "wake_list.h"

#define RWSEM_AA_READ 1ull
#define RWSEM_AA_HIGH (1ull << 32)
#define RWSEM_AA_WRITE (RWSEM_AA_HIGH + RWSEM_AA_READ)
#define RWSEM_AA_ACTIVE_MASK (RWSEM_AA_HIGH - 1)

struct rwsem_xadd_aa {
	LINE_ALIGNED _Atomic uint64_t count;
	LINE_ALIGNED struct waitlock wait_lock;
	struct waiters queue;
};

/* what a blocked claim of this kind adds to retire, and its waker subtracts */
HOT uint64_t rwsem_aa_retire(enum waiter_kind kind)
{
	return kind == WAITER_READ ? RWSEM_AA_HIGH - RWSEM_AA_READ : -RWSEM_AA_READ;
}

/* from: the word before 1 was taken from the active half */
HOT bool rwsem_aa_owes(uint64_t from)
{
	return (from & RWSEM_AA_ACTIVE_MASK) == 1;
}

/* Under the wait lock. `beside`: the caller reads on, so readers may come in beside it. */
static void rwsem_aa_serve(struct rwsem_xadd_aa *s, bool beside, struct wake_list *wakes)
{
	unsigned readers = beside;
	struct waiter *w;

	while ((w = waiters_first(&s->queue))) {
		enum waiter_kind kind = waiter_kind(w);
		uint64_t retire = rwsem_aa_retire(kind);

		if (kind == WAITER_WRITE && readers)
			return;
		/*
		 * Acquire: pairs with the last holder's release, on behalf of the
		 * sleeper, which synchronises with us alone.
		 */
		if (add_acq(&s->count, -retire) & RWSEM_AA_ACTIVE_MASK && !readers) {
			if (rwsem_aa_owes(add_rlx(&s->count, retire)))
				continue;
			return; /* who is active will serve */
		}
		waiters_remove(&s->queue, w);
		wake_list_grant(wakes, w);
		if (kind == WAITER_WRITE)
			return;
		readers++;
	}
}

COLD void rwsem_aa_wake(struct rwsem_xadd_aa *s, bool beside)
{
	struct wake_list wakes = WAKE_LIST_EMPTY;

	waitlock_acquire(&s->wait_lock);
	rwsem_aa_serve(s, beside, &wakes);
	wake_list_flush(&wakes);
	waitlock_release(&s->wait_lock);
}

#ifdef LOCK_EVENTS
/* Under the wait lock. c: the word, with the caller's claim in it. */
static inline enum lock_blocker rwsem_aa_blocker(struct rwsem_xadd_aa *s, enum waiter_kind kind,
						 uint64_t c)
{
	uint32_t queued = load_rlx(&s->queue.length);

	c -= kind == WAITER_READ ? RWSEM_AA_READ : RWSEM_AA_WRITE;
	if (c / RWSEM_AA_HIGH > queued)
		return BY_WRITER;
	/* readers alone do not keep a reader out */
	return c & RWSEM_AA_ACTIVE_MASK && (queued || kind == WAITER_WRITE) ? BY_READER : BY_NONE;
}
#endif

COLD void rwsem_aa_wait(struct rwsem_xadd_aa *s, enum waiter_kind kind)
{
	struct wake_list wakes = WAKE_LIST_EMPTY;
	struct waiter w;
	uint64_t c;

	lock_event_blocked(kind);
	waiter_init(&w, kind);
	waitlock_acquire(&s->wait_lock);
	c = load_rlx(&s->count);
	lock_event_blocker(rwsem_aa_blocker(s, kind, c));
	do {
		/* acquire: as in acquire_read, of which this is the second look */
		if (kind == WAITER_READ && c < RWSEM_AA_HIGH &&
		    load_acq(&s->count) < RWSEM_AA_HIGH) {
			waitlock_release(&s->wait_lock);
			lock_event_ended(ENDED_STOLEN);
			return;
		}
	} while (!cas_rlx(&s->count, &c, c + rwsem_aa_retire(kind)));
	waiters_push(&s->queue, &w);
	if (rwsem_aa_owes(c))
		rwsem_aa_serve(s, false, &wakes);
	wake_list_flush(&wakes);
	waitlock_release(&s->wait_lock);
	park(&w.state, WAITER_ASLEEP, NO_DEADLINE);
	waiter_end(&w);
	lock_event_ended(ENDED_STOLEN);
}

/* pairs with the release in release_write: without it the section could read old data */
HOT void rwsem_xadd_aa_acquire_read(void *lock, void *ctx)
{
	struct rwsem_xadd_aa *s = lock;

	(void)ctx;
	if (unlikely(add_acq(&s->count, RWSEM_AA_READ) >= RWSEM_AA_HIGH)) {
		rwsem_aa_wait(s, WAITER_READ);
		return;
	}
	lock_event_fast(SIDE_READ);
}

/* pairs with both releases: without it we could write before the last reader has read */
HOT void rwsem_xadd_aa_acquire_write(void *lock, void *ctx)
{
	struct rwsem_xadd_aa *s = lock;

	(void)ctx;
	if (unlikely(add_acq(&s->count, RWSEM_AA_WRITE) != 0)) {
		rwsem_aa_wait(s, WAITER_WRITE);
		return;
	}
	lock_event_fast(SIDE_WRITE);
}

/* pairs with the acquire of the next writer: without it our reads could see its writes */
HOT void rwsem_xadd_aa_release_read(void *lock, void *ctx)
{
	struct rwsem_xadd_aa *s = lock;
	uint64_t from = add_rel(&s->count, -RWSEM_AA_READ);

	(void)ctx;
	if (unlikely(from >= RWSEM_AA_HIGH && rwsem_aa_owes(from)))
		rwsem_aa_wake(s, false);
}

/* pairs with the acquires of the next holder: without it that one could miss our writes */
HOT void rwsem_xadd_aa_release_write(void *lock, void *ctx)
{
	struct rwsem_xadd_aa *s = lock;
	uint64_t from = add_rel(&s->count, -RWSEM_AA_WRITE);

	(void)ctx;
	/* from is WRITE itself when nobody else is there */
	if (unlikely(from >= 2 * RWSEM_AA_HIGH && rwsem_aa_owes(from)))
		rwsem_aa_wake(s, false);
}

/* release: as in release_write, for the readers that come in beside us */
HOT void rwsem_xadd_aa_downgrade(void *lock, void *ctx)
{
	struct rwsem_xadd_aa *s = lock;

	(void)ctx;
	if (unlikely(add_rel(&s->count, -RWSEM_AA_HIGH) >= 2 * RWSEM_AA_HIGH))
		rwsem_aa_wake(s, true);
}

HOT bool rwsem_xadd_aa_try_read(void *lock, void *ctx)
{
	struct rwsem_xadd_aa *s = lock;
	uint64_t c = load_rlx(&s->count);

	(void)ctx;
	while (c < RWSEM_AA_HIGH)
		if (cas_acq(&s->count, &c, c + RWSEM_AA_READ)) /* as in acquire_read */
			return true;
	return false;
}

HOT bool rwsem_xadd_aa_try_write(void *lock, void *ctx)
{
	struct rwsem_xadd_aa *s = lock;
	uint64_t none = 0;

	(void)ctx;
	return cas_acq(&s->count, &none, RWSEM_AA_WRITE); /* as in acquire_write */
}

static const char *rwsem_xadd_aa_check_idle(const void *lock)
{
	struct rwsem_xadd_aa *s = (void *)lock;

	if (load_rlx(&s->count))
		return "the count is not 0";
	if (!waitlock_idle(&s->wait_lock))
		return "the wait lock is held";
	if (s->queue.head || s->queue.tail)
		return "the queue is not empty";
	return NULL;
}

static const struct lock_ops lock_ops = {
	.name = "rwsem_xadd_aa",
	.about = "2001: Arcangeli's count word, every path an addition",
	.caps = LOCK_SHARED | LOCK_FIFO,
	.size = sizeof(struct rwsem_xadd_aa),
	.events = COUNTS_READS | COUNTS_WRITES,
	.acquire_read = rwsem_xadd_aa_acquire_read,
	.release_read = rwsem_xadd_aa_release_read,
	.acquire_write = rwsem_xadd_aa_acquire_write,
	.release_write = rwsem_xadd_aa_release_write,
	.try_read = rwsem_xadd_aa_try_read,
	.try_write = rwsem_xadd_aa_try_write,
	.downgrade = rwsem_xadd_aa_downgrade,
	.check_idle = rwsem_xadd_aa_check_idle,
};
