/*
 * events.h - what happens inside a lock, counted by thread.
 *
 * A lock says lock_event…() where something happens. Each such call stands on
 * one line of its own and is nothing at all unless the file is compiled with
 * -DLOCK_EVENTS; tests/events.bats compares the machine code with and without
 * the lines. With it, the calls add to plain counters of the calling thread.
 *
 * One acquisition that does not succeed on its fast path is followed from
 * lock_event_blocked to lock_event_ended, and is counted in exactly one class:
 * stolen, spun, queued without sleeping, one sleep, more sleeps, given up. So
 * the classes sum to read_slow and write_slow, and so do the three kinds of
 * blocker. Attempts by try_* are not counted. docs/events.md explains the rest.
 */
#ifndef HARNESS_EVENTS_H
#define HARNESS_EVENTS_H

#include "atomic.h"

/* Also the values of enum waiter_kind of the locks. */
enum lock_side { SIDE_READ, SIDE_WRITE };

/* lock_ops.events: what a lock counts. 0: nothing. */
enum lock_counts {
	COUNTS_WRITES = 1 << 0, /* all that is true of any lock with a queue */
	COUNTS_READS = 1 << 1,	/* without it reads are counted as writes */
	COUNTS_SPINNING_READS = 1 << 2,
	COUNTS_SPINNING_WRITES = 1 << 3,
	COUNTS_SPINNING = COUNTS_SPINNING_READS | COUNTS_SPINNING_WRITES,
	COUNTS_HANDOFF = 1 << 4,
};

/*
 * The list. PAIR: two names in the record, reads and writes; BOTH: one name,
 * with its reads and writes told apart; ONE: no matter who. After the names stands
 * what a lock must count for them to be in the record.
 */
#define LOCK_EVENT_LIST(PAIR, BOTH, ONE)                                                     \
	PAIR(FAST, "read_fast", "write_fast", COUNTS_READS, COUNTS_WRITES)                   \
	PAIR(SLOW, "read_slow", "write_slow", COUNTS_READS, COUNTS_WRITES)                   \
	PAIR(STEAL, "steal_read", "steal_write", COUNTS_READS, COUNTS_WRITES)                \
	PAIR(SPIN, "spin_read", "spin_write", COUNTS_SPINNING_READS, COUNTS_SPINNING_WRITES) \
	BOTH(ACQUIRED_NO_SLEEP, "acquired_no_sleep", COUNTS_WRITES)                          \
	BOTH(ACQUIRED_1_SLEEP, "acquired_1_sleep", COUNTS_WRITES)                            \
	BOTH(ACQUIRED_MANY_SLEEPS, "acquired_many_sleeps", COUNTS_WRITES)                    \
	BOTH(GAVE_UP, "gave_up", COUNTS_WRITES)                                              \
	BOTH(BLOCKED_BY_READER, "blocked_by_reader", COUNTS_WRITES)                          \
	BOTH(BLOCKED_BY_WRITER, "blocked_by_writer", COUNTS_WRITES)                          \
	BOTH(BLOCKED_BY_NONE, "blocked_by_none", COUNTS_WRITES)                              \
	PAIR(SLEEP, "sleep_read", "sleep_write", COUNTS_READS, COUNTS_WRITES)                \
	PAIR(WAKE, "wake_read", "wake_write", COUNTS_READS, COUNTS_WRITES)                   \
	BOTH(LONGEST_WAIT, "longest_wait_ns", COUNTS_WRITES) /* a maximum */                 \
	ONE(SPIN_FAIL, "spin_fail", COUNTS_SPINNING)                                         \
	ONE(SPIN_SKIP, "spin_skip", COUNTS_HANDOFF)                                          \
	ONE(SLEEP_AGAIN, "sleep_again", COUNTS_WRITES)                                       \
	ONE(WAKE_SPURIOUS, "wake_spurious", COUNTS_WRITES)                                   \
	ONE(WAKE_IN_LOCK, "wake_in_lock", COUNTS_WRITES)                                     \
	ONE(WAKE_OUTSIDE_LOCK, "wake_outside_lock", COUNTS_WRITES)                           \
	ONE(READER_BATCH, "reader_batch", COUNTS_READS)                                      \
	ONE(READER_BATCH_MAX, "reader_batch_max", COUNTS_READS) /* a maximum */              \
	ONE(HANDOFF, "handoff", COUNTS_HANDOFF)                                              \
	ONE(WAIT_LOCK_SLEEP, "wait_lock_sleep", COUNTS_WRITES)                               \
	ONE(WAIT_LOCK_SAMPLES, "wait_lock_samples", COUNTS_WRITES)                           \
	ONE(WAIT_LOCK_NS, "wait_lock_ns", COUNTS_WRITES)                                     \
	ONE(WAIT_LOCK_MAX, "wait_lock_max_ns", COUNTS_WRITES) /* a maximum */                \
	ONE(QUEUED, "queued", COUNTS_WRITES)                                                 \
	ONE(QUEUE_LENGTH_SUM, "queue_length_sum", COUNTS_WRITES)                             \
	ONE(QUEUE_LENGTH_MAX, "queue_length_max", COUNTS_WRITES) /* a maximum */

/* of a PAIR and a BOTH: EVENT_x + SIDE_READ, EVENT_x + SIDE_WRITE */
enum lock_event {
#define EVENT_PAIR(id, read, write, needs_read, needs_write) EVENT_##id, EVENT_##id##_WRITE,
#define EVENT_BOTH(id, name, needs) EVENT_##id, EVENT_##id##_WRITE,
#define EVENT_ONE(id, name, needs) EVENT_##id,
	LOCK_EVENT_LIST(EVENT_PAIR, EVENT_BOTH, EVENT_ONE) LOCK_EVENT_COUNT
#undef EVENT_PAIR
#undef EVENT_BOTH
#undef EVENT_ONE
};

/* One thread's. All zero at its start; only the thread itself touches it. */
struct lock_events {
	uint64_t count[LOCK_EVENT_COUNT];
	/* the blocked acquisition that is under way */
	uint64_t since;
	uint32_t sleeps, parks, batch;
	uint8_t side; /* enum lock_side */
	bool blocked, named, asleep;
	/* the small lock inside the lock: held and waited for; the sleeping mutex */
	const void *held, *awaited, *mutex;
	uint64_t held_since;
	uint32_t holds;
};

/*
 * Where the calling thread counts. Threads that nobody gave a place share one
 * whose figures mean nothing.
 */
extern _Thread_local struct lock_events *lock_events;

bool lock_event_is_maximum(enum lock_event event);

/* Adds the counters of one thread to a sum; maxima stay maxima. */
void lock_events_merge(uint64_t *sum, const uint64_t *count);

enum lock_ending { ENDED_STOLEN, ENDED_SPINNING, ENDED_GAVE_UP };
enum lock_blocker { BY_READER, BY_WRITER, BY_NONE };

#ifdef LOCK_EVENTS
#include "events_on.h"
#else
#define lock_event(event) ((void)0)
#define lock_event_if(condition, event) ((void)0)
#define lock_event_fast(side) ((void)0)
#define lock_event_blocked(side) ((void)0)
#define lock_event_blocker(by) ((void)0)
#define lock_event_ended(how) ((void)0)
#define lock_event_park() ((void)0)
#define lock_event_wake(side) ((void)0)
#define lock_event_woken_all() ((void)0)
#define lock_event_wait_lock_waits(lock) ((void)0)
#define lock_event_wait_lock_taken(lock) ((void)0)
#define lock_event_wait_lock_free(lock) ((void)0)
#define lock_event_mutex(lock) ((void)0)
#define lock_event_field(declaration)
#define lock_event_queued(length) ((void)0)
#define lock_event_unqueued(length) ((void)0)
#endif

#endif
