/*
 * search.h - going through the interleavings: all of them depth first, or some
 * by random priorities.
 */
#ifndef EXPLORE_SEARCH_H
#define EXPLORE_SEARCH_H

#include "machine.h"

struct limits {
	uint64_t states;
	double seconds;
	int bound;	/* preemptions, or -1: no bound */
	unsigned depth; /* moves, or 0: no bound */
	bool live;	/* look for livelock and busy waiting too */
};

struct outcome {
	bool failed, complete; /* complete: no limit was hit */
	bool unsupported;
	uint64_t states, transitions, runs;
	double seconds;
	char failure[320];
	struct move *trace; /* to the failure; free() it */
	size_t n_trace;
};

/* Every interleaving of explore.opt within the limits. */
struct outcome search(const struct limits *limits);

/*
 * `runs` runs of random scripts, half of them under random thread priorities
 * with 3 changes each (PCT), half of them by chance alone. seed: the same seed gives the same runs.
 */
struct outcome random_runs(uint64_t runs, unsigned ops, uint64_t seed);

/*
 * Edges of the state graph, for what only the whole graph can show. ids count
 * from 0, the start; thread: whose step, or -1 where it paused or was no step.
 */
struct graph;
struct graph *graph_new(void);
void graph_edge(struct graph *g, uint32_t from, uint32_t to, struct move m, bool polite);
void graph_end(struct graph *g, uint32_t id);
/* Finds a fault in `states` states: fills failure and trace of the outcome. */
void graph_check(struct graph *g, uint32_t states, struct outcome *out);
void graph_free(struct graph *g);

/* trace.c */
void trace_print(const struct outcome *out);
/* A smaller run that fails too: fewer operations, preemptions, steps. Sets explore.opt. */
void trace_shrink(struct outcome *out);
/* Follow explore.opt.scripts along `text` as trace_print wrote it; false: it does not fit. */
bool trace_replay(const char *text, struct outcome *out);

#endif
