/*
 * subject.h - one lock under test: its memory, one context a thread, and a
 * second thread that acquires on command. Outside of atomic.h on purpose: what
 * tests a lock must not pass through its fault injection.
 */
#ifndef TESTS_CONFORMANCE_SUBJECT_H
#define TESTS_CONFORMANCE_SUBJECT_H

#include <pthread.h>

#include "lock.h"

#define SUBJECT_THREADS 4

struct subject {
	const struct lock_ops *ops;
	void *lock;
	void *ctx[SUBJECT_THREADS];
	int64_t params[MAX_PARAMS];
};

/*
 * choice: for every parameter of the lock that is a choice, the number of the
 * one to take (the last one if it has fewer). 0, or what init returned.
 */
int subject_open(struct subject *s, const struct lock_ops *ops, unsigned choice);
void subject_close(struct subject *s);
/* How many values of `choice` differ. */
unsigned subject_choices(const struct lock_ops *ops);

enum attempt { ACQUIRE_READ, ACQUIRE_WRITE, ACQUIRE_READ_UNTIL, ACQUIRE_WRITE_UNTIL };

/* A thread that makes one attempt, holds until told, and releases. */
struct other {
	struct subject *subject;
	enum attempt attempt;
	unsigned id; /* whose context it uses */
	uint64_t deadline;
	bool got; /* valid once `done` */
	_Atomic int trying, done, let_go;
	pthread_t thread;
};

void other_start(struct other *o, struct subject *s, unsigned id, enum attempt what,
		 uint64_t deadline);
/* Waits some seconds for the attempt to end; false: it did not. */
bool other_done(struct other *o);
/* Gives the attempt some time to end where it must not; true: it ended. */
bool other_intrudes(struct other *o);
/* Lets it release, and waits for its end. */
void other_finish(struct other *o);

#endif
