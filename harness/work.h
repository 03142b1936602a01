/*
 * work.h - work_for(ns): keep the CPU busy for about that long without memory
 * traffic and without reading a clock. A chain of dependent multiplies; the
 * rounds per 1,024 ns are calibrated in the parent before the first child is
 * forked, so that all cells of a run do the same work.
 */
#ifndef HARNESS_WORK_H
#define HARNESS_WORK_H

#include <stdint.h>

extern uint64_t work_rounds_per_1024ns;

/* Takes the fastest of several tries: disturbance only makes a try slower. */
void work_calibrate(void);

static inline __attribute__((always_inline)) void work_for(int64_t ns)
{
	uint64_t rounds, x = 1;

	if (ns <= 0)
		return;
	rounds = ((uint64_t)ns * work_rounds_per_1024ns) >> 10;
	for (uint64_t i = 0; i < rounds; i++) {
		x *= 0x9e3779b97f4a7c15ull;
		__asm__ volatile("" : "+r"(x));
	}
}

#endif
