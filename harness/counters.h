/*
 * counters.h - PAPI events, counted by thread. An event that cannot be had is
 * dropped with its reason, the others go on; nothing here ends a cell.
 *
 * In this order:
 *	parent  counters_probe(names)             once per set of names, before the fork
 *	child   counters_open(names, repetition)  before its threads
 *	thread  counters_thread_open(slot)        in its set-up
 *	thread  counters_thread_start(c)          at the edges of the measured part;
 *	thread  counters_thread_stop(c, slot)     microseconds each
 *	thread  counters_thread_close(c)
 *
 * Names are PAPI's: "perf::PAGE-FAULTS:u=1:k=1", "PAPI_TOT_CYC". Software
 * events need both domains spelled out: without, some open and count 0.
 */
#ifndef HARNESS_COUNTERS_H
#define HARNESS_COUNTERS_H

#include <stddef.h>

#include "sample.h"

struct counters_thread;

/*
 * Initialises PAPI where it was not, and tries each name by known work, for
 * only counting tells whether an event exists. Children inherit the result.
 * names: NULL-terminated, at most MAX_COUNTERS count. NULL does nothing.
 * Returns how many of them count here.
 */
unsigned counters_probe(const char *const *names);

/*
 * NULL when the name counted under known work, else why not. After
 * counters_probe() with that name. Never freed.
 */
const char *counters_reason(const char *name);

/* What it counted under the known work, or -1. */
long long counters_known_work(const char *name);

/*
 * Chooses the events of this repetition. turn rotates which come first, so
 * that with more events than the CPU has counters each gets its repetitions.
 */
void counters_open(const char *const *names, unsigned turn);

/*
 * The calling thread's event sets. Sets slot->counter_reason of what it cannot
 * count. NULL when there is nothing to count: the other calls take that too.
 */
struct counters_thread *counters_thread_open(struct slot *slot);
void counters_thread_start(struct counters_thread *c);
/* Fills slot->counter[], in the order of names. */
void counters_thread_stop(struct counters_thread *c, struct slot *slot);
void counters_thread_close(struct counters_thread *c);

/* The PAPI this was built for. Does not start it. */
const char *counters_version(void);

#endif
