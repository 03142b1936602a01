/*
 * progress.h - how far a run is, on stderr: a bar with the time left on a
 * terminal, one line a cell elsewhere.
 */
#ifndef HARNESS_PROGRESS_H
#define HARNESS_PROGRESS_H

#include <jansson.h>

#include "plan.h"

enum verbosity { QUIET = -1, NORMAL, VERBOSE };

struct progress {
	const struct plan *plan;
	enum verbosity verbosity;
	bool terminal;
	unsigned *left;	     /* [cell_count], repetitions still to come */
	double *rates;	     /* [cell_count], sum of the rates of its ok repetitions */
	unsigned *ok;	     /* [cell_count] */
	unsigned done, todo; /* repetitions */
	uint64_t asked_left_ns, asked_done_ns; /* of measured time */
	uint64_t started_ns;
};

/* done: [step_count], what an earlier run left; NULL for nothing. 0 or -ENOMEM. */
int progress_begin(struct progress *p, const struct plan *plan, const bool *done,
		   enum verbosity verbosity);
void progress_step(struct progress *p, const struct plan_step *step, const json_t *record);
void progress_end(struct progress *p);

#endif
