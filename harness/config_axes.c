/* config_axes.c - see config_axes.h: what each key may say. */
#include "config_axes.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cells.h"
#include "memory.h"
#include "placement.h"
#include "suggest.h"
#include "value.h"

#define WHY_SIZE 512
#define MS 1000000ll
#define S 1000000000ll
#define HOUR (3600 * S)

/* Keys with one value. The limits are what still makes a measurement. */
static const struct param duration = { "duration", "", PARAM_TIME, MS, 24 * HOUR, "0.3s" };
static const struct param operations = { "operations", "", PARAM_COUNT, 1, INT64_MAX / 2, "1" };
static const struct param warmup = { "warmup", "", PARAM_TIME, 0, HOUR, "50ms" };
static const struct param repetitions = { "repetitions", "", PARAM_COUNT, 1, 10000, "5" };
static const struct param timeout = { "timeout", "", PARAM_TIME, MS, 48 * HOUR, "10s" };
static const struct param latency = { "latency", "", PARAM_COUNT, 1, INT32_MAX, "1" };
static const struct param seed = { "seed", "", PARAM_COUNT, 0, INT64_MAX, "1" };

static const char *const calls[] = { "inline", "outline", NULL };
static const char *const offs[] = { "off", "on", NULL };
static const struct param events = { "events", "", PARAM_CHOICE, 0, 0, "off", offs };
static const struct param call = { "call", "", PARAM_CHOICE, 0, 0, "inline", calls };

/* One more than any default needs, for a run that ends by a number of operations. */
#define OPERATIONS_TIMEOUT (60 * S)
#define SLACK (10 * S)

static const struct word *only_word(const struct setting *s, struct fault *f)
{
	if (s->count > 1)
		fault_at(f, &setting_word(s, 1)->at, "'%s' takes one value, not a list", s->key);
	return s->count == 1 ? setting_word(s, 0) : NULL;
}

/* The value, the default where nobody gave one, 0 with a fault. */
static int64_t scalar(const struct param *p, const struct setting *s, struct fault *f)
{
	const struct word *w = only_word(s, f);
	char why[WHY_SIZE];
	int64_t value = 0;

	if (f->failed)
		return 0;
	if (value_parse(p, w ? w->text : p->def, &value, why, sizeof why))
		fault_at(f, w ? &w->at : NULL, "%s", why);
	return value;
}

static int64_t scalar_of(const struct param *p, const struct config *c, cfg_t *experiment,
			 struct fault *f)
{
	struct setting s = config_setting(c, experiment, p->name);

	return scalar(p, &s, f);
}

/* "off", "1/64" or 64. */
static uint32_t sample_every(const struct setting *s, struct fault *f)
{
	const struct word *w = only_word(s, f);
	const char *text = w ? w->text : "off";
	char why[WHY_SIZE];
	int64_t n = 0;

	if (f->failed || !strcmp(text, "off"))
		return 0;
	if (!strncmp(text, "1/", 2))
		text += 2;
	if (value_parse(&latency, text, &n, why, sizeof why))
		fault_at(f, &w->at,
			 "latency '%s' is neither \"off\" nor one of so many operations, like "
			 "\"1/64\"",
			 w->text);
	return (uint32_t)n;
}

static void check_policies(const struct setting *s, int (*check)(const char *, char *, size_t),
			   struct fault *f)
{
	char why[WHY_SIZE];

	for (unsigned i = 0; i < s->count; i++) {
		const struct word *w = setting_word(s, i);

		if (check(w->text, why, sizeof why))
			fault_at(f, &w->at, "%s", why);
	}
}

static int check_placement(const char *policy, char *why, size_t size)
{
	return placement_plan(policy, 1, NULL, why, size);
}

static int check_call(const char *text, char *why, size_t size)
{
	int64_t value;

	return value_parse(&call, text, &value, why, size);
}

static int check_counter(const char *name, char *why, size_t size)
{
	snprintf(why, size, "a counter without a name");
	return *name ? 0 : -EINVAL;
}

static void check_counters(const struct setting *s, struct fault *f)
{
	check_policies(s, check_counter, f);
	if (s->count > MAX_COUNTERS)
		fault_at(f, &setting_word(s, MAX_COUNTERS)->at,
			 "more than %d counters; put the others into an experiment of their own",
			 MAX_COUNTERS);
}

/* The time or the operations, whichever is said nearer, and the time limit. */
static void fill_times(struct axes *a, const struct config *c, cfg_t *experiment, struct fault *f)
{
	struct setting d = config_setting(c, experiment, "duration"),
		       o = config_setting(c, experiment, "operations"),
		       t = config_setting(c, experiment, "timeout");

	if (o.count && d.level == o.level)
		fault_at(f, &setting_word(&o, 0)->at,
			 "both 'duration' and 'operations' are given; a cell ends by one of them");
	if (o.level > d.level)
		a->operations = (uint64_t)scalar(&operations, &o, f);
	else
		a->duration_ns = (uint64_t)scalar(&duration, &d, f);
	a->warmup_ns = (uint64_t)scalar_of(&warmup, c, experiment, f);
	a->timeout_ns = (uint64_t)scalar(&timeout, &t, f);
	if (!t.count)
		a->timeout_ns = a->warmup_ns + a->duration_ns +
				(uint64_t)(a->operations ? OPERATIONS_TIMEOUT : SLACK);
	else if (!f->failed && a->timeout_ns <= a->warmup_ns + a->duration_ns) {
		char least[VALUE_SIZE];

		value_print(&timeout, (int64_t)(a->warmup_ns + a->duration_ns), least,
			    sizeof least);
		fault_at(f, &setting_word(&t, 0)->at,
			 "timeout '%s' is no longer than warm-up and duration, which take %s",
			 setting_word(&t, 0)->text, least);
	}
}

static bool fill_param(struct axes *a, unsigned i, const struct setting *s, struct fault *f)
{
	const struct param *p = &a->workload->params[i];
	unsigned n = s->count ? s->count : 1, kept = 0;
	char why[WHY_SIZE];

	a->values[i] = calloc(n, sizeof *a->values[i]);
	if (!a->values[i])
		return false;
	for (unsigned j = 0; j < n; j++) {
		const struct word *w = s->count ? setting_word(s, j) : NULL;
		const struct place *at = w ? &w->at : &a->at;
		int64_t value;
		bool twin = false;

		if (value_parse(p, w ? w->text : p->def, &value, why, sizeof why)) {
			fault_at(f, at, "%s%s", w ? "" : "the default: ", why);
			return false;
		}
		for (unsigned k = 0; k < kept; k++)
			twin = twin || a->values[i][k] == value;
		if (!twin)
			a->values[i][kept++] = value;
	}
	a->value_count[i] = kept;
	return true;
}

static bool has_param(const struct workload_ops *w, const char *name)
{
	for (const struct param *p = w->params; p && p->name; p++)
		if (!strcmp(p->name, name))
			return true;
	return false;
}

static bool fill_params(struct axes *a, const struct config *c, cfg_t *experiment, struct fault *f)
{
	const struct word *w;
	const char *name;

	for (unsigned i = 0; (w = config_param_given(experiment, i, &name)); i++) {
		struct suggest near;

		if (has_param(a->workload, name))
			continue;
		suggest_begin(&near, name);
		for (const struct param *p = a->workload->params; p && p->name; p++)
			suggest_name(&near, p->name);
		fault_at(f, &w->at, "workload '%s' has no parameter '%s'; %s", a->workload->name,
			 name, suggest_end(&near));
		return false;
	}
	for (unsigned i = 0; a->workload->params && a->workload->params[i].name; i++) {
		struct setting s = config_param(c, experiment, a->workload->params[i].name);

		if (!fill_param(a, i, &s, f))
			return false;
	}
	return true;
}

static bool fill_workload(struct axes *a, const struct config *c, cfg_t *experiment,
			  struct fault *f)
{
	struct setting s = config_setting(c, experiment, "workload");
	const struct word *w = only_word(&s, f);
	struct suggest near;

	if (f->failed)
		return false;
	suggest_begin(&near, w ? w->text : "");
	for (const struct workload_ops *const *o = cells_workloads(); *o; o++) {
		if (w && !strcmp((*o)->name, w->text))
			a->workload = *o;
		suggest_name(&near, (*o)->name);
	}
	a->at = w ? w->at : config_end(experiment);
	if (!w)
		fault_at(f, &a->at, "experiment '%s' ends without a workload; %s", a->experiment,
			 suggest_end(&near));
	else if (!a->workload)
		fault_at(f, &w->at, "no workload '%s'; %s", w->text, suggest_end(&near));
	return a->workload;
}

static void fill_baseline(struct axes *a, const struct config *c, cfg_t *experiment,
			  struct fault *f)
{
	struct setting s = config_setting(c, experiment, "baseline");
	const struct word *w = only_word(&s, f);
	struct suggest near;
	bool there = false;

	if (f->failed || !w)
		return;
	a->baseline = locks_label(w, f);
	if (!a->baseline)
		return;
	suggest_begin(&near, a->baseline);
	for (unsigned i = 0; i < a->lock_count; i++) {
		there = there || !strcmp(a->locks[i].label, a->baseline);
		suggest_name(&near, a->locks[i].label);
	}
	if (there)
		return;
	/* inherited: ratios where the lock is, none elsewhere */
	if (s.level == LEVEL_EXPERIMENT)
		fault_at(f, &w->at,
			 "the baseline '%s' is not among the locks of experiment '%s'; %s",
			 a->baseline, a->experiment, suggest_end(&near));
	free(a->baseline);
	a->baseline = NULL;
}

bool axes_fill(struct axes *a, const struct config *c, cfg_t *experiment, struct fault *f)
{
	struct setting locks = config_setting(c, experiment, "locks"),
		       latencies = config_setting(c, experiment, "latency");

	*a = (struct axes){ .experiment = cfg_title(experiment) };
	if (!*a->experiment || strpbrk(a->experiment, "\n\t")) {
		struct place end = config_end(experiment);

		fault_at(f, &end, "an experiment needs a name, of one line and without tabs");
		return false;
	}
	if (!fill_workload(a, c, experiment, f) || !fill_params(a, c, experiment, f))
		return false;
	if (!locks.count)
		fault_at(f, &a->at,
			 "experiment '%s' has no locks; write locks = {\"pthread_*\", …}",
			 a->experiment);
	if (f->failed || !locks_resolve(&a->locks, &a->lock_count, &locks, f) ||
	    !teams_resolve(a, c, experiment, f))
		return false;
	a->placement = config_setting(c, experiment, "placement");
	check_policies(&a->placement, check_placement, f);
	a->memory = config_setting(c, experiment, "memory");
	check_policies(&a->memory, memory_check, f);
	a->call = config_setting(c, experiment, "call");
	check_policies(&a->call, check_call, f);
	a->counters = config_setting(c, experiment, "counters");
	check_counters(&a->counters, f);
	a->repetitions = (unsigned)scalar_of(&repetitions, c, experiment, f);
	a->sample_every = sample_every(&latencies, f);
	a->events = scalar_of(&events, c, experiment, f);
	fill_times(a, c, experiment, f);
	fill_baseline(a, c, experiment, f);
	return !f->failed;
}

void axes_free(struct axes *a)
{
	for (unsigned i = 0; i < MAX_PARAMS; i++)
		free(a->values[i]);
	locks_free(a->locks, a->lock_count);
	free(a->teams);
	free(a->baseline);
	*a = (struct axes){ 0 };
}

uint64_t axes_seed(const struct config *c, struct fault *f)
{
	return (uint64_t)scalar_of(&seed, c, NULL, f);
}

/* Parameters that a block above the experiments gives, and no workload here takes. */
static void check_unused(const struct config *c, cfg_t *block, const struct axes *all,
			 struct fault *f)
{
	const struct word *w;
	const char *name;

	for (unsigned i = 0; (w = config_param_given(block, i, &name)); i++) {
		bool used = false;

		for (unsigned e = 0; e < c->experiments; e++)
			used = used || has_param(all[e].workload, name);
		if (!used)
			fault_at(f, &w->at,
				 "parameter '%s' has no effect: no workload of this config has it",
				 name);
	}
}

void axes_check_globals(const struct config *c, const struct axes *all, struct fault *f)
{
	static const char *const team_keys[] = { "threads", "readers", "writers" };
	static const struct param *const scalars[] = { &duration,    &operations, &warmup,
						       &repetitions, &timeout,	  &events };
	struct setting s = config_setting(c, NULL, "locks");
	struct lock_choice *locks;
	const struct word *w;
	unsigned count, *numbers;
	bool used = false;

	check_unused(c, c->file, all, f);
	check_unused(c, c->set, all, f);
	locks_resolve(&locks, &count, &s, f);
	locks_free(locks, count);
	for (unsigned i = 0; i < 3; i++) {
		s = config_setting(c, NULL, team_keys[i]);
		teams_numbers(&numbers, &count, &s, i ? 0 : 1, f);
		free(numbers);
	}
	s = config_setting(c, NULL, "placement");
	check_policies(&s, check_placement, f);
	s = config_setting(c, NULL, "memory");
	check_policies(&s, memory_check, f);
	s = config_setting(c, NULL, "call");
	check_policies(&s, check_call, f);
	s = config_setting(c, NULL, "counters");
	check_counters(&s, f);
	s = config_setting(c, NULL, "latency");
	sample_every(&s, f);
	for (unsigned i = 0; i < sizeof scalars / sizeof *scalars; i++)
		scalar_of(scalars[i], c, NULL, f);
	s = config_setting(c, NULL, "baseline");
	w = only_word(&s, f);
	for (unsigned e = 0; w && e < c->experiments; e++)
		used = used || all[e].baseline;
	if (w && !used)
		fault_at(f, &w->at, "the baseline '%s' is not among the locks of any experiment",
			 w->text);
}
