/* work.c - calibration of work_for(). */
#include "work.h"

#include "atomic.h"

#define TRIES 9
#define ROUNDS 100000

uint64_t work_rounds_per_1024ns = 1024;

void work_calibrate(void)
{
	uint64_t best = UINT64_MAX;

	work_rounds_per_1024ns = 1024;
	for (int i = 0; i < TRIES; i++) {
		uint64_t start = clock_now(), took;

		work_for(ROUNDS);
		took = clock_now() - start;
		if (took && took < best)
			best = took;
	}
	work_rounds_per_1024ns = ROUNDS * 1024ull / best;
	if (!work_rounds_per_1024ns)
		work_rounds_per_1024ns = 1;
}
