/*
 * test_workloads.c - what each workload claims, against somebody who does not
 * take its word: the kernel's count of page faults, the list of mappings, a
 * sched_yield() that counts its callers, the section's own count of writes.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>

#include "cells.h"
#include "child.h"

#define MS 1000000ull

/* Takes the place of the C library's in this program. */
static _Atomic uint64_t yields;

int sched_yield(void)
{
	add_rlx(&yields, 1);
	return (int)syscall(SYS_sched_yield);
}

/* --- one thread of a cell, in this process --- */

struct stage {
	struct run run;
	struct thread thread;
	struct section section;
	LINE_ALIGNED char lock[4096], ctx[4096];
	struct slot slot;
	int64_t params[MAX_PARAMS];
	const struct cell *cell;
};

static struct stage *stage_new(const char *lock, const char *workload, uint64_t operations)
{
	struct stage *s = aligned_alloc(128, (sizeof(*s) + 127) & ~(size_t)127);

	assert_non_null(s);
	memset(s, 0, sizeof(*s));
	s->cell = cells_find(lock, workload);
	assert_non_null(s->cell);
	s->run.lock_ops = s->cell->lock;
	s->run.lock = s->lock;
	s->run.section = &s->section;
	s->run.params = s->params;
	s->run.threads = s->run.nodes = 1;
	s->run.ops_limit = operations;
	s->thread.run = &s->run;
	s->thread.lock = s->lock;
	s->thread.ctx = s->ctx;
	s->thread.section = &s->section;
	s->thread.slot = &s->slot;
	s->thread.params = s->params;
	s->thread.random = 0x9e3779b97f4a7c15u;
	return s;
}

/* Runs it as a child does, and leaves in the slot what a child leaves. */
static void stage_run(struct stage *s)
{
	const struct workload_ops *w = s->cell->workload;
	struct rusage before, after;

	if (w->setup)
		assert_int_equal(w->setup(&s->run), 0);
	s->thread.data = s->run.data;
	if (w->thread_setup)
		assert_int_equal(w->thread_setup(&s->thread), 0);
	getrusage(RUSAGE_THREAD, &before);
	s->cell->loop(&s->thread);
	getrusage(RUSAGE_THREAD, &after);
	s->slot.minflt = (uint64_t)(after.ru_minflt - before.ru_minflt);
	s->slot.reads = s->thread.reads;
	s->slot.writes = s->thread.writes;
}

static const char *stage_check(struct stage *s)
{
	const struct workload_ops *w = s->cell->workload;

	return w->check ? w->check(&s->run, &s->slot) : NULL;
}

static void stage_end(struct stage *s)
{
	const struct workload_ops *w = s->cell->workload;

	if (w->thread_teardown)
		w->thread_teardown(&s->thread);
	if (w->teardown)
		w->teardown(&s->run);
	free(s);
}

static size_t mappings(void)
{
	FILE *maps = fopen("/proc/self/maps", "r");
	size_t lines = 0;
	int c;

	assert_non_null(maps);
	while ((c = fgetc(maps)) != EOF)
		lines += c == '\n';
	fclose(maps);
	return lines;
}

static uint64_t section_writes(const struct stage *s)
{
	return load_rlx(&s->section.before) >> 16;
}

/* --- the loop, on rwmix --- */

static void every_operation_is_counted_once(void **state)
{
	static const int64_t pcts[] = { 0, 30, 100 };
	static const uint64_t limits[] = { 0, 1, 2, 1000, 70001 };
	static const uint32_t everies[] = { 0, 1, 2, 7 };

	(void)state;
	for (size_t k = 0; k < 3 * 5 * 4 * 2; k++) {
		struct stage *s = stage_new("pthread_mutex", "rwmix", limits[k / 3 % 5]);
		const struct slot *slot = &s->slot;

		s->params[0] = pcts[k % 3];
		s->params[3] = k / 60 ? 2 : 0; /* lines: the variant with work inside */
		s->run.sample_every = everies[k / 15 % 4];
		stage_run(s);
		assert_int_equal(slot->ops, limits[k / 3 % 5]);
		assert_int_equal(slot->reads + slot->writes, slot->ops);
		assert_int_equal(section_writes(s), slot->writes);
		assert_int_equal(load_rlx(&slot->progress), 2 * slot->ops);
		assert_int_equal(s->thread.broken, 0);
		assert_int_equal(s->thread.handovers, 0);
		if (s->run.sample_every)
			assert_int_equal(slot->wait[WAIT_READ].total + slot->wait[WAIT_WRITE].total,
					 slot->ops / s->run.sample_every);
		stage_end(s);
	}
}

static void a_stop_is_heard(void **state)
{
	struct stage *s = stage_new("none", "rwmix", UINT64_MAX);

	(void)state;
	store_rlx(&s->run.stop, 1);
	stage_run(s);
	assert_int_equal(s->slot.ops, 0);
	stage_end(s);
}

static void the_share_of_reads_is_the_one_asked_for(void **state)
{
	(void)state;
	for (int64_t pct = 0; pct <= 100; pct += 10) {
		struct stage *s = stage_new("none", "rwmix", 100000);
		double share, off;

		s->params[0] = pct;
		stage_run(s);
		share = (double)s->slot.reads / 1000.0;
		off = share - (double)pct;
		/* six standard deviations of 50 %: 0.95 points */
		assert_true(off < 0.95 && off > -0.95);
		if (pct % 100 == 0)
			assert_true(off == 0);
		stage_end(s);
	}
}

/* A section that somebody else left broken, or wrote last, is seen once. */
static void a_stranger_in_the_section_is_seen(void **state)
{
	for (int64_t pct = 0; pct <= 100; pct += 100) {
		struct stage *s = stage_new("none", "rwmix", 10);

		(void)state;
		s->params[0] = pct;
		store_rlx(&s->section.before, 0x50007); /* 5 writes, thread 7 inside */
		store_rlx(&s->section.after, 0x40007);
		s->thread.id = 3;
		stage_run(s);
		/* a write heals it; a read does not, and looks twice */
		assert_int_equal(s->thread.broken, pct ? 20 : 1);
		assert_int_equal(s->thread.handovers, pct ? 0 : 1);
		assert_int_equal(section_writes(s), pct ? 5 : 15);
		assert_int_equal(load_rlx(&s->section.before) & 0xffff, pct ? 7 : 3);
		stage_end(s);
	}
}

/* --- rw --- */

static struct sample *run_rw(const char *lock, int64_t yield, int64_t downgraders)
{
	const struct cell *cell = cells_find(lock, "rw");
	struct cell_spec spec = { .lock = lock,
				  .cell = cell,
				  .params = { yield, downgraders },
				  .threads = 5,
				  .readers = 2,
				  .writers = 3,
				  .operations = 500,
				  .timeout_ns = 20000 * MS,
				  .repetitions = 1 };
	struct sample *s = sample_new(5);

	assert_non_null(cell);
	assert_non_null(s);
	spec.lock_ops = cell->lock;
	spec.workload_ops = cell->workload;
	assert_int_equal(child_run(&spec, 1, 0, NULL, s), 0);
	return s;
}

static void each_role_does_its_own(void **state)
{
	(void)state;
	for (int64_t downgraders = 0; downgraders <= 2; downgraders++) {
		struct sample *s = run_rw("rwsem_xadd", downgraders & 1, downgraders);

		assert_string_equal(s->reason, "");
		for (unsigned i = 0; i < 5; i++) {
			assert_int_equal(s->slots[i].ops, 500);
			assert_int_equal(s->slots[i].reads, i < 2 ? 500 : 0);
			assert_int_equal(s->slots[i].writes, i < 2 ? 0 : 500);
		}
		assert_int_equal(s->lock_writes, 1500);
		sample_free(s);
	}
}

static void a_lock_that_cannot_downgrade_says_so(void **state)
{
	struct sample *s = run_rw("pthread_mutex", 0, 1);

	(void)state;
	assert_int_equal(s->status, STATUS_UNSUPPORTED);
	sample_free(s);
}

static void yielding_yields_once_an_operation(void **state)
{
	(void)state;
	for (int64_t yield = 0; yield <= 1; yield++) {
		struct stage *s = stage_new("pthread_rwlock", "rw", 1000);
		uint64_t before = load_rlx(&yields);

		s->params[0] = yield;
		s->run.readers = 1;
		s->thread.role = ROLE_READER;
		stage_run(s);
		assert_int_equal(load_rlx(&yields) - before, yield ? 1000 : 0);
		stage_end(s);
	}
}

/* --- yield --- */

static void yield_yields_and_leaves_the_lock_alone(void **state)
{
	struct stage *s = stage_new("pthread_mutex", "yield", 1000);
	uint64_t before = load_rlx(&yields);

	(void)state;
	memset(s->lock, 0x5a, sizeof(s->lock));
	stage_run(s);
	assert_int_equal(load_rlx(&yields) - before, 1000);
	assert_int_equal(s->slot.ops, 1000);
	assert_int_equal(section_writes(s), 0);
	for (size_t i = 0; i < sizeof(s->lock); i++)
		assert_int_equal(s->lock[i], 0x5a);
	stage_end(s);
}

/* --- mmap --- */

enum { TOUCH_NONE, TOUCH_ONE, TOUCH_ALL };

static void mmap_touches_what_it_says_and_leaves_nothing(void **state)
{
	const uint64_t n = 200, pages = 8;

	(void)state;
	for (int k = 0; k < 3 * 2 * 2; k++) {
		struct stage *s = stage_new(k & 1 ? "pthread_mutex" : "none", "mmap", n);
		int touch = k % 3, fixed = k / 3 % 2, populate = k / 6;
		uint64_t expected = touch == TOUCH_ONE ? n : touch == TOUCH_ALL ? n * pages : 0;
		size_t before;

		s->params[0] = touch;
		s->params[1] = (int64_t)(pages * (size_t)sysconf(_SC_PAGESIZE)) - 1;
		s->params[2] = populate;
		s->params[3] = fixed;
		before = mappings();
		stage_run(s);
		assert_true(mappings() <= before + 1); /* malloc may have grown */
		assert_int_equal(section_writes(s), 2 * n);
		/* the kernel may count populated pages; a hundred are others' */
		if (!populate) {
			assert_true(s->slot.minflt >= expected);
			assert_true(s->slot.minflt < expected + 100);
		}
		assert_null(stage_check(s));
		stage_end(s);
	}
}

static void mmap_does_not_get_away_with_a_page_less(void **state)
{
	struct stage *s = stage_new("none", "mmap", 100);

	(void)state;
	s->params[0] = TOUCH_ALL;
	s->params[1] = 4 * sysconf(_SC_PAGESIZE);
	stage_run(s);
	assert_null(stage_check(s));
	s->slot.minflt = 399;
	assert_non_null(strstr(stage_check(s), "400 new pages, but took 399"));
	stage_end(s);
}

static void threads_at_fixed_places_do_not_meet(void **state)
{
	const struct cell *cell = cells_find("none", "mmap");
	struct cell_spec spec = { .lock = "none",
				  .cell = cell,
				  .lock_ops = cell->lock,
				  .workload_ops = cell->workload,
				  .params = { TOUCH_ALL, 65536, 0, 1, 0 },
				  .threads = 6,
				  .operations = 300,
				  .timeout_ns = 20000 * MS,
				  .repetitions = 1 };
	struct sample *s = sample_new(6);

	(void)state;
	assert_int_equal(child_run(&spec, 1, 0, NULL, s), 0);
	assert_string_equal(s->reason, "");
	assert_int_equal(s->status, STATUS_OK);
	for (unsigned i = 0; i < 6; i++)
		assert_int_equal(s->slots[i].ops, 300);
	sample_free(s);
}

#if !defined __SANITIZE_ADDRESS__
/* runs out of address space: what the sanitizers hold would be in the way */
static void a_failing_call_ends_the_run_by_name(void **state)
{
	static const char *const workloads[] = { "mmap", "mmap_sem" };
	struct rlimit whole, tight;

	(void)state;
	getrlimit(RLIMIT_AS, &whole);
	tight = whole;
	tight.rlim_cur = 0;
	for (int i = 0; i < 2; i++) {
		struct stage *s = stage_new("none", workloads[i], 100000);
		const struct workload_ops *w = s->cell->workload;

		s->params[0] = i ? 100 : TOUCH_ONE; /* of mmap_sem: writes only */
		s->params[1] = 4096;
		assert_int_equal(w->setup(&s->run), 0);
		s->thread.data = s->run.data;
		assert_int_equal(w->thread_setup(&s->thread), 0);
		setrlimit(RLIMIT_AS, &tight);
		s->cell->loop(&s->thread);
		setrlimit(RLIMIT_AS, &whole);
		assert_int_equal(load_rlx(&s->run.stop), 1);
		assert_string_equal(w->check(&s->run, &s->slot),
				    "thread 0: mmap: Cannot allocate memory");
		stage_end(s);
	}
}
#endif

/* --- mmap_sem --- */

static void every_read_of_mmap_sem_is_a_fault(void **state)
{
	static const int64_t pcts[] = { 0, 10, 100 };

	(void)state;
	for (int k = 0; k < 3; k++) {
		struct stage *s = stage_new("pthread_rwlock", "mmap_sem", 5000);
		size_t before = mappings();

		s->params[0] = pcts[k];
		s->params[1] = 16 * sysconf(_SC_PAGESIZE);
		stage_run(s);
		assert_int_equal(s->slot.reads + s->slot.writes, 5000);
		assert_int_equal(section_writes(s), s->slot.writes);
		/* six standard deviations of 10 % of 5000: 130 */
		assert_true(s->slot.writes + 130 >= (uint64_t)pcts[k] * 50);
		assert_true(s->slot.writes <= (uint64_t)pcts[k] * 50 + 130);
		assert_true(s->slot.minflt >= s->slot.reads);
		assert_true(s->slot.minflt < s->slot.reads + 100);
		assert_null(stage_check(s));
		if (s->slot.reads) {
			s->slot.minflt = s->slot.reads - 1;
			assert_non_null(stage_check(s));
		}
		stage_end(s);
		assert_true(mappings() <= before + 1);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_operation_is_counted_once),
		cmocka_unit_test(a_stop_is_heard),
		cmocka_unit_test(the_share_of_reads_is_the_one_asked_for),
		cmocka_unit_test(a_stranger_in_the_section_is_seen),
		cmocka_unit_test(each_role_does_its_own),
		cmocka_unit_test(a_lock_that_cannot_downgrade_says_so),
		cmocka_unit_test(yielding_yields_once_an_operation),
		cmocka_unit_test(yield_yields_and_leaves_the_lock_alone),
		cmocka_unit_test(mmap_touches_what_it_says_and_leaves_nothing),
		cmocka_unit_test(mmap_does_not_get_away_with_a_page_less),
		cmocka_unit_test(threads_at_fixed_places_do_not_meet),
#if !defined __SANITIZE_ADDRESS__
		cmocka_unit_test(a_failing_call_ends_the_run_by_name),
#endif
		cmocka_unit_test(every_read_of_mmap_sem_is_a_fault),
	};

	return cmocka_run_group_tests_name("workloads", tests, NULL, NULL);
}
