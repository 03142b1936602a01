/* subject.c - see subject.h */
#include "subject.h"

#include <string.h>

unsigned subject_choices(const struct lock_ops *ops)
{
	unsigned most = 1;

	for (const struct param *p = ops->params; p && p->name; p++) {
		unsigned n = 0;

		while (p->kind == PARAM_CHOICE && p->choices[n])
			n++;
		if (n > most)
			most = n;
	}
	return most;
}

static int64_t param_value(const struct param *p, unsigned choice)
{
	if (p->kind != PARAM_CHOICE)
		return strtoll(p->def, NULL, 10);
	while (choice && !p->choices[choice])
		choice--;
	/* `choice` 0 is the first one, not the default: all are to be tested */
	return choice;
}

static void *zeroed(size_t size, size_t align)
{
	size_t rounded = (size + align) / align * align;
	void *p = aligned_alloc(align, rounded);

	if (!p)
		abort();
	return memset(p, 0, rounded);
}

int subject_open(struct subject *s, const struct lock_ops *ops, unsigned choice)
{
	struct lock_env env = { .threads = SUBJECT_THREADS, .nodes = 1, .params = s->params };
	struct lock_thread who = { .threads = SUBJECT_THREADS, .nodes = 1 };
	unsigned n = 0;
	int err = 0;

	*s = (struct subject){ .ops = ops };
	for (const struct param *p = ops->params; p && p->name; p++)
		s->params[n++] = param_value(p, choice);
	s->lock = zeroed(ops->size_for ? ops->size_for(&env) : ops->size,
			 ops->align > 128 ? ops->align : 128);
	if (ops->init)
		err = ops->init(s->lock, &env);
	for (unsigned i = 0; !err && i < SUBJECT_THREADS; i++) {
		s->ctx[i] = zeroed(ops->ctx_size, 128);
		who.id = i;
		if (ops->ctx_init)
			ops->ctx_init(s->lock, s->ctx[i], &who);
	}
	if (err)
		free(s->lock);
	return err;
}

void subject_close(struct subject *s)
{
	for (unsigned i = 0; i < SUBJECT_THREADS; i++) {
		if (s->ops->ctx_destroy)
			s->ops->ctx_destroy(s->lock, s->ctx[i]);
		free(s->ctx[i]);
	}
	if (s->ops->destroy)
		s->ops->destroy(s->lock);
	free(s->lock);
}

static void *other_run(void *arg)
{
	struct other *o = arg;
	const struct lock_ops *ops = o->subject->ops;
	void *lock = o->subject->lock, *ctx = o->subject->ctx[o->id];
	bool reads = o->attempt == ACQUIRE_READ || o->attempt == ACQUIRE_READ_UNTIL;

	atomic_store(&o->trying, 1);
	o->got = true;
	switch (o->attempt) {
	case ACQUIRE_READ:
		ops->acquire_read(lock, ctx);
		break;
	case ACQUIRE_WRITE:
		ops->acquire_write(lock, ctx);
		break;
	case ACQUIRE_READ_UNTIL:
		o->got = ops->acquire_read_until(lock, ctx, o->deadline);
		break;
	case ACQUIRE_WRITE_UNTIL:
		o->got = ops->acquire_write_until(lock, ctx, o->deadline);
		break;
	}
	atomic_store(&o->done, 1);
	while (!atomic_load(&o->let_go))
		usleep(100);
	if (o->got)
		(reads ? ops->release_read : ops->release_write)(lock, ctx);
	return NULL;
}

void other_start(struct other *o, struct subject *s, unsigned id, enum attempt what,
		 uint64_t deadline)
{
	*o = (struct other){ .subject = s, .id = id, .attempt = what, .deadline = deadline };
	if (pthread_create(&o->thread, NULL, other_run, o))
		abort();
	while (!atomic_load(&o->trying))
		usleep(100);
}

bool other_done(struct other *o)
{
	for (int i = 0; i < 50000 && !atomic_load(&o->done); i++)
		usleep(100);
	return atomic_load(&o->done);
}

bool other_intrudes(struct other *o)
{
	for (int i = 0; i < 20 && !atomic_load(&o->done); i++)
		usleep(100);
	return atomic_load(&o->done);
}

void other_finish(struct other *o)
{
	atomic_store(&o->let_go, 1);
	pthread_join(o->thread, NULL);
}
