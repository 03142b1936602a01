/* test_memory.c - memory by node: what works everywhere, and what needs NUMA. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <errno.h>
#include <numa.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "memory.h"
#include "topology.h"

static char why[256];

static int needs_numa(void)
{
	return numa_available() < 0;
}

static void memory_is_zero_and_writable(void **state)
{
	static const char *const policies[] = { "local", "first-touch" };
	static const size_t sizes[] = { 1, 4096, 4097, 100000 };

	(void)state;
	for (size_t p = 0; p < 2; p++)
		for (size_t s = 0; s < 4; s++) {
			char *m = memory_alloc(sizes[s], policies[p], why, sizeof why);

			assert_non_null(m);
			assert_int_equal((uintptr_t)m % (uintptr_t)sysconf(_SC_PAGESIZE), 0);
			for (size_t i = 0; i < sizes[s]; i++)
				assert_int_equal(m[i], 0);
			memset(m, 1, sizes[s]);
			memory_free(m, sizes[s]);
		}
	memory_free(NULL, 7);
}

static void where_it_lies_is_read_back(void **state)
{
	char *m = memory_alloc(64, "local", why, sizeof why);
	int node;

	(void)state;
	assert_non_null(m);
	node = memory_node_of(m + 8);
	if (node < 0) {
		/* no NUMA, or a filter: then it says so */
		assert_true(strlen(memory_node_reason(node)) > 0);
		assert_false(memory_node_ok("local", node, 0));
	} else {
		assert_true(memory_node_ok("local", node, -1));
		assert_true(memory_node_ok("first-touch", node, 0));
	}
	memory_free(m, 64);
}

static void an_untouched_page_is_nowhere(void **state)
{
	char *m = memory_alloc(64, "first-touch", why, sizeof why);

	(void)state;
	assert_non_null(m);
	assert_true(memory_node_of(m) < 0);
	if (!needs_numa()) {
		m[0] = 1;
		assert_true(memory_node_of(m) >= 0 || memory_node_of(m) == -EPERM);
	}
	memory_free(m, 64);
}

static void each_node_can_be_bound_to(void **state)
{
	struct bitmask *allowed;

	(void)state;
	if (needs_numa())
		skip();
	allowed = numa_get_mems_allowed();
	for (int n = 0; n <= numa_max_node(); n++) {
		char policy[32];
		void *m;

		if (!numa_bitmask_isbitset(allowed, (unsigned)n))
			continue;
		snprintf(policy, sizeof policy, "bind:%d", n);
		m = memory_alloc(10000, policy, why, sizeof why);
		assert_non_null(m);
		assert_int_equal(memory_node_of(m), n);
		assert_true(memory_node_ok(policy, n, 0));
		assert_false(memory_node_ok(policy, n + 1, 0));
		memory_free(m, 10000);
	}
	numa_bitmask_free(allowed);
}

static void interleaved_pages_take_turns(void **state)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	char *m;

	(void)state;
	if (needs_numa())
		skip();
	m = memory_alloc(4 * page, "interleave", why, sizeof why);
	assert_non_null(m);
	if (numa_num_configured_nodes() > 1)
		assert_int_not_equal(memory_node_of(m), memory_node_of(m + page));
	assert_true(memory_node_of(m) >= 0);
	memory_free(m, 4 * page);
}

static void refuse(const char *policy, const char *word, const char *right)
{
	*why = 0;
	assert_null(memory_alloc(64, policy, why, sizeof why));
	if (!strstr(why, word) || !strstr(why, right))
		fail_msg("'%s' is told: %s", policy, why);
	assert_int_equal(memory_check(policy, why, sizeof why), -EINVAL);
}

static void bad_policies_are_told_what_is_right(void **state)
{
	(void)state;
	refuse("near", "near", "first-touch");
	refuse("bind:", "bind:", "bind:N");
	refuse("bind:x", "bind:x", "bind:N");
	refuse("bind:-1", "bind:-1", "bind:N");
	refuse("bind:0x", "bind:0x", "bind:N");
	if (!needs_numa()) {
		refuse("bind:900", "900", "there are: ");
		refuse("bind:99999999999999999999", "no node", "there are: ");
	} else {
		refuse("bind:0", "NUMA", "first-touch");
		refuse("interleave", "NUMA", "first-touch");
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(memory_is_zero_and_writable),
		cmocka_unit_test(where_it_lies_is_read_back),
		cmocka_unit_test(an_untouched_page_is_nowhere),
		cmocka_unit_test(each_node_can_be_bound_to),
		cmocka_unit_test(interleaved_pages_take_turns),
		cmocka_unit_test(bad_policies_are_told_what_is_right),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
