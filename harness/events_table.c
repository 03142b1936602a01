/* events_table.c - see events_table.h. */
#include "events_table.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "events.h"
#include "text.h"

#define WIDTH 120
#define LABEL 46

static const struct {
	const char *read, *write; /* alike: the parts of one name; no write: of no side */
	bool max;
} sources[FIGURES] = {
	[BLOCKED] = { "read_slow", "write_slow" },
	[BY_A_READER] = { "blocked_by_reader", "blocked_by_reader" },
	[STEALING] = { "steal_read", "steal_write" },
	[NO_SLEEP] = { "acquired_no_sleep", "acquired_no_sleep" },
	[ONE_SLEEP] = { "acquired_1_sleep", "acquired_1_sleep" },
	[MORE_SLEEPS] = { "acquired_many_sleeps", "acquired_many_sleeps" },
	[SPINNING] = { "spin_read", "spin_write" },
	[GAVE_UP] = { "gave_up", "gave_up" },
	[LONGEST_WAIT] = { "longest_wait_ns", "longest_wait_ns", true },
	[QUEUED] = { "queued" },
	[QUEUE_SUM] = { "queue_length_sum" },
	[QUEUE_MAX] = { "queue_length_max", .max = true },
	[READERS_WOKEN] = { "wake_read" },
	[BATCHES] = { "reader_batch" },
	[BATCH_MAX] = { "reader_batch_max", .max = true },
	[HOLDS] = { "wait_lock_samples" },
	[HOLD_NS] = { "wait_lock_ns" },
	[HOLD_MAX] = { "wait_lock_max_ns", .max = true },
	[WOKEN_INSIDE] = { "wake_in_lock" },
	[WOKEN_OUTSIDE] = { "wake_outside_lock" },
	[HANDOFFS] = { "handoff" },
};

/* A table's line: how it makes a text of a column. */
struct line {
	const char *label[2]; /* by side */
	enum events_figure figure;
	void (*put)(const struct events_column *c, enum events_figure f, int side, char *text,
		    size_t size);
};

static int64_t lookup(const json_t *events, enum events_figure f, int side)
{
	const char *read = sources[f].read, *write = sources[f].write;
	const json_t *o = json_object_get(events, write && side ? write : read);
	const json_t *v = json_object_get(o, "value");

	if (write && !strcmp(read, write)) {
		const json_t *part = json_object_get(o, side ? "write" : "read");

		/* a lock that counts reads as writes has one figure, and it is of these */
		v = part || !side ? part : v;
	}
	return json_is_integer(v) ? json_integer_value(v) : ABSENT;
}

bool events_add(struct events_column *c, const struct reading *r, const char *dir)
{
	const json_t *events = json_object_get(r->json, "events");

	for (int side = SIDE_READ; side <= SIDE_WRITE; side++) {
		int64_t classes = 0, blocked = lookup(events, BLOCKED, side);

		for (enum events_figure f = 0; f < FIGURES; f++) {
			int64_t n = lookup(events, f, side), *sum = &c->figure[f][side];

			if (f >= FIRST_CLASS && f <= LAST_CLASS && n != ABSENT)
				classes += n;
			if (n == ABSENT || !c->runs)
				*sum = n;
			else if (!sources[f].max)
				*sum += n;
			else if (n > *sum)
				*sum = n;
		}
		if (blocked != ABSENT && blocked != classes) {
			fprintf(stderr,
				"events: %s/records.jsonl:%u: '%s' is %" PRId64
				", but its classes add up to %" PRId64 "\n",
				dir, r->line, side ? "write_slow" : "read_slow", blocked, classes);
			return false;
		}
	}
	c->runs++;
	return true;
}

static void put_runs(const struct events_column *c, enum events_figure f, int side, char *text,
		     size_t size)
{
	(void)f;
	(void)side;
	snprintf(text, size, "%u", c->runs);
}

static void put_count(const struct events_column *c, enum events_figure f, int side, char *text,
		      size_t size)
{
	if (c->figure[f][side] == ABSENT)
		snprintf(text, size, "N/A");
	else
		snprintf(text, size, "%" PRId64, c->figure[f][side]);
}

static void share(int64_t part, int64_t whole, char *text, size_t size)
{
	if (part == ABSENT || whole == ABSENT)
		snprintf(text, size, "N/A");
	else if (!whole)
		snprintf(text, size, "–");
	else
		snprintf(text, size, "%.2f%%", 100.0 * (double)part / (double)whole);
}

static void put_share(const struct events_column *c, enum events_figure f, int side, char *text,
		      size_t size)
{
	share(c->figure[f][side], c->figure[BLOCKED][side], text, size);
}

static void put_sum(const struct events_column *c, enum events_figure f, int side, char *text,
		    size_t size)
{
	int64_t sum = 0;

	for (f = FIRST_CLASS; f <= LAST_CLASS; f++)
		if (c->figure[f][side] != ABSENT)
			sum += c->figure[f][side];
	share(sum, c->figure[BLOCKED][side], text, size);
}

static void put_longest(const struct events_column *c, enum events_figure f, int side, char *text,
			size_t size)
{
	if (c->figure[f][side] == ABSENT)
		snprintf(text, size, "N/A");
	else
		text_time(text, size, (double)c->figure[f][side]);
}

/* "3.25 (8)": the mean f / (f - 1), and the maximum, which is f + 1 */
static void put_mean(const struct events_column *c, enum events_figure f, int side, char *text,
		     size_t size)
{
	int64_t n = c->figure[f - 1][side], sum = c->figure[f][side];

	if (sum == ABSENT)
		snprintf(text, size, "N/A");
	else if (!n)
		snprintf(text, size, "–");
	else
		snprintf(text, size, "%.2f (%" PRId64 ")", (double)sum / (double)n,
			 c->figure[f + 1][side]);
}

static void put_batch(const struct events_column *c, enum events_figure f, int side, char *text,
		      size_t size)
{
	int64_t n = c->figure[BATCHES][side];

	(void)f;
	if (n == ABSENT)
		snprintf(text, size, "N/A");
	else if (!n)
		snprintf(text, size, "–");
	else
		snprintf(text, size, "%.2f (%" PRId64 ")",
			 (double)c->figure[READERS_WOKEN][side] / (double)n,
			 c->figure[BATCH_MAX][side]);
}

static void put_hold(const struct events_column *c, enum events_figure f, int side, char *text,
		     size_t size)
{
	int64_t n = c->figure[HOLDS][side];
	char mean[16], most[16];

	(void)f;
	if (!n) {
		snprintf(text, size, "–");
		return;
	}
	text_time(mean, sizeof(mean), (double)c->figure[HOLD_NS][side] / (double)n);
	text_time(most, sizeof(most), (double)c->figure[HOLD_MAX][side]);
	snprintf(text, size, "%s (%s)", mean, most);
}

static void put_inside(const struct events_column *c, enum events_figure f, int side, char *text,
		       size_t size)
{
	int64_t inside = c->figure[WOKEN_INSIDE][side];

	(void)f;
	share(inside, inside + c->figure[WOKEN_OUTSIDE][side], text, size);
}

#define BOTH_SIDES(text)   \
	{                  \
		text, text \
	}

static const struct line by_side[] = {
	{ { "Reader acquisition blocked count", "Writer acquisition blocked count" },
	  BLOCKED,
	  put_count },
	{ BOTH_SIDES("Blocked by reader"), BY_A_READER, put_share },
	{ BOTH_SIDES("Lock acquired first attempt (lock stealing)"), STEALING, put_share },
	{ BOTH_SIDES("Lock acquired in the queue, before sleeping"), NO_SLEEP, put_share },
	{ BOTH_SIDES("Lock acquired second attempt (1 sleep)"), ONE_SLEEP, put_share },
	{ BOTH_SIDES("Lock acquired after more than 1 sleep"), MORE_SLEEPS, put_share },
	{ BOTH_SIDES("Lock acquired with optimistic spin"), SPINNING, put_share },
	{ BOTH_SIDES("Sum"), FIRST_CLASS, put_sum },
	{ BOTH_SIDES("Longest wait"), LONGEST_WAIT, put_longest },
	{ .put = NULL },
};

static const struct line inside[] = {
	{ BOTH_SIDES("Queue as one that queues finds it: mean (max)"), QUEUE_SUM, put_mean },
	{ BOTH_SIDES("Readers woken together: mean (max)"), BATCHES, put_batch },
	{ BOTH_SIDES("Woken with the wait lock held"), WOKEN_INSIDE, put_inside },
	{ BOTH_SIDES("Wait lock held: mean (max)"), HOLD_NS, put_hold },
	{ BOTH_SIDES("Served under a hand-off"), HANDOFFS, put_count },
	{ .put = NULL },
};

static const struct line runs[] = {
	{ BOTH_SIDES("Repetitions"), BLOCKED, put_runs },
	{ .put = NULL },
};

static size_t widest(const struct line *l, const struct events_column *c, size_t width)
{
	char text[64];

	for (; l->put; l++)
		for (int side = SIDE_READ; side <= SIDE_WRITE; side++) {
			l->put(c, l->figure, side, text, sizeof(text));
			if (text_width(text) > width)
				width = text_width(text);
		}
	return width;
}

static size_t column_width(const struct events_column *c)
{
	return widest(inside, c, widest(by_side, c, text_width(c->lock))) + 2;
}

static void put_padded(const char *text, size_t width)
{
	printf("%*s%s", (int)(width - text_width(text)), "", text);
}

static void put_lines(const struct line *l, int side, const struct events_column *c, unsigned n)
{
	char text[64];

	for (; l->put; l++) {
		printf("  %-*s", LABEL, l->label[side]);
		for (unsigned i = 0; i < n; i++) {
			l->put(&c[i], l->figure, side, text, sizeof(text));
			put_padded(text, column_width(&c[i]));
		}
		putchar('\n');
	}
}

static bool any_blocked(const struct events_column *c, unsigned n, int side)
{
	for (unsigned i = 0; i < n; i++)
		if (c[i].figure[BLOCKED][side] > 0)
			return true;
	return false;
}

void events_put(const struct events_column *c, unsigned n)
{
	while (n) {
		size_t width = 2 + LABEL;
		unsigned fit = 0;

		while (fit < n && (!fit || width + column_width(&c[fit]) <= WIDTH))
			width += column_width(&c[fit++]);
		printf("\n%*s", 2 + LABEL, "");
		for (unsigned i = 0; i < fit; i++)
			put_padded(c[i].lock, column_width(&c[i]));
		putchar('\n');
		put_lines(runs, SIDE_WRITE, c, fit);
		for (int side = SIDE_WRITE; side >= SIDE_READ; side--)
			if (any_blocked(c, fit, side))
				put_lines(by_side, side, c, fit);
		put_lines(inside, SIDE_WRITE, c, fit);
		c += fit;
		n -= fit;
	}
}
