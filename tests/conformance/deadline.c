/* deadline.c - acquire_*_until: false after the deadline with nothing held, true otherwise. */
#include "checks.h"

#define SOON 3000000u
#define FAR 60000000000u

static const char *times_out(struct subject *s, enum attempt what)
{
	struct other o;
	bool late;

	other_start(&o, s, 1, what, clock_now() + SOON);
	if (!other_done(&o))
		return "an acquire with a deadline does not return";
	late = clock_now() >= o.deadline;
	other_finish(&o);
	if (o.got)
		return "an acquire with a deadline succeeds beside a holder";
	return late ? NULL : "an acquire with a deadline gives up before it";
}

const char *check_deadline_passes(struct subject *s)
{
	const struct lock_ops *ops = s->ops;
	const char *wrong = NULL;

	ops->acquire_write(s->lock, s->ctx[0]);
	if (ops->acquire_write_until)
		wrong = times_out(s, ACQUIRE_WRITE_UNTIL);
	if (!wrong && ops->acquire_read_until)
		wrong = times_out(s, ACQUIRE_READ_UNTIL);
	ops->release_write(s->lock, s->ctx[0]);
	if (wrong)
		return wrong;
	ops->acquire_read(s->lock, s->ctx[0]);
	if (ops->acquire_write_until)
		wrong = times_out(s, ACQUIRE_WRITE_UNTIL);
	ops->release_read(s->lock, s->ctx[0]);
	return wrong;
}

const char *check_deadline_met(struct subject *s)
{
	const struct lock_ops *ops = s->ops;
	uint64_t past = clock_now() - 1;
	struct other o;

	for (enum attempt what = ACQUIRE_READ_UNTIL; what <= ACQUIRE_WRITE_UNTIL; what++) {
		bool reads = what == ACQUIRE_READ_UNTIL;
		bool (*until)(void *, void *, uint64_t) = reads ? ops->acquire_read_until
								: ops->acquire_write_until;

		if (!until)
			continue;
		/* whatever it answers, it must hold exactly if it says so */
		if (until(s->lock, s->ctx[0], past))
			(reads ? ops->release_read : ops->release_write)(s->lock, s->ctx[0]);
		if (!until(s->lock, s->ctx[0], clock_now() + FAR))
			return "an acquire with a far deadline fails on a free lock";
		(reads ? ops->release_read : ops->release_write)(s->lock, s->ctx[0]);

		ops->acquire_write(s->lock, s->ctx[0]);
		other_start(&o, s, 1, what, clock_now() + FAR);
		if (other_intrudes(&o))
			return "an acquire with a deadline comes in beside a writer";
		ops->release_write(s->lock, s->ctx[0]);
		if (!other_done(&o))
			return "an acquire with a deadline is not woken";
		other_finish(&o);
		if (!o.got)
			return "an acquire with a far deadline fails";
	}
	return NULL;
}

/*
 * A reader holds, a writer with a deadline queues, then a reader: once the
 * writer has given up, nothing keeps that reader out any more.
 */
const char *check_quitter_wakes_others(struct subject *s)
{
	const struct lock_ops *ops = s->ops;
	struct other writer, reader;

	if (!ops->acquire_write_until || !(ops->caps & LOCK_SHARED))
		return NULL;
	ops->acquire_read(s->lock, s->ctx[0]);
	other_start(&writer, s, 1, ACQUIRE_WRITE_UNTIL, clock_now() + 2 * SOON);
	other_intrudes(&writer);
	other_start(&reader, s, 2, ACQUIRE_READ, NO_DEADLINE);
	if (!other_done(&writer))
		return "a writer with a deadline does not return";
	if (!other_done(&reader))
		return "a writer that gave up leaves a reader asleep";
	ops->release_read(s->lock, s->ctx[0]);
	other_finish(&reader);
	other_finish(&writer);
	return writer.got ? "a writer comes in beside a reader" : NULL;
}
