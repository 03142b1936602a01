/*
 * rwsem_handoff.c - the semaphore as rewritten by Waiman Long for Linux 5.3
 * (2019): bits instead of biases, and a hand-off that bounds stealing.
 *
 * The word
 *
 *	 63                       8  7    3     2         1        0
 *	|  readers: holders, claims |  unused | HANDOFF | WAITERS | WRITER |
 *
 *	WRITER   a writer holds
 *	WAITERS  the queue is not empty
 *	HANDOFF  its head has waited for HANDOFF_NS: nobody may steal
 *
 * WAITERS and HANDOFF change under the wait lock only.
 *
 * Fast paths: read adds READER, in if no bit was set; write swaps 0 for WRITER;
 * release subtracts, and wakes if that left no holder but WAITERS.
 *
 * Slow paths
 *
 *	Reader: its claim is in the word. With neither WRITER nor HANDOFF, it has
 *	stolen the lock from a waiter that is still waking up, and is in, unless
 *	other readers are in: those it would join for ever, so it withdraws.
 *	(The first form let it join; a stream of readers could starve the
 *	sleepers until 2f06f702925b, 2020.) Withdrawn, it queues, to be granted.
 *	Writer: spins (spin_queue.h) for a word that has no holder and no
 *	HANDOFF, then queues; at each wake it tries for itself, and if the lock
 *	is held while it is the head and has waited for HANDOFF_NS, it sets
 *	HANDOFF. Then only the head can take the lock.
 *	Waker: with a reader at the head, it grants to all readers in the queue,
 *	wherever they stand, 256 at most (phases: all readers that came to wait,
 *	then a writer); with a writer at the head, it wakes it to try.
 *
 * Who owes a wakeup, and why none is lost
 *
 *	Whoever takes the last holder or claim out of a word with WAITERS: a
 *	release, or a reader that withdraws. A thread queues, sets WAITERS and
 *	looks at the word in one hold of the wait lock, so either it sees the
 *	lock free and serves the queue (or takes the lock), or the holder that
 *	it saw finds WAITERS as it leaves. A thread that gives up wakes the next
 *	if it was the head, and takes its HANDOFF back: left behind, the bit
 *	would bar everybody for nobody's sake (d257cc8cb8d5, 6eebd5fb2083).
 *	Only the head sets HANDOFF: set for another, that one could not take the
 *	lock, nor anybody else (b613c7f31476).
 *
 * Starvation: a queued writer gets the lock at the latest when it is the head,
 * has waited for HANDOFF_NS, and the holders of that moment have left.
 *
 * Order of memory: all that comes in acquires and pairs with the releases of
 * both release functions, without which a section could see old data; a waker
 * acquires for the readers it grants to (wake_list.h).
 *
 * Good at: bounded waits at almost the speed of stealing. Bad at: 4 ms are long
 * for short sections, so rwsem_xadd takes 1; readers do not spin.
 */
#include "lock.h"
#include "park.h"
#include "spin_queue.h"
#include "waitlock.h"
#include "wake_list.h"

#define HANDOFF_WRITER 1ull
#define HANDOFF_WAITERS 2ull
#define HANDOFF_HANDOFF 4ull
#define HANDOFF_READER 256ull
#define HANDOFF_FLAGS (HANDOFF_WAITERS | HANDOFF_HANDOFF)

#define HANDOFF_NS 4000000
#define HANDOFF_BATCH 256

struct rwsem_handoff {
	LINE_ALIGNED _Atomic uint64_t count;
	LINE_ALIGNED struct waitlock wait_lock;
	struct waiters queue;
	LINE_ALIGNED struct spin_queue spinners;
};

HOT bool handoff_is_free(uint64_t count)
{
	return !(count & ~HANDOFF_FLAGS);
}

/* Under the wait lock: takes at most HANDOFF_BATCH readers out of the queue into the list. */
static unsigned handoff_gather(struct rwsem_handoff *s, struct wake_list *wakes)
{
	struct waiter *w = waiters_first(&s->queue);
	unsigned n = 0;

	while (w && n < HANDOFF_BATCH) {
		struct waiter *next = waiters_after(w);

		if (waiter_kind(w) == WAITER_READ) {
			waiters_remove(&s->queue, w);
			wake_list_grant(wakes, w);
			n++;
		}
		w = next;
	}
	return n;
}

/*
 * Under the wait lock: serves the head, if it can be served. A reader at the
 * head needs no WRITER; a writer there is poked if there is no holder.
 */
static void handoff_serve(struct rwsem_handoff *s, struct wake_list *wakes)
{
	struct waiter *head = waiters_first(&s->queue);
	uint64_t c, change;

	if (!head)
		return;
	if (waiter_kind(head) == WAITER_WRITE) {
		if (handoff_is_free(load_rlx(&s->count)))
			wake_list_poke(wakes, head);
		return;
	}
	/*
	 * First one claim, so that no writer can come in over it, then the rest.
	 * Acquire: on behalf of the sleepers, which synchronise with us alone.
	 */
	c = load_rlx(&s->count);
	do {
		if (c & HANDOFF_WRITER) {
			/* stolen: the writer's release will find WAITERS. But not for ever. */
			plain_read(&head->since);
			if (clock_now() - head->since > HANDOFF_NS)
				or_rlx(&s->count, HANDOFF_HANDOFF);
			return;
		}
	} while (!cas_acq(&s->count, &c, c + HANDOFF_READER));
	lock_event_if(c & HANDOFF_HANDOFF, EVENT_HANDOFF);
	change = (uint64_t)handoff_gather(s, wakes) * HANDOFF_READER - HANDOFF_READER;
	if (c & HANDOFF_HANDOFF)
		change -= HANDOFF_HANDOFF;
	if (!waiters_first(&s->queue))
		change -= HANDOFF_WAITERS;
	add_acq(&s->count, change);
}

COLD void handoff_wake(struct rwsem_handoff *s)
{
	struct wake_list wakes = WAKE_LIST_EMPTY;

	waitlock_acquire(&s->wait_lock);
	handoff_serve(s, &wakes);
	waitlock_release(&s->wait_lock);
	wake_list_flush(&wakes);
}

/* Under the wait lock. */
static void handoff_push(struct rwsem_handoff *s, struct waiter *w)
{
	plain_write(&w->since);
	w->since = clock_now();
	if (!waiters_first(&s->queue))
		or_rlx(&s->count, HANDOFF_WAITERS);
	waiters_push(&s->queue, w);
}

/*
 * The deadline has passed: false with nothing held, unless the lock was granted
 * meanwhile; then the word of it is on its way.
 */
static bool handoff_give_up(struct rwsem_handoff *s, struct waiter *w)
{
	struct wake_list wakes = WAKE_LIST_EMPTY;
	bool granted;

	waitlock_acquire(&s->wait_lock);
	granted = !waiter_queued(w);
	if (!granted) {
		bool was_head = waiters_first(&s->queue) == w;

		waiters_remove(&s->queue, w);
		if (!waiters_first(&s->queue)) {
			and_rlx(&s->count, ~HANDOFF_FLAGS);
		} else if (was_head) {
			and_rlx(&s->count, ~HANDOFF_HANDOFF);
			handoff_serve(s, &wakes);
		}
	}
	waitlock_release(&s->wait_lock);
	wake_list_flush(&wakes);
	if (granted)
		park(&w->state, WAITER_ASLEEP, NO_DEADLINE);
	return granted;
}

#ifdef LOCK_EVENTS
/* c: the word without the caller's claim */
static inline enum lock_blocker handoff_blocker(enum waiter_kind kind, uint64_t c)
{
	if (c & HANDOFF_WRITER)
		return BY_WRITER;
	/* readers alone do not keep a reader out */
	return c >= HANDOFF_READER && (kind == WAITER_WRITE || c & HANDOFF_FLAGS) ? BY_READER
										  : BY_NONE;
}
#endif

/* from: what the word held before our claim */
COLD bool handoff_wait_read(struct rwsem_handoff *s, uint64_t from, uint64_t deadline)
{
	struct wake_list wakes = WAKE_LIST_EMPTY;
	struct waiter w;
	bool got = true;

	lock_event_blocked(SIDE_READ);
	lock_event_blocker(handoff_blocker(WAITER_READ, from));
	if (handoff_is_free(from) && !(from & HANDOFF_HANDOFF)) {
		lock_event_ended(ENDED_STOLEN);
		return true; /* stolen */
	}
	waiter_init(&w, WAITER_READ);
	waitlock_acquire(&s->wait_lock);
	/* nobody queued and no writer left: our claim, still in the word, has become the lock */
	if (!waiters_first(&s->queue) && !(load_acq(&s->count) & HANDOFF_WRITER)) {
		waitlock_release(&s->wait_lock);
		lock_event_ended(ENDED_STOLEN);
		return true;
	}
	handoff_push(s, &w);
	from = add_rlx(&s->count, -HANDOFF_READER) - HANDOFF_READER;
	if (handoff_is_free(from) || waiters_first(&s->queue) == &w)
		handoff_serve(s, &wakes);
	waitlock_release(&s->wait_lock);
	wake_list_flush(&wakes);
	if (park(&w.state, WAITER_ASLEEP, deadline) == WAITER_ASLEEP)
		got = handoff_give_up(s, &w);
	waiter_end(&w);
	lock_event_ended(got ? ENDED_STOLEN : ENDED_GAVE_UP);
	return got;
}

static bool handoff_spin(struct rwsem_handoff *s, struct spin_node *node)
{
	bool got = false;

	if (!spin_queue_acquire(&s->spinners, node))
		return false;
	for (int i = 0; !got && i < SPIN_CAP(SPIN_PAUSES); i++) {
		uint64_t c = load_rlx(&s->count);

		if (c & HANDOFF_HANDOFF) {
			lock_event(EVENT_SPIN_SKIP);
			break;
		}
		got = handoff_is_free(c) && cas_acq(&s->count, &c, c | HANDOFF_WRITER);
		if (!got)
			cpu_pause();
	}
	spin_queue_release(&s->spinners, node);
	return got;
}

/* Under the wait lock, w is queued: true if the lock is w's, and it has left the queue. */
static bool handoff_take(struct rwsem_handoff *s, struct waiter *w)
{
	bool head = waiters_first(&s->queue) == w;
	bool alone = head && !waiters_after(w);
	uint64_t c = load_rlx(&s->count), next;

	do {
		if (c & HANDOFF_HANDOFF && !head)
			return false;
		next = c;
		if (handoff_is_free(c)) {
			next = (c & ~HANDOFF_HANDOFF) | HANDOFF_WRITER;
			if (alone)
				next &= ~HANDOFF_WAITERS;
		} else if (head && !(c & HANDOFF_HANDOFF) && clock_now() - w->since > HANDOFF_NS) {
			next |= HANDOFF_HANDOFF;
		} else {
			return false;
		}
	} while (!cas_acq(&s->count, &c, next));
	if (!handoff_is_free(c))
		return false;
	lock_event_if(c & HANDOFF_HANDOFF, EVENT_HANDOFF);
	waiters_remove(&s->queue, w);
	return true;
}

COLD bool handoff_wait_write(struct rwsem_handoff *s, struct spin_node *node, uint64_t deadline)
{
	struct wake_list wakes = WAKE_LIST_EMPTY;
	struct waiter w;
	bool got = true;

	lock_event_blocked(SIDE_WRITE);
	lock_event_blocker(handoff_blocker(WAITER_WRITE, load_rlx(&s->count)));
	if (handoff_spin(s, node)) {
		lock_event_ended(ENDED_SPINNING);
		return true;
	}
	lock_event(EVENT_SPIN_FAIL);
	waiter_init(&w, WAITER_WRITE);
	waitlock_acquire(&s->wait_lock);
	handoff_push(s, &w);
	/* readers may hold by now, and a reader at the head need not wait for them */
	if (waiters_first(&s->queue) != &w)
		handoff_serve(s, &wakes);
	while (!handoff_take(s, &w)) {
		waitlock_release(&s->wait_lock);
		wake_list_flush(&wakes);
		if (park(&w.state, WAITER_ASLEEP, deadline) == WAITER_ASLEEP) {
			got = handoff_give_up(s, &w);
			goto out;
		}
		waitlock_acquire(&s->wait_lock);
		/* before the next look at the word: a poke that comes after it must not be lost */
		store_rlx(&w.state, WAITER_ASLEEP);
	}
	waitlock_release(&s->wait_lock);
	wake_list_flush(&wakes);
out:
	waiter_end(&w);
	lock_event_ended(got ? ENDED_STOLEN : ENDED_GAVE_UP);
	return got;
}

HOT bool rwsem_handoff_acquire_read_until(void *lock, void *ctx, uint64_t deadline)
{
	struct rwsem_handoff *s = lock;
	uint64_t from = add_acq(&s->count, HANDOFF_READER);

	(void)ctx;
	if (likely(!(from & (HANDOFF_WRITER | HANDOFF_FLAGS)))) {
		lock_event_fast(SIDE_READ);
		return true;
	}
	return handoff_wait_read(s, from, deadline);
}

HOT bool rwsem_handoff_acquire_write_until(void *lock, void *ctx, uint64_t deadline)
{
	struct rwsem_handoff *s = lock;
	uint64_t none = 0;

	if (likely(cas_acq(&s->count, &none, HANDOFF_WRITER))) {
		lock_event_fast(SIDE_WRITE);
		return true;
	}
	return handoff_wait_write(s, ctx, deadline);
}

HOT void rwsem_handoff_acquire_read(void *lock, void *ctx)
{
	rwsem_handoff_acquire_read_until(lock, ctx, NO_DEADLINE);
}

HOT void rwsem_handoff_acquire_write(void *lock, void *ctx)
{
	rwsem_handoff_acquire_write_until(lock, ctx, NO_DEADLINE);
}

/* pairs with the acquire of the next writer: without it our reads could see its writes */
HOT void rwsem_handoff_release_read(void *lock, void *ctx)
{
	struct rwsem_handoff *s = lock;
	uint64_t c = add_rel(&s->count, -HANDOFF_READER) - HANDOFF_READER;

	(void)ctx;
	if (unlikely(c & HANDOFF_WAITERS) && handoff_is_free(c))
		handoff_wake(s);
}

/* pairs with the acquires of the next holder: without it that one could miss our writes */
HOT void rwsem_handoff_release_write(void *lock, void *ctx)
{
	struct rwsem_handoff *s = lock;

	(void)ctx;
	if (unlikely(add_rel(&s->count, -HANDOFF_WRITER) & HANDOFF_WAITERS))
		handoff_wake(s);
}

/* release: as in release_write, for the readers that come in beside us */
HOT void rwsem_handoff_downgrade(void *lock, void *ctx)
{
	struct rwsem_handoff *s = lock;

	(void)ctx;
	if (unlikely(add_rel(&s->count, HANDOFF_READER - HANDOFF_WRITER) & HANDOFF_WAITERS))
		handoff_wake(s);
}

HOT bool rwsem_handoff_try_read(void *lock, void *ctx)
{
	struct rwsem_handoff *s = lock;
	uint64_t c = load_rlx(&s->count);

	(void)ctx;
	while (!(c & (HANDOFF_WRITER | HANDOFF_FLAGS)))
		if (cas_acq(&s->count, &c, c + HANDOFF_READER))
			return true;
	return false;
}

HOT bool rwsem_handoff_try_write(void *lock, void *ctx)
{
	struct rwsem_handoff *s = lock;
	uint64_t none = 0;

	(void)ctx;
	return cas_acq(&s->count, &none, HANDOFF_WRITER);
}

static const char *rwsem_handoff_check_idle(const void *lock)
{
	struct rwsem_handoff *s = (void *)lock;

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

static const struct lock_ops lock_ops = {
	.name = "rwsem_handoff",
	.about = "2019: steals until the head has waited 4 ms, then hands off",
	.caps = LOCK_SHARED,
	.size = sizeof(struct rwsem_handoff),
	.events = COUNTS_READS | COUNTS_WRITES | COUNTS_SPINNING_WRITES | COUNTS_HANDOFF,
	.ctx_size = sizeof(struct spin_node),
	.acquire_read = rwsem_handoff_acquire_read,
	.release_read = rwsem_handoff_release_read,
	.acquire_write = rwsem_handoff_acquire_write,
	.release_write = rwsem_handoff_release_write,
	.try_read = rwsem_handoff_try_read,
	.try_write = rwsem_handoff_try_write,
	.acquire_read_until = rwsem_handoff_acquire_read_until,
	.acquire_write_until = rwsem_handoff_acquire_write_until,
	.downgrade = rwsem_handoff_downgrade,
	.check_idle = rwsem_handoff_check_idle,
};
