/* histogram.c - merging and reading of log-linear histograms. */
#include "histogram.h"

void histogram_merge(struct histogram *into, const struct histogram *from)
{
	for (unsigned i = 0; i < HISTOGRAM_BUCKETS; i++)
		into->count[i] += from->count[i];
	into->total += from->total;
	if (from->max > into->max)
		into->max = from->max;
}

uint64_t histogram_quantile(const struct histogram *h, double p)
{
	double rank = p * (double)h->total;
	uint64_t below = 0;

	for (unsigned i = 0; i < HISTOGRAM_BUCKETS; i++) {
		below += h->count[i];
		if (h->count[i] && (double)below >= rank)
			return histogram_low(i);
	}
	return h->max;
}
