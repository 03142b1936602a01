/* run.h - the schedule: every repetition of a plan that is still missing. */
#ifndef HARNESS_RUN_H
#define HARNESS_RUN_H

#include <signal.h>

#include "floor.h"
#include "plan.h"
#include "progress.h"
#include "results_dir.h"

struct run_options {
	enum verbosity verbosity;
	/* how often a dirty repetition is measured again; all together at most a quarter */
	unsigned reruns;
	/*
	 * Counted up by the handler. At 1 the running repetition is finished and
	 * written, at 2 it is given up; the run is resumable either way.
	 */
	const volatile sig_atomic_t *interrupts;
};

/*
 * Measures what `left` says is missing (NULL: everything), one record for each
 * repetition. An enum exit_code: fine, EXIT_CELLS when any repetition of the
 * plan, also of an earlier run, is not ok or a record could not be written,
 * EXIT_INTERRUPTED.
 */
int run_plan(const struct plan *plan, struct results *results, const struct results_left *left,
	     const struct floors *floors, const struct run_options *options);

#endif
