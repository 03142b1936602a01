/* order.h - who came after whom: for locks that claim an order or a bound of service. */
#ifndef EXPLORE_ORDER_H
#define EXPLORE_ORDER_H

#include "machine.h"

/* Part of the state, so it lies in the arena. All zero: nobody is acquiring. */
struct order {
	uint8_t acquiring
		[MAX_THREADS];	    /* 1: called acquire, 2: waits, 3: waits again, much later */
	uint8_t later[MAX_THREADS]; /* who called while I waited, a bit each */
	uint8_t writing[MAX_THREADS];
	uint8_t leaps[MAX_THREADS];  /* of time, when I began to wait */
	uint8_t passed[MAX_THREADS]; /* how often I was overtaken in 3 */
};

/* Do nothing unless explore.opt asks for fifo or steals. */
void order_arrive(struct order *o, int t, bool write);
void order_waits(struct order *o, int t);
/* Reports t if it has overtaken more than it may. */
void order_acquired(struct order *o, int t);

#endif
