/*
 * stats.h - the statistics that a claim rests on. docs/method.md says how they
 * are used; the tests hold them against values from R.
 *
 * NAN stands for "cannot be said". No function changes its input but
 * stats_holm; none allocates for the caller.
 */
#ifndef HARNESS_STATS_H
#define HARNESS_STATS_H

#include <stdbool.h>
#include <stdint.h>

/* Below it no interval and no difference is claimed. */
#define STATS_LEAST_RUNS 5

struct interval {
	double low, high; /* both NAN where none is claimed */
};

/* NAN for n = 0. The quantile is R's type 7: linear between order statistics. */
double stats_median(const double *v, unsigned n);
double stats_quantile(const double *v, unsigned n, double p);

/*
 * Percentile bootstrap, 2000 resamples, the same for the same seed. NAN below
 * STATS_LEAST_RUNS values on any side. The ratio is median(a) / median(b).
 */
struct interval stats_median_interval(const double *v, unsigned n, double level, uint64_t seed);
struct interval stats_ratio_interval(const double *a, unsigned na, const double *b, unsigned nb,
				     double level, uint64_t seed);

/*
 * Two-sided p of Mann–Whitney: exact while both sides have fewer than 50 values
 * and no two are equal, else the normal approximation with corrections for ties
 * and continuity, as R's wilcox.test. NAN for an empty side; 1 when all values
 * are equal.
 */
double stats_mann_whitney(const double *a, unsigned na, const double *b, unsigned nb);

/* The smallest p that this many values can give: 2 / (na + nb choose na), at most 1. */
double stats_least_p(unsigned na, unsigned nb);

/* The fewest values a side for which a family of that size can show anything. */
unsigned stats_runs_needed(unsigned family, double alpha);

/* Holm's adjusted p in place; NAN entries are not of the family. */
void stats_holm(double *p, unsigned n);

/* Median of all differences a − b: the shift that Mann–Whitney tests. */
double stats_hodges_lehmann(const double *a, unsigned na, const double *b, unsigned nb);

/*
 * Are these positive values two heaps? Sorted, and cut at the widest gap by
 * ratio: yes when there are at least 5, at least 2 lie on each side, the gap is
 * at least 15 %, and it is at least three times as wide as either heap. Then
 * sets the medians of both heaps and how many lie in the lower one.
 */
bool stats_two_modes(const double *v, unsigned n, double *low, double *high, unsigned *lower);

#endif
