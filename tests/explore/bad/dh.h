/*
 * dh.h - the xadd semaphore of April 2001 in its smallest form, with the faults
 * of its history to switch on. Without any it is right. See
 * locks/rwsem_xadd_dh.c for the algorithm.
 *
 *   DH_SUBTRACT    release write subtracts outside the wait lock, and the server
 *                  grants without winning the step from 0 to 1 active
 *   DH_TRY4        the undo of a failed step tests the whole count; and a writer
 *                  that sees others active subtracts outside the wait lock
 *                  (fourth try as posted)
 *   DH_WAKE_LOOP   a server that finds somebody active tries until he is gone
 *   DH_BIAS        the release looks at a count cut to 32 bits for its sign
 */
#include "lock.h"
#include "park.h"
#include "waitlock.h"
#include "wake_list.h"

#define DH_ACTIVE ((int64_t)1)
#define DH_MASK ((int64_t)0xffffffff)
#define DH_WAITING (-((int64_t)1 << 32))
#define DH_WRITE (DH_WAITING + DH_ACTIVE)

struct dh {
	_Atomic int64_t count;
	struct waitlock wait_lock;
	struct waiters queue;
};

static void dh_grant(struct dh *s, int64_t mine, struct wake_list *wakes)
{
	unsigned n = waiters_leading_readers(&s->queue, UINT32_MAX);
	int64_t change = n ? n * (DH_ACTIVE - DH_WAITING) : DH_ACTIVE;

	add_acq_rel(&s->count, change - mine);
	for (n = n ? n : 1; n; n--) {
		struct waiter *w = waiters_first(&s->queue);

		waiters_remove(&s->queue, w);
		wake_list_grant(wakes, w);
	}
}

static void dh_serve(struct dh *s, struct wake_list *wakes)
{
	if (!waiters_first(&s->queue))
		return;
#if defined DH_SUBTRACT
	dh_grant(s, 0, wakes);
#else
	while (add_acq(&s->count, DH_ACTIVE) & DH_MASK) {
		int64_t c = add_rlx(&s->count, -DH_ACTIVE) - DH_ACTIVE;

#if defined DH_TRY4
		if (c != 0)
			return;
#elif defined DH_WAKE_LOOP
		(void)c;
#else
		if (c & DH_MASK)
			return;
#endif
	}
	dh_grant(s, DH_ACTIVE, wakes);
#endif
}

static void dh_wake(struct dh *s)
{
	struct wake_list wakes = WAKE_LIST_EMPTY;

	waitlock_acquire(&s->wait_lock);
	dh_serve(s, &wakes);
	wake_list_flush(&wakes);
	waitlock_release(&s->wait_lock);
}

static void dh_wait(struct dh *s, enum waiter_kind kind)
{
	const int64_t change = kind == WAITER_READ ? DH_WAITING - DH_ACTIVE : -DH_ACTIVE;
	struct wake_list wakes = WAKE_LIST_EMPTY;
	struct waiter w;

	waiter_init(&w, kind);
	waitlock_acquire(&s->wait_lock);
	waiters_push(&s->queue, &w);
	if (!((add_rlx(&s->count, change) + change) & DH_MASK))
		dh_serve(s, &wakes);
	wake_list_flush(&wakes);
	waitlock_release(&s->wait_lock);
	park(&w.state, WAITER_ASLEEP, NO_DEADLINE);
	waiter_end(&w);
}

static void dh_acquire_read(void *lock, void *ctx)
{
	struct dh *s = lock;

	(void)ctx;
	if (add_acq(&s->count, DH_ACTIVE) + DH_ACTIVE < 0)
		dh_wait(s, WAITER_READ);
}

static void dh_acquire_write(void *lock, void *ctx)
{
	struct dh *s = lock;

	(void)ctx;
	if (add_acq(&s->count, DH_WRITE) != 0)
		dh_wait(s, WAITER_WRITE);
}

static bool dh_left_waiting(int64_t c)
{
#ifdef DH_BIAS
	return (int32_t)c < 0;
#else
	return c < 0 && !(c & DH_MASK);
#endif
}

static void dh_release_read(void *lock, void *ctx)
{
	struct dh *s = lock;

	(void)ctx;
	if (dh_left_waiting(add_rel(&s->count, -DH_ACTIVE) - DH_ACTIVE))
		dh_wake(s);
}

static void dh_release_write(void *lock, void *ctx)
{
	struct dh *s = lock;

	(void)ctx;
#ifdef DH_SUBTRACT
	if (dh_left_waiting(add_rel(&s->count, -DH_WRITE) - DH_WRITE))
		dh_wake(s);
#else
	struct wake_list wakes = WAKE_LIST_EMPTY;
	int64_t mine = DH_WRITE;

	if (cas_rel(&s->count, &mine, 0))
		return;
#ifdef DH_TRY4
	if ((mine & DH_MASK) > 1) {
		if (dh_left_waiting(add_rel(&s->count, -DH_WRITE) - DH_WRITE))
			dh_wake(s);
		return;
	}
#endif
	waitlock_acquire(&s->wait_lock);
	if (waiters_first(&s->queue))
		dh_grant(s, DH_WRITE, &wakes);
	else
		add_rel(&s->count, -DH_WRITE);
	wake_list_flush(&wakes);
	waitlock_release(&s->wait_lock);
#endif
}

static const char *dh_check_idle(const void *lock)
{
	const struct dh *s = lock;

	return load_rlx((_Atomic int64_t *)(uintptr_t)&s->count) ? "the count is not 0" : NULL;
}

static const struct lock_ops lock_ops = {
	.name = SUBJECT,
	.caps = LOCK_SHARED | LOCK_FIFO,
	.size = sizeof(struct dh),
	.acquire_read = dh_acquire_read,
	.release_read = dh_release_read,
	.acquire_write = dh_acquire_write,
	.release_write = dh_release_write,
	.check_idle = dh_check_idle,
};
