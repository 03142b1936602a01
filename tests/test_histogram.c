/* test_histogram.c - every value lands in a bucket whose edge is within 1 %. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>

#include "histogram.h"

static void edges_are_within_one_per_cent(void **state)
{
	unsigned last = 0;

	(void)state;
	for (uint64_t v = 0; v < 1ull << 39; v += 1 + v / 997) {
		unsigned i = histogram_index(v);
		uint64_t low = histogram_low(i);

		assert_true(low <= v);
		assert_true((double)(v - low) <= 0.01 * (double)v);
		assert_true(i >= last);
		last = i;
	}
	assert_int_equal(histogram_index(UINT64_MAX), HISTOGRAM_BUCKETS - 1);
	for (unsigned i = 0; i < HISTOGRAM_BUCKETS; i++)
		assert_int_equal(histogram_index(histogram_low(i)), i);
}

static void quantiles_follow_the_ranks(void **state)
{
	struct histogram *h = calloc(1, sizeof(*h)), *both = calloc(1, sizeof(*h));

	(void)state;
	for (uint64_t v = 1; v <= 100; v++)
		histogram_add(h, v);
	assert_int_equal(histogram_quantile(h, 0.5), 50);
	assert_int_equal(histogram_quantile(h, 0.99), 99);
	assert_int_equal(histogram_quantile(h, 1.0), 100);
	histogram_merge(both, h);
	histogram_merge(both, h);
	assert_int_equal(both->total, 200);
	assert_int_equal(histogram_quantile(both, 0.5), 50);
	free(h);
	free(both);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(edges_are_within_one_per_cent),
		cmocka_unit_test(quantiles_follow_the_ranks),
	};

	return cmocka_run_group_tests_name("histogram", tests, NULL, NULL);
}
