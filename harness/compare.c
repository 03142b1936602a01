/* compare.c - see compare.h. */
#include "compare.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct reading_cell *counterpart(struct readings *r, const struct reading_cell *c)
{
	for (unsigned i = 0; i < r->cells; i++) {
		struct reading_cell *o = &r->cell[i];

		if (!strcmp(o->question, c->question) && !strcmp(o->lock, c->lock) &&
		    o->threads == c->threads && o->readers == c->readers &&
		    o->writers == c->writers)
			return o;
	}
	return NULL;
}

static void name(struct compared *p, const struct groups *groups)
{
	for (unsigned i = 0; i < groups->count; i++) {
		const struct group *g = &groups->group[i];

		for (unsigned x = 0; x < g->xs; x++)
			for (unsigned l = 0; l < g->locks; l++)
				if (group_cell(g, l, x) == p->new) {
					p->experiment = g->title;
					snprintf(p->x, sizeof(p->x), "%s", g->x[x].label);
				}
	}
}

static bool differ(const char *a, const char *b)
{
	return a && b && strcmp(a, b);
}

/* What forbids a claim about the pair, in words; empty when nothing does. */
static void forbid(struct compared *p, const struct readings *base, const struct readings *new,
		   bool across)
{
	const char *was = readings_host(base, "cpu_model"), *is = readings_host(new, "cpu_model");
	char fault[64];

	*p->reason = '\0';
	if (differ(was, is) && !across)
		snprintf(p->reason, sizeof(p->reason), "another processor");
	else if (p->base->cpus != p->new->cpus && !across)
		snprintf(p->reason, sizeof(p->reason), "%u CPUs, then %u", p->base->cpus,
			 p->new->cpus);
	else if (strcmp(p->base->unit, p->new->unit))
		snprintf(p->reason, sizeof(p->reason), "counted %s, then %s", p->base->unit,
			 p->new->unit);
	else if (p->new->bad)
		snprintf(p->reason, sizeof(p->reason), "new: %s",
			 cell_fault(p->new, fault, sizeof(fault)));
	else if (p->base->bad)
		snprintf(p->reason, sizeof(p->reason), "base: %s",
			 cell_fault(p->base, fault, sizeof(fault)));
	else if (!p->base->values || !p->new->values)
		snprintf(p->reason, sizeof(p->reason), "no runs at like distance of the CPUs");
}

static void judge(struct comparison *c, const struct compare_options *options)
{
	struct claim *claim = calloc(c->pairs + 1, sizeof(*claim));

	if (!claim)
		abort();
	for (unsigned i = 0; i < c->pairs; i++) {
		claim[i] = *c->pair[i].reason ? claim_make(NULL, NULL)
					      : claim_make(c->pair[i].new, c->pair[i].base);
		c->family += !isnan(claim[i].p);
	}
	claims_judge(claim, c->pairs, options->alpha);
	c->runs_needed = stats_runs_needed(c->family ? c->family : 1, options->alpha);
	for (unsigned i = 0; i < c->pairs; i++) {
		struct compared *p = &c->pair[i];

		p->claim = claim[i];
		/* a cell that no longer ends well is worse than a slow one */
		p->regressed = (claim[i].verdict == VERDICT_SLOWER &&
				claim[i].ratio < 1 - options->max_regress) ||
			       (p->new->bad && !p->base->bad);
		c->regressed += p->regressed;
		c->count[claim[i].verdict]++;
	}
	free(claim);
}

void compare(struct comparison *c, struct readings *base, struct readings *new,
	     const struct groups *groups, const struct compare_options *options)
{
	*c = (struct comparison){ 0 };
	c->pair = calloc(new->cells + 1, sizeof(*c->pair));
	if (!c->pair)
		abort();
	for (unsigned i = 0; i < new->cells; i++) {
		struct reading_cell *both[] = { counterpart(base, &new->cell[i]), &new->cell[i] };
		struct compared *p = &c->pair[c->pairs];

		if (!both[0]) {
			c->only_new++;
			continue;
		}
		pool_alike(both, 2);
		p->base = both[0];
		p->new = both[1];
		name(p, groups);
		forbid(p, base, new, options->across_machines);
		c->pairs++;
	}
	c->only_base = base->cells - c->pairs;
	judge(c, options);
}

void comparison_free(struct comparison *c)
{
	free(c->pair);
	*c = (struct comparison){ 0 };
}
