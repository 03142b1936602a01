/*
 * queued.h - a semaphore with all its state under one small lock, in its
 * smallest form, with faults of the later history to switch on. Without any it
 * is right. See locks/rwsem_generic.c for the algorithm.
 *
 *   WAKE_FIRST          the sleeper is woken before its word is stored
 *   INTERRUPTED_WRITER  a writer that gives up leaves the readers behind it asleep
 *   LIST_KEPT           the list of sleepers to wake is used again without a reset
 *   NO_ACQUIRE          a woken thread reads its word relaxed
 *   READERS_PASS        a reader comes in past writers that wait
 *   FRAME_READ_LATE     the next waiter is read from a frame that may be gone
 */
#include "lock.h"
#include "waiters.h"
#include "waitlock.h"

#define MANY 8

struct queued {
	struct waitlock wait_lock;
	int32_t activity; /* -1 writer, n readers */
	struct waiters queue;
};

struct granted {
	struct waiter *at[MANY];
	unsigned n;
};

static void tell(struct granted *g)
{
	for (unsigned i = 0; i < g->n; i++) {
		_Atomic uint32_t *word = &g->at[i]->state;

#if defined WAKE_FIRST
		futex_wake(word, 1);
		store_rel(word, WAITER_GRANTED);
#else
		store_rel(word, WAITER_GRANTED);
		futex_wake(word, 1);
#endif
	}
#ifndef LIST_KEPT
	g->n = 0;
#endif
}

static bool may(const struct queued *s, enum waiter_kind kind)
{
	plain_read(&s->activity);
	return kind == WAITER_READ ? s->activity >= 0 : s->activity == 0;
}

static void take(struct queued *s, enum waiter_kind kind)
{
	plain_write(&s->activity);
	s->activity = kind == WAITER_READ ? s->activity + 1 : -1;
}

static void grant(struct queued *s, struct granted *g)
{
	struct waiter *w = waiters_first(&s->queue);

	while (w && may(s, waiter_kind(w))) {
		take(s, waiter_kind(w));
		waiters_remove(&s->queue, w);
		g->at[g->n++ % MANY] = w;
#ifdef FRAME_READ_LATE
		tell(g);
		w = waiters_after(w);
#else
		w = waiters_first(&s->queue);
#endif
	}
	tell(g);
}

static bool queued_park(struct waiter *w, uint64_t deadline)
{
#ifdef NO_ACQUIRE
	while (load_rlx(&w->state) == WAITER_ASLEEP)
#else
	while (load_acq(&w->state) == WAITER_ASLEEP)
#endif
		if (futex_wait(&w->state, WAITER_ASLEEP, deadline) == FUTEX_TIMEDOUT)
			return false;
	return true;
}

static bool queued_acquire(struct queued *s, enum waiter_kind kind, uint64_t deadline)
{
	struct granted g = { .n = 0 };
	struct waiter w;
	bool got, overtakes;

	waitlock_acquire(&s->wait_lock);
	overtakes = waiters_first(&s->queue) != NULL;
#ifdef READERS_PASS
	overtakes &= kind == WAITER_WRITE;
#endif
	if (!overtakes && may(s, kind)) {
		take(s, kind);
		waitlock_release(&s->wait_lock);
		return true;
	}
	waiter_init(&w, kind);
	waiters_push(&s->queue, &w);
	waitlock_release(&s->wait_lock);
	got = queued_park(&w, deadline);
	if (!got) {
		waitlock_acquire(&s->wait_lock);
		got = !waiter_queued(&w);
		if (!got) {
			waiters_remove(&s->queue, &w);
#ifdef INTERRUPTED_WRITER
			(void)g;
#else
			grant(s, &g);
#endif
		}
		waitlock_release(&s->wait_lock);
		if (got)
			queued_park(&w, NO_DEADLINE);
	}
	waiter_end(&w);
	return got;
}

static void queued_give(struct queued *s, int32_t change)
{
	struct granted g = { .n = 0 };

	waitlock_acquire(&s->wait_lock);
	plain_write(&s->activity);
	s->activity += change;
	grant(s, &g);
#ifdef LIST_KEPT
	grant(s, &g);
#endif
	waitlock_release(&s->wait_lock);
}

static void queued_acquire_read(void *lock, void *ctx)
{
	(void)ctx;
	queued_acquire(lock, WAITER_READ, NO_DEADLINE);
}

static void queued_acquire_write(void *lock, void *ctx)
{
	(void)ctx;
	queued_acquire(lock, WAITER_WRITE, NO_DEADLINE);
}

static bool queued_acquire_write_until(void *lock, void *ctx, uint64_t deadline)
{
	(void)ctx;
	return queued_acquire(lock, WAITER_WRITE, deadline);
}

static void queued_release_read(void *lock, void *ctx)
{
	(void)ctx;
	queued_give(lock, -1);
}

static void queued_release_write(void *lock, void *ctx)
{
	(void)ctx;
	queued_give(lock, 1);
}

static const char *queued_check_idle(const void *lock)
{
	const struct queued *s = lock;

	return s->activity || s->queue.head || s->queue.tail ? "not idle" : NULL;
}

static const struct lock_ops lock_ops = {
	.name = SUBJECT,
	.caps = LOCK_SHARED | LOCK_FIFO,
	.size = sizeof(struct queued),
	.acquire_read = queued_acquire_read,
	.release_read = queued_release_read,
	.acquire_write = queued_acquire_write,
	.release_write = queued_release_write,
	.acquire_write_until = queued_acquire_write_until,
	.check_idle = queued_check_idle,
};
