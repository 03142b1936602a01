/*
 * sample.h - what a repetition leaves: plain data in memory shared between the
 * measuring child and the parent, one padded slot per thread. The parent reads
 * it after the child's end, and the atomics at any time (a hung thread is
 * described from them).
 */
#ifndef HARNESS_SAMPLE_H
#define HARNESS_SAMPLE_H

#include "histogram.h"
#include "lock.h"

enum { WAIT_READ, WAIT_WRITE, WAIT_KINDS };

enum thread_stage {
	STAGE_NONE,
	STAGE_SETUP,
	STAGE_WARMUP,
	STAGE_MEASURED,
	STAGE_DONE,
};

/* Where a thread of a hung cell stood, as the parent read it. */
enum thread_where { WHERE_UNKNOWN, WHERE_OUTSIDE, WHERE_WAITING, WHERE_HOLDING };

enum record_status {
	STATUS_OK,
	STATUS_HUNG,	    /* not over by its time limit, and killed */
	STATUS_CRASHED,	    /* a signal or an exit of its own ended it */
	STATUS_VIOLATED,    /* exclusion, the readers' overlap or the work's own check */
	STATUS_UNSUPPORTED, /* could not run here: the reason says what was missing */
};

#define MAX_COUNTERS 16

struct slot {
	/*
	 * 2 × operations done, + 1 while a section is held. An operation counts as
	 * done where its section is left; one without a section when the loop next
	 * looks at the clock.
	 */
	LINE_ALIGNED _Atomic uint64_t progress;
	_Atomic uint32_t stage;	       /* enum thread_stage */
	_Atomic uint32_t waiting_kind; /* 1 + WAIT_* of the last sampled acquire */

	/* written by the thread at its end */
	LINE_ALIGNED uint64_t start_ns, end_ns; /* clock_now(), by the thread itself */
	uint64_t ops, reads, writes;
	uint64_t handovers;	     /* writes whose previous writer was another thread */
	uint64_t broken;	     /* sections entered while a writer was inside */
	uint64_t looks, overlaps;    /* sampled read sections, and those with company */
	uint64_t gap_max_ns;	     /* longest time between two looks at the clock: an
				 upper bound of the longest wait */
	uint64_t wait_max_ns;	     /* longest sampled wait; 0 with latency off */
	uint64_t user_ns, system_ns; /* getrusage(RUSAGE_THREAD), measured part */
	uint64_t nvcsw, nivcsw, minflt, majflt;
	uint64_t migrations;		       /* UINT64_MAX: unknown */
	int32_t cpu_asked, cpu_start, cpu_end; /* −1: not pinned / unknown */
	int32_t node;			       /* of cpu_end */
	uint32_t role;
	uint32_t where; /* enum thread_where; by the parent, for a hung cell */
	int64_t counter[MAX_COUNTERS];
	/* why a counter has no value; empty: it has one */
	char counter_reason[MAX_COUNTERS][96];
	struct histogram wait[WAIT_KINDS];	/* sampled waits, ns */
	LINE_ALIGNED struct lock_events events; /* of a counting cell */
};

#define REASON_SIZE 256

/* The head of the shared memory; slots follow. */
struct sample {
	_Atomic uint32_t measured; /* 1 once all threads have ended the measured part */
	uint64_t setup_ns;	   /* fork to first barrier */
	uint64_t turnover_ns;	   /* last thread's end to the child's exit */
	uint64_t lock_writes;	   /* the section's own count of writes, at the end */
	uint64_t peak_rss;	   /* bytes, of the child; by the parent */
	/* in the child's memory, for the parent to look at while it hangs; 0: none yet */
	uint64_t section_address;
	int32_t lock_node, data_node; /* read back; −1 unknown */
	int32_t status;		      /* enum record_status, as the child sees it */
	char reason[REASON_SIZE];
	unsigned threads;
	struct slot slots[];
};

#endif
