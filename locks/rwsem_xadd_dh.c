/*
 * rwsem_xadd_dh.c - David Howells' count word of April 2001 (Linux 2.4.4-pre,
 * fourth try), on 64 bits.
 *
 * The word, signed
 *
 *	 63                32 31                 0
 *	|  -(waiting + writer) |  active           |
 *
 *	ACTIVE  = +1           everybody who holds, or has just claimed
 *	WAITING = -2^32        everybody who is queued, and the writer who holds
 *	WRITE   = WAITING + 1  what a writer adds
 *
 *	0: free. n > 0: so many readers and nobody waits. < 0: a writer or a queue.
 *
 * Fast paths
 *
 *	read           add ACTIVE; in, if the sum is not negative
 *	write          add WRITE; in, if the word was 0
 *	release read   subtract ACTIVE; done, unless the sum is negative with
 *	               nobody active
 *	release write  compare-and-swap WRITE to 0; done, if it was just WRITE
 *
 * Slow paths: take the wait lock, queue, turn the claim (ACTIVE, or WRITE) into
 * WAITING; if that leaves nobody active, serve the queue at once; sleep until
 * granted. Ownership is handed over: a granted reader's WAITING becomes ACTIVE,
 * a granted writer's becomes WRITE, before it is woken.
 *
 * Who owes a wakeup, and why none is lost
 *
 *	Whoever brings the active half to 0 with a negative word: the last
 *	reader, a claim that is withdrawn, and the writer. The first two may be
 *	several in a row, so the server must win the step from 0 to 1 of the
 *	active half itself, under the wait lock; if it finds somebody active, it
 *	takes its 1 back and leaves the duty to that one, unless taking it back
 *	brought the half to 0 again: then that one has left without looking
 *	twice, and it tries again. It must ask for the active half, not for the
 *	whole word: the fourth try as posted tested the word for 0 and loses a
 *	wakeup (two writers and a reader suffice; tests/ keeps it).
 *	A writer whose compare-and-swap fails does not subtract before it holds
 *	the wait lock: a subtraction outside can meet a server at work, which
 *	was the fault that Howells saw in Arcangeli's form. It keeps its ACTIVE
 *	and passes it on, so no second server can come between.
 *
 * Order of memory: the successful additions acquire, the releases release, and
 * a server acquires for the sleepers it grants to, then tells them with a
 * release (wake_list.h). A withdrawn claim orders nothing.
 *
 * A reader whose claim is still in the word looks once more under the wait
 * lock, and is in if the word is not negative any more. The original queues
 * all the same; without the look a downgrade can leave it asleep.
 *
 * Good at: reads without contention. Bad at: writers in numbers: each grant is
 * a sleep and a wakeup, and nobody may overtake (2001: wo 0.446 of
 * rwsem_generic). No spinning, no deadlines.
 */
#include "lock.h"
#include "park.h"
#include "waitlock.h"
#include "wake_list.h"

#define RWSEM_DH_ACTIVE ((int64_t)1)
#define RWSEM_DH_ACTIVE_MASK ((int64_t)0xffffffff)
#define RWSEM_DH_WAITING (-((int64_t)1 << 32))
#define RWSEM_DH_WRITE (RWSEM_DH_WAITING + RWSEM_DH_ACTIVE)

struct rwsem_xadd_dh {
	LINE_ALIGNED _Atomic int64_t count;
	LINE_ALIGNED struct waitlock wait_lock;
	struct waiters queue;
};

/*
 * Under the wait lock, with `mine` of the count being the caller's to give
 * away: hands the lock to the head, or to the run of readers there.
 */
static void rwsem_dh_grant(struct rwsem_xadd_dh *s, int64_t mine, struct wake_list *wakes)
{
	unsigned n = waiters_leading_readers(&s->queue, UINT32_MAX);
	int64_t change = n * (RWSEM_DH_ACTIVE - RWSEM_DH_WAITING);

	if (!n) {
		n = 1;
		change = RWSEM_DH_ACTIVE;
	}
	/*
	 * All the counts before the first wake: a reader that left early would
	 * bring the active half to 0 while others are still to come. Acquire:
	 * pairs with the last holder's release, on behalf of the sleepers. Release:
	 * a writer gives its lock away here, and a reader may come in on this very
	 * count without ever taking the wait lock: it must see what the writer wrote.
	 */
	add_acq_rel(&s->count, change - mine);
	while (n--) {
		struct waiter *w = waiters_first(&s->queue);

		waiters_remove(&s->queue, w);
		wake_list_grant(wakes, w);
	}
}

/* Under the wait lock: serves the queue, if nobody is active. */
static void rwsem_dh_serve(struct rwsem_xadd_dh *s, struct wake_list *wakes)
{
	if (!waiters_first(&s->queue))
		return;
	/* acquire: as in rwsem_dh_grant */
	while (add_acq(&s->count, RWSEM_DH_ACTIVE) & RWSEM_DH_ACTIVE_MASK)
		if (((add_rlx(&s->count, -RWSEM_DH_ACTIVE) - RWSEM_DH_ACTIVE) &
		     RWSEM_DH_ACTIVE_MASK) != 0)
			return; /* who is active will serve */
	rwsem_dh_grant(s, RWSEM_DH_ACTIVE, wakes);
}

/* The active half has come to 0 and somebody waits. */
COLD void rwsem_dh_wake(struct rwsem_xadd_dh *s)
{
	struct wake_list wakes = WAKE_LIST_EMPTY;

	waitlock_acquire(&s->wait_lock);
	rwsem_dh_serve(s, &wakes);
	wake_list_flush(&wakes);
	waitlock_release(&s->wait_lock);
}

#ifdef LOCK_EVENTS
/* Under the wait lock. c: the word, with the caller's claim in it. */
static inline enum lock_blocker rwsem_dh_blocker(struct rwsem_xadd_dh *s, enum waiter_kind kind,
						 int64_t c)
{
	uint32_t queued = load_rlx(&s->queue.length);

	c -= kind == WAITER_READ ? RWSEM_DH_ACTIVE : RWSEM_DH_WRITE;
	if (-(c >> 32) > queued)
		return BY_WRITER;
	/* readers alone do not keep a reader out */
	return c & RWSEM_DH_ACTIVE_MASK && (queued || kind == WAITER_WRITE) ? BY_READER : BY_NONE;
}
#endif

COLD void rwsem_dh_wait(struct rwsem_xadd_dh *s, enum waiter_kind kind)
{
	/* what turns the claim into WAITING; a writer has added that already */
	int64_t change = kind == WAITER_READ ? RWSEM_DH_WAITING - RWSEM_DH_ACTIVE
					     : -RWSEM_DH_ACTIVE;
	struct wake_list wakes = WAKE_LIST_EMPTY;
	struct waiter w;
	int64_t c;

	lock_event_blocked(kind);
	waiter_init(&w, kind);
	waitlock_acquire(&s->wait_lock);
	c = load_rlx(&s->count);
	lock_event_blocker(rwsem_dh_blocker(s, kind, c));
	do {
		/* acquire: as in acquire_read, of which this is the second look */
		if (kind == WAITER_READ && c >= 0 && load_acq(&s->count) >= 0) {
			waitlock_release(&s->wait_lock);
			lock_event_ended(ENDED_STOLEN);
			return;
		}
	} while (!cas_rlx(&s->count, &c, c + change));
	waiters_push(&s->queue, &w);
	if (!((c + change) & RWSEM_DH_ACTIVE_MASK))
		rwsem_dh_serve(s, &wakes);
	wake_list_flush(&wakes);
	waitlock_release(&s->wait_lock);
	park(&w.state, WAITER_ASLEEP, NO_DEADLINE);
	waiter_end(&w);
	lock_event_ended(ENDED_STOLEN);
}

/* pairs with the release in release_write: without it the section could read old data */
HOT void rwsem_xadd_dh_acquire_read(void *lock, void *ctx)
{
	struct rwsem_xadd_dh *s = lock;

	(void)ctx;
	if (unlikely(add_acq(&s->count, RWSEM_DH_ACTIVE) + RWSEM_DH_ACTIVE < 0)) {
		rwsem_dh_wait(s, WAITER_READ);
		return;
	}
	lock_event_fast(SIDE_READ);
}

/* pairs with both releases: without it we could write before the last reader has read */
HOT void rwsem_xadd_dh_acquire_write(void *lock, void *ctx)
{
	struct rwsem_xadd_dh *s = lock;

	(void)ctx;
	if (unlikely(add_acq(&s->count, RWSEM_DH_WRITE) != 0)) {
		rwsem_dh_wait(s, WAITER_WRITE);
		return;
	}
	lock_event_fast(SIDE_WRITE);
}

/* pairs with the acquire of the next writer: without it our reads could see its writes */
HOT void rwsem_xadd_dh_release_read(void *lock, void *ctx)
{
	struct rwsem_xadd_dh *s = lock;
	int64_t c = add_rel(&s->count, -RWSEM_DH_ACTIVE) - RWSEM_DH_ACTIVE;

	(void)ctx;
	if (unlikely(c < 0 && !(c & RWSEM_DH_ACTIVE_MASK)))
		rwsem_dh_wake(s);
}

COLD void rwsem_dh_release_contended(struct rwsem_xadd_dh *s)
{
	struct wake_list wakes = WAKE_LIST_EMPTY;

	waitlock_acquire(&s->wait_lock);
	if (waiters_first(&s->queue))
		rwsem_dh_grant(s, RWSEM_DH_WRITE, &wakes);
	else
		/* claims only, that will find nobody active; release: as in release_write */
		add_rel(&s->count, -RWSEM_DH_WRITE);
	wake_list_flush(&wakes);
	waitlock_release(&s->wait_lock);
}

/* pairs with the acquires of the next holder: without it that one could miss our writes */
HOT void rwsem_xadd_dh_release_write(void *lock, void *ctx)
{
	struct rwsem_xadd_dh *s = lock;
	int64_t mine = RWSEM_DH_WRITE;

	(void)ctx;
	if (unlikely(!cas_rel(&s->count, &mine, 0)))
		rwsem_dh_release_contended(s);
}

COLD void rwsem_dh_join_readers(struct rwsem_xadd_dh *s)
{
	struct wake_list wakes = WAKE_LIST_EMPTY;
	struct waiter *w;

	waitlock_acquire(&s->wait_lock);
	w = waiters_first(&s->queue);
	if (w && waiter_kind(w) == WAITER_READ)
		rwsem_dh_grant(s, 0, &wakes);
	wake_list_flush(&wakes);
	waitlock_release(&s->wait_lock);
}

/* release: as in release_write, for the readers that come in beside us */
HOT void rwsem_xadd_dh_downgrade(void *lock, void *ctx)
{
	struct rwsem_xadd_dh *s = lock;

	(void)ctx;
	if (unlikely(add_rel(&s->count, -RWSEM_DH_WAITING) - RWSEM_DH_WAITING < 0))
		rwsem_dh_join_readers(s);
}

HOT bool rwsem_xadd_dh_try_read(void *lock, void *ctx)
{
	struct rwsem_xadd_dh *s = lock;
	int64_t c = load_rlx(&s->count);

	(void)ctx;
	while (c >= 0)
		if (cas_acq(&s->count, &c, c + RWSEM_DH_ACTIVE)) /* as in acquire_read */
			return true;
	return false;
}

HOT bool rwsem_xadd_dh_try_write(void *lock, void *ctx)
{
	struct rwsem_xadd_dh *s = lock;
	int64_t none = 0;

	(void)ctx;
	return cas_acq(&s->count, &none, RWSEM_DH_WRITE); /* as in acquire_write */
}

static const char *rwsem_xadd_dh_check_idle(const void *lock)
{
	struct rwsem_xadd_dh *s = (void *)lock;

	if (load_rlx(&s->count))
		return "the count is not 0";
	if (!waitlock_idle(&s->wait_lock))
		return "the wait lock is held";
	if (s->queue.head || s->queue.tail)
		return "the queue is not empty";
	return NULL;
}

static const struct lock_ops lock_ops = {
	.name = "rwsem_xadd_dh",
	.about = "2001: Howells' count word, write release by compare-and-swap",
	.caps = LOCK_SHARED | LOCK_FIFO,
	.size = sizeof(struct rwsem_xadd_dh),
	.events = COUNTS_READS | COUNTS_WRITES,
	.acquire_read = rwsem_xadd_dh_acquire_read,
	.release_read = rwsem_xadd_dh_release_read,
	.acquire_write = rwsem_xadd_dh_acquire_write,
	.release_write = rwsem_xadd_dh_release_write,
	.try_read = rwsem_xadd_dh_try_read,
	.try_write = rwsem_xadd_dh_try_write,
	.downgrade = rwsem_xadd_dh_downgrade,
	.check_idle = rwsem_xadd_dh_check_idle,
};
