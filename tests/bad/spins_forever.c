/*
 * spins_forever.c - a known-bad lock: a ticket lock that loses a ticket: the
 * tenth is never served, and all wait without sleeping. Expected: hung.
 */
#include "lock.h"

struct spins_forever {
	_Atomic uint32_t next, serving;
};

HOT void spins_forever_acquire(void *lock, void *ctx)
{
	struct spins_forever *l = lock;
	uint32_t mine = add_rlx(&l->next, 1);

	(void)ctx;
	while (load_acq(&l->serving) != mine)
		cpu_pause();
}

HOT void spins_forever_release(void *lock, void *ctx)
{
	struct spins_forever *l = lock;
	uint32_t served = load_rlx(&l->serving);

	(void)ctx;
	store_rel(&l->serving, served == 10 ? served + 2 : served + 1);
}

static const struct lock_ops lock_ops = {
	.name = "spins_forever",
	.about = "known bad: spins for a turn that never comes",
	.caps = LOCK_FIFO_SPIN,
	.size = sizeof(struct spins_forever),
	.ctx_size = 0,
	.acquire_read = spins_forever_acquire,
	.release_read = spins_forever_release,
	.acquire_write = spins_forever_acquire,
	.release_write = spins_forever_release,
};
