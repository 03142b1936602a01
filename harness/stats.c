/* stats.c - see stats.h. */
#include "stats.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define RESAMPLES 2000
#define EXACT_BELOW 50
#define GAP_RATIO 1.15
#define GAP_WIDTHS 3

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static void sort(double *v, size_t n)
{
	if (n)
		qsort(v, n, sizeof(*v), by_value);
}

/* A sorted copy; NULL for n = 0 or without memory. The caller frees it. */
static double *sorted(const double *v, unsigned n)
{
	double *copy = n ? malloc(n * sizeof(*copy)) : NULL;

	if (copy) {
		memcpy(copy, v, n * sizeof(*copy));
		sort(copy, n);
	}
	return copy;
}

static double quantile_of_sorted(const double *v, unsigned n, double p)
{
	double at = (n - 1) * p, below = floor(at);
	unsigned i = (unsigned)below;

	return i + 1 < n ? v[i] + (at - below) * (v[i + 1] - v[i]) : v[n - 1];
}

double stats_quantile(const double *v, unsigned n, double p)
{
	double *copy = sorted(v, n), q = NAN;

	if (copy)
		q = quantile_of_sorted(copy, n, p);
	free(copy);
	return q;
}

double stats_median(const double *v, unsigned n)
{
	return stats_quantile(v, n, 0.5);
}

/* splitmix64: Steele, Lea, Flood 2014 */
static uint64_t draw(uint64_t *state)
{
	uint64_t x = *state += 0x9e3779b97f4a7c15u;

	x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
	x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
	return x ^ (x >> 31);
}

static double resampled_median(const double *v, unsigned n, double *room, uint64_t *state)
{
	for (unsigned i = 0; i < n; i++)
		room[i] = v[(unsigned)(((draw(state) >> 32) * n) >> 32)];
	sort(room, n);
	return quantile_of_sorted(room, n, 0.5);
}

/* b NULL: of the median of a alone */
static struct interval bootstrap(const double *a, unsigned na, const double *b, unsigned nb,
				 double level, uint64_t seed)
{
	struct interval at = { NAN, NAN };
	double *room, *statistic;

	if (na < STATS_LEAST_RUNS || (b && nb < STATS_LEAST_RUNS))
		return at;
	room = malloc((na > nb ? na : nb) * sizeof(*room));
	statistic = malloc(RESAMPLES * sizeof(*statistic));
	if (room && statistic) {
		for (unsigned i = 0; i < RESAMPLES; i++) {
			statistic[i] = resampled_median(a, na, room, &seed);
			if (b)
				statistic[i] /= resampled_median(b, nb, room, &seed);
		}
		sort(statistic, RESAMPLES);
		at.low = quantile_of_sorted(statistic, RESAMPLES, (1 - level) / 2);
		at.high = quantile_of_sorted(statistic, RESAMPLES, (1 + level) / 2);
	}
	free(room);
	free(statistic);
	return at;
}

struct interval stats_median_interval(const double *v, unsigned n, double level, uint64_t seed)
{
	return bootstrap(v, n, NULL, 0, level, seed);
}

struct interval stats_ratio_interval(const double *a, unsigned na, const double *b, unsigned nb,
				     double level, uint64_t seed)
{
	return bootstrap(a, na, b, nb, level, seed);
}

/*
 * P(U ≤ u) without ties. ways[k][s] = how many sets of k of the first i ranks
 * have a rank sum of s above the least possible; built rank by rank.
 */
static double exact_below(unsigned u, unsigned na, unsigned nb)
{
	unsigned most = na * nb;
	double *ways = calloc((size_t)(na + 1) * (most + 1), sizeof(*ways));
	double all = 0, below = 0;

	if (!ways)
		return NAN;
	ways[0] = 1;
	for (unsigned rank = 1; rank <= na + nb; rank++)
		for (unsigned k = rank < na ? rank : na; k >= 1; k--) {
			double *with = ways + (size_t)k * (most + 1);
			double *without = with - (most + 1);

			for (unsigned s = rank - k; s <= most; s++)
				with[s] += without[s - (rank - k)];
		}
	for (unsigned s = 0; s <= most; s++) {
		double w = ways[(size_t)na * (most + 1) + s];

		all += w;
		below += s <= u ? w : 0;
	}
	free(ways);
	return below / all;
}

static double normal_p(double u, double na, double nb, double ties)
{
	double n = na + nb, off = u - na * nb / 2;
	double sigma = sqrt(na * nb / 12 * (n + 1 - ties / (n * (n - 1))));

	if (sigma <= 0)
		return 1;
	off = off > 0 ? off - 0.5 : off < 0 ? off + 0.5 : 0;
	return fmin(1, erfc(fabs(off) / sigma / sqrt(2)));
}

double stats_mann_whitney(const double *a, unsigned na, const double *b, unsigned nb)
{
	unsigned n = na + nb, run;
	double *all, u = 0, ties = 0, below;

	if (!na || !nb)
		return NAN;
	for (unsigned i = 0; i < na; i++)
		for (unsigned j = 0; j < nb; j++)
			u += a[i] > b[j] ? 1 : a[i] == b[j] ? 0.5 : 0;
	all = malloc(n * sizeof(*all));
	if (!all)
		return NAN;
	memcpy(all, a, na * sizeof(*all));
	memcpy(all + na, b, nb * sizeof(*all));
	sort(all, n);
	for (unsigned i = 0; i < n; i += run) {
		for (run = 1; i + run < n && all[i + run] == all[i]; run++)
			;
		ties += (double)run * run * run - run;
	}
	free(all);
	if (ties > 0 || na >= EXACT_BELOW || nb >= EXACT_BELOW)
		return normal_p(u, na, nb, ties);
	below = exact_below((unsigned)fmin(u, (double)na * nb - u), na, nb);
	return fmin(1, 2 * below);
}

double stats_least_p(unsigned na, unsigned nb)
{
	double choose = 1;

	if (!na || !nb)
		return 1;
	for (unsigned i = 1; i <= na; i++)
		choose *= (double)(nb + i) / i;
	return fmin(1, 2 / choose);
}

unsigned stats_runs_needed(unsigned family, double alpha)
{
	unsigned n = STATS_LEAST_RUNS;

	while (n < EXACT_BELOW && stats_least_p(n, n) * family >= alpha)
		n++;
	return n;
}

void stats_holm(double *p, unsigned n)
{
	bool *done = calloc(n ? n : 1, sizeof(*done));
	unsigned left = 0;
	double least = 0;

	for (unsigned i = 0; i < n; i++)
		left += !isnan(p[i]);
	while (done && left) {
		unsigned best = n;

		for (unsigned i = 0; i < n; i++)
			if (!done[i] && !isnan(p[i]) && (best == n || p[i] < p[best]))
				best = i;
		done[best] = true;
		least = fmax(least, fmin(1, p[best] * left--));
		p[best] = least;
	}
	free(done);
}

double stats_hodges_lehmann(const double *a, unsigned na, const double *b, unsigned nb)
{
	double *differences = na && nb ? malloc((size_t)na * nb * sizeof(*differences)) : NULL;
	double shift = NAN;

	if (!differences)
		return NAN;
	for (unsigned i = 0; i < na; i++)
		for (unsigned j = 0; j < nb; j++)
			differences[(size_t)i * nb + j] = a[i] - b[j];
	shift = stats_median(differences, na * nb);
	free(differences);
	return shift;
}

bool stats_two_modes(const double *v, unsigned n, double *low, double *high, unsigned *lower)
{
	double *s = sorted(v, n), widest = 0, heap;
	unsigned cut = 0;
	bool two = false;

	if (s && n >= 5 && s[0] > 0) {
		for (unsigned i = 1; i < n; i++)
			if (s[i] / s[i - 1] > widest) {
				widest = s[i] / s[i - 1];
				cut = i;
			}
		heap = fmax(log(s[cut - 1] / s[0]), log(s[n - 1] / s[cut]));
		two = cut >= 2 && n - cut >= 2 && widest >= GAP_RATIO &&
		      log(widest) >= GAP_WIDTHS * heap;
		if (two) {
			*low = stats_median(s, cut);
			*high = stats_median(s + cut, n - cut);
			*lower = cut;
		}
	}
	free(s);
	return two;
}
