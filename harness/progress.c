/* progress.c - see progress.h. */
#include "progress.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define BAR 24
/* of an operation-limited cell, before one of them was seen */
#define GUESS_NS 100000000

static uint64_t asked(const struct cell_spec *spec)
{
	return spec->warmup_ns + (spec->duration_ns ? spec->duration_ns : GUESS_NS);
}

int progress_begin(struct progress *p, const struct plan *plan, const bool *done,
		   enum verbosity verbosity)
{
	*p = (struct progress){
		.plan = plan,
		.verbosity = verbosity,
		.terminal = isatty(STDERR_FILENO),
		.left = calloc(plan->cell_count + 1, sizeof(*p->left)),
		.rates = calloc(plan->cell_count + 1, sizeof(*p->rates)),
		.ok = calloc(plan->cell_count + 1, sizeof(*p->ok)),
		.started_ns = clock_now(),
	};
	if (!p->left || !p->rates || !p->ok)
		return -ENOMEM;
	for (unsigned i = 0; i < plan->step_count; i++) {
		if (done && done[i])
			continue;
		p->left[plan->steps[i].cell]++;
		p->todo++;
		p->asked_left_ns += asked(&plan->cells[plan->steps[i].cell]);
	}
	return 0;
}

static void print_seconds(double s)
{
	if (s < 90)
		fprintf(stderr, "%.0f s", s);
	else if (s < 5400)
		fprintf(stderr, "%.0f min", s / 60);
	else
		fprintf(stderr, "%.1f h", s / 3600);
}

static double seconds_left(const struct progress *p)
{
	double spent = (double)(clock_now() - p->started_ns);

	/* as the part that is done went: with its set-ups, reruns and time limits */
	return spent / (double)p->asked_done_ns * (double)p->asked_left_ns / 1e9;
}

static void print_cell(const struct cell_spec *spec)
{
	fprintf(stderr, "%s %s %s, %u thread%s", spec->experiment ? spec->experiment : "",
		spec->workload_ops->name, spec->lock, spec->threads, spec->threads == 1 ? "" : "s");
	if (spec->workload_ops->has_roles)
		fprintf(stderr, " (%u read, %u write)", spec->readers, spec->writers);
}

static void bar(const struct progress *p, const struct cell_spec *spec)
{
	unsigned full = p->todo ? p->done * BAR / p->todo : BAR;

	fputs("\r\033[K[", stderr);
	for (unsigned i = 0; i < BAR; i++)
		fputc(i < full ? '#' : '.', stderr);
	fprintf(stderr, "] %u/%u, ", p->done, p->todo);
	print_seconds(seconds_left(p));
	fputs(" left  ", stderr);
	print_cell(spec);
}

static void step_line(const struct plan_step *step, const struct cell_spec *spec,
		      const json_t *record)
{
	print_cell(spec);
	fprintf(stderr, ", repetition %u: %s", step->repetition,
		json_string_value(json_object_get(record, "status")));
	if (json_is_string(json_object_get(record, "reason")))
		fprintf(stderr, ": %s", json_string_value(json_object_get(record, "reason")));
	else
		fprintf(stderr, ", %.4g M/s",
			json_number_value(json_object_get(record, "throughput")) / 1e6);
	fputc('\n', stderr);
}

static void cell_line(const struct progress *p, unsigned cell)
{
	const struct cell_spec *spec = &p->plan->cells[cell];

	fprintf(stderr, "%u/%u: ", p->done, p->todo);
	print_cell(spec);
	fprintf(stderr, ": %.4g M %s/s, ", p->rates[cell] / p->ok[cell] / 1e6,
		spec->workload_ops->unit);
	print_seconds(seconds_left(p));
	fprintf(stderr, " left\n");
}

void progress_step(struct progress *p, const struct plan_step *step, const json_t *record)
{
	const struct cell_spec *spec = &p->plan->cells[step->cell];
	const char *status = json_string_value(json_object_get(record, "status"));
	bool ok = !strcmp(status, "ok");

	p->done++;
	p->asked_done_ns += asked(spec);
	p->asked_left_ns -= asked(spec);
	p->left[step->cell]--;
	if (ok) {
		p->ok[step->cell]++;
		p->rates[step->cell] += json_number_value(json_object_get(record, "throughput"));
	}
	if (p->verbosity == QUIET)
		return;
	/* what went wrong is said at once, also above the bar */
	if (!ok || p->verbosity == VERBOSE) {
		if (p->terminal)
			fputs("\r\033[K", stderr);
		step_line(step, spec, record);
	}
	if (p->terminal)
		bar(p, spec);
	else if (!p->left[step->cell] && p->ok[step->cell] && p->verbosity == NORMAL)
		cell_line(p, step->cell);
}

void progress_end(struct progress *p)
{
	if (p->terminal && p->verbosity != QUIET && p->done)
		fputc('\n', stderr);
	free(p->left);
	free(p->rates);
	free(p->ok);
	*p = (struct progress){ 0 };
}
