/* run.c - see run.h. */
#include "run.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include "child.h"
#include "counters.h"
#include "noise.h"
#include "placement.h"
#include "record.h"
#include "verbs.h"

/*
 * Reruns may lengthen a run by a quarter. Where nearly everything is disturbed
 * they help nothing, and the marks in the records say so.
 */
#define RERUN_SHARE 4
#define RERUNS_AT_FIRST 2

struct rerun_budget {
	unsigned steps, spent;
};

static bool may_rerun(const struct rerun_budget *b)
{
	return b->spent < RERUNS_AT_FIRST + b->steps / RERUN_SHARE;
}

/* Another stream of draws for each repetition, the same in a resumed run. */
static uint64_t seed_of(const struct plan *plan, const struct plan_step *step)
{
	return plan->seed + 0x9e3779b97f4a7c15u * (((uint64_t)step->cell << 20) + step->repetition);
}

/*
 * One repetition and its reruns. The last attempt is the one that counts, clean
 * or not: choosing among them would choose the result.
 */
static int repeat(const struct plan *plan, const struct plan_step *step,
		  const struct run_options *options, struct rerun_budget *budget,
		  struct record *record)
{
	const struct cell_spec *spec = &plan->cells[step->cell];
	struct noise_mark mark;
	struct noise noise;
	struct sample *s;
	int rc;

	for (record->attempts = 1;; record->attempts++) {
		s = sample_new(spec->threads);
		if (!s)
			return -errno;
		clock_gettime(CLOCK_REALTIME, &record->started);
		noise_begin(&mark, spec->cpus, spec->threads);
		rc = child_run(spec, seed_of(plan, step), step->repetition, options->interrupts, s);
		noise_end(&mark, load_acq(&s->measured) ? s : NULL, &noise);
		if (rc && rc != -EINTR) {
			s->status = STATUS_UNSUPPORTED;
			snprintf(s->reason, REASON_SIZE, "no process could be made: %s",
				 strerror(-rc));
			rc = 0;
		}
		if (rc || s->status != STATUS_OK || !noise.dirty ||
		    record->attempts > options->reruns || !may_rerun(budget) ||
		    *options->interrupts)
			break;
		budget->spent++;
		sample_free(s);
	}
	if (rc) {
		sample_free(s);
		return rc;
	}
	budget->steps++;
	record->sample = s;
	record->noise = noise_json(&noise);
	return 0;
}

static int do_step(const struct plan *plan, unsigned seq, struct results *results,
		   const struct floors *floors, const struct run_options *options,
		   struct rerun_budget *budget, struct progress *progress, bool *ok)
{
	const struct plan_step *step = &plan->steps[seq];
	struct record record = {
		.spec = &plan->cells[step->cell],
		.rep = step->repetition,
		.seq = seq,
		.floor_ns = floors ? floors->ns[step->cell] : NAN,
		.floor_reason = floors ? floors->reason[step->cell] : NULL,
		.topology_cpus = placement_cpus(),
	};
	json_t *json;
	int rc = repeat(plan, step, options, budget, &record);

	if (rc)
		return rc;
	json = record_json(&record);
	*ok = record.sample->status == STATUS_OK;
	rc = record_append(results->records, json);
	if (rc)
		fprintf(stderr, "run: cannot write %s/records.jsonl: %s\n", results->path,
			strerror(-rc));
	else
		progress_step(progress, step, json);
	json_decref(json);
	json_decref(record.noise);
	sample_free((struct sample *)record.sample);
	return rc;
}

int run_plan(const struct plan *plan, struct results *results, const struct results_left *left,
	     const struct floors *floors, const struct run_options *options)
{
	static const volatile sig_atomic_t never;
	struct run_options with = *options;
	unsigned not_ok = left ? left->not_ok : 0;
	struct rerun_budget budget = { 0 };
	struct progress progress;
	int rc;

	if (!with.interrupts)
		with.interrupts = &never;
	rc = progress_begin(&progress, plan, left ? left->done : NULL, options->verbosity);
	/* in the parent, once: children inherit what was found */
	placement_cpus();
	for (unsigned i = 0; i < plan->cell_count; i++)
		counters_probe((const char *const *)plan->cells[i].counters);
	for (unsigned i = 0; i < plan->step_count && !rc; i++) {
		bool ok = false;

		if (left && left->done[i])
			continue;
		if (*with.interrupts)
			rc = -EINTR;
		else
			rc = do_step(plan, i, results, floors, &with, &budget, &progress, &ok);
		not_ok += !rc && !ok;
	}
	progress_end(&progress);
	if (rc == -EINTR)
		return EXIT_INTERRUPTED;
	if (rc)
		fprintf(stderr, "run: %s\n", strerror(-rc));
	return rc || not_ok ? EXIT_CELLS : EXIT_FINE;
}
