/*
 * events_table.h - what was counted inside the locks, as the table of June 2013:
 * a column a lock. docs/events.md says what each line means.
 */
#ifndef HARNESS_EVENTS_TABLE_H
#define HARNESS_EVENTS_TABLE_H

#include "readings.h"

#define ABSENT (-1)

/* What is read of a record, summed over the repetitions or their maximum. */
enum events_figure {
	BLOCKED,
	BY_A_READER,
	FIRST_CLASS,
	STEALING = FIRST_CLASS,
	NO_SLEEP,
	ONE_SLEEP,
	MORE_SLEEPS,
	SPINNING,
	GAVE_UP,
	LAST_CLASS = GAVE_UP,
	LONGEST_WAIT,
	QUEUED,
	QUEUE_SUM,
	QUEUE_MAX,
	READERS_WOKEN,
	BATCHES,
	BATCH_MAX,
	HOLDS,
	HOLD_NS,
	HOLD_MAX,
	WOKEN_INSIDE,
	WOKEN_OUTSIDE,
	HANDOFFS,
	FIGURES,
};

/* Begins as all zero but for the name. */
struct events_column {
	const char *lock;
	unsigned runs;
	int64_t figure[FIGURES][2]; /* ABSENT where the lock does not count it */
};

/*
 * Adds one repetition, which has events. False, with the line on stderr, when the
 * classes of the record do not add up: no lock of ours leaves that.
 */
bool events_add(struct events_column *c, const struct reading *r, const char *dir);

/* To stdout, as many columns at a time as a page is wide. */
void events_put(const struct events_column *c, unsigned n);

#endif
