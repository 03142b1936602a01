/* section.c - the part of section.h that is not in the hot path. */
#include "workload.h"

/* How many other threads one look asks: cells may have a thousand. */
#define LOOK_AT 16

void section_look(struct thread *t)
{
	unsigned n = t->run->threads, asked = n - 1 < LOOK_AT ? n - 1 : LOOK_AT;
	struct slot *first = t->slot - t->id;
	bool company = false;

	for (unsigned k = 1; k <= asked; k++)
		company |= load_rlx(&first[(t->id + k) % n].progress) & 1;
	t->slot->looks++;
	t->slot->overlaps += company;
}
