/*
 * rwsem_adaptive.c - the semaphore that wakes whom it costs least to wake: the
 * second thought in Edwin Török's mail of May 2011, with the bound that it lacks.
 *
 * The state word, the paths and who owes a wakeup: xadd_steal.h, without
 * spinning. The policy: with writer W at the head and readers behind it,
 *
 *	waking W first costs        (readers waiting / writers waiting)
 *	                            x (write hold + switch)
 *	waking the readers first    read hold + switch
 *
 * and the cheaper is done. Holds and switch are running averages (a new sample
 * counts one eighth), so the choice follows the load.
 *
 *	hold     the clock is read in one section in 64 of each thread: two clock
 *	         reads in each would cost more than a short section itself
 *	switch   from the waker's decision to the first step of the first thread
 *	         that it woke
 *
 * Bound: readers pass a queued writer in at most PASSES wakes; after that the
 * head is served, whoever it is. Writers that arrive may still steal, as in
 * rwsem_steal, so this bounds the policy and not the wait.
 *
 * The averages are shared words, updated by load and store: an update lost to
 * another is a sample lost, no more. They order nothing.
 *
 * Good at: loads whose mix changes. Bad at: a choice on noise while sections are
 * much shorter than a switch (then it compares two switches, and readers first
 * wins as soon as two readers wait for each writer); a line more on the paths.
 */
#include "xadd_steal.h"

#define ADAPTIVE_SAMPLE_MASK 63
#define ADAPTIVE_PASSES 16

struct rwsem_adaptive {
	struct xadd_steal steal; /* first: the functions there take the lock as one */
	LINE_ALIGNED _Atomic uint64_t read_ns;
	_Atomic uint64_t write_ns, switch_ns;
	_Atomic uint64_t woken_at; /* of the last wake; 0: taken as a sample */
	unsigned passes;	   /* under the wait lock */
};

struct rwsem_adaptive_ctx {
	LINE_ALIGNED unsigned sections;
	uint64_t since; /* of the section under measurement, or 0 */
};

HOT struct rwsem_adaptive *rwsem_adaptive_of(void *lock)
{
	return lock;
}

static void rwsem_adaptive_average(_Atomic uint64_t *average, uint64_t sample)
{
	uint64_t old = load_rlx(average);

	store_rlx(average, old ? old - old / 8 + sample / 8 : sample);
}

COLD void rwsem_adaptive_sample_begins(struct rwsem_adaptive_ctx *ctx)
{
	ctx->since = clock_now();
}

COLD void rwsem_adaptive_sample_ends(struct rwsem_adaptive_ctx *ctx, _Atomic uint64_t *average)
{
	rwsem_adaptive_average(average, clock_now() - ctx->since);
	ctx->since = 0;
}

HOT void rwsem_adaptive_enter(struct rwsem_adaptive_ctx *ctx)
{
	if (unlikely(!(++ctx->sections & ADAPTIVE_SAMPLE_MASK)))
		rwsem_adaptive_sample_begins(ctx);
}

HOT void rwsem_adaptive_exit(struct rwsem_adaptive_ctx *ctx, _Atomic uint64_t *average)
{
	if (unlikely(ctx->since))
		rwsem_adaptive_sample_ends(ctx, average);
}

static bool rwsem_adaptive_readers_first(struct xadd_steal *s)
{
	struct rwsem_adaptive *a = rwsem_adaptive_of(s);
	uint64_t readers = 0, writers = 0, change = load_rlx(&a->switch_ns);
	struct waiter *head = waiters_first(&s->queue);

	for (struct waiter *w = head; w; w = waiters_after(w))
		if (waiter_kind(w) == WAITER_READ)
			readers++;
		else
			writers++;
	if (!writers || !readers || waiter_kind(head) == WAITER_READ)
		return false; /* nobody is passed */
	plain_write(&a->passes);
	/* readers / writers x write cost < read cost, without the division */
	if (a->passes >= ADAPTIVE_PASSES || readers * (load_rlx(&a->write_ns) + change) <
						    writers * (load_rlx(&a->read_ns) + change))
		return false;
	a->passes++;
	return true;
}

static void rwsem_adaptive_waking(struct xadd_steal *s, enum waiter_kind whom)
{
	struct rwsem_adaptive *a = rwsem_adaptive_of(s);

	if (whom == WAITER_WRITE) {
		plain_write(&a->passes);
		a->passes = 0;
	}
	store_rlx(&a->woken_at, clock_now());
}

static void rwsem_adaptive_awake(struct xadd_steal *s)
{
	struct rwsem_adaptive *a = rwsem_adaptive_of(s);
	uint64_t since = xchg_rlx(&a->woken_at, 0), now = clock_now();

	/* a thread that was woken by nobody finds 0, or takes another's sample */
	if (since && now > since)
		rwsem_adaptive_average(&a->switch_ns, now - since);
}

static const struct steal_policy rwsem_adaptive_policy = {
	.readers_first = rwsem_adaptive_readers_first,
	.waking = rwsem_adaptive_waking,
	.awake = rwsem_adaptive_awake,
};

HOT bool rwsem_adaptive_acquire_read_until(void *lock, void *ctx, uint64_t deadline)
{
	bool got = steal_acquire_read(lock, &rwsem_adaptive_policy, deadline);

	if (got)
		rwsem_adaptive_enter(ctx);
	return got;
}

HOT bool rwsem_adaptive_acquire_write_until(void *lock, void *ctx, uint64_t deadline)
{
	bool got = steal_acquire_write(lock, &rwsem_adaptive_policy, NULL, deadline);

	if (got)
		rwsem_adaptive_enter(ctx);
	return got;
}

HOT void rwsem_adaptive_acquire_read(void *lock, void *ctx)
{
	rwsem_adaptive_acquire_read_until(lock, ctx, NO_DEADLINE);
}

HOT void rwsem_adaptive_acquire_write(void *lock, void *ctx)
{
	rwsem_adaptive_acquire_write_until(lock, ctx, NO_DEADLINE);
}

HOT void rwsem_adaptive_release_read(void *lock, void *ctx)
{
	rwsem_adaptive_exit(ctx, &rwsem_adaptive_of(lock)->read_ns);
	steal_release_read(lock, &rwsem_adaptive_policy);
}

HOT void rwsem_adaptive_release_write(void *lock, void *ctx)
{
	rwsem_adaptive_exit(ctx, &rwsem_adaptive_of(lock)->write_ns);
	steal_release_write(lock, &rwsem_adaptive_policy);
}

HOT void rwsem_adaptive_downgrade(void *lock, void *ctx)
{
	/* the write section ends here, the read section begins unmeasured */
	rwsem_adaptive_exit(ctx, &rwsem_adaptive_of(lock)->write_ns);
	steal_downgrade(lock, &rwsem_adaptive_policy);
}

HOT bool rwsem_adaptive_try_read(void *lock, void *ctx)
{
	bool got = steal_try_read(lock);

	if (got)
		rwsem_adaptive_enter(ctx);
	return got;
}

HOT bool rwsem_adaptive_try_write(void *lock, void *ctx)
{
	bool got = steal_try_write(lock);

	if (got)
		rwsem_adaptive_enter(ctx);
	return got;
}

static const struct lock_ops lock_ops = {
	.name = "rwsem_adaptive",
	.about = "2011: wakes readers or a writer first, by measured cost",
	.caps = LOCK_SHARED,
	.size = sizeof(struct rwsem_adaptive),
	.events = COUNTS_READS | COUNTS_WRITES,
	.ctx_size = sizeof(struct rwsem_adaptive_ctx),
	.acquire_read = rwsem_adaptive_acquire_read,
	.release_read = rwsem_adaptive_release_read,
	.acquire_write = rwsem_adaptive_acquire_write,
	.release_write = rwsem_adaptive_release_write,
	.try_read = rwsem_adaptive_try_read,
	.try_write = rwsem_adaptive_try_write,
	.acquire_read_until = rwsem_adaptive_acquire_read_until,
	.acquire_write_until = rwsem_adaptive_acquire_write_until,
	.downgrade = rwsem_adaptive_downgrade,
	.check_idle = steal_check_idle,
};
