/* picture_by_lock.c - a row a lock, at one number of threads: fairness, time, counters. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "picture.h"
#include "text.h"

#define WIDTH 1000

/* The locks that have something to show at x, as indices. */
static unsigned rows_at(const struct group *g, unsigned x, unsigned *row)
{
	unsigned n = 0;

	for (unsigned l = 0; l < g->locks; l++)
		if (group_cell(g, l, x) && group_cell(g, l, x)->values)
			row[n++] = l;
	return n;
}

static struct picture *begin(struct album *a, const char *kind, const char *what,
			     const struct group *g, unsigned x)
{
	char *slug = text_append(NULL, "%s-%s", g->slug, g->x[x].label);
	char at[64];
	char *title =
		text_append(NULL, "%s, %s: %s", g->title, group_x_text(g, x, at, sizeof(at)), what);
	struct picture *p;

	for (char *s = slug; *s; s++)
		*s = *s == ' ' ? '-' : *s;
	p = picture_begin(a, kind, slug, g, title);
	free(slug);
	free(title);
	return p;
}

static void end(struct album *a, struct picture *p, const struct group *g, unsigned x, unsigned n)
{
	picture_note_missing(p, g, x);
	picture_names(p, g->lock, g->locks);
	picture_note_machine(a, p, g);
	picture_number(p, "N", n);
	picture_end(a, p, WIDTH, 150 + 34 * n + 17);
}

/* The median over the pooled repetitions of what f says. */
static double median_of(const struct reading_cell *c, double (*f)(const struct reading *))
{
	double *v = calloc(c->readings + 1, sizeof(*v)), m;
	unsigned n = 0;

	if (!v)
		abort();
	for (unsigned k = 0; k < c->readings; k++) {
		double one = c->reading[k].pooled ? f(&c->reading[k]) : NAN;

		if (!isnan(one))
			v[n++] = one;
	}
	m = stats_median(v, n);
	free(v);
	return m;
}

static double jain(const struct reading *r)
{
	return r->jain;
}

static double jain_readers(const struct reading *r)
{
	return r->jain_readers;
}

static double jain_writers(const struct reading *r)
{
	return r->jain_writers;
}

/* The pooled repetition whose Jain index is nearest to the median one. */
static const struct reading *typical(const struct reading_cell *c)
{
	const struct reading *best = NULL;
	double middle = median_of(c, jain);

	for (unsigned k = 0; k < c->readings; k++)
		if (c->reading[k].pooled &&
		    (!best || fabs(c->reading[k].jain - middle) < fabs(best->jain - middle)))
			best = &c->reading[k];
	return best;
}

static int role_of(json_t *roles, size_t i)
{
	const char *s = json_string_value(json_array_get(roles, i));

	return s && !strcmp(s, "reader") ? 1 : s && !strcmp(s, "writer") ? 2 : 0;
}

static void put_shares(struct picture *p, const struct reading *r, unsigned row)
{
	json_t *thread = json_object_get(r->json, "thread"), *v;
	json_t *ops = json_object_get(thread, "ops"), *roles = json_object_get(thread, "role");
	double sum[3] = { 0 };
	unsigned count[3] = { 0 };
	size_t i;

	json_array_foreach(ops, i, v)
	{
		sum[role_of(roles, i)] += json_number_value(v);
		count[role_of(roles, i)]++;
	}
	json_array_foreach(ops, i, v)
	{
		int role = role_of(roles, i);

		if (sum[role] > 0)
			fprintf(p->dat, "%.6g %u %d %zu\n",
				json_number_value(v) * count[role] / sum[role], row, role, i);
	}
}

static void fairness_at(struct album *a, const struct group *g, unsigned x)
{
	unsigned *row = calloc(g->locks + 1, sizeof(*row)), n;
	struct picture *p;
	char runs[32];

	if (!row)
		abort();
	n = g->x[x].threads > 1 ? rows_at(g, x, row) : 0;
	p = n ? begin(a, "fairness", "each thread's share", g, x) : NULL;
	for (unsigned i = 0; p && i < n; i++)
		put_shares(p, typical(group_cell(g, row[i], x)), i);
	if (p) {
		picture_block(p);
		for (unsigned i = 0; i < n; i++) {
			const struct reading_cell *c = group_cell(g, row[i], x);
			char text[64];

			if (g->roles)
				snprintf(text, sizeof(text), "%.3f  %.3f",
					 median_of(c, jain_readers), median_of(c, jain_writers));
			else
				snprintf(text, sizeof(text), "%.3f", median_of(c, jain));
			for (char *s = strstr(text, "nan"); s; s = strstr(text, "nan"))
				memcpy(s, " - ", 3);
			fprintf(p->dat, "%u ", i);
			picture_put_text(p, c->lock);
			picture_put_text(p, text);
			fputs("\n", p->dat);
		}
		picture_number(p, "ROLES", g->roles);
		picture_number(p, "JAIN_WIDTH", g->roles ? 160 : 90);
		picture_text(p, "JAIN_TITLE", g->roles ? "Jain readers, writers" : "Jain index");
		picture_note(p, "a dot a thread, of the run with the median Jain index%s",
			     g->roles ? "; shares within the role" : "");
		picture_note(p, "Jain: median of %s, 1 = fair", group_runs(g, runs, sizeof(runs)));
		end(a, p, g, x, n);
	}
	free(row);
}

static double threads_time(const struct reading *r)
{
	json_t *ops = json_object_get(json_object_get(r->json, "thread"), "ops");

	return r->wall_ns * (double)json_array_size(ops);
}

static double user_share(const struct reading *r)
{
	return reading_thread_sum(r, "user_ns") / threads_time(r);
}

static double system_share(const struct reading *r)
{
	return reading_thread_sum(r, "system_ns") / threads_time(r);
}

static double switches(const struct reading *r)
{
	return r->ops > 0
		       ? (reading_thread_sum(r, "nvcsw") + reading_thread_sum(r, "nivcsw")) / r->ops
		       : NAN;
}

/* An axis for values that may be 0, which then stand at its low end. */
static struct axis axis_with_zero(const double *v, unsigned n)
{
	double low = INFINITY, high = 0;
	struct axis a;

	for (unsigned i = 0; i < n; i++)
		if (v[i] > 0) {
			low = fmin(low, v[i]);
			high = fmax(high, v[i]);
		}
	if (!(high > 0))
		low = high = 1;
	a = axis_log(low / 10, high, 5, text_small);
	return a;
}

static void time_at(struct album *a, const struct group *g, unsigned x)
{
	unsigned *row = calloc(g->locks + 1, sizeof(*row)), n;
	double *per = calloc(g->locks + 1, sizeof(*per));
	struct picture *p;
	struct axis axis;
	char runs[32];

	if (!row || !per)
		abort();
	n = rows_at(g, x, row);
	p = n ? begin(a, "time", "where the time goes", g, x) : NULL;
	for (unsigned i = 0; p && i < n; i++) {
		const struct reading_cell *c = group_cell(g, row[i], x);
		double user = median_of(c, user_share), system = median_of(c, system_share);
		char text[32];

		per[i] = median_of(c, switches);
		/* ticks of the clock may bring the sum a little above the whole */
		if (user + system > 1) {
			double all = user + system;

			user /= all;
			system /= all;
		}
		picture_put_text(p, c->lock);
		picture_put(p, user);
		picture_put(p, system);
		picture_put(p, per[i]);
		picture_put_text(p, text_small(text, sizeof(text), per[i]));
		fprintf(p->dat, "%u\n", i);
	}
	if (p) {
		axis = axis_with_zero(per, n);
		picture_axis(p, "X", &axis);
		picture_note(p, "median of %s", group_runs(g, runs, sizeof(runs)));
		end(a, p, g, x, n);
	}
	free(per);
	free(row);
}

/* Median per operation; NAN with the reason where no run has it. */
static double counter_of(const struct reading_cell *c, const char *name, const char **reason)
{
	double *v = calloc(c->readings + 1, sizeof(*v)), m;
	unsigned n = 0;

	if (!v)
		abort();
	*reason = NULL;
	for (unsigned k = 0; k < c->readings; k++) {
		const char *why = NULL;
		double one = c->reading[k].pooled ? reading_counter(&c->reading[k], name, &why)
						  : NAN;

		if (!isnan(one))
			v[n++] = one;
		else if (why)
			*reason = why;
	}
	m = stats_median(v, n);
	free(v);
	return m;
}

#define PANELS 3

static void panel(struct picture *p, const struct group *g, unsigned x, const unsigned *row,
		  unsigned n, const char *name, struct axis *axis)
{
	double *v = calloc(n + 1, sizeof(*v));

	if (!v)
		abort();
	for (unsigned i = 0; i < n; i++) {
		const struct reading_cell *c = group_cell(g, row[i], x);
		const char *reason;
		char text[32];

		v[i] = counter_of(c, name, &reason);
		fprintf(p->dat, "%u ", i);
		picture_put_text(p, c->lock);
		picture_put(p, v[i]);
		picture_put_text(p, isnan(v[i]) ? "not measured"
						: text_small(text, sizeof(text), v[i]));
		fputs("\n", p->dat);
	}
	picture_block(p);
	*axis = axis_with_zero(v, n);
	free(v);
}

/* Counters with a value anywhere at x; the reasons of the others become notes. */
static unsigned counters_at(const struct group *g, unsigned x, const char **name, char **missing)
{
	unsigned n = 0;

	*missing = text_append(NULL, "%s", "");
	for (unsigned l = 0; l < g->locks; l++) {
		const struct reading_cell *c = group_cell(g, l, x);
		json_t *o = NULL, *value;
		const char *key, *reason;

		for (unsigned k = 0; c && k < c->readings && !json_object_size(o); k++)
			if (c->reading[k].pooled)
				o = json_object_get(c->reading[k].json, "counters");
		json_object_foreach(o, key, value)
		{
			bool known = strstr(*missing, key);

			for (unsigned i = 0; i < n; i++)
				known |= !strcmp(name[i], key);
			if (known || n == MAX_COUNTERS)
				continue;
			if (!isnan(counter_of(c, key, &reason)))
				name[n++] = key;
			else if (reason)
				*missing = text_append(*missing, "%s%s: %s", **missing ? "; " : "",
						       key, reason);
		}
	}
	return n;
}

static void counters_page(struct album *a, const struct group *g, unsigned x, const unsigned *row,
			  unsigned n, const char **name, unsigned names, unsigned page,
			  const char *missing)
{
	char what[64] = "events per operation", runs[32];
	double low[PANELS], high[PANELS];
	const char *tics[PANELS];
	struct picture *p;

	if (page)
		snprintf(what, sizeof(what), "events per operation (%u)", page + 1);
	p = begin(a, page ? "counters-more" : "counters", what, g, x);
	if (!p)
		return;
	p->kind = "counters";
	for (unsigned i = 0; i < names; i++) {
		struct axis axis;

		panel(p, g, x, row, n, name[i], &axis);
		low[i] = axis.low;
		high[i] = axis.high;
		tics[i] = axis.tics;
	}
	picture_number(p, "PANELS", names);
	picture_texts(p, "COUNTER", name, names);
	picture_array(p, "LOW", low, names);
	picture_array(p, "HIGH", high, names);
	for (unsigned i = 0; i < names; i++) {
		fprintf(p->gp, "TICS_%u = \"(%s)\"\n", i + 1, tics[i]);
		free((char *)tics[i]);
	}
	picture_note(p, "median of %s, log", group_runs(g, runs, sizeof(runs)));
	if (*missing)
		picture_note(p, "not measured: %s", missing);
	end(a, p, g, x, n);
}

static void counters_by_lock(struct album *a, const struct group *g, unsigned x)
{
	unsigned *row = calloc(g->locks + 1, sizeof(*row)), n;
	const char *name[MAX_COUNTERS];
	char *missing;
	unsigned names;

	if (!row)
		abort();
	n = rows_at(g, x, row);
	names = counters_at(g, x, name, &missing);
	for (unsigned i = 0; n && i < names; i += PANELS)
		counters_page(a, g, x, row, n, name + i, names - i < PANELS ? names - i : PANELS,
			      i / PANELS, missing);
	free(missing);
	free(row);
}

static void both(struct album *a, const struct group *g,
		 void (*at)(struct album *, const struct group *, unsigned))
{
	at(a, g, g->busiest_fitting);
	if (g->busiest != g->busiest_fitting)
		at(a, g, g->busiest);
}

void pictures_fairness(struct album *a, const struct group *g)
{
	both(a, g, fairness_at);
}

void pictures_time(struct album *a, const struct group *g)
{
	both(a, g, time_at);
}

void pictures_counters(struct album *a, const struct group *g)
{
	both(a, g, counters_by_lock);
}
