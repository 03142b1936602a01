/*
 * storm.c - four threads, random operations, plain data. The data are not
 * atomic on purpose: a lock that orders too little is then a data race that
 * ThreadSanitizer sees.
 */
#include "checks.h"

#ifndef STORM_OPS
#define STORM_OPS 3000
#endif

struct storm {
	struct subject *subject;
	unsigned timed; /* one operation in so many has a deadline; 0: none */
	struct {
		long first, pad[15], second;
	} data;
	_Atomic int torn;
};

struct gust {
	struct storm *storm;
	unsigned id;
	long writes;
	pthread_t thread;
};

static uint32_t draw(uint32_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 17;
	*state ^= *state << 5;
	return *state;
}

static void look(struct storm *s)
{
	if (s->data.first != s->data.second)
		atomic_store(&s->torn, 1);
}

static void put(struct gust *g)
{
	look(g->storm);
	g->storm->data.first++;
	g->storm->data.second++;
	g->writes++;
}

static void one(struct gust *g, uint32_t r)
{
	struct storm *s = g->storm;
	const struct lock_ops *ops = s->subject->ops;
	void *lock = s->subject->lock, *ctx = s->subject->ctx[g->id];
	/* deadlines from long past to some sleeps away */
	uint64_t deadline = s->timed && r >> 8 & 1 ? clock_now() + (r >> 12 & 0x3ffff) - 1000
						   : NO_DEADLINE;
	bool until = s->timed && r % s->timed == 0;

	switch (r >> 4 & 7) {
	case 0:
		if (!ops->try_write || !ops->try_write(lock, ctx))
			return;
		put(g);
		ops->release_write(lock, ctx);
		return;
	case 1:
		if (!ops->try_read || !ops->try_read(lock, ctx))
			return;
		look(s);
		ops->release_read(lock, ctx);
		return;
	case 2:
		ops->acquire_write(lock, ctx);
		put(g);
		if (!ops->downgrade) {
			ops->release_write(lock, ctx);
			return;
		}
		ops->downgrade(lock, ctx);
		look(s);
		ops->release_read(lock, ctx);
		return;
	case 3:
	case 4:
		if (until && ops->acquire_write_until) {
			if (!ops->acquire_write_until(lock, ctx, deadline))
				return;
		} else {
			ops->acquire_write(lock, ctx);
		}
		put(g);
		ops->release_write(lock, ctx);
		return;
	default:
		if (until && ops->acquire_read_until) {
			if (!ops->acquire_read_until(lock, ctx, deadline))
				return;
		} else {
			ops->acquire_read(lock, ctx);
		}
		look(s);
		/* now and then hold on over a switch: that is what fills queues */
		if (!(r & 0xff000000))
			sched_yield();
		look(s);
		ops->release_read(lock, ctx);
	}
}

static void *blow(void *arg)
{
	struct gust *g = arg;
	uint32_t random = 2463534242u + g->id * 7919;

#ifdef LOCK_FAULTS
	fault_seed(g->id);
#endif
	for (int i = 0; i < STORM_OPS; i++)
		one(g, draw(&random));
	return NULL;
}

static const char *storm(struct subject *s, unsigned timed)
{
	struct storm storm = { .subject = s, .timed = timed };
	struct gust gusts[SUBJECT_THREADS];
	long writes = 0;

	for (unsigned i = 0; i < SUBJECT_THREADS; i++) {
		gusts[i] = (struct gust){ .storm = &storm, .id = i };
		if (pthread_create(&gusts[i].thread, NULL, blow, &gusts[i]))
			abort();
	}
	for (unsigned i = 0; i < SUBJECT_THREADS; i++) {
		pthread_join(gusts[i].thread, NULL);
		writes += gusts[i].writes;
	}
	if (atomic_load(&storm.torn))
		return "somebody met a write half done";
	if (storm.data.first != writes || storm.data.second != writes)
		return "the data have lost writes";
	return NULL;
}

const char *check_storm(struct subject *s)
{
	return storm(s, 0);
}

const char *check_storm_of_deadlines(struct subject *s)
{
	if (!s->ops->acquire_read_until && !s->ops->acquire_write_until)
		return NULL;
	return storm(s, 1);
}
