/*
 * child.h - one repetition of one cell in a process of its own. Whatever the
 * lock does there (hang, crash, break exclusion) is a result, never the end of
 * the run.
 */
#ifndef HARNESS_CHILD_H
#define HARNESS_CHILD_H

#include <signal.h>

#include "plan.h"
#include "sample.h"

/* Shared memory for the result; NULL with errno set. Zeroed, not yet touched. */
struct sample *sample_new(unsigned threads);
void sample_free(struct sample *sample);

const char *status_name(enum record_status status);

/*
 * Forks, measures, waits, and returns when the child and every process in its
 * group are gone. `sample` must be fresh from sample_new(spec->threads);
 * afterwards sample->status and sample->reason say how it went. `seed` seeds
 * the threads' draws, `turn` rotates the
 * counters (the repetition's number). `interrupts` (may be NULL) is counted up by the caller's
 * SIGINT and SIGTERM handler: at 2 the child is killed at once.
 *
 * Returns 0, -EINTR when interrupted that way (the sample is worth nothing), or
 * -errno when no process could be made.
 */
int child_run(const struct cell_spec *spec, uint64_t seed, unsigned turn,
	      const volatile sig_atomic_t *interrupts, struct sample *sample);

#endif
