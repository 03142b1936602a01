/*
 * rwsem_wakeq.c - rwsem_spin that wakes its sleepers after the wait lock is
 * dropped (D. Bueso, Linux 4.8, 2016).
 *
 * Parameter `wake`: outside (the patch) or inside (as before it), so that the
 * two differ in nothing else. The state word, the paths and who owes a wakeup:
 * xadd_steal.h. How a sleeper can be woken that may have gone by then:
 * wake_list.h. With `outside` the grant of a reader, too, is told to it only
 * after the wait lock is dropped; the count is its own before.
 *
 * One wakeup is a system call of one to several microseconds. With thirty
 * sleeping readers, `inside` holds the wait lock for thirty of them, and
 * everybody who comes to sleep or to wake queues up behind.
 *
 * Good at: long runs of sleeping readers. Bad at: as rwsem_spin; and a woken
 * writer has a little longer to be stolen from.
 */
#include "xadd_steal.h"

enum { RWSEM_WAKEQ_OUTSIDE, RWSEM_WAKEQ_INSIDE };

static const char *const rwsem_wakeq_wake[] = { "outside", "inside", NULL };

static const struct param rwsem_wakeq_params[] = {
	{ "wake", "sleepers are woken outside or inside the wait lock", PARAM_CHOICE, 0, 0,
	  "outside", rwsem_wakeq_wake },
	{ 0 },
};

static const struct steal_policy rwsem_wakeq_policy = { .spins = true };

static int rwsem_wakeq_init(void *lock, const struct lock_env *env)
{
	struct xadd_steal *s = lock;

	s->wake_outside = !env || !env->params || env->params[0] == RWSEM_WAKEQ_OUTSIDE;
	return 0;
}

HOT bool rwsem_wakeq_acquire_read_until(void *lock, void *ctx, uint64_t deadline)
{
	(void)ctx;
	return steal_acquire_read(lock, &rwsem_wakeq_policy, deadline);
}

HOT bool rwsem_wakeq_acquire_write_until(void *lock, void *ctx, uint64_t deadline)
{
	return steal_acquire_write(lock, &rwsem_wakeq_policy, ctx, deadline);
}

HOT void rwsem_wakeq_acquire_read(void *lock, void *ctx)
{
	rwsem_wakeq_acquire_read_until(lock, ctx, NO_DEADLINE);
}

HOT void rwsem_wakeq_acquire_write(void *lock, void *ctx)
{
	rwsem_wakeq_acquire_write_until(lock, ctx, NO_DEADLINE);
}

HOT void rwsem_wakeq_release_read(void *lock, void *ctx)
{
	(void)ctx;
	steal_release_read(lock, &rwsem_wakeq_policy);
}

HOT void rwsem_wakeq_release_write(void *lock, void *ctx)
{
	(void)ctx;
	steal_release_write(lock, &rwsem_wakeq_policy);
}

HOT void rwsem_wakeq_downgrade(void *lock, void *ctx)
{
	(void)ctx;
	steal_downgrade(lock, &rwsem_wakeq_policy);
}

HOT bool rwsem_wakeq_try_read(void *lock, void *ctx)
{
	(void)ctx;
	return steal_try_read(lock);
}

HOT bool rwsem_wakeq_try_write(void *lock, void *ctx)
{
	(void)ctx;
	return steal_try_write(lock);
}

static const struct lock_ops lock_ops = {
	.name = "rwsem_wakeq",
	.about = "2016: rwsem_spin, sleepers woken after the wait lock is dropped",
	.caps = LOCK_SHARED,
	.size = sizeof(struct xadd_steal),
	.events = COUNTS_READS | COUNTS_WRITES | COUNTS_SPINNING_WRITES,
	.ctx_size = sizeof(struct spin_node),
	.params = rwsem_wakeq_params,
	.init = rwsem_wakeq_init,
	.acquire_read = rwsem_wakeq_acquire_read,
	.release_read = rwsem_wakeq_release_read,
	.acquire_write = rwsem_wakeq_acquire_write,
	.release_write = rwsem_wakeq_release_write,
	.try_read = rwsem_wakeq_try_read,
	.try_write = rwsem_wakeq_try_write,
	.acquire_read_until = rwsem_wakeq_acquire_read_until,
	.acquire_write_until = rwsem_wakeq_acquire_write_until,
	.downgrade = rwsem_wakeq_downgrade,
	.check_idle = steal_check_idle,
};
