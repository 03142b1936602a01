/* config.c - see config.h: the axes of each experiment to cells. */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cells.h"
#include "config_axes.h"
#include "config_text.h"
#include "placement.h"

/* More are a slip of the pen: a year of measuring. */
#define MAX_CELLS 100000
#define DEFAULT_PLACEMENT "compact"
#define DEFAULT_MEMORY "local"

static const char *word_of(const struct setting *s, unsigned i, const char *missing)
{
	return s->count ? setting_word(s, i)->text : missing;
}

static unsigned at_least_one(unsigned n)
{
	return n ? n : 1;
}

static uint64_t count_cells(const struct axes *a)
{
	uint64_t n = a->lock_count;

	for (unsigned i = 0; a->workload->params && a->workload->params[i].name; i++)
		n *= a->value_count[i];
	n *= a->team_count;
	n *= at_least_one(a->placement.count);
	n *= at_least_one(a->memory.count);
	return n * at_least_one(a->call.count);
}

static const char **copy_counters(const struct setting *s)
{
	const char **names = s->count ? calloc(s->count + 1, sizeof *names) : NULL;

	for (unsigned i = 0; names && i < s->count; i++)
		names[i] = strdup(setting_word(s, i)->text);
	return names;
}

/* One value from each axis: n counts through the product, the last axis fastest. */
static void make_cell(struct cell_spec *c, const struct axes *a, uint64_t n, struct fault *f)
{
	const struct param *p = a->workload->params;
	const struct lock_choice *lock;
	const struct team *team;
	char why[256];
	unsigned i;

	team = &a->teams[n % a->team_count];
	n /= a->team_count;
	i = (unsigned)(n % at_least_one(a->memory.count));
	c->memory = strdup(word_of(&a->memory, i, DEFAULT_MEMORY));
	n /= at_least_one(a->memory.count);
	i = (unsigned)(n % at_least_one(a->placement.count));
	c->placement = strdup(word_of(&a->placement, i, DEFAULT_PLACEMENT));
	n /= at_least_one(a->placement.count);
	i = (unsigned)(n % at_least_one(a->call.count));
	c->outline = !strcmp(word_of(&a->call, i, "inline"), "outline");
	n /= at_least_one(a->call.count);
	lock = &a->locks[n % a->lock_count];
	n /= a->lock_count;
	for (i = 0; p && p[i].name; i++)
		;
	while (i-- > 0) {
		c->params[i] = a->values[i][n % a->value_count[i]];
		n /= a->value_count[i];
	}
	c->experiment = strdup(a->experiment);
	c->lock = strdup(lock->label);
	c->lock_ops = lock->ops;
	memcpy(c->lock_params, lock->params, sizeof c->lock_params);
	c->workload_ops = a->workload;
	c->cell = cells_find(c->outline ? NULL : lock->ops->name, a->workload->name);
	if (!c->cell)
		fault_at(f, &lock->word->at,
			 "lock '%s' was not built with workload '%s'; call = outline can run it",
			 lock->ops->name, a->workload->name);
	/* each cell has tables of its own, equal to those the config was read by */
	if (c->cell && c->cell->lock)
		c->lock_ops = c->cell->lock;
	if (c->cell)
		c->workload_ops = c->cell->workload;
	c->events = a->events;
	plan_count_events(c);
	c->threads = team->threads;
	c->readers = team->readers;
	c->writers = team->writers;
	c->cpus = calloc(c->threads, sizeof *c->cpus);
	if (!c->cpus)
		fault_at(f, &a->at, "no memory for %u threads", c->threads);
	else if (placement_plan(c->placement, c->threads, c->cpus, why, sizeof why))
		fault_at(f, &a->at, "%s", why);
	c->duration_ns = a->duration_ns;
	c->operations = a->operations;
	c->warmup_ns = a->warmup_ns;
	c->timeout_ns = a->timeout_ns;
	c->repetitions = a->repetitions;
	c->sample_every = a->sample_every;
	c->counters = copy_counters(&a->counters);
	c->baseline = a->baseline ? strdup(a->baseline) : NULL;
}

/* "quick" of "configs/quick.conf" */
static char *stem(const char *path)
{
	const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path;
	const char *dot = strrchr(base, '.');

	return dot && dot != base ? strndup(base, (size_t)(dot - base)) : strdup(base);
}

static struct plan *make_plan(const char *path, const struct axes *all, unsigned count,
			      uint64_t seed, struct fault *f)
{
	struct plan *plan = calloc(1, sizeof *plan);
	struct place at = { path, 0 };
	uint64_t cells = 0;

	for (unsigned e = 0; e < count; e++) {
		uint64_t n = count_cells(&all[e]);

		if (cells + n > MAX_CELLS)
			fault_at(f, &all[e].at,
				 "with experiment '%s' these are %llu cells, more than %d; shorten "
				 "its lists",
				 all[e].experiment, (unsigned long long)(cells + n), MAX_CELLS);
		cells += n;
	}
	if (f->failed || !plan) {
		free(plan);
		return NULL;
	}
	plan->name = stem(path);
	plan->seed = seed;
	plan->cells = calloc(cells, sizeof *plan->cells);
	for (unsigned e = 0; plan->cells && e < count; e++)
		for (uint64_t n = 0; n < count_cells(&all[e]); n++) {
			struct cell_spec *c = &plan->cells[plan->cell_count];

			c->id = plan->cell_count++;
			make_cell(c, &all[e], n, f);
		}
	if (!plan->cells || plan_shuffle(plan))
		fault_at(f, &at, "no memory for %llu cells", (unsigned long long)cells);
	return plan;
}

struct plan *config_plan(const char *path, const char *const *sets, char **text, char *why,
			 size_t size)
{
	struct fault f = { .why = why, .size = size };
	struct config c;
	struct axes *all;
	struct plan *plan = NULL;
	uint64_t seed;

	config_read(&c, path, sets, &f);
	all = calloc(c.experiments + 1, sizeof *all);
	if (!all)
		fault_at(&f, NULL, "no memory for %u experiments", c.experiments);
	for (unsigned e = 0; e < c.experiments && !f.failed; e++)
		axes_fill(&all[e], &c, config_experiment(&c, e), &f);
	if (!f.failed)
		axes_check_globals(&c, all, &f);
	seed = f.failed ? 0 : axes_seed(&c, &f);
	if (!f.failed)
		plan = make_plan(path, all, c.experiments, seed, &f);
	if (!f.failed && plan && text)
		*text = config_text(path, seed, all, c.experiments);
	for (unsigned e = 0; all && e < c.experiments; e++)
		axes_free(&all[e]);
	free(all);
	config_close(&c);
	if (f.failed) {
		plan_free(plan);
		return NULL;
	}
	return plan;
}
