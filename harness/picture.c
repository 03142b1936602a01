/* picture.c - the files of one picture; see picture.h. */
#include "picture.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "text.h"

static FILE *create(struct album *a, const char *name, const char *ending)
{
	char *path;
	FILE *f;

	if (asprintf(&path, "%s/%s.%s", a->data, name, ending) < 0)
		abort();
	f = fopen(path, "we");
	if (!f && !a->error) {
		a->error = -errno;
		fprintf(stderr, "%s: %s\n", path, strerror(errno));
	}
	free(path);
	return f;
}

struct picture *picture_begin(struct album *a, const char *kind, const char *slug,
			      const struct group *group, const char *title)
{
	struct picture *p;

	a->picture = realloc(a->picture, (a->count + 1) * sizeof(*p));
	if (!a->picture)
		abort();
	p = &a->picture[a->count];
	*p = (struct picture){ .kind = kind, .group = group };
	p->name = text_append(NULL, "%s-%s", kind, slug);
	p->title = text_append(NULL, "%s", title);
	p->notes = text_append(NULL, "%s", "");
	p->gp = create(a, p->name, "gp");
	p->dat = p->gp ? create(a, p->name, "dat") : NULL;
	a->count++;
	if (!p->dat)
		return NULL;
	fprintf(p->gp, "# gnuplot %s.gp draws it again, beside this folder\n", p->name);
	picture_text(p, "NAME", p->name);
	picture_text(p, "TITLE", title);
	return p;
}

/* The notes cut into lines at the divisions. */
static void put_notes(struct picture *p, unsigned width)
{
	const size_t most = (width - 40) * 10 / 64;
	const char *at = p->notes;
	char *line = text_append(NULL, "%s", ""), *lines[8];
	unsigned n = 0;

	while (*at) {
		const char *end = strstr(at, " · ");
		int size = (int)(end ? (size_t)(end - at) : strlen(at));
		char *part = text_append(NULL, "%.*s", size, at);

		if (*line && text_width(line) + text_width(part) + 3 > most && n < 7) {
			lines[n++] = line;
			line = text_append(NULL, "%s", "");
		}
		line = text_append(line, "%s%s", *line ? " · " : "", part);
		free(part);
		at += size;
		at += *at ? strlen(" · ") : 0;
	}
	lines[n++] = line;
	picture_texts(p, "NOTE", (const char *const *)lines, n);
	picture_number(p, "TOP", 46 + 17 * n);
	for (unsigned i = 0; i < n; i++)
		free(lines[i]);
}

void picture_end(struct album *a, struct picture *p, unsigned width, unsigned height)
{
	bool bad;

	put_notes(p, width);
	picture_number(p, "W", width);
	picture_number(p, "H", height);
	fprintf(p->gp,
		"if (!exists('TERMS')) TERMS = 'svg png'\n"
		"do for [TERM in TERMS] {\n"
		"\tload 'style.gp'\n"
		"\tload '%s.gp'\n"
		"\tunset output\n"
		"\treset\n"
		"}\n",
		p->kind);
	bad = ferror(p->gp) | ferror(p->dat);
	bad |= fclose(p->gp) | fclose(p->dat);
	p->gp = p->dat = NULL;
	if (bad && !a->error) {
		a->error = -EIO;
		fprintf(stderr, "%s: cannot write the files of %s\n", a->data, p->name);
	}
}

void picture_note(struct picture *p, const char *format, ...)
{
	char text[512];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	if (*text)
		p->notes = text_append(p->notes, "%s%s", *p->notes ? " · " : "", text);
}

void picture_note_runs(struct picture *p, const struct group *g, const char *interval)
{
	char length[32], runs[32];
	const struct reading_cell *c = g->any;

	if (isnan(c->duration_ns))
		snprintf(length, sizeof(length), "%.0f operations a thread", c->operations);
	else
		text_time(length, sizeof(length), c->duration_ns);
	picture_note(p, "median of %s of %s", group_runs(g, runs, sizeof(runs)), length);
	if (g->runs_high < STATS_LEAST_RUNS)
		picture_note(p, "fewer than %d runs: no interval", STATS_LEAST_RUNS);
	else if (interval)
		picture_note(p, "%s: 95 %% bootstrap interval%s", interval,
			     g->runs_low < STATS_LEAST_RUNS ? " where there are 5 runs" : "");
	if (g->far)
		picture_note(p, "%u run%s at another distance of the CPUs left out", g->far,
			     g->far == 1 ? "" : "s");
}

void picture_note_machine(struct album *a, struct picture *p, const struct group *g)
{
	const char *model = readings_host(a->readings, "cpu_model");
	const char *kernel = readings_host(a->readings, "kernel");

	if (p->group && *g->about)
		picture_note(p, "%s", g->about);
	if (g->any->cpus)
		picture_note(p, "%s, %u CPU%s%s%s%s", model ? model : "unknown processor",
			     g->any->cpus, g->any->cpus == 1 ? "" : "s",
			     json_is_true(json_object_get(a->readings->host, "virtual"))
				     ? ", virtual"
				     : "",
			     kernel ? ", Linux " : "", kernel ? kernel : "");
}

void picture_note_missing(struct picture *p, const struct group *g, unsigned x)
{
	char *missing = text_append(NULL, "%s", ""), fault[64];

	for (unsigned l = 0; l < g->locks; l++) {
		const struct reading_cell *c = group_cell(g, l, x);

		if (c && !c->values && c->bad)
			missing = text_append(missing, "%s%s — %s", *missing ? ", " : "", c->lock,
					      cell_fault(c, fault, sizeof(fault)));
	}
	if (*missing)
		picture_note(p, "not shown: %s", missing);
	if (g->x[x].oversubscribed)
		picture_note(p, "more threads than CPUs");
	free(missing);
}

void picture_names(struct picture *p, const char *const *lock, unsigned locks)
{
	size_t longest = 0;

	for (unsigned l = 0; l < locks; l++)
		if (text_width(lock[l]) > longest)
			longest = text_width(lock[l]);
	picture_number(p, "LEFT", fmax(120, 30 + 8.8 * (double)longest));
}

void picture_number(struct picture *p, const char *name, double v)
{
	fprintf(p->gp, "%s = %.17g\n", name, v);
}

void picture_text(struct picture *p, const char *name, const char *s)
{
	fprintf(p->gp, "%s = ", name);
	text_gnuplot(p->gp, s);
	putc('\n', p->gp);
}

void picture_array(struct picture *p, const char *name, const double *v, unsigned n)
{
	fprintf(p->gp, "array %s[%u]\n", name, n ? n : 1);
	for (unsigned i = 0; i < n; i++)
		if (isnan(v[i]))
			fprintf(p->gp, "%s[%u] = NaN\n", name, i + 1);
		else
			fprintf(p->gp, "%s[%u] = %.17g\n", name, i + 1, v[i]);
}

void picture_texts(struct picture *p, const char *name, const char *const *s, unsigned n)
{
	fprintf(p->gp, "array %s[%u]\n", name, n ? n : 1);
	for (unsigned i = 0; i < n; i++) {
		fprintf(p->gp, "%s[%u] = ", name, i + 1);
		text_gnuplot(p->gp, s[i]);
		putc('\n', p->gp);
	}
}

unsigned picture_block(struct picture *p)
{
	/* gnuplot does not count an empty block: give it a row that draws nothing */
	if (ftell(p->dat) == p->block_at)
		fputs("NaN NaN NaN NaN NaN NaN NaN NaN NaN\n", p->dat);
	fputs("\n\n", p->dat);
	p->block_at = ftell(p->dat);
	return p->blocks++;
}

void picture_put(struct picture *p, double v)
{
	if (isfinite(v))
		fprintf(p->dat, "%.9g\t", v);
	else
		fputs("NaN\t", p->dat);
}

void picture_put_text(struct picture *p, const char *s)
{
	putc('"', p->dat);
	for (; *s; s++)
		if ((unsigned char)*s >= ' ')
			putc(*s == '"' ? '\'' : *s, p->dat);
	fputs("\"\t", p->dat);
}

bool is_floor(const char *lock)
{
	return !strcmp(lock, "none");
}

/* A lock keeps its colour in all pictures of a folder as long as there are enough. */
static unsigned place_among(const char *const *lock, unsigned locks, const char *name,
			    unsigned *all)
{
	unsigned at = 0;

	*all = 0;
	for (unsigned i = 0; i < locks; i++) {
		if (!strcmp(lock[i], name))
			at = *all;
		*all += !is_floor(lock[i]);
	}
	return at;
}

void picture_lock_styles(struct album *a, struct picture *p, const struct group *g)
{
	/* Okabe and Ito 2008, but for the yellow, which white paper swallows */
	static const unsigned colour[] = { 0x0072b2, 0xd55e00, 0x009e73, 0xcc79a7,
					   0xe69f00, 0x56b4e9, 0x000000, 0x8a6d00 };
	static const unsigned point[] = { 7, 5, 9, 11, 13, 15, 6, 4 };
	const unsigned n = sizeof(colour) / sizeof(*colour);
	double *c = calloc(g->locks, sizeof(*c)), *d = calloc(g->locks, sizeof(*d));
	double *t = calloc(g->locks, sizeof(*t));

	if (!c || !d || !t)
		abort();
	for (unsigned i = 0; i < g->locks; i++) {
		unsigned all, k = place_among(a->groups->lock, a->groups->locks, g->lock[i], &all);

		if (all > n)
			k = place_among(g->lock, g->locks, g->lock[i], &all);
		c[i] = is_floor(g->lock[i]) ? 0x888888 : colour[k % n];
		t[i] = is_floor(g->lock[i]) ? 1 : point[k % n];
		d[i] = is_floor(g->lock[i]) ? 2 : 1;
	}
	picture_number(p, "N", g->locks);
	picture_texts(p, "LOCK", g->lock, g->locks);
	picture_array(p, "COLOUR", c, g->locks);
	picture_array(p, "POINT", t, g->locks);
	picture_array(p, "DASH", d, g->locks);
	free(c);
	free(d);
	free(t);
}
