/* axis.c - ranges, tics, and labels that keep out of each other's way; see picture.h. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "picture.h"
#include "text.h"

/* "10.0 M" to "10 M": a tic is a round number. */
static void trim(char *label)
{
	char *dot = strchr(label, '.'), *end = dot ? dot + 1 + strspn(dot + 1, "0123456789") : NULL;
	char *from = end;

	while (from && from[-1] == '0')
		from--;
	if (from && from - 1 == dot)
		from = dot;
	if (from)
		memmove(from, end, strlen(end) + 1);
}

static void tic(struct axis *a, double v, const char *(*format)(char *, size_t, double))
{
	char label[32];

	if (v < a->low * 0.999 || v > a->high * 1.001)
		return;
	format(label, sizeof(label), v);
	trim(label);
	a->tics = text_append(a->tics, "%s'%s' %.9g", *a->tics ? ", " : "", label, v);
}

/* 1, 2 or 5 times a power of ten, at least v */
static double round_step(double v)
{
	double power = pow(10, floor(log10(v)));

	return v <= power	? power
	       : v <= 2 * power ? 2 * power
	       : v <= 5 * power ? 5 * power
				: 10 * power;
}

struct axis axis_log(double low, double high, unsigned most,
		     const char *(*format)(char *s, size_t size, double v))
{
	struct axis a = { .tics = text_append(NULL, "%s", "") };
	double middle, decades, step;

	if (!(low > 0) || !(high >= low))
		low = high = 1;
	middle = sqrt(low * high);
	if (high / low < 1.5) {
		low = middle / sqrt(1.5);
		high = middle * sqrt(1.5);
	}
	decades = log10(high / low);
	a.low = low / pow(10, 0.04 * decades);
	a.high = high * pow(10, 0.04 * decades);
	if (decades < 0.8) {
		step = round_step((a.high - a.low) / (most - 2));
		for (double v = ceil(a.low / step) * step; v <= a.high * 1.001; v += step)
			tic(&a, v, format);
		return a;
	}
	step = ceil((decades + 0.2) / most);
	for (double e = floor(log10(a.low)); e <= log10(a.high); e += step) {
		tic(&a, pow(10, e), format);
		if (3 * decades < most + 1) {
			tic(&a, 2 * pow(10, e), format);
			tic(&a, 5 * pow(10, e), format);
		}
	}
	return a;
}

void picture_axis(struct picture *p, const char *name, struct axis *a)
{
	fprintf(p->gp, "%s_LOW = %.9g\n%s_HIGH = %.9g\n", name, a->low, name, a->high);
	/* a macro: tics cannot be a variable */
	fprintf(p->gp, "%s_TICS = \"(%s)\"\n", name, a->tics);
	free(a->tics);
	a->tics = NULL;
}

double picture_x(const struct group *g, unsigned x)
{
	return g->roles ? x + 1 : g->x[x].threads;
}

static double along(const struct group *g, double v, double low, double high)
{
	return g->roles ? (v - low) / (high - low) : log(v / low) / log(high / low);
}

void picture_axis_x(struct picture *p, const struct group *g, unsigned pixels)
{
	double first = picture_x(g, 0), last = picture_x(g, g->xs - 1), shade = NAN, low, high;
	double taken = -1e9;
	char *tics = text_append(NULL, "%s", "");

	low = g->roles ? first - 0.3 : first / 1.06;
	high = g->roles ? last + 0.3 : last * (last > first ? pow(last / first, 0.02) : 1.06);
	for (unsigned i = 0; i < g->xs; i++) {
		double at = along(g, picture_x(g, i), low, high) * pixels;
		double half = 4.5 * (double)text_width(g->x[i].label) + 3;

		if (g->x[i].oversubscribed && isnan(shade))
			shade = !i	   ? low
				: g->roles ? i + 0.5
					   : sqrt(picture_x(g, i) * picture_x(g, i - 1));
		if (at - half < taken)
			continue;
		taken = at + half;
		tics = text_append(tics, "%s'%s' %.9g", *tics ? ", " : "", g->x[i].label,
				   picture_x(g, i));
	}
	fprintf(p->gp, "X_LOG = %d\nX_LOW = %.9g\nX_HIGH = %.9g\nX_TICS = \"(%s)\"\n", !g->roles,
		low, high, tics);
	fprintf(p->gp, "SHADE = %.9g\n", isnan(shade) ? high : shade);
	picture_text(p, "X_LABEL", g->roles ? "readers and writers" : "threads");
	free(tics);
}

static int by_pointed(const void *a, const void *b)
{
	double x = **(double *const *)a, y = **(double *const *)b;

	return (x > y) - (x < y);
}

/*
 * Isotonic regression of v − i × gap (pool adjacent violators): the least
 * movement in squares that puts sorted values gap apart.
 */
void spread(double *v, unsigned n, double gap, double low, double high)
{
	double **order = calloc(n + 1, sizeof(*order)), *mean = calloc(n + 1, sizeof(*mean));
	unsigned *size = calloc(n + 1, sizeof(*size)), used = 0, heaps = 0;

	if (!order || !mean || !size)
		abort();
	for (unsigned i = 0; i < n; i++)
		if (!isnan(v[i]))
			order[used++] = &v[i];
	qsort(order, used, sizeof(*order), by_pointed);
	if (used > 1 && gap * (used - 1) > high - low)
		gap = (high - low) / (used - 1);
	for (unsigned i = 0; i < used; i++) {
		mean[heaps] = *order[i] - i * gap;
		size[heaps++] = 1;
		while (heaps > 1 && mean[heaps - 2] >= mean[heaps - 1]) {
			mean[heaps - 2] = (mean[heaps - 2] * size[heaps - 2] +
					   mean[heaps - 1] * size[heaps - 1]) /
					  (size[heaps - 2] + size[heaps - 1]);
			size[heaps - 2] += size[heaps - 1];
			heaps--;
		}
	}
	for (unsigned h = 0, i = 0; h < heaps; h++)
		for (unsigned k = 0; k < size[h]; k++, i++)
			*order[i] = fmax(low, fmin(high - (used - 1) * gap, mean[h])) + i * gap;
	free(order);
	free(mean);
	free(size);
}
