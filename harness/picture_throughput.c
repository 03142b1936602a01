/* picture_throughput.c - throughput by threads: one panel, a panel a lock, or dots. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "child.h"
#include "picture.h"
#include "text.h"

#define WIDTH 1000
#define HEIGHT 620
#define LEFT 92
#define FAULT_ROW 0.048 /* of the panel's height */

static void range(const struct group *g, double *low, double *high)
{
	*low = INFINITY;
	*high = 0;
	for (unsigned i = 0; i < g->locks * g->xs; i++) {
		const struct reading_cell *c = g->cell[i];

		for (unsigned k = 0; c && k < c->values; k++)
			if (c->value[k] > 0) {
				*low = fmin(*low, c->value[k]);
				*high = fmax(*high, c->value[k]);
			}
	}
}

/* What of a cell goes on the line: the median, or the mode that has more runs. */
static double on_line(const struct reading_cell *c)
{
	if (!c || !(c->median > 0))
		return NAN;
	return !c->two_modes ? c->median : c->mode[2 * c->lower < c->values];
}

/*
 * Three blocks a lock: x, line, low, high; x, lower and upper mode; x of cells
 * with dirty runs.
 */
static void put_lines(struct picture *p, const struct group *g)
{
	for (unsigned l = 0; l < g->locks; l++) {
		for (unsigned x = 0; x < g->xs; x++) {
			const struct reading_cell *c = group_cell(g, l, x);
			bool band = c && !c->two_modes && !isnan(c->interval.low);

			picture_put(p, picture_x(g, x));
			picture_put(p, on_line(c));
			picture_put(p, band ? c->interval.low : on_line(c));
			picture_put(p, band ? c->interval.high : on_line(c));
			fputs("\n", p->dat);
		}
		picture_block(p);
		for (unsigned x = 0; x < g->xs; x++) {
			const struct reading_cell *c = group_cell(g, l, x);

			if (c && c->two_modes) {
				picture_put(p, picture_x(g, x));
				picture_put(p, c->mode[0]);
				picture_put(p, c->mode[1]);
				fputs("\n", p->dat);
			}
		}
		picture_block(p);
		for (unsigned x = 0; x < g->xs; x++) {
			const struct reading_cell *c = group_cell(g, l, x);

			if (c && c->dirty) {
				picture_put(p, picture_x(g, x));
				picture_put(p, on_line(c));
				fputs("\n", p->dat);
			}
		}
		picture_block(p);
	}
}

static bool faulty(const struct group *g, unsigned l)
{
	for (unsigned x = 0; x < g->xs; x++)
		if (group_cell(g, l, x) && group_cell(g, l, x)->bad)
			return true;
	return false;
}

/* "pthread_spin hung", of the worst cell */
static char *fault_text(const struct group *g, unsigned l, bool with_name)
{
	const struct reading_cell *worst = NULL;
	char fault[64];

	for (unsigned x = 0; x < g->xs; x++) {
		const struct reading_cell *c = group_cell(g, l, x);

		if (c && c->bad && (!worst || c->bad > worst->bad))
			worst = c;
	}
	return text_append(NULL, "%s%s— %s", with_name ? g->lock[l] : "", with_name ? " " : "",
			   worst ? cell_fault(worst, fault, sizeof(fault)) : "");
}

/* The last block: x, y of each fault, and its lock. */
static void put_faults(struct picture *p, const struct group *g, const double *row)
{
	for (unsigned l = 0; l < g->locks; l++)
		for (unsigned x = 0; x < g->xs; x++) {
			const struct reading_cell *c = group_cell(g, l, x);

			if (!c || !c->bad)
				continue;
			picture_put(p, picture_x(g, x));
			picture_put(p, row[l]);
			fprintf(p->dat, "%u\n", l + 1);
		}
	picture_number(p, "FAULTS", picture_block(p));
}

static void notes(struct picture *p, const struct group *g)
{
	if (g->two_modes)
		picture_note(p, "dotted bar: the runs form two heaps, both shown");
	if (g->dirty)
		picture_note(p, "grey ring: with disturbed runs (%u)", g->dirty);
	if (g->bad)
		picture_note(p, "✕: hung, crashed, wrong, or not supported here");
}

static void unit_label(struct picture *p, const struct group *g)
{
	char *label = text_append(NULL, "%s per second (log)", g->any->unit);

	picture_text(p, "Y_LABEL", label);
	free(label);
}

/* Where the faults stand, below the data, and where their texts. */
static void fault_rows(struct picture *p, const struct group *g, struct axis *y, double *row)
{
	double *side = calloc(g->locks, sizeof(*side)), height = log(y->high / y->low), bottom;
	char **text = calloc(g->locks, sizeof(*text));
	unsigned rows = 0, at = 0;

	if (!side || !text)
		abort();
	for (unsigned l = 0; l < g->locks; l++)
		rows += faulty(g, l);
	if (rows)
		y->low = exp(log(y->high) - height / (1 - FAULT_ROW * (rows + 0.5)));
	bottom = log(y->low);
	height = log(y->high / y->low);
	for (unsigned l = 0; l < g->locks; l++) {
		unsigned first = g->xs, last = 0;

		row[l] = side[l] = NAN;
		text[l] = faulty(g, l) ? fault_text(g, l, true) : text_append(NULL, "%s", "");
		if (!faulty(g, l))
			continue;
		row[l] = exp(bottom + height * FAULT_ROW * (at++ + 0.7));
		for (unsigned x = 0; x < g->xs; x++)
			if (group_cell(g, l, x) && group_cell(g, l, x)->bad) {
				first = x < first ? x : first;
				last = x;
			}
		/* −x: ends left of the mark at x; x: begins right of it */
		side[l] = first > 0 ? -picture_x(g, first) : picture_x(g, last);
	}
	picture_array(p, "FAULT_Y", row, g->locks);
	picture_array(p, "FAULT_X", side, g->locks);
	picture_texts(p, "FAULT", (const char *const *)text, g->locks);
	for (unsigned l = 0; l < g->locks; l++)
		free(text[l]);
	free(text);
	free(side);
}

/* Names at the right end, where the lines end, apart from each other. */
static unsigned end_labels(struct picture *p, const struct group *g, const struct axis *y,
			   unsigned height)
{
	double *at = calloc(g->locks, sizeof(*at)), strip = 0;
	size_t longest = 0;

	if (!at)
		abort();
	for (unsigned l = 0; l < g->locks; l++) {
		at[l] = NAN;
		for (unsigned x = 0; x < g->xs; x++)
			if (!isnan(on_line(group_cell(g, l, x))))
				at[l] = log(on_line(group_cell(g, l, x)));
		strip += faulty(g, l) ? FAULT_ROW : 0;
		if (!isnan(at[l]) && text_width(g->lock[l]) > longest)
			longest = text_width(g->lock[l]);
	}
	spread(at, g->locks, log(y->high / y->low) * 19 / height,
	       log(y->low) + log(y->high / y->low) * strip, log(y->high));
	for (unsigned l = 0; l < g->locks; l++)
		at[l] = exp(at[l]);
	picture_array(p, "LABEL_Y", at, g->locks);
	for (unsigned l = 0; l < g->locks; l++)
		at[l] = isnan(on_line(group_cell(g, l, g->xs - 1)));
	picture_array(p, "STOPS", at, g->locks);
	free(at);
	return 40 + (unsigned)(longest * 9.3);
}

static void one_panel(struct album *a, const struct group *g, struct axis *y)
{
	struct picture *p = picture_begin(a, "throughput", g->slug, g, g->title);
	double *row = calloc(g->locks, sizeof(*row));
	unsigned right;

	if (!row)
		abort();
	if (p) {
		fault_rows(p, g, y, row);
		right = end_labels(p, g, y, HEIGHT - 160);
		picture_number(p, "RIGHT", right);
		picture_axis(p, "Y", y);
		picture_axis_x(p, g, WIDTH - LEFT - right);
		picture_lock_styles(a, p, g);
		unit_label(p, g);
		put_lines(p, g);
		put_faults(p, g, row);
		picture_note_runs(p, g, "band");
		notes(p, g);
		picture_note_machine(a, p, g);
		picture_end(a, p, WIDTH, HEIGHT);
	}
	free(row);
}

static void small_multiples(struct album *a, const struct group *g, struct axis *y)
{
	const unsigned columns = g->locks > 12 ? 5 : 4, rows = (g->locks + columns - 1) / columns;
	struct picture *p = picture_begin(a, "multiples", g->slug, g, g->title);
	double *row = calloc(g->locks, sizeof(*row));
	char **fault = calloc(g->locks, sizeof(*fault));

	if (!row || !fault)
		abort();
	if (p) {
		for (unsigned l = 0; l < g->locks; l++) {
			row[l] = y->low * pow(y->high / y->low, 0.05);
			fault[l] = faulty(g, l) ? fault_text(g, l, false)
						: text_append(NULL, "%s", "");
		}
		picture_texts(p, "FAULT", (const char *const *)fault, g->locks);
		picture_axis(p, "Y", y);
		picture_axis_x(p, g, 1180 / columns);
		picture_number(p, "COLUMNS", columns);
		picture_number(p, "ROWS", rows);
		picture_lock_styles(a, p, g);
		unit_label(p, g);
		put_lines(p, g);
		put_faults(p, g, row);
		picture_note(p, "grey lines: all other locks");
		picture_note_runs(p, g, "band");
		notes(p, g);
		picture_note_machine(a, p, g);
		picture_end(a, p, 1240, 135 + 210 * rows);
		for (unsigned l = 0; l < g->locks; l++)
			free(fault[l]);
	}
	free(fault);
	free(row);
}

static int by_median(const void *a, const void *b)
{
	const struct reading_cell *const *x = a, *const *y = b;
	double p = (*x)->median, q = (*y)->median;

	return isnan(p) ? !isnan(q) : isnan(q) ? -1 : (p < q) - (p > q);
}

/* With one number of threads a line has one point: a row a lock says more. */
static void dots(struct album *a, const struct group *g, struct axis *value)
{
	struct picture *p = picture_begin(a, "dots", g->slug, g, g->title);
	const struct reading_cell **order = calloc(g->locks, sizeof(*order));
	unsigned n = 0;
	char *title, at[64];

	if (!order)
		abort();
	for (unsigned l = 0; l < g->locks; l++)
		if (group_cell(g, l, 0))
			order[n++] = group_cell(g, l, 0);
	qsort(order, n, sizeof(*order), by_median);
	for (unsigned i = 0; p && i < n; i++) {
		const struct reading_cell *c = order[i];
		char text[160] = "", fault[64], one[32], two[32];

		picture_put(p, on_line(c));
		picture_put(p, c->two_modes ? NAN : c->interval.low);
		picture_put(p, c->two_modes ? NAN : c->interval.high);
		picture_put_text(p, c->lock);
		if (c->two_modes)
			snprintf(text, sizeof(text), "%s or %s",
				 text_si(one, sizeof(one), c->mode[0]),
				 text_si(two, sizeof(two), c->mode[1]));
		else
			text_si(text, sizeof(text), c->median);
		if (c->bad)
			snprintf(text + strlen(text), sizeof(text) - strlen(text), "  — %s",
				 cell_fault(c, fault, sizeof(fault)));
		picture_put_text(p, isnan(c->median) ? text + strlen("–  ") : text);
		fprintf(p->dat, "%u %u ", i, c->dirty);
		picture_put(p, c->two_modes ? c->mode[0] : NAN);
		picture_put(p, c->two_modes ? c->mode[1] : NAN);
		fputs("\n", p->dat);
	}
	if (p) {
		picture_block(p);
		for (unsigned i = 0; i < n; i++)
			for (unsigned k = 0; k < order[i]->values; k++)
				fprintf(p->dat, "%.9g %u\n", order[i]->value[k], i);
		picture_block(p);
		title = text_append(NULL, "%s, %s", g->title, group_x_text(g, 0, at, sizeof(at)));
		picture_text(p, "TITLE", title);
		free(title);
		picture_number(p, "N", n);
		picture_names(p, g->lock, g->locks);
		picture_axis(p, "X", value);
		unit_label(p, g);
		picture_note_runs(p, g, "bar");
		picture_note(p, "small dots: single runs");
		if (g->x[0].oversubscribed)
			picture_note(p, "more threads than CPUs");
		notes(p, g);
		picture_note_machine(a, p, g);
		picture_end(a, p, WIDTH, 150 + 34 * n);
	}
	free(order);
}

void pictures_throughput(struct album *a, const struct group *g)
{
	unsigned locks = 0; /* without the floor, which is grey */
	double low, high;
	struct axis y;

	for (unsigned l = 0; l < g->locks; l++)
		locks += !is_floor(g->lock[l]);
	range(g, &low, &high);
	y = axis_log(low, high, 8, text_si);
	if (g->xs == 1)
		dots(a, g, &y);
	else if (locks <= PICTURE_DIRECT)
		one_panel(a, g, &y);
	else
		small_multiples(a, g, &y);
	free(y.tics);
}
