/*
 * test_child.c - one repetition in its own process: what a sound lock leaves,
 * what each known-bad one leaves, and what it costs.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "cells.h"
#include "child.h"
#include "placement.h"

#if defined __SANITIZE_ADDRESS__
#define SANITIZED true
#else
#define SANITIZED false
#endif

#define MS 1000000ull

/* rwmix: half reads, and nearly all time inside, so that sections do meet */
static struct cell_spec spec_of(const char *lock, unsigned threads)
{
	const struct cell *cell = cells_find(lock, "rwmix");

	assert_non_null(cell);
	return (struct cell_spec){
		.lock = lock,
		.cell = cell,
		.lock_ops = cell->lock,
		.workload_ops = cell->workload,
		.params = { 50, 20000, 0, 0 },
		.threads = threads,
		.duration_ns = 20 * MS,
		.warmup_ns = 2 * MS,
		.timeout_ns = 10000 * MS,
		.repetitions = 1,
	};
}

static struct sample *run(const struct cell_spec *spec)
{
	struct sample *s = sample_new(spec->threads);

	assert_non_null(s);
	assert_int_equal(child_run(spec, 1, 0, NULL, s), 0);
	return s;
}

static void a_sound_lock_is_ok(void **state)
{
	static const char *const locks[] = { "pthread_mutex", "pthread_spin" };

	(void)state;
	for (size_t k = 0; k < 2; k++) {
		struct cell_spec spec = spec_of(locks[k], 3);
		uint64_t begun = clock_now(), writes = 0, ops = 0, last = 0;
		struct sample *s = run(&spec);

		assert_string_equal(s->reason, "");
		assert_int_equal(s->status, STATUS_OK);
		assert_int_equal(load_acq(&s->measured), 1);
		for (unsigned i = 0; i < 3; i++) {
			const struct slot *t = &s->slots[i];

			ops += t->ops;
			last = t->end_ns > last ? t->end_ns : last;
			assert_int_equal(t->ops, t->reads + t->writes);
			assert_int_equal(t->broken, 0);
			writes += t->writes;
		}
		assert_true(ops > 0);
		assert_true(last >= begun + spec.warmup_ns + spec.duration_ns);
		/* the warm-up's are in the section, too */
		assert_true(s->lock_writes > writes);
		sample_free(s);
	}
}

/* The loop that calls through the table is measured and checked alike. */
static void an_outline_cell_is_checked_too(void **state)
{
	struct cell_spec spec = spec_of("pthread_mutex", 2);
	struct sample *s;

	(void)state;
	spec.outline = true;
	spec.cell = cells_find(NULL, "rwmix");
	spec.duration_ns = 0;
	spec.operations = 100;
	s = run(&spec);
	assert_int_equal(s->status, STATUS_OK);
	assert_int_equal(s->slots[0].ops + s->slots[1].ops, 200);
	sample_free(s);

	spec.lock_ops = cells_find("never_releases", "rwmix")->lock;
	spec.timeout_ns = 300 * MS;
	s = run(&spec);
	assert_int_equal(s->status, STATUS_HUNG);
	sample_free(s);
}

static void readers_come_first_then_writers(void **state)
{
	struct cell_spec spec = spec_of("pthread_mutex", 4);
	const struct cell *cell = cells_find("pthread_mutex", "rw");
	struct sample *s;

	(void)state;
	assert_non_null(cell);
	spec.cell = cell;
	spec.workload_ops = cell->workload;
	memset(spec.params, 0, sizeof(spec.params));
	spec.readers = 3;
	spec.writers = 1;
	spec.duration_ns = 0;
	spec.operations = 100;
	s = run(&spec);
	assert_int_equal(s->status, STATUS_OK);
	for (unsigned i = 0; i < 4; i++) {
		assert_int_equal(s->slots[i].role, i < 3 ? ROLE_READER : ROLE_WRITER);
		assert_int_equal(s->slots[i].reads, i < 3 ? 100 : 0);
		assert_int_equal(s->slots[i].writes, i < 3 ? 0 : 100);
	}
	sample_free(s);
}

static void counted_operations_are_exact(void **state)
{
	struct cell_spec spec = spec_of("pthread_mutex", 2);
	struct sample *s;

	(void)state;
	spec.duration_ns = 0;
	spec.operations = 1234;
	for (spec.warmup_ns = 0; spec.warmup_ns <= MS; spec.warmup_ns += MS) {
		s = run(&spec);
		assert_int_equal(s->status, STATUS_OK);
		assert_int_equal(s->slots[0].ops, 1234);
		assert_int_equal(s->slots[1].ops, 1234);
		sample_free(s);
	}
}

static void the_same_seed_draws_the_same(void **state)
{
	struct cell_spec spec = spec_of("pthread_mutex", 1);
	uint64_t reads[3];

	(void)state;
	spec.duration_ns = spec.warmup_ns = 0;
	spec.operations = 1000;
	for (unsigned i = 0; i < 3; i++) {
		struct sample *s = sample_new(1);

		assert_int_equal(child_run(&spec, i == 2 ? 77 : 76, 0, NULL, s), 0);
		reads[i] = s->slots[0].reads;
		sample_free(s);
	}
	assert_int_equal(reads[0], reads[1]);
	assert_int_not_equal(reads[0], reads[2]);
}

static void threads_stand_where_they_were_put(void **state)
{
	struct cell_spec spec = spec_of("pthread_mutex", 2);
	int32_t cpus[2];
	cpu_set_t mine;
	int32_t last = -1;
	struct sample *s;

	(void)state;
	sched_getaffinity(0, sizeof(mine), &mine);
	for (int32_t c = 0; c < CPU_SETSIZE; c++)
		if (CPU_ISSET(c, &mine))
			last = c;
	cpus[0] = cpus[1] = last;
	spec.cpus = cpus;
	s = run(&spec);
	assert_int_equal(s->status, STATUS_OK);
	for (unsigned i = 0; i < 2; i++) {
		assert_int_equal(s->slots[i].cpu_asked, last);
		assert_int_equal(s->slots[i].cpu_start, last);
		assert_int_equal(s->slots[i].cpu_end, last);
	}
	sample_free(s);

	cpus[1] = 100000;
	s = run(&spec);
	assert_int_equal(s->status, STATUS_UNSUPPORTED);
	assert_non_null(strstr(s->reason, "thread 1 cannot be pinned to CPU 100000"));
	sample_free(s);
}

static void each_bad_lock_is_named(void **state)
{
	static const struct {
		const char *lock;
		enum record_status status;
		const char *reason;
	} bad[] = {
		{ "never_releases", STATUS_HUNG, "time limit" },
		{ "forgets_exclusion", STATUS_VIOLATED, "writ" },
		{ "reader_beside_writer", STATUS_VIOLATED, "while a writer was inside" },
		{ "serialises_readers", STATUS_VIOLATED, "second reader was not let in" },
		{ "crashes", STATUS_CRASHED, SANITIZED ? "" : "SIGSEGV" },
		{ "spins_forever", STATUS_HUNG, "time limit" },
		{ "loses_wakeup", STATUS_HUNG, "time limit" },
	};

	(void)state;
	signal(SIGSEGV, SIG_DFL); /* cmocka's own handler would turn it into an exit */
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		struct cell_spec spec = spec_of(bad[i].lock, 4);
		struct sample *s;

		spec.duration_ns = 80 * MS;
		if (bad[i].status == STATUS_HUNG)
			spec.timeout_ns = 400 * MS;
		s = run(&spec);
		if (s->status != (int)bad[i].status || !strstr(s->reason, bad[i].reason))
			fail_msg("%s: %s (%s)", bad[i].lock,
				 status_name((enum record_status)s->status), s->reason);
		sample_free(s);
	}
}

static void a_hung_thread_is_described(void **state)
{
	struct cell_spec spec = spec_of("never_releases", 2);
	struct sample *s;
	unsigned waiting = 0;
	uint64_t ops = 0;

	(void)state;
	spec.timeout_ns = 300 * MS;
	spec.warmup_ns = 0;
	s = run(&spec);
	for (unsigned i = 0; i < 2; i++) {
		assert_int_equal(load_rlx(&s->slots[i].stage), STAGE_MEASURED);
		waiting += s->slots[i].where == WHERE_WAITING;
		ops += load_rlx(&s->slots[i].progress) >> 1;
	}
	assert_int_equal(waiting, 2);
	assert_int_equal(ops, 1);
	sample_free(s);
}

static int cannot_run(void *lock, const struct lock_env *env)
{
	(void)lock;
	(void)env;
	return -ENOTSUP;
}

static void a_refusing_lock_is_unsupported(void **state)
{
	struct cell_spec spec = spec_of("pthread_mutex", 2);
	struct lock_ops ops = *spec.lock_ops;
	struct sample *s;

	(void)state;
	ops.init = cannot_run;
	spec.lock_ops = &ops;
	s = run(&spec);
	assert_int_equal(s->status, STATUS_UNSUPPORTED);
	assert_non_null(strstr(s->reason, "lock cannot be set up"));
	sample_free(s);
}

static void a_second_interrupt_ends_it(void **state)
{
	struct cell_spec spec = spec_of("pthread_mutex", 2);
	volatile sig_atomic_t twice = 2;
	struct sample *s = sample_new(2);

	(void)state;
	spec.duration_ns = 5000 * MS;
	assert_int_equal(child_run(&spec, 1, 0, &twice, s), -EINTR);
	assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
	assert_int_equal(errno, ECHILD);
	sample_free(s);
}

static void a_thousand_threads_fit(void **state)
{
	struct cell_spec few = spec_of("pthread_mutex", 10), many = spec_of("pthread_mutex", 1000);
	struct sample *s, *t;
	uint64_t ended = 0;

	(void)state;
	many.duration_ns = 50 * MS;
	few.sample_every = many.sample_every = 1; /* the histograms are touched */
	s = run(&few);
	t = run(&many);
	assert_string_equal(t->reason, "");
	assert_int_equal(t->status, STATUS_OK);
	for (unsigned i = 0; i < 1000; i++)
		ended += t->slots[i].end_ns != 0;
	assert_int_equal(ended, 1000);
	if (!SANITIZED)
		assert_true((t->peak_rss - s->peak_rss) / 990 <= 256 << 10);
	print_message("%llu bytes a thread; setup %.1f ms, turnover %.1f ms\n",
		      (unsigned long long)(t->peak_rss - s->peak_rss) / 990,
		      (double)t->setup_ns / 1e6, (double)t->turnover_ns / 1e6);
	sample_free(s);
	sample_free(t);
}

static int by_value(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

/* The cost beside the measured time, against a bare fork, exit and wait. */
static void turnover_is_told(void **state)
{
	struct cell_spec spec = spec_of("pthread_mutex", 2);
	uint64_t cost[21], bare[21], start;

	(void)state;
	spec.duration_ns = MS;
	spec.warmup_ns = 0;
	for (unsigned i = 0; i < 21; i++) {
		struct sample *s;
		pid_t pid;

		start = clock_now();
		s = run(&spec);
		cost[i] = clock_now() - start - spec.duration_ns;
		assert_true(s->setup_ns + s->turnover_ns <= cost[i] + spec.duration_ns);
		sample_free(s);
		start = clock_now();
		pid = fork();
		if (!pid)
			_exit(0);
		waitpid(pid, NULL, 0);
		bare[i] = clock_now() - start;
	}
	qsort(cost, 21, sizeof(*cost), by_value);
	qsort(bare, 21, sizeof(*bare), by_value);
	print_message("a repetition costs %.2f ms beside the measured time, a bare fork %.2f ms\n",
		      (double)cost[10] / 1e6, (double)bare[10] / 1e6);
	/* threads, mappings and checks are worth a few forks, not hundreds; the
	   cheapest, for others may be at work here */
	assert_true(cost[0] <= 100 * bare[10]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_sound_lock_is_ok),
		cmocka_unit_test(an_outline_cell_is_checked_too),
		cmocka_unit_test(readers_come_first_then_writers),
		cmocka_unit_test(counted_operations_are_exact),
		cmocka_unit_test(the_same_seed_draws_the_same),
		cmocka_unit_test(threads_stand_where_they_were_put),
		cmocka_unit_test(each_bad_lock_is_named),
		cmocka_unit_test(a_hung_thread_is_described),
		cmocka_unit_test(a_refusing_lock_is_unsupported),
		cmocka_unit_test(a_second_interrupt_ends_it),
		cmocka_unit_test(a_thousand_threads_fit),
		cmocka_unit_test(turnover_is_told),
	};

	placement_cpus(); /* reads the machine once, here and not in each child */
	return cmocka_run_group_tests_name("child", tests, NULL, NULL);
}
