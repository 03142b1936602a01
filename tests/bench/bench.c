/* bench.c - see bench.h. */
#include "bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void die(const char *what, const char *name)
{
	fprintf(stderr, "bench: %s: %s\n", what, name);
	exit(2);
}

/* Only what the benchmarks use: whole numbers and times in ns without a unit. */
static int64_t plain_default(const struct param *p)
{
	if (p->kind == PARAM_CHOICE) {
		for (int64_t i = 0; p->choices[i]; i++)
			if (!strcmp(p->choices[i], p->def))
				return i;
		die("a default that is no choice", p->name);
	}
	return strtoll(p->def, NULL, 10);
}

static void thread_ready(struct bench_cell *c)
{
	const struct workload_ops *w = c->cell->workload;

	if (w->thread_setup && w->thread_setup(&c->thread))
		die("the workload cannot set up", w->name);
}

void bench_cell_open(struct bench_cell *c, const char *lock, const char *workload,
		     uint64_t operations)
{
	const struct lock_ops *ops;
	struct lock_env env = { .threads = 1, .nodes = 1, .params = c->lock_params };
	struct lock_thread who = { .threads = 1, .nodes = 1 };

	c->cell = cells_find(lock, workload);
	if (!c->cell)
		die("no such cell", lock);
	ops = c->cell->lock;
	for (unsigned i = 0; ops->params && ops->params[i].name; i++)
		c->lock_params[i] = plain_default(&ops->params[i]);
	if ((ops->size_for ? ops->size_for(&env) : ops->size) > sizeof(c->lock) ||
	    ops->ctx_size > sizeof(c->ctx))
		die("a lock too large for this benchmark", lock);
	for (unsigned i = 0; c->cell->workload->params[i].name; i++)
		c->params[i] = plain_default(&c->cell->workload->params[i]);
	c->run = (struct run){ .lock_ops = ops,
			       .lock = c->lock,
			       .section = &c->section,
			       .params = c->params,
			       .lock_params = c->lock_params,
			       .threads = 1,
			       .ops_limit = operations,
			       .nodes = 1 };
	c->thread = (struct thread){ .run = &c->run,
				     .lock = c->lock,
				     .ctx = ops->ctx_size ? c->ctx : NULL,
				     .section = &c->section,
				     .slot = &c->slot,
				     .params = c->params,
				     .random = 0x9e3779b97f4a7c15u };
	if (ops->init && ops->init(c->lock, &env))
		die("the lock cannot run here", lock);
	if (ops->ctx_init)
		ops->ctx_init(c->lock, c->ctx, &who);
	thread_ready(c);
}

void bench_cell_param(struct bench_cell *c, const char *name, int64_t value)
{
	const struct param *p = c->cell->workload->params;

	for (unsigned i = 0; p[i].name; i++) {
		if (strcmp(p[i].name, name))
			continue;
		c->params[i] = value;
		thread_ready(c);
		return;
	}
	die("no such parameter", name);
}

double bench_cell_run(void *arg)
{
	struct bench_cell *c = arg;
	uint64_t start = clock_now();

	c->cell->loop(&c->thread);
	return (double)(clock_now() - start) / (double)c->slot.ops;
}

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

void bench_interleaved(struct bench_case *cases, unsigned n, unsigned repetitions)
{
	for (unsigned i = 0; i < n; i++) {
		cases[i].ns = calloc(repetitions, sizeof(double));
		if (!cases[i].ns)
			die("no memory", cases[i].name);
		cases[i].run(cases[i].arg);
	}
	for (unsigned r = 0; r < repetitions; r++)
		for (unsigned k = 0; k < n; k++) {
			struct bench_case *c = &cases[(k + r) % n];

			c->ns[r] = c->run(c->arg);
		}
	for (unsigned i = 0; i < n; i++)
		qsort(cases[i].ns, repetitions, sizeof(double), by_value);
}

void bench_print(const struct bench_case *c, unsigned repetitions)
{
	printf("  %-44s %7.3f ns  (middle half %.3f to %.3f, fastest twentieth %.3f)\n", c->name,
	       c->ns[repetitions / 2], c->ns[repetitions / 4],
	       c->ns[repetitions - 1 - repetitions / 4], c->ns[repetitions / 20]);
}

void bench_print_ratio(const char *what, const struct bench_case *base, const struct bench_case *c,
		       unsigned repetitions, double target)
{
	double ratio = base->ns[repetitions / 2] / c->ns[repetitions / 2];

	printf("  %s: %.3f  (%s; target at least %.2f: %s)\n", what, ratio, c->name, target,
	       ratio >= target ? "reached" : "MISSED");
}

void bench_print_cost(const struct bench_case *c, const struct bench_case *base,
		      unsigned repetitions, double limit)
{
	double ratio = c->ns[repetitions / 2] / base->ns[repetitions / 2];

	printf("  cost of %s to %s: %.3f  (target at most %.2f: %s)\n", c->name, base->name, ratio,
	       limit, ratio <= limit ? "reached" : "MISSED");
}
