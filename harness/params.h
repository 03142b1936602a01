/*
 * params.h - named parameters of workloads and locks, as plain tables. The
 * config is validated against these tables, `list` prints them, and a running
 * cell reads the values as an array of int64_t in the table's order.
 */
#ifndef HARNESS_PARAMS_H
#define HARNESS_PARAMS_H

#include <stdint.h>

enum param_kind {
	PARAM_COUNT,  /* a whole number */
	PARAM_TIME,   /* ns; written "100ns", "3us", "0.5s" */
	PARAM_BYTES,  /* written "4K", "64M" */
	PARAM_CHOICE, /* value = index into choices */
};

struct param {
	const char *name; /* NULL ends a table */
	const char *about;
	enum param_kind kind;
	int64_t min, max;	    /* inclusive; unused by PARAM_CHOICE */
	const char *def;	    /* default, as a user would write it */
	const char *const *choices; /* NULL-terminated, PARAM_CHOICE only */
};

#define MAX_PARAMS 12

#endif
