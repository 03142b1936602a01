/*
 * events_json.h - what happened inside the lock, for the record.
 */
#ifndef HARNESS_EVENTS_JSON_H
#define HARNESS_EVENTS_JSON_H

#include <jansson.h>

#include "plan.h"
#include "sample.h"

/* Why a repetition of the cell has no events; NULL when it has. */
const char *events_missing(const struct cell_spec *spec);

/*
 * An object: each event that the lock counts, by name, with its sum over the
 * threads (the maximum, where it is one) and its value in each. Where reads and
 * writes are counted apart under one name, they stand beside the sum.
 */
json_t *events_json(const struct lock_ops *lock_ops, const struct sample *sample);

#endif
