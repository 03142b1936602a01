/* plan_json.c - see plan_json.h. */
#include "plan_json.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "cells.h"
#include "record.h"

#define PLAN_SCHEMA 1

static json_t *text(const char *s)
{
	return s ? json_string(s) : json_null();
}

static json_t *write_cell(const struct cell_spec *c)
{
	json_t *o = json_object(), *cpus = json_array(), *counters = json_array();

	for (unsigned i = 0; c->cpus && i < c->threads; i++)
		json_array_append_new(cpus, json_integer(c->cpus[i]));
	for (const char **n = c->counters; n && *n; n++)
		json_array_append_new(counters, json_string(*n));
	json_object_set_new(o, "id", json_integer(c->id));
	json_object_set_new(o, "experiment", text(c->experiment));
	json_object_set_new(o, "lock", json_string(c->lock));
	json_object_set_new(o, "lock_file", json_string(c->lock_ops->name));
	json_object_set_new(o, "workload", json_string(c->workload_ops->name));
	json_object_set_new(o, "call", json_string(c->outline ? "outline" : "inline"));
	json_object_set_new(o, "params", record_params(c->workload_ops->params, c->params));
	json_object_set_new(o, "lock_params", record_params(c->lock_ops->params, c->lock_params));
	json_object_set_new(o, "threads", json_integer(c->threads));
	json_object_set_new(o, "readers", json_integer(c->readers));
	json_object_set_new(o, "writers", json_integer(c->writers));
	json_object_set_new(o, "placement", text(c->placement));
	json_object_set_new(o, "cpus", cpus);
	json_object_set_new(o, "memory", text(c->memory));
	json_object_set_new(o, "duration_ns", json_integer((json_int_t)c->duration_ns));
	json_object_set_new(o, "operations", json_integer((json_int_t)c->operations));
	json_object_set_new(o, "warmup_ns", json_integer((json_int_t)c->warmup_ns));
	json_object_set_new(o, "timeout_ns", json_integer((json_int_t)c->timeout_ns));
	json_object_set_new(o, "repetitions", json_integer(c->repetitions));
	json_object_set_new(o, "sample_every", json_integer(c->sample_every));
	json_object_set_new(o, "events", json_boolean(c->events));
	json_object_set_new(o, "counters", counters);
	json_object_set_new(o, "baseline", text(c->baseline));
	return o;
}

json_t *plan_write_json(const struct plan *plan)
{
	json_t *cells = json_array(), *steps = json_array();

	for (unsigned i = 0; i < plan->cell_count; i++)
		json_array_append_new(cells, write_cell(&plan->cells[i]));
	for (unsigned i = 0; i < plan->step_count; i++)
		json_array_append_new(steps, json_pack("[i,i]", (int)plan->steps[i].cell,
						       (int)plan->steps[i].repetition));
	return json_pack("{s:i,s:o,s:I,s:o,s:o}", "schema", PLAN_SCHEMA, "name", text(plan->name),
			 "seed", (json_int_t)plan->seed, "cells", cells, "steps", steps);
}

/* --- reading: the first fault stays --- */

struct reader {
	char *why;
	size_t size;
	const char *where; /* "cell 3" */
	bool failed;
};

__attribute__((format(printf, 2, 3))) static void fault(struct reader *r, const char *format, ...)
{
	va_list args;
	int n;

	if (r->failed)
		return;
	r->failed = true;
	n = snprintf(r->why, r->size, "plan.json, %s: ", r->where);
	va_start(args, format);
	if (n > 0 && (size_t)n < r->size)
		vsnprintf(r->why + n, r->size - (size_t)n, format, args);
	va_end(args);
}

static uint64_t whole(struct reader *r, const json_t *o, const char *key, uint64_t max)
{
	const json_t *v = json_object_get(o, key);
	json_int_t n = json_integer_value(v);

	if (!json_is_integer(v) || n < 0 || (uint64_t)n > max) {
		fault(r, "'%s' is no whole number from 0 to %llu", key, (unsigned long long)max);
		return 0;
	}
	return (uint64_t)n;
}

/* A copy, or NULL for null. */
static const char *word(struct reader *r, const json_t *o, const char *key, bool needed)
{
	const json_t *v = json_object_get(o, key);

	if (json_is_string(v))
		return strdup(json_string_value(v));
	if (needed || !json_is_null(v))
		fault(r, "'%s' is no text", key);
	return NULL;
}

static void read_params(struct reader *r, const json_t *o, const struct param *params,
			int64_t *values, const char *whose)
{
	size_t known = 0;

	for (; params && params[known].name; known++) {
		const struct param *p = &params[known];
		const json_t *v = json_object_get(o, p->name);
		int64_t k = 0;

		if (p->kind == PARAM_CHOICE) {
			while (json_is_string(v) && p->choices[k] &&
			       strcmp(p->choices[k], json_string_value(v)))
				k++;
			if (!json_is_string(v) || !p->choices[k])
				fault(r, "%s has no such '%s' in this build", whose, p->name);
		} else {
			k = json_integer_value(v);
			if (!json_is_integer(v) || k < p->min || k > p->max)
				fault(r, "'%s' of %s is missing or out of range", p->name, whose);
		}
		values[known] = k;
	}
	if (json_object_size(o) != known)
		fault(r, "%s has other parameters in this build", whose);
}

static void read_cpus(struct reader *r, const json_t *array, struct cell_spec *c)
{
	if (json_array_size(array) != c->threads) {
		fault(r, "'cpus' is no list of %u CPUs", c->threads);
		return;
	}
	c->cpus = calloc(c->threads, sizeof(*c->cpus));
	for (unsigned i = 0; c->cpus && i < c->threads; i++)
		c->cpus[i] = (int32_t)json_integer_value(json_array_get(array, i));
}

static void read_counters(const json_t *array, struct cell_spec *c)
{
	size_t n = json_array_size(array);

	if (!n)
		return;
	c->counters = calloc(n + 1, sizeof(*c->counters));
	for (size_t i = 0; c->counters && i < n; i++)
		c->counters[i] = strdup(json_string_value(json_array_get(array, i)) ?: "");
}

static void read_cell(struct reader *r, const json_t *o, struct cell_spec *c)
{
	const char *lock = word(r, o, "lock_file", true);
	const char *workload = word(r, o, "workload", true), *call = word(r, o, "call", true);
	const struct cell *cell = NULL;

	c->experiment = word(r, o, "experiment", false);
	c->lock = word(r, o, "lock", true);
	c->placement = word(r, o, "placement", false);
	c->memory = word(r, o, "memory", false);
	c->baseline = word(r, o, "baseline", false);
	c->threads = (unsigned)whole(r, o, "threads", 1u << 20);
	c->readers = (unsigned)whole(r, o, "readers", c->threads);
	c->writers = (unsigned)whole(r, o, "writers", c->threads);
	c->duration_ns = whole(r, o, "duration_ns", INT64_MAX);
	c->operations = whole(r, o, "operations", INT64_MAX);
	c->warmup_ns = whole(r, o, "warmup_ns", INT64_MAX);
	c->timeout_ns = whole(r, o, "timeout_ns", INT64_MAX);
	c->repetitions = (unsigned)whole(r, o, "repetitions", 1u << 20);
	c->sample_every = (uint32_t)whole(r, o, "sample_every", UINT32_MAX);
	/* plans written before there were events have no such key */
	c->events = json_is_true(json_object_get(o, "events"));
	if (!c->threads)
		fault(r, "no threads");
	if (!r->failed)
		cell = cells_find(lock, workload);
	if (!r->failed && !cell)
		fault(r, "this build has no lock '%s' with workload '%s'; --plugin adds one", lock,
		      workload);
	if (r->failed)
		return;
	c->lock_ops = cell->lock;
	c->workload_ops = cell->workload;
	c->outline = !strcmp(call, "outline");
	c->cell = c->outline ? cells_find(NULL, workload) : cell;
	plan_count_events(c);
	read_params(r, json_object_get(o, "params"), c->workload_ops->params, c->params, workload);
	read_params(r, json_object_get(o, "lock_params"), c->lock_ops->params, c->lock_params,
		    lock);
	read_cpus(r, json_object_get(o, "cpus"), c);
	read_counters(json_object_get(o, "counters"), c);
}

static void read_steps(struct reader *r, const json_t *array, struct plan *plan)
{
	for (unsigned i = 0; i < plan->step_count; i++) {
		json_int_t cell = -1, rep = -1;

		if (json_unpack((json_t *)json_array_get(array, i), "[I,I]", &cell, &rep) ||
		    cell < 0 || cell >= (json_int_t)plan->cell_count || rep < 0 ||
		    rep >= (json_int_t)plan->cells[cell].repetitions)
			fault(r, "step %u names no cell and repetition of the plan", i);
		if (r->failed)
			return;
		plan->steps[i] = (struct plan_step){ (unsigned)cell, (unsigned)rep };
	}
}

struct plan *plan_read_json(const json_t *json, char *why, size_t size)
{
	struct reader r = { .why = why, .size = size, .where = "the top" };
	struct plan *plan = calloc(1, sizeof(*plan));
	const json_t *cells = json_object_get(json, "cells"),
		     *steps = json_object_get(json, "steps");
	char where[32];

	if (json_integer_value(json_object_get(json, "schema")) != PLAN_SCHEMA)
		fault(&r, "the schema is not %d", PLAN_SCHEMA);
	plan->name = word(&r, json, "name", true);
	plan->seed = (uint64_t)json_integer_value(json_object_get(json, "seed"));
	plan->cell_count = (unsigned)json_array_size(cells);
	plan->step_count = (unsigned)json_array_size(steps);
	plan->cells = calloc(plan->cell_count + 1, sizeof(*plan->cells));
	plan->steps = calloc(plan->step_count + 1, sizeof(*plan->steps));
	if (!plan->cells || !plan->steps || !plan->cell_count)
		fault(&r, "no cells");
	r.where = where;
	for (unsigned i = 0; i < plan->cell_count && !r.failed; i++) {
		snprintf(where, sizeof(where), "cell %u", i);
		plan->cells[i].id = i;
		read_cell(&r, json_array_get(cells, i), &plan->cells[i]);
	}
	snprintf(where, sizeof(where), "the steps");
	if (!r.failed)
		read_steps(&r, steps, plan);
	return r.failed ? NULL : plan;
}
