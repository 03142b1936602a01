/* claim.h - what may be said about two cells. */
#ifndef HARNESS_CLAIM_H
#define HARNESS_CLAIM_H

#include "readings.h"

enum verdict {
	VERDICT_NOISE,	/* measured well enough, and no difference shown */
	VERDICT_FASTER, /* the first is */
	VERDICT_SLOWER,
	VERDICT_FEW, /* too few runs for this many comparisons */
	VERDICT_NOT, /* one of them has no good run */
};

struct claim {
	double ratio;		  /* median(a) / median(b); NAN for VERDICT_NOT */
	struct interval interval; /* of it, 95 % */
	double p;		  /* Mann–Whitney; after claims_judge by Holm */
	double shift;		  /* Hodges–Lehmann of the logarithms, as a ratio */
	unsigned na, nb;
	enum verdict verdict;
};

/* Everything but the verdict, from the pooled values. */
struct claim claim_make(const struct reading_cell *a, const struct reading_cell *b);

/*
 * Adjusts the p of a family of claims by Holm and gives the verdicts. A claim
 * whose values could not have reached alpha even if they were wholly apart, in
 * a family of this size, is VERDICT_FEW and not VERDICT_NOISE. The claims that
 * count in the family: those with STATS_LEAST_RUNS on both sides.
 */
void claims_judge(struct claim *claim, unsigned n, double alpha);

#endif
