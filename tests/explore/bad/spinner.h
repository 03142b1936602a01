/*
 * spinner.h - a futex mutex that spares the wakeup when somebody spins for it:
 * the spinner will take it, and leaves the mark for the sleepers. Whoever
 * spins says so first, and tries once more after it has said that it stops. So
 * both sides store one word and then load the other, and both need a fence.
 *
 *   SPINNER_NO_FENCE  the release's look at the spinners may come before the
 *                     release itself (kernel 9c29c31830a4): a missed wakeup on
 *                     machines that reorder
 */
#include "lock.h"

struct spinner {
	_Atomic uint32_t word, spinners;
};

static void spinner_acquire(void *lock, void *ctx)
{
	struct spinner *s = lock;
	uint32_t c = 0;
	bool got;

	(void)ctx;
	if (cas_acq(&s->word, &c, 1))
		return;
	add_rlx(&s->spinners, 1);
	got = xchg_acq(&s->word, 2) == 0;
	add_rlx(&s->spinners, -1);
	fence_seq();
	while (!got && xchg_acq(&s->word, 2) != 0)
		futex_wait(&s->word, 2, NO_DEADLINE);
}

static void spinner_release(void *lock, void *ctx)
{
	struct spinner *s = lock;

	(void)ctx;
	if (xchg_rel(&s->word, 0) != 2)
		return;
#ifndef SPINNER_NO_FENCE
	fence_seq();
#endif
	if (!load_rlx(&s->spinners))
		futex_wake(&s->word, 1);
}

static const struct lock_ops lock_ops = {
	.name = SUBJECT,
	.size = sizeof(struct spinner),
	.acquire_read = spinner_acquire,
	.release_read = spinner_release,
	.acquire_write = spinner_acquire,
	.release_write = spinner_release,
};
