/* picture_latency.c - waiting time by nines, of all pooled repetitions merged. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "picture.h"
#include "text.h"

#define WIDTH 1000
#define HEIGHT 600
#define REMAIN 10 /* a percentile is shown while this many samples lie above it */

static uint64_t merge(const struct reading_cell *c, int kind, uint64_t *count)
{
	uint64_t total = 0;

	memset(count, 0, HISTOGRAM_BUCKETS * sizeof(*count));
	for (unsigned k = 0; c && k < c->readings; k++) {
		const struct waits *w = &c->reading[k].wait[kind];

		for (unsigned i = 0; c->reading[k].pooled && i < w->buckets; i++)
			count[w->index[i]] += w->count[i];
		total += c->reading[k].pooled ? w->total : 0;
	}
	return total;
}

struct ends {
	double x, low, high; /* the furthest nines, the least and the longest wait */
	double *last;	     /* [locks], ns where the line ends; NAN without samples */
};

/*
 * A block a lock, rows as far as REMAIN samples remain; widens the ends. Leaves
 * out rows that are nearer to the last one than `step` in both directions:
 * nobody would see them, and the page would be megabytes.
 */
static void put_curves(struct picture *p, const struct group *g, unsigned x, int kind, double step,
		       struct ends *ends)
{
	uint64_t *count = calloc(HISTOGRAM_BUCKETS, sizeof(*count));

	if (!count)
		abort();
	for (unsigned l = 0; l < g->locks; l++) {
		uint64_t total = merge(group_cell(g, l, x), kind, count), below = 0;
		double put_nines = 0, put_ns = 0, ns = NAN;

		for (unsigned i = 0; total >= 2 * REMAIN && i < HISTOGRAM_BUCKETS; i++) {
			/* bucket i holds the quantiles from `below` samples on */
			double nines = (double)total / (double)(total - below);

			if (!count[i])
				continue;
			if (total - below < REMAIN)
				break;
			ns = fmax(1, (double)histogram_low(i));
			below += count[i];
			if (nines < put_nines * step && ns < put_ns * step)
				continue;
			fprintf(p->dat, "%.9g %.9g\n", nines, ns);
			put_nines = nines;
			put_ns = ns;
			ends->low = fmin(ends->low, ns);
		}
		ends->last[l] = ns;
		if (!isnan(ns)) {
			/* to where the last REMAIN samples begin */
			fprintf(p->dat, "%.9g %.9g\n", (double)total / REMAIN, ns);
			ends->x = fmax(ends->x, (double)total / REMAIN);
			ends->high = fmax(ends->high, ns);
		}
		picture_block(p);
	}
	free(count);
}

/* Again a block a lock: the points at which a line carries its mark. */
static void put_marks(struct picture *p, const struct group *g, unsigned x, int kind)
{
	static const double at[] = { 2, 10, 100, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8 };
	uint64_t *count = calloc(HISTOGRAM_BUCKETS, sizeof(*count));

	if (!count)
		abort();
	for (unsigned l = 0; l < g->locks; l++) {
		uint64_t total = merge(group_cell(g, l, x), kind, count), below = 0;
		unsigned k = 0;

		for (unsigned i = 0; total >= 2 * REMAIN && i < HISTOGRAM_BUCKETS; i++) {
			below += count[i];
			for (; k < sizeof(at) / sizeof(*at) && (double)total / at[k] >= REMAIN &&
			       (double)below >= (double)total * (1 - 1 / at[k]);
			     k++)
				fprintf(p->dat, "%.9g %.9g\n", at[k],
					fmax(1, (double)histogram_low(i)));
		}
		picture_block(p);
	}
	free(count);
}

static void axis_nines(struct picture *p, double furthest)
{
	char *tics = text_append(NULL, "%s", "'p0' 1, 'p50' 2, 'p90' 10");
	char *few = text_append(NULL, "%s", "'p50' 2");
	bool odd = true;
	char name[32] = "p99";
	double v = 100;

	for (; v <= furthest * 1.5 && v < 1e12; v *= 10) {
		tics = text_append(tics, ", '%s' %.9g", name, v);
		if (odd)
			few = text_append(few, ", '%s' %.9g", name, v);
		odd = !odd;
		strcat(name, strchr(name, '.') ? "9" : ".9");
	}
	fprintf(p->gp, "X_HIGH = %.9g\nX_TICS = \"(%s)\"\n", fmax(furthest, 20) * 1.05, tics);
	fprintf(p->gp, "X_FEW = \"(%s)\"\n", few);
	free(few);
	free(tics);
}

static void label_ends(struct picture *p, const struct group *g, const struct axis *y, double *last)
{
	size_t longest = 0;

	for (unsigned l = 0; l < g->locks; l++) {
		last[l] = log(last[l]);
		if (!isnan(last[l]) && text_width(g->lock[l]) > longest)
			longest = text_width(g->lock[l]);
	}
	spread(last, g->locks, log(y->high / y->low) * 19 / (HEIGHT - 160), log(y->low),
	       log(y->high));
	for (unsigned l = 0; l < g->locks; l++)
		last[l] = exp(last[l]);
	picture_array(p, "LABEL_Y", last, g->locks);
	picture_number(p, "RIGHT", 36 + (double)longest * 9.3);
}

static bool floor_in(const struct group *g)
{
	for (unsigned l = 0; l < g->locks; l++)
		if (is_floor(g->lock[l]))
			return true;
	return false;
}

/* Locks that ran, but left no line. */
static void note_scarce(struct picture *p, const struct group *g, unsigned x, const double *last)
{
	char *scarce = text_append(NULL, "%s", "");

	for (unsigned l = 0; l < g->locks; l++)
		if (isnan(last[l]) && group_cell(g, l, x) && group_cell(g, l, x)->values)
			scarce = text_append(scarce, "%s%s", *scarce ? ", " : "", g->lock[l]);
	if (*scarce)
		picture_note(p, "fewer than %d samples: %s", 2 * REMAIN, scarce);
	free(scarce);
}

static void one(struct album *a, const struct group *g, unsigned x, int kind)
{
	const char *of = kind == WAIT_READ ? "read" : "write";
	char *slug = text_append(NULL, "%s-%s-%s", of, g->slug, g->x[x].label);
	char at[64], runs[32];
	char *title = text_append(NULL, "%s, %s: time to acquire for %s", g->title,
				  group_x_text(g, x, at, sizeof(at)), of);
	double *last = calloc(g->locks, sizeof(*last));
	struct ends ends = { 1, INFINITY, 0, last };
	struct picture *p;
	struct axis y;

	if (!last)
		abort();
	for (char *s = slug; *s; s++)
		*s = *s == ' ' ? '-' : *s;
	p = picture_begin(a, "latency", slug, g, title);
	if (p) {
		bool many = g->locks > PICTURE_DIRECT + (floor_in(g) ? 1 : 0);
		unsigned columns = g->locks > 12 ? 5 : 4, rows = (g->locks + columns - 1) / columns;

		put_curves(p, g, x, kind, many ? 1.06 : 1.015, &ends);
		put_marks(p, g, x, kind);
		y = axis_log(ends.low, ends.high, 8, text_time);
		label_ends(p, g, &y, last);
		picture_axis(p, "Y", &y);
		axis_nines(p, ends.x);
		picture_lock_styles(a, p, g);
		picture_number(p, "COLUMNS", many ? columns : 0);
		picture_number(p, "ROWS", rows);
		picture_note(p, "%s merged, every %.0fth operation sampled",
			     group_runs(g, runs, sizeof(runs)),
			     json_number_value(
				     json_object_get(g->any->reading[0].json, "sample_every")));
		picture_note(p, "a line stops where fewer than %d samples remain", REMAIN);
		if (many)
			picture_note(p, "grey lines: all other locks");
		note_scarce(p, g, x, last);
		picture_note_missing(p, g, x);
		picture_note_machine(a, p, g);
		picture_end(a, p, many ? 1240 : WIDTH, many ? 135 + 210 * rows : HEIGHT);
	}
	free(last);
	free(title);
	free(slug);
}

static bool sampled(const struct group *g, unsigned x, int kind)
{
	for (unsigned l = 0; l < g->locks; l++) {
		const struct reading_cell *c = group_cell(g, l, x);

		for (unsigned k = 0; c && k < c->readings; k++)
			if (c->reading[k].pooled && c->reading[k].wait[kind].total >= 2 * REMAIN)
				return true;
	}
	return false;
}

void pictures_latency(struct album *a, const struct group *g)
{
	for (int kind = 0; kind < WAIT_KINDS; kind++) {
		if (sampled(g, g->busiest_fitting, kind))
			one(a, g, g->busiest_fitting, kind);
		if (g->busiest != g->busiest_fitting && sampled(g, g->busiest, kind))
			one(a, g, g->busiest, kind);
	}
}
