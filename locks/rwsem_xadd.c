/*
 * rwsem_xadd.c - a reader-writer semaphore on one 64-bit word: a reader adds
 * itself to the count and looks at what was there before.
 *
 * The count that is added to first and asked afterwards is the idea of David
 * Howells and Andrea Arcangeli (Linux, April 2001). The layout, the rules below
 * and the code are this suite's own; the historical forms are rwsem_xadd_dh
 * and rwsem_xadd_aa.
 *
 * The word
 *
 *	 63                                    8        2        1       0
 *	|  readers: holders and claims (56 bits) | … | HANDOFF | ASLEEP | WRITER |
 *
 *	WRITER   a writer holds
 *	ASLEEP   threads are queued, and the head of the queue sleeps unwoken
 *	HANDOFF  that head has waited too long: writers must not overtake it
 *
 * ASLEEP and HANDOFF change under the wait lock only; HANDOFF implies ASLEEP,
 * ASLEEP implies a queue. A word with no WRITER and no readers is free.
 *
 * Fast paths
 *
 *	read     add READER; in, if neither WRITER nor ASLEEP was set
 *	write    compare-and-swap 0 to WRITER
 *	release  subtract; done, if ASLEEP was not set
 *
 * Slow paths
 *
 *	A reader has made its claim by the addition: no writer can enter over
 *	it. If a writer held, the reader spins a while for WRITER to go, and is
 *	in. If it came in a reader's time and the head sleeps, it withdraws and
 *	queues, so that readers cannot keep a sleeping writer out. A writer
 *	spins a while for the free word, then queues.
 *
 *	Readers at the head are granted together, by whoever frees the word. A
 *	writer at the head is only woken, and competes: as long as it is on its
 *	way ASLEEP is clear, and the running threads take and release the lock
 *	at full speed, with no further wakeups. That pays for the sleep; its
 *	price is paid by HANDOFF: a head that is still not served after
 *	HANDOFF_NS goes back to sleep with the bit set, and is granted the lock
 *	by the next thread that frees it.
 *
 * Who owes a wakeup, and why none is lost
 *
 *	Whoever brings the word to free with ASLEEP set owes the head one wakeup:
 *	a release, or the withdrawal of a claim. ASLEEP is set only by a
 *	compare-and-swap from a word that is not free; so a holder or a claim is
 *	in the word at that moment, its own later subtraction is in the same
 *	word's order, and sees the bit. The bit is cleared only under the wait
 *	lock by a thread that wakes or grants to the head in the same hold, or
 *	is the head. When a head leaves the queue (served, granted, deadline
 *	passed), the same hold sets ASLEEP for the next one or wakes it.
 *	So: free word and a queue imply that the head is awake, or that a thread
 *	is on its way to the wait lock to wake it.
 *
 * Nobody starves: each head waits HANDOFF_NS, plus the holders and the claims
 * of that moment, plus a wakeup; n waiters wait n times this at most.
 *
 * Good at: reads and writes without contention (two locked additions each),
 * short sections, more threads than cores. Bad at: its size (two lines); and a
 * releasing thread touches the wait lock after the word is free, so the lock's
 * memory must outlive its last release. Not recursive.
 */
#include "lock.h"
#include "park.h"
#include "spin_cap.h"
#include "waitlock.h"
#include "wake_list.h"

#define RWSEM_XADD_WRITER 1ull
#define RWSEM_XADD_ASLEEP 2ull
#define RWSEM_XADD_HANDOFF 4ull
#define RWSEM_XADD_READER 256ull
#define RWSEM_XADD_FLAGS (RWSEM_XADD_ASLEEP | RWSEM_XADD_HANDOFF)

/* some hundred sections, some ten wakeups: rare enough to cost nothing, and n × 1 ms is bearable */
#define RWSEM_XADD_HANDOFF_NS 1000000
/* readers granted in one hold of the wait lock */
#define RWSEM_XADD_BATCH 256

struct rwsem_xadd {
	LINE_ALIGNED _Atomic uint64_t count;
	/* seldom touched: off the line that every acquire takes */
	LINE_ALIGNED struct waitlock wait_lock;
	struct waiters queue;
	uint64_t head_since; /* clock_now() when the head became the head */
};

HOT bool rwsem_xadd_is_free(uint64_t count)
{
	return !(count & ~RWSEM_XADD_FLAGS);
}

/* Under the wait lock, after the queue's head has changed. */
static void rwsem_xadd_new_head(struct rwsem_xadd *s)
{
	if (waiters_first(&s->queue)) {
		plain_write(&s->head_since);
		s->head_since = clock_now();
	}
}

/* Under the wait lock. The flags that a head which must go on sleeping leaves in the word. */
static uint64_t rwsem_xadd_sleep_flags(struct rwsem_xadd *s)
{
	plain_read(&s->head_since);
	if (clock_now() - s->head_since > RWSEM_XADD_HANDOFF_NS)
		return RWSEM_XADD_ASLEEP | RWSEM_XADD_HANDOFF;
	return RWSEM_XADD_ASLEEP;
}

/* Under the wait lock. What the word must say of the queue once `leaving` waiters have left. */
static uint64_t rwsem_xadd_rest_flag(struct rwsem_xadd *s, unsigned leaving)
{
	struct waiter *w = waiters_first(&s->queue);

	while (w && leaving--)
		w = waiters_after(w);
	return w ? RWSEM_XADD_ASLEEP : 0;
}

static void rwsem_xadd_grant(struct rwsem_xadd *s, unsigned n, struct wake_list *wakes)
{
	while (n--) {
		struct waiter *w = waiters_first(&s->queue);

		waiters_remove(&s->queue, w);
		wake_list_grant(wakes, w);
	}
	rwsem_xadd_new_head(s);
}

/*
 * Under the wait lock, with a head that sleeps: serve it, or leave the duty
 * with whoever holds. The acquires pair with the release of the last holder:
 * without them the sleeper that is granted here could read stale data, as it
 * synchronises with us alone.
 */
static void rwsem_xadd_serve_head(struct rwsem_xadd *s, struct wake_list *wakes)
{
	struct waiter *head = waiters_first(&s->queue);
	bool reads = waiter_kind(head) == WAITER_READ;
	unsigned n = reads ? waiters_leading_readers(&s->queue, RWSEM_XADD_BATCH) : 1;
	uint64_t rest = rwsem_xadd_rest_flag(s, n), next, c = load_rlx(&s->count);
	enum { STAY, GRANT, POKE } what;

	do {
		if (reads ? c & RWSEM_XADD_WRITER : !rwsem_xadd_is_free(c)) {
			what = STAY;
			next = c | rwsem_xadd_sleep_flags(s);
		} else if (reads) {
			what = GRANT;
			next = (c & ~RWSEM_XADD_FLAGS) + n * RWSEM_XADD_READER + rest;
		} else if (c & RWSEM_XADD_HANDOFF) {
			what = GRANT;
			next = RWSEM_XADD_WRITER + rest;
		} else {
			what = POKE;
			next = 0;
		}
	} while (!cas_acq(&s->count, &c, next));
	lock_event_if(what == GRANT && c & RWSEM_XADD_HANDOFF, EVENT_HANDOFF);
	if (what == GRANT)
		rwsem_xadd_grant(s, n, wakes);
	else if (what == POKE)
		wake_list_poke(wakes, head);
}

/* The word was free with ASLEEP set: the wakeup that is owed. */
COLD void rwsem_xadd_wake(struct rwsem_xadd *s)
{
	struct wake_list wakes = WAKE_LIST_EMPTY;

	waitlock_acquire(&s->wait_lock);
	/* relaxed: the flag changes under the wait lock only */
	if (load_rlx(&s->count) & RWSEM_XADD_ASLEEP)
		rwsem_xadd_serve_head(s, &wakes);
	waitlock_release(&s->wait_lock);
	wake_list_flush(&wakes);
}

/* Under the wait lock. w leaves the queue as owner or with nothing; `owner` holds the word. */
static void rwsem_xadd_leave(struct rwsem_xadd *s, struct waiter *w, bool owner,
			     struct wake_list *wakes)
{
	bool was_head = waiters_first(&s->queue) == w;

	waiters_remove(&s->queue, w);
	if (!was_head)
		return;
	rwsem_xadd_new_head(s);
	if (!waiters_first(&s->queue))
		and_rlx(&s->count, ~RWSEM_XADD_FLAGS);
	else if (owner)
		or_rlx(&s->count, RWSEM_XADD_ASLEEP);
	else {
		/* the impatience was w's own */
		and_rlx(&s->count, ~RWSEM_XADD_HANDOFF);
		rwsem_xadd_serve_head(s, wakes);
	}
}

/*
 * The deadline has passed: false with nothing held, unless somebody was
 * quicker and has granted; then wait for the word of it, which is on its way.
 */
static bool rwsem_xadd_give_up(struct rwsem_xadd *s, struct waiter *w)
{
	struct wake_list wakes = WAKE_LIST_EMPTY;
	bool granted;

	waitlock_acquire(&s->wait_lock);
	granted = !waiter_queued(w);
	if (!granted)
		rwsem_xadd_leave(s, w, false, &wakes);
	waitlock_release(&s->wait_lock);
	wake_list_flush(&wakes);
	if (granted)
		park(&w->state, WAITER_ASLEEP, NO_DEADLINE);
	return granted;
}

#ifdef LOCK_EVENTS
/* c: the word without the caller's claim */
static inline enum lock_blocker rwsem_xadd_blocker(enum waiter_kind kind, uint64_t c)
{
	if (c & RWSEM_XADD_WRITER)
		return BY_WRITER;
	/* readers alone do not keep a reader out */
	return c >= RWSEM_XADD_READER && (kind == WAITER_WRITE || c & RWSEM_XADD_FLAGS) ? BY_READER
											: BY_NONE;
}
#endif

/* from: what the word held before our claim */
COLD bool rwsem_xadd_wait_read(struct rwsem_xadd *s, uint64_t from, uint64_t deadline)
{
	bool writers_time = from & RWSEM_XADD_WRITER, first, got = true;
	struct wake_list wakes = WAKE_LIST_EMPTY;
	struct waiter w;
	uint64_t c, next;

	lock_event_blocked(SIDE_READ);
	lock_event_blocker(rwsem_xadd_blocker(WAITER_READ, from));
	for (int i = 0; writers_time && i < SPIN_CAP(SPIN_PAUSES); i++) {
		/* pairs with the release in release_write: as in acquire_read */
		if (!(load_acq(&s->count) & RWSEM_XADD_WRITER)) {
			lock_event_ended(ENDED_SPINNING);
			return true;
		}
		cpu_pause();
	}
	lock_event(writers_time ? EVENT_SPIN_FAIL : EVENT_SPIN_SKIP);
	waiter_init(&w, WAITER_READ);
	waitlock_acquire(&s->wait_lock);
	first = !waiters_first(&s->queue);
	do {
		c = load_acq(&s->count); /* as in the spin above */
		if (!(c & RWSEM_XADD_WRITER) && (writers_time || !(c & RWSEM_XADD_ASLEEP))) {
			waitlock_release(&s->wait_lock);
			lock_event_ended(ENDED_STOLEN);
			return true;
		}
		/* withdraw; if we are to be the head, a writer holds, and will see the flag */
		next = c - RWSEM_XADD_READER;
		if (first)
			next |= RWSEM_XADD_ASLEEP;
	} while (!cas_rlx(&s->count, &c, next));
	waiters_push(&s->queue, &w);
	if (first)
		rwsem_xadd_new_head(s);
	else if (rwsem_xadd_is_free(next) && next & RWSEM_XADD_ASLEEP)
		rwsem_xadd_serve_head(s, &wakes);
	waitlock_release(&s->wait_lock);
	wake_list_flush(&wakes);
	if (park(&w.state, WAITER_ASLEEP, deadline) == WAITER_ASLEEP)
		got = rwsem_xadd_give_up(s, &w);
	waiter_end(&w);
	lock_event_ended(got ? ENDED_STOLEN : ENDED_GAVE_UP);
	return got;
}

static bool rwsem_xadd_spin_write(struct rwsem_xadd *s)
{
	for (int i = 0; i < SPIN_CAP(SPIN_PAUSES); i++) {
		uint64_t c = load_rlx(&s->count);

		/* the acquire is the one of acquire_write */
		if (!(c & ~RWSEM_XADD_ASLEEP) && cas_acq(&s->count, &c, c | RWSEM_XADD_WRITER))
			return true;
		if (c & RWSEM_XADD_HANDOFF) {
			lock_event(EVENT_SPIN_SKIP);
			return false;
		}
		cpu_pause();
	}
	lock_event(EVENT_SPIN_FAIL);
	return false;
}

/* Under the wait lock, by the head itself: true with the word taken, or ASLEEP set. */
static bool rwsem_xadd_take_or_sleep(struct rwsem_xadd *s, struct waiter *w)
{
	uint64_t c = load_rlx(&s->count), next;

	store_rlx(&w->state, WAITER_ASLEEP);
	do
		next = c | (rwsem_xadd_is_free(c) ? RWSEM_XADD_WRITER : rwsem_xadd_sleep_flags(s));
	while (!cas_acq(&s->count, &c, next));
	return rwsem_xadd_is_free(c);
}

COLD bool rwsem_xadd_wait_write(struct rwsem_xadd *s, uint64_t deadline)
{
	struct wake_list wakes = WAKE_LIST_EMPTY;
	struct waiter w;
	bool owner = false, got = true;
	uint32_t woken;

	lock_event_blocked(SIDE_WRITE);
	lock_event_blocker(rwsem_xadd_blocker(WAITER_WRITE, load_rlx(&s->count)));
	if (rwsem_xadd_spin_write(s)) {
		lock_event_ended(ENDED_SPINNING);
		return true;
	}
	waiter_init(&w, WAITER_WRITE);
	waitlock_acquire(&s->wait_lock);
	waiters_push(&s->queue, &w);
	if (waiters_first(&s->queue) == &w) {
		rwsem_xadd_new_head(s);
		owner = rwsem_xadd_take_or_sleep(s, &w);
	}
	while (!owner) {
		waitlock_release(&s->wait_lock);
		woken = park(&w.state, WAITER_ASLEEP, deadline);
		if (woken == WAITER_ASLEEP)
			got = rwsem_xadd_give_up(s, &w);
		if (woken != WAITER_POKED)
			goto out;
		owner = rwsem_xadd_spin_write(s);
		waitlock_acquire(&s->wait_lock);
		if (!owner)
			owner = rwsem_xadd_take_or_sleep(s, &w);
	}
	rwsem_xadd_leave(s, &w, true, &wakes);
	waitlock_release(&s->wait_lock);
out:
	waiter_end(&w);
	lock_event_ended(got ? ENDED_STOLEN : ENDED_GAVE_UP);
	return got;
}

/*
 * Acquire: pairs with the release in rwsem_xadd_release_write; without it the
 * section could read data from before the last write section.
 */
HOT bool rwsem_xadd_acquire_read_until(void *lock, void *ctx, uint64_t deadline)
{
	struct rwsem_xadd *s = lock;
	uint64_t from = add_acq(&s->count, RWSEM_XADD_READER);

	(void)ctx;
	if (likely(!(from & (RWSEM_XADD_WRITER | RWSEM_XADD_ASLEEP)))) {
		lock_event_fast(SIDE_READ);
		return true;
	}
	return rwsem_xadd_wait_read(s, from, deadline);
}

/*
 * Acquire: pairs with the releases in both release functions; without it the
 * section could read old data, or write before the last reader has read.
 */
HOT bool rwsem_xadd_acquire_write_until(void *lock, void *ctx, uint64_t deadline)
{
	struct rwsem_xadd *s = lock;
	uint64_t none = 0;

	(void)ctx;
	if (likely(cas_acq(&s->count, &none, RWSEM_XADD_WRITER))) {
		lock_event_fast(SIDE_WRITE);
		return true;
	}
	return rwsem_xadd_wait_write(s, deadline);
}

HOT void rwsem_xadd_acquire_read(void *lock, void *ctx)
{
	rwsem_xadd_acquire_read_until(lock, ctx, NO_DEADLINE);
}

HOT void rwsem_xadd_acquire_write(void *lock, void *ctx)
{
	rwsem_xadd_acquire_write_until(lock, ctx, NO_DEADLINE);
}

/* pairs with the acquire of the next writer: without it our reads could see its writes */
HOT void rwsem_xadd_release_read(void *lock, void *ctx)
{
	struct rwsem_xadd *s = lock;
	uint64_t from = add_rel(&s->count, -RWSEM_XADD_READER);

	(void)ctx;
	if (unlikely(from & RWSEM_XADD_ASLEEP) && rwsem_xadd_is_free(from - RWSEM_XADD_READER))
		rwsem_xadd_wake(s);
}

/* pairs with the acquires of the next reader or writer: without it they could miss our writes */
HOT void rwsem_xadd_release_write(void *lock, void *ctx)
{
	struct rwsem_xadd *s = lock;

	(void)ctx;
	/*
	 * Asked in this form, the compiler needs no old value: a plain locked
	 * subtraction and its zero flag. If the word was more than WRITER, a second
	 * look says why. It may be later than the subtraction: if ASLEEP has gone
	 * since, the head was served; if it has come, one wake too many is harmless.
	 */
	if (unlikely(add_rel(&s->count, -RWSEM_XADD_WRITER) != RWSEM_XADD_WRITER) &&
	    load_rlx(&s->count) & RWSEM_XADD_ASLEEP)
		rwsem_xadd_wake(s);
}

/* release: as in release_write, for the readers that come in beside us */
HOT void rwsem_xadd_downgrade(void *lock, void *ctx)
{
	struct rwsem_xadd *s = lock;

	(void)ctx;
	if (unlikely(add_rel(&s->count, RWSEM_XADD_READER - RWSEM_XADD_WRITER) & RWSEM_XADD_ASLEEP))
		rwsem_xadd_wake(s);
}

HOT bool rwsem_xadd_try_read(void *lock, void *ctx)
{
	struct rwsem_xadd *s = lock;
	uint64_t c = load_rlx(&s->count);

	(void)ctx;
	while (!(c & (RWSEM_XADD_WRITER | RWSEM_XADD_ASLEEP)))
		if (cas_acq(&s->count, &c, c + RWSEM_XADD_READER)) /* as in acquire_read */
			return true;
	return false;
}

HOT bool rwsem_xadd_try_write(void *lock, void *ctx)
{
	struct rwsem_xadd *s = lock;
	uint64_t none = 0;

	(void)ctx;
	return cas_acq(&s->count, &none, RWSEM_XADD_WRITER); /* as in acquire_write */
}

static const char *rwsem_xadd_check_idle(const void *lock)
{
	struct rwsem_xadd *s = (void *)lock;

	if (load_rlx(&s->count))
		return "the count is not 0";
	if (!waitlock_idle(&s->wait_lock))
		return "the wait lock is held";
	if (s->queue.head || s->queue.tail)
		return "the queue is not empty";
	return NULL;
}

/* rwsem_mutex is built on this file */
#ifndef RWSEM_XADD_AS_PART
static const struct lock_ops lock_ops = {
	.name = "rwsem_xadd",
	.about = "one 64-bit count, one addition to read; spins, sleeps, hands off",
	.caps = LOCK_SHARED,
	.size = sizeof(struct rwsem_xadd),
	.events = COUNTS_READS | COUNTS_WRITES | COUNTS_SPINNING | COUNTS_HANDOFF,
	.acquire_read = rwsem_xadd_acquire_read,
	.release_read = rwsem_xadd_release_read,
	.acquire_write = rwsem_xadd_acquire_write,
	.release_write = rwsem_xadd_release_write,
	.try_read = rwsem_xadd_try_read,
	.try_write = rwsem_xadd_try_write,
	.acquire_read_until = rwsem_xadd_acquire_read_until,
	.acquire_write_until = rwsem_xadd_acquire_write_until,
	.downgrade = rwsem_xadd_downgrade,
	.check_idle = rwsem_xadd_check_idle,
};
#endif
