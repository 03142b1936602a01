/*
 * crew_thread.h - between crew.c and crew_thread.c: what the threads of one
 * repetition share, and what each is given.
 */
#ifndef HARNESS_CREW_THREAD_H
#define HARNESS_CREW_THREAD_H

#include <pthread.h>

#include "plan.h"
#include "sample.h"

struct crew {
	const struct cell_spec *spec;
	struct sample *sample;
	struct run *run;
	struct seat *seats;
	uint64_t seed;
	bool probing; /* look whether readers overlap, before the measuring */
	pthread_barrier_t barrier;
	_Atomic uint32_t failed;
	_Atomic uint32_t probe; /* how far that look is */
};

/* What a thread is given at its start, and keeps beside struct thread. */
struct seat {
	struct crew *crew;
	unsigned id;
	pthread_t pthread;
	void *memory; /* struct thread and ctx; first touched by the thread */
	struct counters_thread *counters;
	uint64_t writes, broken; /* warm-up and measured part together */
};

/* Bytes of seat.memory, in whole pages. */
size_t crew_thread_bytes(const struct lock_ops *lock_ops);

/* The thread's function; its argument is its seat. */
void *crew_thread(void *seat);

/*
 * Sets the repetition's status and reason; the first failure stays. Never
 * between the last barrier before the warm-up and the join: there the threads
 * must agree on how it goes on.
 */
__attribute__((format(printf, 3, 4))) void crew_fail(struct crew *crew, enum record_status status,
						     const char *format, ...);

#endif
