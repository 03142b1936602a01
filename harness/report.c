/* report.c - see report.h. */
#include "report.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "child.h"
#include "plot_sources.h"
#include "text.h"

static const char *folder_name(const char *path, char *text, size_t size)
{
	size_t n = strlen(path);
	const char *at;

	while (n > 1 && path[n - 1] == '/')
		n--;
	at = path + n;
	while (at > path && at[-1] != '/')
		at--;
	snprintf(text, size, "%.*s", (int)(path + n - at), at);
	return text;
}

/* Reasons of what is not ok, each once with how often. */
static void faults(FILE *f, const struct readings *r)
{
	bool any = false;

	for (unsigned i = 0; i < r->cells; i++) {
		const struct reading_cell *c = &r->cell[i];
		const char *reason = NULL;
		char fault[64];

		for (unsigned k = 0; k < c->readings && !reason; k++)
			if (c->reading[k].status == c->worst)
				reason = c->reading[k].reason;
		if (!c->bad)
			continue;
		if (!any)
			fputs("<h2 id=\"faults\">What did not end well</h2>\n<div class=\"wide\">"
			      "<table><tr><th>lock</th><th>experiment</th><th>threads</th>"
			      "<th>status</th><th>reason</th></tr>\n",
			      f);
		any = true;
		fputs("<tr><th>", f);
		text_html(f, c->lock);
		fputs("</th><td>", f);
		text_html(f, c->experiment ? c->experiment : c->workload);
		fprintf(f, "</td><td>%u</td><td class=\"bad\">%s</td><td>", c->threads,
			cell_fault(c, fault, sizeof(fault)));
		text_html(f, reason ? reason : "");
		fputs("</td></tr>\n", f);
	}
	if (any)
		fputs("</table></div>\n", f);
}

static void head(FILE *f, const struct album *a, const char *name)
{
	const struct readings *r = a->readings;
	const char *model = readings_host(r, "cpu_model"), *kernel = readings_host(r, "kernel");
	unsigned bad = 0, dirty = 0, far = 0;

	for (unsigned i = 0; i < r->cells; i++) {
		bad += r->cell[i].bad;
		dirty += r->cell[i].dirty;
		far += r->cell[i].far;
	}
	fputs("<h1>", f);
	text_html(f, name);
	fputs("</h1>\n<p class=\"grey\">", f);
	text_html(f, model ? model : "unknown processor");
	if (json_is_true(json_object_get(r->host, "virtual")))
		fputs(", virtual", f);
	fputs(kernel ? ", Linux " : "", f);
	text_html(f, kernel ? kernel : "");
	fprintf(f,
		"<br>%u repetitions of %u cells; %u did not end well, %u were disturbed, "
		"%u were measured at another distance of the CPUs and left out</p>\n",
		r->records, r->cells, bad, dirty, far);
	if (!r->records)
		fputs("<p>There are no records in this folder.</p>\n", f);
	fputs("<nav><ul>\n", f);
	for (unsigned i = 0; i < a->groups->count; i++) {
		fprintf(f, "<li><a href=\"#g%u\">", i);
		text_html(f, a->groups->group[i].title);
		fputs("</a></li>\n", f);
	}
	if (bad)
		fputs("<li><a href=\"#faults\">What did not end well</a></li>\n", f);
	fputs("</ul></nav>\n", f);
}

static void throughput_cell(FILE *f, const struct reading_cell *c)
{
	char a[32], b[32], fault[64];

	if (!c) {
		fputs("<td></td>", f);
		return;
	}
	fprintf(f, "<td%s>", c->bad ? " class=\"bad\"" : "");
	if (c->two_modes)
		fprintf(f, "%s or %s<small>two modes: %u and %u runs</small>",
			text_si(a, sizeof(a), c->mode[0]), text_si(b, sizeof(b), c->mode[1]),
			c->lower, c->values - c->lower);
	else if (c->values)
		fputs(text_si(a, sizeof(a), c->median), f);
	if (c->values && !c->two_modes && !isnan(c->interval.low))
		fprintf(f, "<small>%s to %s</small>", text_si(a, sizeof(a), c->interval.low),
			text_si(b, sizeof(b), c->interval.high));
	else if (c->values && c->values < STATS_LEAST_RUNS)
		fprintf(f, "<small>%u run%s: no interval</small>", c->values,
			c->values == 1 ? "" : "s");
	if (c->bad)
		fprintf(f, "%s— %s", c->values ? "<small class=\"bad\">" : "",
			cell_fault(c, fault, sizeof(fault)));
	if (c->bad && c->values)
		fputs("</small>", f);
	if (c->dirty)
		fprintf(f, "<small>%u disturbed</small>", c->dirty);
	fputs("</td>", f);
}

static void throughput_table(FILE *f, const struct group *g)
{
	char runs[32];

	fputs("<div class=\"wide\"><table><caption>", f);
	text_html(f, g->any->unit);
	fprintf(f,
		" per second: median of %s, 95 %% bootstrap interval below</caption>\n<tr>"
		"<th>%s</th>",
		group_runs(g, runs, sizeof(runs)), g->roles ? "readers, writers" : "threads");
	for (unsigned x = 0; x < g->xs; x++)
		fprintf(f, "<th%s>%s</th>",
			g->x[x].oversubscribed ? " class=\"over\" title=\"more threads than CPUs\""
					       : "",
			g->x[x].label);
	fputs("</tr>\n", f);
	for (unsigned l = 0; l < g->locks; l++) {
		fputs("<tr><th>", f);
		text_html(f, g->lock[l]);
		fputs("</th>", f);
		for (unsigned x = 0; x < g->xs; x++)
			throughput_cell(f, group_cell(g, l, x));
		fputs("</tr>\n", f);
	}
	fputs("</table></div>\n", f);
}

/* What a high throughput may have been bought with. */
static void price_row(FILE *f, const struct reading_cell *c)
{
	double *v[4], per_write, median[4];
	unsigned n = 0;
	char text[32];

	for (unsigned i = 0; i < 4; i++) {
		v[i] = calloc(c->readings + 1, sizeof(**v));
		if (!v[i])
			abort();
	}
	for (unsigned k = 0; k < c->readings; k++) {
		const struct reading *r = &c->reading[k];

		if (!r->pooled)
			continue;
		per_write = r->writes > 0 ? r->handovers / r->writes : NAN;
		v[0][n] = r->gap_max_ns;
		v[1][n] = per_write;
		v[2][n] = isnan(r->jain_readers) ? r->jain : r->jain_readers;
		v[3][n] = isnan(r->jain_readers) ? r->jain : r->jain_writers;
		n++;
	}
	for (unsigned i = 0; i < 4; i++) {
		bool known = n;

		for (unsigned k = 0; k < n; k++)
			known &= !isnan(v[i][k]);
		median[i] = known ? stats_median(v[i], n) : NAN;
		free(v[i]);
	}
	fprintf(f, "<td>%s</td>", text_time(text, sizeof(text), median[0]));
	fprintf(f, "<td>%s</td>", text_small(text, sizeof(text), median[1]));
	for (unsigned i = 2; i < (c->readers < 0 ? 3 : 4); i++)
		if (isnan(median[i]))
			fputs("<td>–</td>", f);
		else
			fprintf(f, "<td>%.3f</td>", median[i]);
}

static void price_table(FILE *f, const struct group *g, unsigned x)
{
	char at[64];

	fprintf(f,
		"<div class=\"wide\"><table><caption>At %s: what the throughput was bought "
		"with; medians</caption>\n<tr><th>lock</th><th>longest gap of a thread</th>"
		"<th>hand-overs a write</th>%s</tr>\n",
		group_x_text(g, x, at, sizeof(at)),
		g->roles ? "<th>Jain, readers</th><th>Jain, writers</th>" : "<th>Jain index</th>");
	for (unsigned l = 0; l < g->locks; l++) {
		const struct reading_cell *c = group_cell(g, l, x);

		if (!c || !c->values)
			continue;
		fputs("<tr><th>", f);
		text_html(f, c->lock);
		fputs("</th>", f);
		price_row(f, c);
		fputs("</tr>\n", f);
	}
	fputs("</table></div>\n", f);
}

/*
 * The file from <svg on, with its own names made unique: a page has many
 * pictures, and gnuplot gives all their parts the same names.
 */
static bool put_svg(FILE *f, const char *path, unsigned number)
{
	static const char *const before[] = { "id='", "id=\"", "href='#", "href=\"#", "url(#" };
	FILE *svg = fopen(path, "re");
	char *text = NULL, *at;
	size_t size = 0, got = 0;

	if (!svg)
		return false;
	do {
		text = realloc(text, size + 65537);
		if (!text)
			abort();
		got = fread(text + size, 1, 65536, svg);
		size += got;
	} while (got);
	text[size] = '\0';
	fclose(svg);
	at = strstr(text, "<svg");
	for (; at && *at; at++) {
		size_t matched = 0;

		for (size_t i = 0; i < sizeof(before) / sizeof(*before) && !matched; i++)
			if (!strncmp(at, before[i], strlen(before[i])))
				matched = strlen(before[i]);
		if (matched) {
			fprintf(f, "%.*sp%u-", (int)matched, at, number);
			at += matched - 1;
		} else {
			putc(*at, f);
		}
	}
	free(text);
	return true;
}

static void figure(FILE *f, const struct album *a, unsigned number, const char *plots, bool pdf)
{
	const struct picture *p = &a->picture[number];
	char *path = text_append(NULL, "%s/%s.svg", plots, p->name);

	if (p->drawn) {
		fputs("<figure role=\"img\" aria-label=\"", f);
		text_html(f, p->title);
		fputs("\">\n", f);
		if (!put_svg(f, path, number))
			fputs("<p>The picture is missing.</p>", f);
		fprintf(f, "\n<figcaption><a href=\"%s.svg\">svg</a> <a href=\"%s.png\">png</a> ",
			p->name, p->name);
		if (pdf)
			fprintf(f, "<a href=\"%s.pdf\">pdf</a> ", p->name);
		fprintf(f,
			"<a href=\"data/%s.gp\">gnuplot</a> <a href=\"data/%s.dat\">data</a>"
			"</figcaption>\n</figure>\n",
			p->name, p->name);
	}
	free(path);
}

static void body(FILE *f, const struct album *a, const char *plots, const char *name, bool pdf)
{
	head(f, a, name);
	for (unsigned i = 0; i < a->count; i++)
		if (!a->picture[i].group)
			figure(f, a, i, plots, pdf);
	for (unsigned i = 0; i < a->groups->count; i++) {
		const struct group *g = &a->groups->group[i];

		fprintf(f, "<h2 id=\"g%u\">", i);
		text_html(f, g->title);
		fputs("</h2>\n<p class=\"grey\">", f);
		text_html(f, g->about);
		fputs("</p>\n", f);
		throughput_table(f, g);
		price_table(f, g, g->busiest_fitting);
		if (g->busiest != g->busiest_fitting)
			price_table(f, g, g->busiest);
		for (unsigned k = 0; k < a->count; k++)
			if (a->picture[k].group == g)
				figure(f, a, k, plots, pdf);
	}
	faults(f, a->readings);
}

int report_write(const struct album *a, const char *plots, bool pdf)
{
	const struct plot_source *page = plot_source("report.html");
	char *path = text_append(NULL, "%s/index.html", plots);
	char *made = text_append(NULL, "%s/index.html.new", plots), name[256];
	FILE *f = fopen(made, "we");
	int rc = f ? 0 : -errno;

	folder_name(a->readings->path, name, sizeof(name));
	for (const char *s = page->begin; f && s < page->end; s++) {
		if (!strncmp(s, "@TITLE@", 7)) {
			text_html(f, name);
			s += 6;
		} else if (!strncmp(s, "@BODY@", 6)) {
			body(f, a, plots, name, pdf);
			s += 5;
		} else {
			putc(*s, f);
		}
	}
	if (f && ferror(f))
		rc = -EIO;
	if (f && fclose(f) && !rc)
		rc = -errno;
	if (!rc && rename(made, path))
		rc = -errno;
	if (rc)
		fprintf(stderr, "%s: %s\n", path, strerror(-rc));
	free(path);
	free(made);
	return rc;
}
