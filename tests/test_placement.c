/* test_placement.c - plans on described machines, and pinning on the real one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <errno.h>
#include <hwloc.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "placement.h"
#include "topology.h"

static char why[512];

static void described(const char *text)
{
	assert_int_equal(topology_use_synthetic(text), 0);
	assert_false(topology()->real);
}

/* Where the CPUs of a description are numbered in the order of the tree. */
static void expect(const char *policy, unsigned threads, const int32_t *cpus)
{
	int32_t got[64];

	assert_int_equal(placement_plan(policy, threads, got, why, sizeof why), 0);
	for (unsigned i = 0; i < threads; i++)
		if (got[i] != cpus[i])
			fail_msg("%s, thread %u: CPU %d, not %d", policy, i, got[i], cpus[i]);
}

#define EXPECT(policy, ...)                                                  \
	expect(policy, sizeof((int32_t[]){ __VA_ARGS__ }) / sizeof(int32_t), \
	       (int32_t[]){ __VA_ARGS__ })

static void one_node(void **state)
{
	(void)state;
	described("node:1 core:4 pu:1");
	assert_int_equal(placement_cpus(), 4);
	assert_int_equal(topology()->nodes, 1);
	EXPECT("compact", 0, 1, 2, 3, 0, 1);
	EXPECT("scatter", 0, 1, 2, 3, 0, 1);
	EXPECT("none", -1, -1, -1, -1, -1);
	EXPECT("cpus=3,0-1", 3, 0, 1, 3, 0);
}

static void siblings_come_first_and_last(void **state)
{
	(void)state;
	described("node:1 core:4 pu:2");
	EXPECT("compact", 0, 1, 2, 3, 4, 5, 6, 7);
	EXPECT("scatter", 0, 2, 4, 6, 1, 3, 5, 7, 0);
	assert_int_equal(topology()->cores, 4);
	assert_int_equal(topology_find(5)->core, 2);
	assert_int_equal(topology_find(5)->smt, 1);
}

static void two_nodes_in_turn(void **state)
{
	(void)state;
	described("package:2 node:1 core:2 pu:2");
	assert_int_equal(topology()->nodes, 2);
	assert_int_equal(topology()->packages, 2);
	EXPECT("compact", 0, 1, 2, 3, 4, 5, 6, 7);
	EXPECT("scatter", 0, 4, 2, 6, 1, 5, 3, 7);
	assert_int_equal(topology_find(3)->node, 0);
	assert_int_equal(topology_find(4)->node, 1);
	assert_int_equal(topology_find(4)->node_os, 1);
}

static void four_nodes_and_packages_in_turn(void **state)
{
	(void)state;
	described("package:2 node:2 core:2 pu:1");
	assert_int_equal(topology()->nodes, 4);
	/* packages first, then the nodes in them, then cores */
	EXPECT("scatter", 0, 4, 2, 6, 1, 5, 3, 7);
	EXPECT("compact", 0, 1, 2, 3, 4, 5, 6, 7);
}

static void caches_in_turn(void **state)
{
	(void)state;
	described("node:1 l3:2 core:2 pu:1");
	assert_int_equal(topology()->llcs, 2);
	EXPECT("scatter", 0, 2, 1, 3);
	assert_int_equal(topology_find(2)->llc, 1);
}

/* Sibling numbers far apart, as on most real machines. */
static void numbers_are_the_kernels(void **state)
{
	(void)state;
	described("node:1 core:2 pu:2(indexes=0,2,1,3)");
	EXPECT("compact", 0, 2, 1, 3);
	EXPECT("scatter", 0, 1, 2, 3);
}

static void one_thread_more_moves_no_other(void **state)
{
	static const char *const policies[] = { "compact", "scatter", "cpus=1-7,0" };
	int32_t all[20], some[20];

	(void)state;
	described("package:2 node:1 core:2 pu:2");
	for (size_t p = 0; p < 3; p++) {
		assert_int_equal(placement_plan(policies[p], 20, all, why, sizeof why), 0);
		for (unsigned n = 1; n < 20; n++) {
			assert_int_equal(placement_plan(policies[p], n, some, why, sizeof why), 0);
			assert_memory_equal(all, some, n * sizeof *all);
		}
	}
}

static void refuse(const char *policy, const char *word, const char *right)
{
	int32_t cpus[4];

	*why = 0;
	assert_int_equal(placement_plan(policy, 4, cpus, why, sizeof why), -EINVAL);
	if (!strstr(why, word) || !strstr(why, right))
		fail_msg("'%s' is told: %s", policy, why);
	/* the check alone says the same */
	assert_int_equal(placement_plan(policy, 4, NULL, why, sizeof why), -EINVAL);
}

static void bad_policies_are_told_what_is_right(void **state)
{
	(void)state;
	described("node:1 core:4 pu:1(indexes=0,1,2,8)");
	EXPECT("cpus=8,0-2", 8, 0, 1, 2);
	refuse("cpus=0-3", "CPU 3", "0-2,8");
	refuse("cpus=9", "CPU 9", "0-2,8");
	refuse("cpus=2-0", "2-0", "0-2,8");
	refuse("cpus=", "list", "0-2,8");
	refuse("cpus=0,", "list", "0-2,8");
	refuse("cpus=0-", "list", "0-2,8");
	refuse("cpus=-1", "list", "0-2,8");
	refuse("cpus=0 1", "list", "0-2,8");
	refuse("cpus=99999999999999999999", "list", "0-2,8");
	refuse("spread", "spread", "scatter");
	refuse("", "\"\"", "compact");
}

static void a_bad_description_is_refused(void **state)
{
	(void)state;
	assert_int_equal(topology_use_synthetic("rubbish:0"), -EINVAL);
	/* and the real one is still there */
	assert_true(topology()->cpus >= 1);
}

static void a_plan_pins_nobody(void **state)
{
	(void)state;
	described("node:1 core:2 pu:1");
	assert_int_equal(placement_pin(0), -ENOTSUP);
	assert_int_equal(placement_pin(-1), 0);
}

static int back_to_real(void **state)
{
	(void)state;
	topology_forget();
	return 0;
}

static void *pin_all(void *arg)
{
	const struct topology *t = topology();

	for (unsigned i = 0; i < t->cpus; i++)
		if (placement_pin(t->cpu[i].os) || sched_getcpu() != t->cpu[i].os)
			return arg;
	return NULL;
}

static void pinning_is_verified(void **state)
{
	pthread_t thread;
	void *failed;

	(void)state;
	assert_true(topology()->real);
	assert_int_equal(pthread_create(&thread, NULL, pin_all, why), 0);
	pthread_join(thread, &failed);
	assert_null(failed);
	assert_true(placement_pin(100000) < 0);
}

/* In a process of its own that may use one CPU only. */
static void the_affinity_mask_is_respected(void **state)
{
	int32_t last = topology()->cpu[topology()->cpus - 1].os, cpus[3];
	int status;
	pid_t pid = fork();

	(void)state;
	if (!pid) {
		if (placement_pin(last))
			_exit(2);
		topology_forget();
		if (placement_cpus() != 1)
			_exit(3);
		if (placement_plan("compact", 3, cpus, why, sizeof why) || cpus[0] != last ||
		    cpus[2] != last)
			_exit(4);
		_exit(0);
	}
	waitpid(pid, &status, 0);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 0);
}

#define REAL(test) cmocka_unit_test_setup(test, back_to_real)

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_node),
		cmocka_unit_test(siblings_come_first_and_last),
		cmocka_unit_test(two_nodes_in_turn),
		cmocka_unit_test(four_nodes_and_packages_in_turn),
		cmocka_unit_test(caches_in_turn),
		cmocka_unit_test(numbers_are_the_kernels),
		cmocka_unit_test(one_thread_more_moves_no_other),
		cmocka_unit_test(bad_policies_are_told_what_is_right),
		cmocka_unit_test(a_bad_description_is_refused),
		cmocka_unit_test(a_plan_pins_nobody),
		REAL(pinning_is_verified),
		REAL(the_affinity_mask_is_respected),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
