/*
 * crew.h - the measuring half of a repetition, inside the forked process: lock,
 * section, threads, phases, checks.
 */
#ifndef HARNESS_CREW_H
#define HARNESS_CREW_H

#include "plan.h"
#include "sample.h"

/*
 * Measures and leaves everything in *sample; the caller exits afterwards.
 * `forked` is clock_now() from before the fork.
 */
void crew_run(const struct cell_spec *spec, uint64_t seed, unsigned turn, uint64_t forked,
	      struct sample *sample);

#endif
