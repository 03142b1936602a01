/* plan.c - the order of a plan's repetitions, and how long they take. */
#include "plan.h"

#include <errno.h>
#include <stdlib.h>

#include "cells.h"

/* Fork, set-up, the join and the record: what `make bench` holds the harness to. */
#define TURNOVER_NS 10000000u

/* SplitMix64 (Steele, Lea, Flood 2014): any seed will do, 0 too. */
static uint64_t draw(uint64_t *state)
{
	uint64_t z = *state += 0x9e3779b97f4a7c15u;

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
	return z ^ (z >> 31);
}

/* 0 … n − 1, each as likely: draws that would favour the small ones are thrown away. */
static unsigned draw_below(uint64_t *state, unsigned n)
{
	uint64_t limit = UINT64_MAX - UINT64_MAX % n, x;

	do
		x = draw(state);
	while (x >= limit);
	return (unsigned)(x % n);
}

int plan_shuffle(struct plan *plan)
{
	uint64_t state = plan->seed;
	unsigned total = 0, rounds = 0, filled = 0;

	for (unsigned i = 0; i < plan->cell_count; i++) {
		total += plan->cells[i].repetitions;
		if (plan->cells[i].repetitions > rounds)
			rounds = plan->cells[i].repetitions;
	}
	free(plan->steps);
	plan->step_count = 0;
	plan->steps = calloc(total ? total : 1, sizeof *plan->steps);
	if (!plan->steps)
		return -ENOMEM;
	for (unsigned r = 0; r < rounds; r++) {
		struct plan_step *round = plan->steps + filled;
		unsigned n = 0;

		for (unsigned i = 0; i < plan->cell_count; i++)
			if (r < plan->cells[i].repetitions)
				round[n++] = (struct plan_step){ i, r };
		for (unsigned i = n; i > 1; i--) {
			unsigned j = draw_below(&state, i);
			struct plan_step swap = round[i - 1];

			round[i - 1] = round[j];
			round[j] = swap;
		}
		filled += n;
	}
	plan->step_count = filled;
	return 0;
}

void plan_count_events(struct cell_spec *c)
{
	const struct cell *counting =
		c->events ? cells_find_events(c->lock_ops->name, c->workload_ops->name) : NULL;

	if (!counting)
		return;
	c->lock_ops = counting->lock;
	if (!c->outline) {
		c->cell = counting;
		c->workload_ops = counting->workload;
	}
}

uint64_t plan_time(const struct plan *plan, unsigned *unknown)
{
	uint64_t sum = 0;
	unsigned open = 0;

	for (unsigned i = 0; i < plan->cell_count; i++) {
		const struct cell_spec *c = &plan->cells[i];

		open += !c->duration_ns;
		if (c->duration_ns)
			sum += c->repetitions * (c->warmup_ns + c->duration_ns + TURNOVER_NS);
	}
	if (unknown)
		*unknown = open;
	return sum;
}

void plan_free(struct plan *plan)
{
	if (!plan)
		return;
	for (unsigned i = 0; i < plan->cell_count; i++) {
		struct cell_spec *c = &plan->cells[i];

		for (const char **n = c->counters; n && *n; n++)
			free((char *)*n);
		free(c->counters);
		free(c->cpus);
		free((char *)c->experiment);
		free((char *)c->lock);
		free((char *)c->placement);
		free((char *)c->memory);
		free((char *)c->baseline);
	}
	free((char *)plan->name);
	free(plan->cells);
	free(plan->steps);
	free(plan);
}
