/*
 * yield.c - sched_yield() and nothing else: the price of giving up the CPU, to
 * put beside a lock's hand-over. With two threads on one CPU the two take turns;
 * with nobody else on the CPU it is the price of the system call. The lock is
 * neither taken nor touched.
 */
#include "workload.h"

static const struct param yield_params[] = { { 0 } };

HOT void yield_op(const struct lock_ops *lk, struct thread *t, const bool sampled)
{
	(void)lk;
	(void)t;
	(void)sampled;
	cpu_yield();
}

static const struct workload_ops workload_ops = {
	.name = "yield",
	.about = "sched_yield() alone, the lock unused: the price of a switch (2011)",
	.unit = "yields",
	.params = yield_params,
	.op = yield_op,
};
