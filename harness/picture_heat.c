/* picture_heat.c - ratios of throughput to the baseline lock: locks by conditions. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "claim.h"
#include "picture.h"
#include "text.h"

#define COLUMNS 20 /* a picture */
#define ALPHA 0.05

struct column {
	const struct group *g;
	unsigned x, baseline; /* the lock's index in g */
	char *name;
};

static int find(const struct group *g, const char *lock)
{
	for (unsigned l = 0; l < g->locks; l++)
		if (!strcmp(g->lock[l], lock))
			return (int)l;
	return -1;
}

static void row(struct picture *p, unsigned column, unsigned row, const struct reading_cell *c,
		const struct claim *claim, bool baseline)
{
	bool claimed = claim->verdict == VERDICT_FASTER || claim->verdict == VERDICT_SLOWER;
	double two = log2(claim->ratio);
	char text[64], fault[64] = "";
	unsigned ink = 0x222222;

	if (baseline) {
		snprintf(text, sizeof(text), "%s", c->values ? "1" : "—");
		two = c->values ? 0 : NAN;
		ink = 0x888888;
	} else if (isnan(claim->ratio)) {
		snprintf(text, sizeof(text), "—");
		cell_fault(c, fault, sizeof(fault));
		ink = c->bad ? 0xa04000 : 0x888888;
	} else if (claim->verdict == VERDICT_NOISE) {
		snprintf(text, sizeof(text), "≈");
		ink = 0x888888;
		two = 0;
	} else {
		text_ratio(text, sizeof(text), claim->ratio);
		if (!claimed) {
			ink = 0x999999;
			two = NAN;
		} else if (fabs(two) > 1.25) {
			ink = 0xffffff;
		}
	}
	fprintf(p->dat, "%u %u ", column, row);
	picture_put(p, fmax(-2, fmin(2, two)) * (isnan(two) ? NAN : 1));
	picture_put_text(p, text);
	fprintf(p->dat, "%u ", ink);
	picture_put_text(p, fault);
	fputs("\n", p->dat);
}

/* A column is a family: which locks differ from the baseline here. */
static unsigned put_column(struct picture *p, unsigned at, const struct column *k,
			   const char *const *lock, unsigned locks, bool *few)
{
	struct claim *claim = calloc(locks, sizeof(*claim));
	const struct reading_cell *base = group_cell(k->g, k->baseline, k->x);
	unsigned family = 0;

	if (!claim)
		abort();
	for (unsigned i = 0; i < locks; i++) {
		int l = find(k->g, lock[i]);
		const struct reading_cell *c = l < 0 ? NULL : group_cell(k->g, (unsigned)l, k->x);

		claim[i] = claim_make(c == base || is_floor(lock[i]) ? NULL : c, base);
		family += !isnan(claim[i].p);
	}
	claims_judge(claim, locks, ALPHA);
	for (unsigned i = 0; i < locks; i++) {
		int l = find(k->g, lock[i]);
		const struct reading_cell *c = l < 0 ? NULL : group_cell(k->g, (unsigned)l, k->x);

		*few |= claim[i].verdict == VERDICT_FEW;
		if (c && c->values && base && base->values && is_floor(lock[i]))
			claim[i].ratio = c->median / base->median;
		if (c)
			row(p, at, i, c, &claim[i], c == base);
	}
	free(claim);
	return family;
}

static void one(struct album *a, const struct column *column, unsigned n, const char *baseline,
		const char *slug, const char *title)
{
	const char *name[COLUMNS], **lock = calloc(a->groups->locks, sizeof(*lock));
	unsigned locks = 0, family = 0;
	struct picture *p = picture_begin(a, "heat", slug, NULL, title);
	size_t longest_lock = 0, longest = 0;
	bool few = false, floor = false, over = false;

	if (!lock)
		abort();
	lock[locks++] = baseline;
	for (unsigned i = 0; i < a->groups->locks; i++) {
		bool here = false;

		for (unsigned k = 0; k < n; k++) {
			int l = find(column[k].g, a->groups->lock[i]);

			here |= l >= 0 && group_cell(column[k].g, (unsigned)l, column[k].x);
		}
		floor |= here && is_floor(a->groups->lock[i]);
		if (here && strcmp(a->groups->lock[i], baseline))
			lock[locks++] = a->groups->lock[i];
	}
	for (unsigned i = 0; i < locks; i++)
		if (text_width(lock[i]) > longest_lock)
			longest_lock = text_width(lock[i]);
	for (unsigned k = 0; p && k < n; k++) {
		unsigned in = put_column(p, k, &column[k], lock, locks, &few);

		family = in > family ? in : family;
		over |= column[k].g->x[column[k].x].oversubscribed;
		name[k] = column[k].name;
		if (text_width(name[k]) > longest)
			longest = text_width(name[k]);
	}
	if (p) {
		unsigned cell = n > 10 ? 66 : 78;
		double left = 30 + 8.6 * (double)longest_lock, head = 14 + 4.0 * (double)longest;

		picture_texts(p, "LOCK", lock, locks);
		picture_texts(p, "COLUMN", name, n);
		picture_number(p, "ROWS", locks);
		picture_number(p, "COLUMNS", n);
		picture_number(p, "LEFT", left);
		picture_number(p, "HEAD", head);
		picture_note(p, "purple: faster, orange: slower, than %s in the same column",
			     baseline);
		picture_note(p,
			     "≈: no difference shown (Mann–Whitney, Holm over the column, p ≥ "
			     "%.2f)",
			     ALPHA);
		if (few)
			picture_note(p, "grey number: too few runs to claim it; %u pooled would do",
				     stats_runs_needed(family, ALPHA));
		picture_note(p, "—: no good run");
		if (floor)
			picture_note(p, "none: the loop's own cost, not compared");
		if (over)
			picture_note(p, "(over): more threads than CPUs");
		picture_note_machine(a, p, column[0].g);
		picture_end(a, p, (unsigned)fmax(760, left + 110 + n * cell + (double)longest * 2),
			    (unsigned)(110 + head + 24 + locks * 38));
	}
	free(lock);
}

/* Draws the columns and takes them off. The first of several pictures is 1; 0: it is alone. */
static void flush(struct album *a, struct column *column, unsigned *n, const char *slug,
		  unsigned page)
{
	const char *baseline = column[0].g->any->baseline;
	char *name = text_append(NULL, "%s", slug);
	char *title = text_append(NULL, "Throughput relative to %s", baseline);

	if (page) {
		name = text_append(name, "-%u", page);
		title = text_append(title, " (%u)", page);
	}
	one(a, column, *n, baseline, name, title);
	free(name);
	free(title);
	while (*n)
		free(column[--*n].name);
}

/* The columns of groups first … last − 1, over as many pictures as they need. */
static void some(struct album *a, unsigned first, unsigned last, const char *slug)
{
	struct column column[COLUMNS];
	unsigned n = 0, page = 0;

	for (unsigned i = first; i < last; i++) {
		const struct group *g = &a->groups->group[i];
		int l = g->any->baseline ? find(g, g->any->baseline) : -1;

		for (unsigned x = 0; l >= 0 && x < g->xs; x++) {
			if (!group_cell(g, (unsigned)l, x) || g->locks < 2)
				continue;
			if (n == COLUMNS)
				flush(a, column, &n, slug, ++page);
			column[n++] = (struct column){
				g, x, (unsigned)l,
				text_append(NULL, "%s, %s%s", g->title, g->x[x].label,
					    g->x[x].oversubscribed ? " (over)" : "")
			};
		}
	}
	if (n)
		flush(a, column, &n, slug, page ? page + 1 : 0);
}

void pictures_heat(struct album *a)
{
	unsigned first = 0;

	/* groups of one baseline in a row share pictures */
	for (unsigned i = 1; i <= a->groups->count; i++) {
		const char *last = a->groups->group[first].any->baseline;
		const char *next = i < a->groups->count ? a->groups->group[i].any->baseline : NULL;

		if (i < a->groups->count && last && next && !strcmp(last, next))
			continue;
		if (last) {
			char *slug = first ? text_append(NULL, "baseline-%u", first)
					   : text_append(NULL, "baseline");

			some(a, first, i, slug);
			free(slug);
		}
		first = i;
	}
}
