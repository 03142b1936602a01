/*
 * graph.c - faults that no single run shows, only the whole state graph:
 *
 * livelock: a state from which no schedule, however fair, reaches the end;
 * busy waiting: a cycle of one thread's own steps with neither a pause nor a
 * yield nor a sleep in it. A thread must be polite to those it waits for.
 */
#include "search.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct edge {
	uint32_t from, to;
	struct move move;
	bool polite;
};

struct graph {
	struct edge *edges;
	size_t n, room;
	uint32_t *ends;
	size_t n_ends, ends_room;
};

static void *must(void *p)
{
	if (!p) {
		fprintf(stderr, "explore: out of memory\n");
		exit(2);
	}
	return p;
}

struct graph *graph_new(void)
{
	return must(calloc(1, sizeof(struct graph)));
}

void graph_free(struct graph *g)
{
	if (!g)
		return;
	free(g->edges);
	free(g->ends);
	free(g);
}

void graph_edge(struct graph *g, uint32_t from, uint32_t to, struct move m, bool polite)
{
	if (g->n == g->room) {
		g->room = g->room ? 2 * g->room : 4096;
		g->edges = must(realloc(g->edges, g->room * sizeof(*g->edges)));
	}
	g->edges[g->n++] = (struct edge){ from, to, m, polite };
}

void graph_end(struct graph *g, uint32_t id)
{
	if (g->n_ends == g->ends_room) {
		g->ends_room = g->ends_room ? 2 * g->ends_room : 256;
		g->ends = must(realloc(g->ends, g->ends_room * sizeof(*g->ends)));
	}
	g->ends[g->n_ends++] = id;
}

/* Edges by where they lead: into[first[s] … first[s + 1]) are those into s. */
struct index {
	uint32_t *first, *into;
};

static struct index index_edges(const struct graph *g, uint32_t states)
{
	struct index x = { must(calloc(states + 2, sizeof(uint32_t))),
			   must(malloc((g->n + 1) * sizeof(uint32_t))) };

	for (size_t i = 0; i < g->n; i++)
		x.first[g->edges[i].to + 2]++;
	for (uint32_t s = 0; s < states; s++)
		x.first[s + 2] += x.first[s + 1];
	for (size_t i = 0; i < g->n; i++)
		x.into[x.first[g->edges[i].to + 1]++] = (uint32_t)i;
	return x;
}

static void trace_to(const struct graph *g, const struct index *x, uint32_t state,
		     struct outcome *out)
{
	size_t n = 0;

	for (uint32_t s = state; s; s = g->edges[x->into[x->first[s]]].from)
		n++;
	free(out->trace);
	out->trace = must(malloc((n + 1) * sizeof(*out->trace)));
	out->n_trace = n;
	/* the first edge into a state is the one that found it */
	for (uint32_t s = state; s; s = g->edges[x->into[x->first[s]]].from)
		out->trace[--n] = g->edges[x->into[x->first[s]]].move;
}

static bool find_livelock(const struct graph *g, const struct index *x, uint32_t states,
			  uint32_t *at)
{
	uint8_t *seen = must(calloc(states, 1));
	uint32_t *queue = must(malloc((states + 1) * sizeof(*queue)));
	uint32_t n = 0;

	for (size_t i = 0; i < g->n_ends; i++) {
		seen[g->ends[i]] = 1;
		queue[n++] = g->ends[i];
	}
	for (uint32_t k = 0; k < n; k++) {
		for (uint32_t i = x->first[queue[k]]; i < x->first[queue[k] + 1]; i++) {
			const uint32_t from = g->edges[x->into[i]].from;

			if (!seen[from]) {
				seen[from] = 1;
				queue[n++] = from;
			}
		}
	}
	for (*at = 0; *at < states && seen[*at]; (*at)++)
		;
	free(seen);
	free(queue);
	return *at < states;
}

static bool counts(const struct edge *e, int thread)
{
	return e->move.thread == thread && e->move.kind == MOVE_OP && !e->polite;
}

/* Take away states without a way on for the thread alone; what is left is on a way to a cycle. */
static bool find_busy(const struct graph *g, const struct index *x, uint32_t states, int thread,
		      uint32_t *at)
{
	uint32_t *ways = must(calloc(states, sizeof(*ways)));
	uint32_t *queue = must(malloc((states + 1) * sizeof(*queue)));
	uint32_t n = 0;

	for (size_t i = 0; i < g->n; i++)
		ways[g->edges[i].from] += counts(&g->edges[i], thread);
	for (uint32_t s = 0; s < states; s++) {
		if (!ways[s])
			queue[n++] = s;
	}
	for (uint32_t k = 0; k < n; k++) {
		for (uint32_t i = x->first[queue[k]]; i < x->first[queue[k] + 1]; i++) {
			const struct edge *e = &g->edges[x->into[i]];

			if (counts(e, thread) && --ways[e->from] == 0)
				queue[n++] = e->from;
		}
	}
	for (*at = 0; *at < states && !ways[*at]; (*at)++)
		;
	free(ways);
	free(queue);
	return *at < states;
}

void graph_check(struct graph *g, uint32_t states, struct outcome *out)
{
	struct index x = index_edges(g, states);
	uint32_t at;

	if (find_livelock(g, &x, states, &at)) {
		snprintf(out->failure, sizeof(out->failure),
			 "livelock: after this no schedule reaches the end");
		out->failed = true;
	}
	for (int t = 0; t < (int)explore.opt.threads && !out->failed; t++) {
		if (find_busy(g, &x, states, t, &at)) {
			snprintf(out->failure, sizeof(out->failure),
				 "busy wait: after this thread %d can go round for ever, alone, "
				 "without a pause, a yield or a sleep",
				 t);
			out->failed = true;
		}
	}
	if (out->failed)
		trace_to(g, &x, at, out);
	free(x.first);
	free(x.into);
}
