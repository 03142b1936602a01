/*
 * record.h - one repetition as one line of records.jsonl, to docs/records.md.
 */
#ifndef HARNESS_RECORD_H
#define HARNESS_RECORD_H

#include <jansson.h>
#include <time.h>

#include "plan.h"
#include "sample.h"

#define RECORD_SCHEMA 1

struct record {
	const struct cell_spec *spec;
	const struct sample *sample;
	unsigned rep, seq, attempts;
	struct timespec started; /* CLOCK_REALTIME */
	double floor_ns;	 /* NAN: not measured */
	const char *floor_reason;
	unsigned topology_cpus; /* CPUs this run may use */
	json_t *noise;		/* borrowed; NULL: not looked at */
};

/* A new reference. Fields that the sample has no value for are null. */
json_t *record_json(const struct record *record);

/* The cell's parameters by name, as a new object. */
json_t *record_params(const struct param *params, const int64_t *values);

/*
 * Appends the object as one line by one write(2), and waits until it is on the
 * disk. fd is open O_APPEND. 0 or -errno; after a short write the file ends in
 * a truncated line, which the next reader drops.
 */
int record_append(int fd, const json_t *record);

/* 1 when all have the same share, 1/n when one has all; NAN for no share at all. */
double jain_index(const uint64_t *shares, unsigned n);

#endif
