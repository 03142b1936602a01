/* pool.c - which repetitions a figure rests on; see groups.h. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "child.h"
#include "groups.h"
#include "noise.h"

#define LEVEL 0.95

static bool in_window(const struct reading *r, double low)
{
	/* not measured: one thread, or not pinned; nothing to be unlike in */
	return isnan(r->distance) ||
	       (r->distance >= low && r->distance <= low * (1 + NOISE_DISTANCE));
}

static bool good(const struct reading *r)
{
	return r->status == STATUS_OK && !isnan(r->throughput);
}

struct window {
	double low;
	unsigned poorest, all;
};

static struct window look(struct reading_cell **cell, unsigned cells, double low)
{
	struct window w = { .low = low, .poorest = UINT32_MAX };

	for (unsigned i = 0; i < cells; i++) {
		unsigned inside = 0, ok = 0;

		for (unsigned k = 0; cell[i] && k < cell[i]->readings; k++) {
			const struct reading *r = &cell[i]->reading[k];

			ok += good(r);
			inside += good(r) && in_window(r, low);
		}
		if (ok && inside < w.poorest)
			w.poorest = inside;
		w.all += inside;
	}
	return w;
}

static double best_window(struct reading_cell **cell, unsigned cells)
{
	struct window best = { .low = 0 };
	bool any = false;

	for (unsigned i = 0; i < cells; i++)
		for (unsigned k = 0; cell[i] && k < cell[i]->readings; k++) {
			const struct reading *r = &cell[i]->reading[k];
			struct window w;

			if (!good(r) || !isfinite(r->distance))
				continue;
			w = look(cell, cells, r->distance);
			if (!any || w.poorest > best.poorest ||
			    (w.poorest == best.poorest &&
			     (w.all > best.all || (w.all == best.all && w.low < best.low))))
				best = w;
			any = true;
		}
	return best.low;
}

/* The worse the fault, the higher: an overlap says that the lock is wrong. */
static int weight(enum record_status s)
{
	static const int weights[] = { [STATUS_OK] = 0,
				       [STATUS_UNSUPPORTED] = 1,
				       [STATUS_HUNG] = 2,
				       [STATUS_CRASHED] = 3,
				       [STATUS_VIOLATED] = 4 };

	return weights[s];
}

static void pool(struct reading_cell *c, double low)
{
	free(c->value);
	c->value = calloc(c->readings ? c->readings : 1, sizeof(*c->value));
	if (!c->value)
		abort();
	c->bad = c->dirty = c->far = c->values = 0;
	c->worst = STATUS_OK;
	for (unsigned k = 0; k < c->readings; k++) {
		const struct reading *r = &c->reading[k];

		c->bad += r->status != STATUS_OK;
		if (weight(r->status) > weight(c->worst))
			c->worst = r->status;
	}
	for (unsigned k = 0; k < c->readings; k++) {
		struct reading *r = &c->reading[k];

		r->pooled = good(r) && c->worst != STATUS_VIOLATED && in_window(r, low);
		c->far += good(r) && !in_window(r, low);
		c->dirty += r->pooled && r->dirty;
		if (r->pooled)
			c->value[c->values++] = r->throughput;
	}
	c->median = stats_median(c->value, c->values);
	c->interval = stats_median_interval(c->value, c->values, LEVEL, 1 + c->id);
	c->two_modes = stats_two_modes(c->value, c->values, &c->mode[0], &c->mode[1], &c->lower);
}

void pool_alike(struct reading_cell **cell, unsigned cells)
{
	double low = best_window(cell, cells);

	for (unsigned i = 0; i < cells; i++)
		if (cell[i])
			pool(cell[i], low);
}

const char *cell_fault(const struct reading_cell *c, char *text, size_t size)
{
	if (!c->bad)
		*text = '\0';
	else if (c->bad == c->readings || c->worst == STATUS_VIOLATED)
		snprintf(text, size, "%s", status_name(c->worst));
	else
		snprintf(text, size, "%u of %u %s", c->bad, c->readings, status_name(c->worst));
	return text;
}
