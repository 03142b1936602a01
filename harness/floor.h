/*
 * floor.h - what lies under every figure of a run: the same loop with the lock
 * `none` on one thread, and how fine the clock is. Measured in each run.
 */
#ifndef HARNESS_FLOOR_H
#define HARNESS_FLOOR_H

#include <jansson.h>
#include <signal.h>

#include "plan.h"

struct floors {
	double *ns;	      /* [plan->cell_count], per operation; NAN where there is none */
	const char **reason;  /* [plan->cell_count], why not; NULL where there is one */
	json_t *json;	      /* for host.json: one object for each that was measured */
	uint64_t clock_ns;    /* smallest step of clock_now() that was seen */
	double clock_cost_ns; /* of one clock_now() */
};

/*
 * About 20 ms for each workload and set of parameters in the plan. 0, -ENOMEM,
 * or -EINTR when *interrupts was counted up.
 */
int floors_measure(struct floors *floors, const struct plan *plan,
		   const volatile sig_atomic_t *interrupts);
void floors_free(struct floors *floors);

#endif
