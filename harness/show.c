/* show.c - see show.h. */
#include "show.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "gnuplot.h"
#include "picture.h"
#include "plot_sources.h"
#include "text.h"

#define MOST_TABLES 8
#define GRAPH_ROWS 16
#define BAR 30

struct marks {
	bool modes, dirty, fault, over;
};

static void pad(FILE *to, const char *s, size_t width, bool right)
{
	size_t n = text_width(s), left = n < width ? width - n : 0;

	fprintf(to, right ? "%*s" : "%.*s", right ? (int)left : 0, "");
	fputs(s, to);
	if (!right)
		fprintf(to, "%*s", (int)left, "");
}

/* "12.3 M", "12.3 M~!", "hung" */
static void cell_text(const struct reading_cell *c, char *text, size_t size, struct marks *marks)
{
	char value[32], fault[64];

	if (!c) {
		snprintf(text, size, "·");
		return;
	}
	if (c->bad && !c->values) {
		cell_fault(c, text, size);
		marks->fault = true;
		return;
	}
	snprintf(text, size, "%s%s%s%s%s", text_si(value, sizeof(value), c->median),
		 c->two_modes ? "~" : "", c->dirty ? "!" : "", c->bad ? ", " : "",
		 cell_fault(c, fault, sizeof(fault)));
	marks->modes |= c->two_modes;
	marks->dirty |= c->dirty;
	marks->fault |= c->bad;
}

static size_t column_width(const struct group *g, unsigned x)
{
	size_t width = text_width(g->x[x].label) + 1;
	struct marks marks = { 0 };
	char text[96];

	for (unsigned l = 0; l < g->locks; l++) {
		cell_text(group_cell(g, l, x), text, sizeof(text), &marks);
		if (text_width(text) > width)
			width = text_width(text);
	}
	return width + 2;
}

static void bar(FILE *to, const struct group *g, const struct reading_cell *c)
{
	double most = 0;

	for (unsigned l = 0; l < g->locks; l++) {
		const struct reading_cell *o = group_cell(g, l, 0);

		most = o && o->median > most ? o->median : most;
	}
	fputs("  ", to);
	for (int i = 0; c && i < (int)lround(BAR * c->median / most); i++)
		fputs("█", to);
}

static void table(const struct group *g, FILE *to, struct marks *marks)
{
	size_t *width = calloc(g->xs, sizeof(*width)), name = strlen("lock");
	char text[96], runs[32];

	if (!width)
		abort();
	for (unsigned l = 0; l < g->locks; l++)
		if (text_width(g->lock[l]) > name)
			name = text_width(g->lock[l]);
	fprintf(to, "\n%s\n%s per second, median of %s, by %s\n\n  ", g->title, g->any->unit,
		group_runs(g, runs, sizeof(runs)), g->roles ? "readers and writers" : "threads");
	pad(to, "lock", name, false);
	for (unsigned x = 0; x < g->xs; x++) {
		snprintf(text, sizeof(text), "%s%s", g->x[x].label,
			 g->x[x].oversubscribed ? "+" : "");
		marks->over |= g->x[x].oversubscribed;
		width[x] = column_width(g, x);
		pad(to, text, width[x], true);
	}
	fputs("\n", to);
	for (unsigned l = 0; l < g->locks; l++) {
		fputs("  ", to);
		pad(to, g->lock[l], name, false);
		for (unsigned x = 0; x < g->xs; x++) {
			cell_text(group_cell(g, l, x), text, sizeof(text), marks);
			pad(to, text, width[x], true);
		}
		if (g->xs == 1)
			bar(to, g, group_cell(g, l, 0));
		fputs("\n", to);
	}
	free(width);
}

static void footnotes(const struct marks *marks, FILE *to)
{
	if (marks->over || marks->modes || marks->dirty || marks->fault)
		fputs("\n", to);
	if (marks->over)
		fputs("  +  more threads than CPUs\n", to);
	if (marks->modes)
		fputs("  ~  the runs form two heaps, and the median says little\n", to);
	if (marks->dirty)
		fputs("  !  some of the runs were disturbed\n", to);
	if (marks->fault)
		fputs("  hung, crashed, violated, unsupported: the reasons are in records.jsonl\n",
		      to);
}

/* The group that a line says most about. */
static const struct group *best_graph(const struct groups *all)
{
	const struct group *best = NULL;

	for (unsigned i = 0; i < all->count; i++) {
		const struct group *g = &all->group[i];

		if (g->xs > 1 && g->runs_high && g->locks <= GRAPH_ROWS &&
		    (!best || g->xs > best->xs))
			best = g;
	}
	return best;
}

static void put_data(FILE *f, const struct group *g, double *last, double *low, double *high)
{
	fputs("$DATA << END_OF_DATA\n", f);
	for (unsigned l = 0; l < g->locks; l++) {
		last[l] = NAN;
		for (unsigned x = 0; x < g->xs; x++) {
			const struct reading_cell *c = group_cell(g, l, x);

			if (!c || !(c->median > 0)) {
				fprintf(f, "%g NaN\n", picture_x(g, x));
				continue;
			}
			fprintf(f, "%g %.9g\n", picture_x(g, x), c->median);
			last[l] = log(c->median);
			*low = fmin(*low, c->median);
			*high = fmax(*high, c->median);
		}
		fputs("\n\n", f);
	}
	fputs("END_OF_DATA\n", f);
}

static int graph(const struct group *g, FILE *to)
{
	struct picture p = { .gp = tmpfile() };
	const struct plot_source *source = plot_source("terminal.gp");
	double *last = calloc(g->locks, sizeof(*last)), low = INFINITY, high = 0;
	size_t longest = 0;
	struct axis y;
	int rc;

	if (!p.gp || !last) {
		free(last);
		return p.gp ? -ENOMEM : -errno;
	}
	put_data(p.gp, g, last, &low, &high);
	y = axis_log(low, high, 6, text_si);
	spread(last, g->locks, log(y.high / y.low) / GRAPH_ROWS, log(y.low), log(y.high));
	for (unsigned l = 0; l < g->locks; l++) {
		last[l] = exp(last[l]);
		if (text_width(g->lock[l]) > longest)
			longest = text_width(g->lock[l]);
	}
	picture_number(&p, "N", g->locks);
	picture_texts(&p, "LOCK", g->lock, g->locks);
	picture_array(&p, "LABEL_Y", last, g->locks);
	picture_number(&p, "RIGHT", (double)longest + 4);
	picture_axis(&p, "Y", &y);
	picture_axis_x(&p, g, 79 * 6);
	fwrite(source->begin, 1, (size_t)(source->end - source->begin), p.gp);
	fprintf(to, "\n%s: %s per second (log)\n", g->title, g->any->unit);
	fflush(to);
	rc = gnuplot_print(p.gp, to);
	fclose(p.gp);
	free(last);
	return rc;
}

int show_results(const char *dir, FILE *to)
{
	const struct group *drawn;
	struct marks marks = { 0 };
	struct readings r;
	struct groups g;
	char why[512];
	int rc = 0;

	if (readings_read(&r, dir, why, sizeof(why))) {
		fprintf(stderr, "show: %s\n", why);
		readings_free(&r);
		return -EINVAL;
	}
	groups_make(&g, &r);
	if (!r.records)
		fprintf(to, "no records in %s\n", dir);
	for (unsigned i = 0; i < g.count && i < MOST_TABLES; i++)
		table(&g.group[i], to, &marks);
	if (g.count > MOST_TABLES)
		fprintf(to, "\n  … %u more tables are in %s/plots/index.html\n",
			g.count - MOST_TABLES, dir);
	footnotes(&marks, to);
	drawn = best_graph(&g);
	if (drawn && gnuplot_found())
		rc = graph(drawn, to);
	else if (drawn)
		fprintf(stderr, "show: gnuplot is not installed: no graph\n");
	groups_free(&g);
	readings_free(&r);
	return rc;
}
