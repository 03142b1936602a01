/*
 * checks.h - what every lock must do. Each check takes a lock that nobody
 * holds, leaves it so, and returns NULL or in words what is wrong. A lock that
 * hangs hangs the check: the caller sets an alarm.
 */
#ifndef TESTS_CONFORMANCE_CHECKS_H
#define TESTS_CONFORMANCE_CHECKS_H

#include "subject.h"

struct check {
	const char *name;
	const char *(*run)(struct subject *s);
};

/* NULL name ends it. */
extern const struct check checks[];

/* exclusion.c */
const char *check_writer_excludes(struct subject *s);
const char *check_reader_excludes_writers(struct subject *s);
const char *check_readers_overlap(struct subject *s);
const char *check_tries(struct subject *s);
const char *check_downgrade(struct subject *s);
/* deadline.c */
const char *check_deadline_passes(struct subject *s);
const char *check_deadline_met(struct subject *s);
const char *check_quitter_wakes_others(struct subject *s);
/* storm.c */
const char *check_storm(struct subject *s);
const char *check_storm_of_deadlines(struct subject *s);

#endif
