/*
 * test_events.c - what the locks count, under contention: nothing is lost and
 * nothing counted twice, in every lock that counts.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>

#include "cells.h"
#include "child.h"
#include "conformance/subject.h"
#include "events_json.h"
#include "record.h"

#define OPS 4000
#define ROUNDS 20 /* more storms, until each side was blocked */
#define MS 1000000ull

struct counting {
	const struct lock_ops *ops;
	unsigned choice;
	char name[64];
};

struct one {
	struct subject *subject;
	unsigned id;
	pthread_t thread;
	uint64_t tried[2];
	struct lock_events events;
};

static void hold(uint32_t r)
{
	/* now and then over a switch: that is what fills queues */
	if (!(r & 7))
		sched_yield();
}

/* Every door of the lock that may block. */
static void operate(struct one *o, uint32_t r)
{
	const struct lock_ops *ops = o->subject->ops;
	void *lock = o->subject->lock, *ctx = o->subject->ctx[o->id];
	bool until = !(r >> 8 & 7);
	uint64_t soon = clock_now() + (r >> 12 & 0xffff);

	if (r >> 4 & 1) {
		o->tried[SIDE_READ]++;
		if (!until || !ops->acquire_read_until)
			ops->acquire_read(lock, ctx);
		else if (!ops->acquire_read_until(lock, ctx, soon))
			return;
		hold(r);
		ops->release_read(lock, ctx);
		return;
	}
	o->tried[SIDE_WRITE]++;
	if (!until || !ops->acquire_write_until)
		ops->acquire_write(lock, ctx);
	else if (!ops->acquire_write_until(lock, ctx, soon))
		return;
	hold(r);
	if (!(r >> 5 & 3) && ops->downgrade) {
		ops->downgrade(lock, ctx);
		hold(r >> 1);
		ops->release_read(lock, ctx);
	} else {
		ops->release_write(lock, ctx);
	}
	/* attempts that are not counted */
	if (!(r >> 7 & 7) && ops->try_write && ops->try_write(lock, ctx))
		ops->release_write(lock, ctx);
}

static void *run(void *arg)
{
	struct one *o = arg;
	uint32_t r = 2463534242u + o->id * 7919;

	lock_events = &o->events;
	for (int i = 0; i < OPS; i++) {
		r ^= r << 13;
		r ^= r >> 17;
		r ^= r << 5;
		operate(o, r);
	}
	return NULL;
}

/* Adds one storm to the sums. */
static void storm(struct subject *s, uint64_t *count, uint64_t *tried)
{
	struct one one[SUBJECT_THREADS] = { 0 };

	for (unsigned i = 0; i < SUBJECT_THREADS; i++) {
		one[i].subject = s;
		one[i].id = i;
		assert_int_equal(pthread_create(&one[i].thread, NULL, run, &one[i]), 0);
	}
	/* all of them before the first look: a failure leaves this frame */
	for (unsigned i = 0; i < SUBJECT_THREADS; i++)
		pthread_join(one[i].thread, NULL);
	for (unsigned i = 0; i < SUBJECT_THREADS; i++) {
		lock_events_merge(count, one[i].events.count);
		for (int side = SIDE_READ; side <= SIDE_WRITE; side++)
			tried[side] += one[i].tried[side];
		assert_false(one[i].events.blocked);
		assert_null(one[i].events.held);
	}
}

static void adds_up(const uint64_t *c, int side, uint64_t tried)
{
	uint64_t slept = c[EVENT_ACQUIRED_1_SLEEP + side] + c[EVENT_ACQUIRED_MANY_SLEEPS + side];

	assert_int_equal(c[EVENT_FAST + side] + c[EVENT_SLOW + side], tried);
	/* how it ended: exactly 100 per cent */
	assert_int_equal(c[EVENT_STEAL + side] + c[EVENT_SPIN + side] +
				 c[EVENT_ACQUIRED_NO_SLEEP + side] + slept +
				 c[EVENT_GAVE_UP + side],
			 c[EVENT_SLOW + side]);
	assert_int_equal(c[EVENT_BLOCKED_BY_READER + side] + c[EVENT_BLOCKED_BY_WRITER + side] +
				 c[EVENT_BLOCKED_BY_NONE + side],
			 c[EVENT_SLOW + side]);
	assert_true(c[EVENT_SLEEP + side] >= slept + c[EVENT_ACQUIRED_MANY_SLEEPS + side]);
	assert_true(!c[EVENT_SLOW + side] == !c[EVENT_LONGEST_WAIT + side]);
}

static void only_what_applies(const uint64_t *c, unsigned counts)
{
	if (!(counts & COUNTS_SPINNING_READS))
		assert_int_equal(c[EVENT_SPIN], 0);
	if (!(counts & COUNTS_SPINNING_WRITES))
		assert_int_equal(c[EVENT_SPIN_WRITE], 0);
	if (!(counts & COUNTS_SPINNING))
		assert_int_equal(c[EVENT_SPIN_FAIL], 0);
	if (!(counts & COUNTS_HANDOFF))
		assert_int_equal(c[EVENT_HANDOFF] + c[EVENT_SPIN_SKIP], 0);
	if (!(counts & COUNTS_READS))
		assert_int_equal(c[EVENT_SLOW] + c[EVENT_FAST] + c[EVENT_WAKE] + c[EVENT_SLEEP], 0);
}

static void wakes_add_up(const uint64_t *c, const struct counting *lock)
{
	uint64_t slept = c[EVENT_SLEEP] + c[EVENT_SLEEP_WRITE] - c[EVENT_SLEEP_AGAIN];
	uint64_t told = c[EVENT_ACQUIRED_1_SLEEP] + c[EVENT_ACQUIRED_1_SLEEP_WRITE] +
			c[EVENT_ACQUIRED_MANY_SLEEPS] + c[EVENT_ACQUIRED_MANY_SLEEPS_WRITE];

	assert_int_equal(c[EVENT_WAKE] + c[EVENT_WAKE_WRITE],
			 c[EVENT_WAKE_IN_LOCK] + c[EVENT_WAKE_OUTSIDE_LOCK]);
	assert_true(slept >= told);
	assert_true(slept <= told + c[EVENT_GAVE_UP] + c[EVENT_GAVE_UP_WRITE]);
	assert_true(c[EVENT_READER_BATCH] <= c[EVENT_WAKE]);
	assert_true(c[EVENT_READER_BATCH] * c[EVENT_READER_BATCH_MAX] >= c[EVENT_WAKE]);
	assert_true(c[EVENT_QUEUE_LENGTH_MAX] <= SUBJECT_THREADS);
	assert_true(c[EVENT_QUEUE_LENGTH_SUM] <= c[EVENT_QUEUED] * SUBJECT_THREADS);
	assert_true(c[EVENT_QUEUE_LENGTH_SUM] >= c[EVENT_QUEUED]);
	if (strcmp(lock->ops->name, "rwsem_wakeq"))
		return;
	/* choice 0 is `outside` */
	assert_true(c[EVENT_WAKE] > 0);
	assert_int_equal(c[lock->choice ? EVENT_WAKE_OUTSIDE_LOCK : EVENT_WAKE_IN_LOCK], 0);
}

static void classes_are_all(void **state)
{
	const struct counting *lock = *state;
	uint64_t count[LOCK_EVENT_COUNT] = { 0 }, tried[2] = { 0 };
	bool reads = lock->ops->events & COUNTS_READS;
	struct subject s;

	assert_int_equal(subject_open(&s, lock->ops, lock->choice), 0);
	for (int i = 0; i < ROUNDS && (!i || !count[EVENT_SLOW_WRITE] ||
				       (reads && !count[EVENT_SLOW]) || !count[EVENT_WAKE_WRITE]);
	     i++)
		storm(&s, count, tried);
	if (!reads) {
		tried[SIDE_WRITE] += tried[SIDE_READ];
		tried[SIDE_READ] = 0;
	}
	adds_up(count, SIDE_READ, tried[SIDE_READ]);
	adds_up(count, SIDE_WRITE, tried[SIDE_WRITE]);
	only_what_applies(count, lock->ops->events);
	wakes_add_up(count, lock);
	/* or all this has told nothing */
	assert_true(count[EVENT_SLOW_WRITE] > 0);
	assert_true(!reads || count[EVENT_SLOW] > 0);
	subject_close(&s);
}

/* --- records --- */

static json_t *record_of(const char *lock, bool events, bool outline, struct sample **sample)
{
	static int32_t unpinned[2] = { -1, -1 };
	const struct cell *cell = cells_find(lock, "rwmix");
	struct record r = { .attempts = 1, .topology_cpus = 1 };
	struct cell_spec spec = {
		.lock = lock,
		.outline = outline,
		.cell = outline ? cells_find(NULL, "rwmix") : cell,
		.lock_ops = cell->lock,
		.workload_ops = cell->workload,
		.params = { 50, 100, 0, 0 },
		.threads = 2,
		.cpus = unpinned,
		.memory = "first-touch",
		.duration_ns = 5 * MS,
		.warmup_ns = MS,
		.timeout_ns = 10000 * MS,
		.repetitions = 1,
		.events = events,
	};
	json_t *json;

	plan_count_events(&spec);
	*sample = sample_new(2);
	assert_int_equal(child_run(&spec, 1, 0, NULL, *sample), 0);
	r.spec = &spec;
	r.sample = *sample;
	json = record_json(&r);
	assert_string_equal(json_string_value(json_object_get(json, "status")), "ok");
	return json;
}

static json_int_t value(const json_t *events, const char *name, const char *part)
{
	json_t *v = json_object_get(json_object_get(events, name), part);

	assert_true(json_is_integer(v));
	return json_integer_value(v);
}

/* What the harness counted outside is what the lock counted inside. */
static void records_hold_the_sums(void **state)
{
	(void)state;
	for (int outline = 0; outline < 2; outline++) {
		struct sample *sample;
		json_t *record = record_of("rwsem_steal", true, outline, &sample), *one;
		json_t *events = json_object_get(record, "events");
		const char *name;

		assert_true(json_is_object(events));
		assert_int_equal(value(events, "read_fast", "value") +
					 value(events, "read_slow", "value"),
				 json_integer_value(json_object_get(record, "reads")));
		assert_int_equal(value(events, "write_fast", "value") +
					 value(events, "write_slow", "value"),
				 json_integer_value(json_object_get(record, "writes")));
		assert_int_equal(value(events, "write_slow", "value"),
				 value(events, "blocked_by_reader", "write") +
					 value(events, "blocked_by_writer", "write") +
					 value(events, "blocked_by_none", "write"));
		json_object_foreach(events, name, one)
		{
			json_t *each = json_object_get(one, "per_thread");
			json_int_t sum = 0;

			assert_int_equal(json_array_size(each), 2);
			for (unsigned i = 0; i < 2; i++)
				sum += json_integer_value(json_array_get(each, i));
			if (!strstr(name, "longest") && !strstr(name, "max"))
				assert_int_equal(sum, value(events, name, "value"));
			else
				assert_true(sum >= value(events, name, "value"));
		}
		/* it does not spin: no figure, rather than 0 */
		assert_null(json_object_get(events, "spin_write"));
		json_decref(record);
		sample_free(sample);
	}
}

static void no_events_have_a_reason(void **state)
{
	static const struct {
		const char *lock;
		bool events;
		const char *reason;
	} rows[] = {
		{ "pthread_mutex", true, "this lock counts no events" },
		{ "rwsem_steal", false, "not asked for: events = off" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct sample *sample;
		json_t *record = record_of(rows[i].lock, rows[i].events, false, &sample);

		assert_true(json_is_null(json_object_get(record, "events")));
		assert_string_equal(json_string_value(json_object_get(record, "events_reason")),
				    rows[i].reason);
		json_decref(record);
		sample_free(sample);
	}
}

static void every_counting_lock_has_a_cell(void **state)
{
	(void)state;
	for (const struct lock_ops *const *l = cells_locks(); *l; l++)
		for (const struct workload_ops *const *w = cells_workloads(); *w; w++)
			assert_true(!(*l)->events == !cells_find_events((*l)->name, (*w)->name));
}

int main(void)
{
	static struct counting locks[100];
	static struct CMUnitTest tests[100] = {
		cmocka_unit_test(records_hold_the_sums),
		cmocka_unit_test(no_events_have_a_reason),
		cmocka_unit_test(every_counting_lock_has_a_cell),
	};
	size_t n = 3;

	for (const struct lock_ops *const *l = cells_locks(); *l; l++) {
		const struct cell *cell = cells_find_events((*l)->name, "rwmix");

		for (unsigned choice = 0; cell && n < 100 && choice < subject_choices(cell->lock);
		     choice++, n++) {
			struct counting *c = &locks[n];

			*c = (struct counting){ .ops = cell->lock, .choice = choice };
			snprintf(c->name, sizeof(c->name), "%s_%u_adds_up", (*l)->name, choice);
			tests[n].name = c->name;
			tests[n].test_func = classes_are_all;
			tests[n].initial_state = c;
		}
	}
	return _cmocka_run_group_tests("events", tests, n, NULL, NULL);
}
