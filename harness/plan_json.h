/*
 * plan_json.h - a plan as plan.json: what `resume` goes by, so that neither the
 * config nor the machine's state is asked again.
 */
#ifndef HARNESS_PLAN_JSON_H
#define HARNESS_PLAN_JSON_H

#include <jansson.h>

#include "plan.h"

/* A new object. Parameters are named, choices by their words. */
json_t *plan_write_json(const struct plan *plan);

/*
 * Finds locks, workloads and parameters in this build. NULL with the reason in
 * why: a lock or workload that this build lacks, a parameter that the other
 * build had. Nothing of the result points into json; for plan_free().
 */
struct plan *plan_read_json(const json_t *json, char *why, size_t size);

#endif
