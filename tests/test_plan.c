/* test_plan.c - the order of the repetitions, and a plan's way through JSON. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "plan.h"

#define CELLS 7

static void make(struct plan *plan, struct cell_spec *cells, uint64_t seed)
{
	for (unsigned i = 0; i < CELLS; i++)
		cells[i] = (struct cell_spec){ .id = i, .repetitions = i == 3 ? 2 : 5 };
	*plan = (struct plan){ .seed = seed, .cells = cells, .cell_count = CELLS };
	assert_int_equal(plan_shuffle(plan), 0);
}

static void every_repetition_once_round_by_round(void **state)
{
	struct cell_spec cells[CELLS];
	bool seen[CELLS][5] = { { false } };
	struct plan plan;

	(void)state;
	make(&plan, cells, 1);
	assert_int_equal(plan.step_count, 6 * 5 + 2);
	for (unsigned i = 0; i < plan.step_count; i++) {
		const struct plan_step *s = &plan.steps[i];

		assert_false(seen[s->cell][s->repetition]);
		seen[s->cell][s->repetition] = true;
		/* no repetition before all cells have had the one before */
		if (i)
			assert_true(s->repetition >= plan.steps[i - 1].repetition);
	}
	free(plan.steps);
}

static void the_seed_decides(void **state)
{
	struct cell_spec cells[CELLS];
	struct plan a, b, c;
	bool rounds_differ = false;

	(void)state;
	make(&a, cells, 42);
	make(&b, cells, 42);
	make(&c, cells, 43);
	assert_memory_equal(a.steps, b.steps, a.step_count * sizeof *a.steps);
	assert_true(memcmp(a.steps, c.steps, a.step_count * sizeof *a.steps));
	for (unsigned i = 0; i < CELLS; i++)
		rounds_differ = rounds_differ || a.steps[i].cell != a.steps[CELLS + i].cell;
	assert_true(rounds_differ);
	free(a.steps);
	free(b.steps);
	free(c.steps);
}

/* Over many seeds each cell comes first about as often: no place is favoured. */
static void no_cell_is_favoured(void **state)
{
	struct cell_spec cells[CELLS];
	unsigned first[CELLS] = { 0 };
	struct plan plan;

	(void)state;
	for (uint64_t seed = 0; seed < 7000; seed++) {
		make(&plan, cells, seed);
		first[plan.steps[0].cell]++;
		free(plan.steps);
	}
	/* 1000 each, standard deviation 29 */
	for (unsigned i = 0; i < CELLS; i++)
		assert_in_range(first[i], 850, 1150);
}

static void time_is_the_sum(void **state)
{
	struct cell_spec cells[3] = {
		{ .duration_ns = 300000000, .warmup_ns = 50000000, .repetitions = 4 },
		{ .operations = 10, .warmup_ns = 5, .repetitions = 4 },
		{ .duration_ns = 100000000, .repetitions = 1 },
	};
	const struct plan plan = { .cells = cells, .cell_count = 3 };
	uint64_t least = 4u * 350000000 + 100000000;
	unsigned unknown;

	(void)state;
	/* and a turnover for each of five repetitions */
	assert_in_range(plan_time(&plan, &unknown), least + 1, least + 5u * 50000000);
	assert_int_equal(unknown, 1);
	plan_free(NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_repetition_once_round_by_round),
		cmocka_unit_test(the_seed_decides),
		cmocka_unit_test(no_cell_is_favoured),
		cmocka_unit_test(time_is_the_sum),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
