/* floor.c - see floor.h. */
#include "floor.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cells.h"
#include "child.h"
#include "record.h"

#define FLOOR_TRIES 3
#define FLOOR_NS 5000000
#define FLOOR_WARMUP_NS 500000
#define FLOOR_TIMEOUT_NS 5000000000

#define CLOCK_READS 10000

static void clock_resolution(struct floors *f)
{
	uint64_t first = clock_now(), last = first, now = first;

	f->clock_ns = UINT64_MAX;
	for (int i = 0; i < CLOCK_READS; i++, last = now) {
		now = clock_now();
		if (now > last && now - last < f->clock_ns)
			f->clock_ns = now - last;
	}
	f->clock_cost_ns = (double)(now - first) / CLOCK_READS;
}

/* The cell of the floor under this one; false where the build has none. */
static bool floor_spec(const struct cell_spec *of, struct cell_spec *spec)
{
	const struct cell *none = cells_find("none", of->workload_ops->name);

	if (!none)
		return false;
	*spec = *of;
	spec->lock = "none";
	spec->lock_ops = none->lock;
	spec->cell = of->outline ? cells_find(NULL, of->workload_ops->name) : none;
	spec->threads = 1;
	spec->readers = of->readers > 0;
	spec->writers = !of->readers && of->writers;
	spec->memory = NULL;
	spec->duration_ns = FLOOR_NS;
	spec->operations = 0;
	spec->warmup_ns = FLOOR_WARMUP_NS;
	spec->timeout_ns = FLOOR_TIMEOUT_NS;
	spec->sample_every = 0;
	spec->counters = NULL;
	memset(spec->lock_params, 0, sizeof(spec->lock_params));
	return spec->cell;
}

static bool same_floor(const struct cell_spec *a, const struct cell_spec *b)
{
	return !strcmp(a->workload_ops->name, b->workload_ops->name) && a->outline == b->outline &&
	       !memcmp(a->params, b->params, sizeof(a->params)) && !a->readers == !b->readers &&
	       !a->writers == !b->writers;
}

/* The fastest of some tries: disturbance only makes one slower. */
static int measure(const struct cell_spec *spec, const volatile sig_atomic_t *interrupts,
		   double *ns)
{
	*ns = NAN;
	for (int i = 0; i < FLOOR_TRIES; i++) {
		struct sample *s = sample_new(1);
		int rc;

		if (!s)
			return -ENOMEM;
		rc = child_run(spec, 1, 0, interrupts, s);
		if (!rc && s->status == STATUS_OK && s->slots[0].ops)
			*ns = fmin(*ns, (double)(s->slots[0].end_ns - s->slots[0].start_ns) /
						(double)s->slots[0].ops);
		sample_free(s);
		if (interrupts && *interrupts)
			return -EINTR;
		if (rc || isnan(*ns))
			break;
	}
	return 0;
}

int floors_measure(struct floors *f, const struct plan *plan,
		   const volatile sig_atomic_t *interrupts)
{
	int rc = 0;

	*f = (struct floors){ .ns = calloc(plan->cell_count + 1, sizeof(*f->ns)),
			      .reason = calloc(plan->cell_count + 1, sizeof(*f->reason)),
			      .json = json_array() };
	if (!f->ns || !f->reason || !f->json)
		return -ENOMEM;
	clock_resolution(f);
	for (unsigned i = 0; i < plan->cell_count && !rc; i++) {
		const struct cell_spec *cell = &plan->cells[i];
		struct cell_spec spec;
		unsigned k = 0;

		while (k < i && !same_floor(&plan->cells[k], cell))
			k++;
		if (k < i) {
			f->ns[i] = f->ns[k];
			f->reason[i] = f->reason[k];
			continue;
		}
		f->ns[i] = NAN;
		if (!floor_spec(cell, &spec)) {
			f->reason[i] = "this build has no lock 'none' with the workload";
			continue;
		}
		rc = measure(&spec, interrupts, &f->ns[i]);
		if (isnan(f->ns[i])) {
			f->reason[i] = "the loop without a lock could not be measured";
			continue;
		}
		json_array_append_new(
			f->json,
			json_pack("{s:s,s:s,s:o,s:f}", "workload", cell->workload_ops->name, "call",
				  cell->outline ? "outline" : "inline", "params",
				  record_params(cell->workload_ops->params, cell->params), "ns",
				  f->ns[i]));
	}
	return rc;
}

void floors_free(struct floors *f)
{
	free(f->ns);
	free(f->reason);
	json_decref(f->json);
	*f = (struct floors){ 0 };
}
