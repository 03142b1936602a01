/* exclusion.c - who may be inside beside whom. */
#include "checks.h"

/* Somebody holds; the other's attempt must not end before `release` is called. */
static const char *stays_out(struct subject *s, enum attempt what,
			     void (*release)(void *lock, void *ctx))
{
	struct other o;
	bool intruded;

	other_start(&o, s, 1, what, NO_DEADLINE);
	intruded = other_intrudes(&o);
	release(s->lock, s->ctx[0]);
	if (!other_done(&o))
		return what == ACQUIRE_READ ? "a reader that waited is never let in"
					    : "a writer that waited is never let in";
	other_finish(&o);
	if (intruded)
		return what == ACQUIRE_READ ? "a reader came in beside a writer"
					    : "a writer came in beside another holder";
	return NULL;
}

const char *check_writer_excludes(struct subject *s)
{
	const struct lock_ops *ops = s->ops;
	const char *wrong;

	ops->acquire_write(s->lock, s->ctx[0]);
	if (ops->try_read && ops->try_read(s->lock, s->ctx[1]))
		return "try_read succeeds beside a writer";
	if (ops->try_write && ops->try_write(s->lock, s->ctx[1]))
		return "try_write succeeds beside a writer";
	wrong = stays_out(s, ACQUIRE_WRITE, ops->release_write);
	if (wrong)
		return wrong;
	ops->acquire_write(s->lock, s->ctx[0]);
	return stays_out(s, ACQUIRE_READ, ops->release_write);
}

const char *check_reader_excludes_writers(struct subject *s)
{
	const struct lock_ops *ops = s->ops;

	ops->acquire_read(s->lock, s->ctx[0]);
	if (ops->try_write && ops->try_write(s->lock, s->ctx[1]))
		return "try_write succeeds beside a reader";
	return stays_out(s, ACQUIRE_WRITE, ops->release_read);
}

const char *check_readers_overlap(struct subject *s)
{
	const struct lock_ops *ops = s->ops;
	struct other o;

	ops->acquire_read(s->lock, s->ctx[0]);
	if (!(ops->caps & LOCK_SHARED)) {
		if (ops->try_read && ops->try_read(s->lock, s->ctx[1]))
			return "readers overlap, though it is not LOCK_SHARED";
		return stays_out(s, ACQUIRE_READ, ops->release_read);
	}
	other_start(&o, s, 1, ACQUIRE_READ, NO_DEADLINE);
	if (!other_done(&o))
		return "readers do not overlap, though it is LOCK_SHARED";
	if (ops->try_read) {
		if (!ops->try_read(s->lock, s->ctx[2]))
			return "try_read fails among readers alone";
		ops->release_read(s->lock, s->ctx[2]);
	}
	ops->release_read(s->lock, s->ctx[0]);
	other_finish(&o);
	return NULL;
}

/* A free lock: nobody holds, waits or tries, so no try may fail. */
const char *check_tries(struct subject *s)
{
	const struct lock_ops *ops = s->ops;

	for (int i = 0; i < 3; i++) {
		if (ops->try_write) {
			if (!ops->try_write(s->lock, s->ctx[0]))
				return "try_write fails on a free lock";
			if (ops->try_write(s->lock, s->ctx[1]))
				return "try_write succeeds twice";
			ops->release_write(s->lock, s->ctx[0]);
		}
		if (ops->try_read) {
			if (!ops->try_read(s->lock, s->ctx[0]))
				return "try_read fails on a free lock";
			if (ops->try_write && ops->try_write(s->lock, s->ctx[1]))
				return "try_write succeeds beside a reader that tried";
			ops->release_read(s->lock, s->ctx[0]);
		}
	}
	return NULL;
}

const char *check_downgrade(struct subject *s)
{
	const struct lock_ops *ops = s->ops;
	struct other reader, writer;
	bool intruded;

	if (!ops->downgrade)
		return NULL;
	ops->acquire_write(s->lock, s->ctx[0]);
	other_start(&reader, s, 1, ACQUIRE_READ, NO_DEADLINE);
	if (other_intrudes(&reader))
		return "a reader came in beside a writer";
	ops->downgrade(s->lock, s->ctx[0]);
	if (ops->caps & LOCK_SHARED && !other_done(&reader))
		return "a waiting reader is not let in by downgrade";
	other_start(&writer, s, 2, ACQUIRE_WRITE, NO_DEADLINE);
	intruded = other_intrudes(&writer);
	ops->release_read(s->lock, s->ctx[0]);
	if (ops->caps & LOCK_SHARED)
		intruded |= other_intrudes(&writer);
	atomic_store(&reader.let_go, 1);
	if (!other_done(&writer))
		return "a writer is not let in after a downgraded holder has left";
	other_finish(&writer);
	other_finish(&reader);
	return intruded ? "a writer came in beside a downgraded holder" : NULL;
}
