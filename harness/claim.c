/* claim.c - see claim.h. */
#include "claim.h"

#include <math.h>
#include <stdlib.h>

#define LEVEL 0.95

static double log_shift(const struct reading_cell *a, const struct reading_cell *b)
{
	double *x = calloc(a->values + 1, sizeof(*x)), *y = calloc(b->values + 1, sizeof(*y));
	double shift;

	if (!x || !y)
		abort();
	for (unsigned i = 0; i < a->values; i++)
		x[i] = log(a->value[i]);
	for (unsigned i = 0; i < b->values; i++)
		y[i] = log(b->value[i]);
	shift = exp(stats_hodges_lehmann(x, a->values, y, b->values));
	free(x);
	free(y);
	return shift;
}

struct claim claim_make(const struct reading_cell *a, const struct reading_cell *b)
{
	struct claim c = { NAN, { NAN, NAN }, NAN, NAN, 0, 0, VERDICT_NOT };

	if (!a || !b || !a->values || !b->values || !(b->median > 0))
		return c;
	c.na = a->values;
	c.nb = b->values;
	c.ratio = a->median / b->median;
	c.verdict = VERDICT_FEW;
	if (c.na < STATS_LEAST_RUNS || c.nb < STATS_LEAST_RUNS)
		return c;
	c.interval = stats_ratio_interval(a->value, a->values, b->value, b->values, LEVEL,
					  1 + a->id * 1000003u + b->id);
	c.p = stats_mann_whitney(a->value, a->values, b->value, b->values);
	c.shift = log_shift(a, b);
	return c;
}

void claims_judge(struct claim *claim, unsigned n, double alpha)
{
	double *p = calloc(n + 1, sizeof(*p));
	unsigned family = 0;

	if (!p)
		abort();
	for (unsigned i = 0; i < n; i++) {
		p[i] = claim[i].p;
		family += !isnan(p[i]);
	}
	stats_holm(p, n);
	for (unsigned i = 0; i < n; i++) {
		struct claim *c = &claim[i];

		if (isnan(p[i]))
			continue;
		c->p = p[i];
		if (p[i] < alpha)
			c->verdict = c->shift > 1 ? VERDICT_FASTER : VERDICT_SLOWER;
		else if (stats_least_p(c->na, c->nb) * family >= alpha)
			c->verdict = VERDICT_FEW;
		else
			c->verdict = VERDICT_NOISE;
	}
	free(p);
}
