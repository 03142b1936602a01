/*
 * histogram.h - log-linear histogram of times in ns: 128 buckets per power of
 * two, so that a value is known to better than 1 % (1/128), up to 2^40 ns
 * (18 minutes); larger values are counted in the last bucket.
 *
 * Bucket index of v: v itself below 256; above, with e = position of the
 * highest bit, 128 × (e − 7) + (v >> (e − 7)). It is monotonic in v.
 */
#ifndef HARNESS_HISTOGRAM_H
#define HARNESS_HISTOGRAM_H

#include <stdint.h>

#define HISTOGRAM_SUB 7 /* log2 of the buckets per power of two */
#define HISTOGRAM_TOP 40
#define HISTOGRAM_BUCKETS ((HISTOGRAM_TOP - HISTOGRAM_SUB + 1) << HISTOGRAM_SUB)

struct histogram {
	uint64_t total;
	uint64_t max; /* exact */
	uint32_t count[HISTOGRAM_BUCKETS];
};

static inline unsigned histogram_index(uint64_t v)
{
	unsigned e, shift;

	if (v < (2u << HISTOGRAM_SUB))
		return (unsigned)v;
	if (v >> HISTOGRAM_TOP)
		return HISTOGRAM_BUCKETS - 1;
	e = 63 - (unsigned)__builtin_clzll(v);
	shift = e - HISTOGRAM_SUB;
	return (shift << HISTOGRAM_SUB) + (unsigned)(v >> shift);
}

/* The smallest value that falls into the bucket. */
static inline uint64_t histogram_low(unsigned index)
{
	unsigned shift;

	if (index < (2u << HISTOGRAM_SUB))
		return index;
	shift = (index >> HISTOGRAM_SUB) - 1;
	return (uint64_t)(index - (shift << HISTOGRAM_SUB)) << shift;
}

static inline void histogram_add(struct histogram *h, uint64_t v)
{
	h->count[histogram_index(v)]++;
	h->total++;
	if (v > h->max)
		h->max = v;
}

/* Adds from to into. Counts saturate nowhere below 2^32 samples a bucket. */
void histogram_merge(struct histogram *into, const struct histogram *from);

/*
 * The value below or at which the share p (0 … 1) of the samples lies, by the
 * bucket's lower edge; 0 for an empty histogram.
 */
uint64_t histogram_quantile(const struct histogram *h, double p);

#endif
