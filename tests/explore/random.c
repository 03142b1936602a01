/*
 * random.c - for programs too large to go through: random scripts under PCT
 * (Burckhardt et al., ASPLOS 2010): the thread of the highest random priority
 * runs, and at a few random steps the one that runs falls below all others. A
 * thread that pauses falls too, or the one it waits for would never run. Every
 * second run has no priorities: PCT finds faults that need few switches, plain
 * chance those that need all threads in the middle of something.
 */
#include "search.h"

#include <stdlib.h>
#include <string.h>

enum { CHANGES = 3, STEP_LIMIT = 100000 };

static uint64_t next_random(uint64_t *s)
{
	*s ^= *s << 13;
	*s ^= *s >> 7;
	*s ^= *s << 17;
	return *s;
}

struct run {
	uint64_t random;
	int64_t priority[MAX_THREADS];
	int64_t lowest;
	uint64_t change[CHANGES];
	bool uniform; /* no priorities at all: each move is as likely as any other */
	struct move *trace;
	size_t n;
};

static struct move pick(struct run *r, const struct move *moves, unsigned n)
{
	const struct move *of_best[MAX_MOVES];
	unsigned best = moves[0].thread, k = 0;

	if (r->uniform)
		return moves[next_random(&r->random) % n];
	for (unsigned i = 1; i < n; i++) {
		if (r->priority[moves[i].thread] > r->priority[best])
			best = moves[i].thread;
	}
	for (unsigned i = 0; i < n; i++) {
		if (moves[i].thread == best)
			of_best[k++] = &moves[i];
	}
	return *of_best[next_random(&r->random) % k];
}

/* One run; the usual length is where the change points fall. False: it failed. */
static bool one_run(struct run *r, uint64_t usual)
{
	struct move moves[MAX_MOVES], m;
	bool progress;
	unsigned n;

	r->lowest = 0;
	for (unsigned i = 0; i < explore.opt.threads; i++)
		r->priority[i] = 1 + (int64_t)(next_random(&r->random) >> 16);
	for (int i = 0; i < CHANGES; i++)
		r->change[i] = next_random(&r->random) % usual;
	for (r->n = 0; r->n < STEP_LIMIT;) {
		n = machine_moves(moves, &progress);
		if (!progress)
			return machine_ended();
		m = pick(r, moves, n);
		r->trace[r->n++] = m;
		machine_apply(m);
		if (explore.failure[0])
			return false;
		for (int i = 0; i < CHANGES; i++) {
			if (r->change[i] == r->n)
				r->priority[m.thread] = --r->lowest;
		}
		if (explore.paused)
			r->priority[m.thread] = --r->lowest;
	}
	explore_fail("livelock: not done after %d steps", STEP_LIMIT);
	return false;
}

struct outcome random_runs(uint64_t runs, unsigned ops, uint64_t seed)
{
	struct outcome out = { .complete = false };
	struct run r = { .trace = calloc(STEP_LIMIT + 1, sizeof(struct move)) };
	uint64_t usual = 50;

	explore.fences = explore.clock = true;
	explore.opt.ops = ops;
	explore.opt.sorted = false;
	for (out.runs = 0; out.runs < runs && r.trace; out.runs++) {
		r.random = (seed + out.runs) * 0x9e3779b97f4a7c15u | 1;
		next_random(&r.random);
		r.uniform = out.runs & 1;
		if (!machine_reset() || !one_run(&r, usual)) {
			out.failed = true;
			out.unsupported = explore.unsupported;
			memcpy(out.failure, explore.failure, sizeof(out.failure));
			out.trace = r.trace;
			out.n_trace = r.n;
			return out;
		}
		out.transitions += r.n;
		if (r.n > usual)
			usual = r.n;
	}
	free(r.trace);
	return out;
}
