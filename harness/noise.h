/*
 * noise.h - who else was there during a repetition. Called by the parent
 * around each child; both calls together cost about a millisecond, nearly all
 * of it the two ping-pongs.
 */
#ifndef HARNESS_NOISE_H
#define HARNESS_NOISE_H

#include <jansson.h>
#include <stdbool.h>

#include "sample.h"

/*
 * Thresholds of a dirty repetition. Each is low enough to keep a visible shift
 * of a median out, and high enough that an idle machine passes; see
 * docs/machine.md. A share is only judged beyond one tick of the kernel's clock
 * (10 ms) a CPU. Pressure and involuntary switches are recorded, not judged: a
 * lock that sleeps or an oversubscribed cell makes them by itself.
 */
#define NOISE_FOREIGN_SHARE 0.05 /* of wall × CPUs: others' CPU time */
#define NOISE_STEAL_SHARE 0.01	 /* of wall × CPUs: the hypervisor's */
#define NOISE_DISTANCE 0.30	 /* relative change of the round trip */

#define NOISE_REASONS 6

struct noise_mark {
	uint64_t at_ns;
	int64_t busy_ns, steal_ns, own_ns; /* −1: unknown */
	int64_t psi_us, throttled;
	double ping_ns, mhz; /* negative: unknown */
	const char *stat_reason, *psi_reason, *ping_reason, *mhz_reason;
	const int32_t *cpus; /* the caller's; must live until noise_end */
	unsigned count;	     /* threads */
	unsigned watched;    /* CPUs whose time was read */
};

struct noise {
	/* −1: unknown, and the sibling reason says why */
	int64_t foreign_cpu_ns, steal_ns, psi_cpu_us;
	int64_t migrations, nivcsw; /* summed over the threads; −1 without a sample */
	double ping_before_ns, ping_after_ns, mhz;
	const char *stat_reason, *psi_reason, *ping_before_reason, *ping_after_reason;
	const char *mhz_reason;
	unsigned dirty; /* how many reasons */
	char reason[NOISE_REASONS][96];
};

/* Before the fork. cpus[count] as planned; −1 entries: all allowed CPUs count. */
void noise_begin(struct noise_mark *m, const int32_t *cpus, unsigned count);

/*
 * After the child was waited for (its CPU time is only known then). sample may
 * be NULL where the child left nothing to read.
 */
void noise_end(struct noise_mark *m, const struct sample *sample, struct noise *out);

/* The record's `noise` object, see docs/records.md. */
json_t *noise_json(const struct noise *n);

#endif
