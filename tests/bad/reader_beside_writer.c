/*
 * reader_beside_writer.c - a known-bad lock: writers exclude each other,
 * readers look at nothing. Expected: violated, by a reader that meets a writer.
 */
#include "lock.h"

struct reader_beside_writer {
	_Atomic uint32_t held;
};

HOT void reader_beside_writer_acquire(void *lock, void *ctx)
{
	struct reader_beside_writer *l = lock;

	(void)ctx;
	while (xchg_acq(&l->held, 1))
		cpu_yield();
}

HOT void reader_beside_writer_release(void *lock, void *ctx)
{
	struct reader_beside_writer *l = lock;

	(void)ctx;
	store_rel(&l->held, 0);
}

HOT void reader_beside_writer_read(void *lock, void *ctx)
{
	(void)lock;
	(void)ctx;
}

static const struct lock_ops lock_ops = {
	.name = "reader_beside_writer",
	.about = "known bad: lets a reader in beside a writer",
	.caps = LOCK_SHARED,
	.size = sizeof(struct reader_beside_writer),
	.ctx_size = 0,
	.acquire_read = reader_beside_writer_read,
	.release_read = reader_beside_writer_read,
	.acquire_write = reader_beside_writer_acquire,
	.release_write = reader_beside_writer_release,
};
