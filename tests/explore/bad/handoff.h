/*
 * handoff.h - a mutex whose head waiter, once it was woken in vain, sets a bit
 * that bars everybody else; with two faults of the kernel's hand-off to switch
 * on. Without any it is right.
 *
 *   HANDOFF_LEFT      a waiter that gives up leaves the bit behind
 *   HANDOFF_LIVELOCK  a waiter that is not first does not sleep while the bit is
 *                     set, as if it were its own
 */
#include "lock.h"
#include "park.h"
#include "waitlock.h"
#include "wake_list.h"

enum { LOCKED = 1, WAITERS = 2, HANDOFF = 4 };

struct handoff {
	_Atomic uint32_t word;
	struct waitlock wait_lock;
	struct waiters queue;
};

static bool handoff_take(struct handoff *s, struct waiter *w)
{
	const bool head = waiters_first(&s->queue) == w;
	const uint32_t next = LOCKED | (head && !waiters_after(w) ? 0 : WAITERS);
	uint32_t c = load_rlx(&s->word);

	do {
		if (c & LOCKED || (c & HANDOFF && !head))
			return false;
	} while (!cas_acq(&s->word, &c, next));
	waiters_remove(&s->queue, w);
	return true;
}

static void handoff_poke(struct handoff *s, struct wake_list *wakes)
{
	struct waiter *head = waiters_first(&s->queue);

	if (head)
		wake_list_poke(wakes, head);
}

static void handoff_abandon(struct handoff *s, struct waiter *w, struct wake_list *wakes)
{
	waiters_remove(&s->queue, w);
#ifdef HANDOFF_LEFT
	if (!waiters_first(&s->queue))
		and_rlx(&s->word, ~(uint32_t)WAITERS);
#else
	and_rlx(&s->word,
		waiters_first(&s->queue) ? ~(uint32_t)HANDOFF : ~(uint32_t)(HANDOFF | WAITERS));
#endif
	handoff_poke(s, wakes);
}

static bool handoff_wait(struct handoff *s, uint64_t deadline)
{
	struct wake_list wakes = WAKE_LIST_EMPTY;
	struct waiter w;
	bool got;

	waiter_init(&w, WAITER_WRITE);
	waitlock_acquire(&s->wait_lock);
	waiters_push(&s->queue, &w);
	or_rlx(&s->word, WAITERS);
	while (!(got = handoff_take(s, &w))) {
		waitlock_release(&s->wait_lock);
#ifdef HANDOFF_LIVELOCK
		if (load_rlx(&s->word) & HANDOFF) {
			waitlock_acquire(&s->wait_lock);
			continue;
		}
#endif
		got = park(&w.state, WAITER_ASLEEP, deadline) != WAITER_ASLEEP;
		waitlock_acquire(&s->wait_lock);
		if (!got)
			break;
		store_rlx(&w.state, WAITER_ASLEEP);
		/* only while somebody holds: his release will find us */
		if (waiters_first(&s->queue) == &w && load_rlx(&s->word) & LOCKED)
			or_rlx(&s->word, HANDOFF);
	}
	if (!got)
		handoff_abandon(s, &w, &wakes);
	wake_list_flush(&wakes);
	waitlock_release(&s->wait_lock);
	waiter_end(&w);
	return got;
}

static bool handoff_acquire_until(void *lock, void *ctx, uint64_t deadline)
{
	struct handoff *s = lock;
	uint32_t c = 0;

	(void)ctx;
	return cas_acq(&s->word, &c, LOCKED) || handoff_wait(s, deadline);
}

static void handoff_acquire(void *lock, void *ctx)
{
	handoff_acquire_until(lock, ctx, NO_DEADLINE);
}

static void handoff_release(void *lock, void *ctx)
{
	struct handoff *s = lock;
	struct wake_list wakes = WAKE_LIST_EMPTY;

	(void)ctx;
	if (!(and_rel(&s->word, ~(uint32_t)LOCKED) & WAITERS))
		return;
	waitlock_acquire(&s->wait_lock);
	handoff_poke(s, &wakes);
	wake_list_flush(&wakes);
	waitlock_release(&s->wait_lock);
}

static const char *handoff_check_idle(const void *lock)
{
	const struct handoff *s = lock;

	return load_rlx((_Atomic uint32_t *)(uintptr_t)&s->word) ? "the word is not 0" : NULL;
}

static const struct lock_ops lock_ops = {
	.name = SUBJECT,
	.size = sizeof(struct handoff),
	.acquire_read = handoff_acquire,
	.release_read = handoff_release,
	.acquire_write = handoff_acquire,
	.release_write = handoff_release,
	.acquire_write_until = handoff_acquire_until,
	.check_idle = handoff_check_idle,
};
