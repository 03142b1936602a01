/*
 * order.c - overtaking. A thread counts as waiting from the moment it sleeps on
 * a word of its own (or pauses, in a lock that spins): before that it may be
 * on its way into the queue. With fifo, nobody who called acquire after that
 * moment may come in first. With steals, that may happen often at first, but
 * only so many times once the waiter was awake, saw that much time had passed,
 * and went back to sleep.
 */
#include "order.h"

static bool order_matters(void)
{
	return explore.opt.fifo || explore.opt.steals;
}

void order_arrive(struct order *o, int t, bool write)
{
	if (!order_matters())
		return;
	/* a thread may come long after it chose to */
	explore_op(OP_STEP, NULL, 0, 0, 0, 0, "arrival", 0);
	o->acquiring[t] = 1;
	o->writing[t] = write;
	o->later[t] = o->passed[t] = o->leaps[t] = 0;
	for (int i = 0; i < (int)explore.opt.threads; i++) {
		if (i != t && o->acquiring[i] >= 2)
			o->later[i] |= (uint8_t)(1 << t);
	}
}

void order_waits(struct order *o, int t)
{
	if (!order_matters() || !o->acquiring[t])
		return;
	if (o->acquiring[t] == 1) {
		o->acquiring[t] = 2;
		o->leaps[t] = (uint8_t)machine.leaps;
	} else if (machine.leaps > o->leaps[t]) {
		o->acquiring[t] = 3;
	}
}

/* t came after i waited, and has the lock first */
static void overtake(struct order *o, int t, int i)
{
	if (explore.opt.steals && (o->acquiring[i] == 2 || ++o->passed[i] <= explore.opt.steals))
		return;
	explore_fail("order: thread %d overtakes thread %d, which waited before it came%s", t, i,
		     explore.opt.steals ? ", again long after it should have been its turn" : "");
}

void order_acquired(struct order *o, int t)
{
	if (!order_matters())
		return;
	o->acquiring[t] = 0;
	for (int i = 0; i < (int)explore.opt.threads; i++) {
		if (i != t && o->acquiring[i] >= 2 && o->later[i] >> t & 1 &&
		    (o->writing[i] || o->writing[t]))
			overtake(o, t, i);
		o->later[i] &= (uint8_t) ~(1 << t);
	}
	o->later[t] = 0;
}
