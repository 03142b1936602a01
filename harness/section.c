/* section.c - the part of section.h that is not in the hot path. */
#include "workload.h"

/* How many other threads one look asks: cells may have a thousand. */
#define LOOK_AT 16

void section_look(const struct run *run, struct slot *slot, unsigned id)
{
	unsigned n = run->threads, asked = n - 1 < LOOK_AT ? n - 1 : LOOK_AT;
	struct slot *first = slot - id;
	bool company = false;

	for (unsigned k = 1; k <= asked; k++)
		company |= load_rlx(&first[(id + k) % n].progress) & 1;
	slot->looks++;
	slot->overlaps += company;
}
