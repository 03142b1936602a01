/*
 * readings.h - a results folder read back: cells, and the repetitions of each.
 * The only source of the pictures, the tables, the page and the comparison.
 *
 * Nothing is dropped here: hung, broken and dirty repetitions are all there.
 * Which of them a figure rests on is said by groups.h.
 */
#ifndef HARNESS_READINGS_H
#define HARNESS_READINGS_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sample.h"
#include "stats.h"

/* A histogram as it stands in a record: only the buckets that have samples. */
struct waits {
	uint64_t total, max; /* max in ns, exact */
	unsigned buckets;
	uint16_t *index; /* rising, of histogram.h */
	uint64_t *count;
};

struct reading {
	unsigned rep, line; /* line of records.jsonl */
	enum record_status status;
	const char *reason; /* NULL when ok */
	double throughput;  /* per second; NAN when not measured, as all below */
	double ops, writes, handovers, wall_ns, gap_max_ns, wait_max_ns;
	double jain, jain_readers, jain_writers;
	double distance;      /* ns of a ping-pong round trip; INFINITY: it changed under way */
	const char *dirty;    /* the first reason, or NULL */
	struct waits wait[2]; /* WAIT_READ, WAIT_WRITE; total 0 without sampling */
	json_t *json;	      /* the record, without its histograms */
	bool pooled;	      /* set by groups: a figure rests on it */
};

struct reading_cell {
	unsigned id;
	/* borrowed from the first reading; NULL where the record has null */
	const char *experiment, *workload, *lock, *call, *placement, *memory, *unit, *baseline;
	json_t *params; /* borrowed, an object */
	char *question; /* all that cells compared with each other share, as one text */
	unsigned threads;
	int readers, writers; /* −1 without roles */
	bool oversubscribed;
	unsigned cpus;
	double duration_ns, operations; /* NAN: not asked for */
	struct reading *reading;
	unsigned readings;

	/* set by groups_make */
	unsigned bad;		  /* readings that are not ok */
	enum record_status worst; /* of them */
	unsigned dirty, far;	  /* pooled but dirty; ok but left out for their distance */
	double *value;		  /* throughputs of the pooled ones */
	unsigned values;
	double median;		  /* NAN without values */
	struct interval interval; /* 95 %; NAN below STATS_LEAST_RUNS values */
	bool two_modes;
	double mode[2];
	unsigned lower; /* values in the lower mode */
};

struct readings {
	char *path;		   /* the folder */
	json_t *host;		   /* an object; empty when host.json is not there */
	struct reading_cell *cell; /* in the plan's order, its readings by rep */
	unsigned cells, records;
	bool truncated; /* the last line was, and is not among them */
};

/*
 * Reads DIR/records.jsonl and DIR/host.json. A truncated last line is dropped
 * with a warning on stderr. Any other damage: -1, with file, line and what is
 * wrong in why. Free with readings_free also after -1.
 */
int readings_read(struct readings *r, const char *dir, char *why, size_t size);
void readings_free(struct readings *r);

/* A text of the host, or NULL. */
const char *readings_host(const struct readings *r, const char *key);

/* Sum over the threads of a field of `thread`; NAN when it is not there. */
double reading_thread_sum(const struct reading *r, const char *field);

/* Value of a counter divided by ops; NAN when not measured, with why if it says. */
double reading_counter(const struct reading *r, const char *name, const char **reason);

#endif
