/*
 * search.c - depth first over all moves, with every state visited once. States
 * lie on one long stack of bytes: going back is loading the one on top.
 */
#include "search.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

struct visited {
	struct hash hash;
	uint32_t id_plus_1; /* 0: empty */
	uint16_t depth;
	uint8_t used; /* preemptions spent to get here */
};

struct table {
	struct visited *at;
	uint64_t size, n;
};

struct frame {
	size_t bytes; /* where its state lies */
	uint32_t id;
	uint8_t n, next, used;
	int8_t last;
	struct move moves[MAX_MOVES];
};

static const size_t bytes_size = (size_t)2 << 30; /* reserved, not used */
static char *bytes;

static struct visited *slot(const struct table *t, struct hash h)
{
	uint64_t i = h.a & (t->size - 1);

	while (t->at[i].id_plus_1 && (t->at[i].hash.a != h.a || t->at[i].hash.b != h.b))
		i = (i + 1) & (t->size - 1);
	return &t->at[i];
}

static void *must(void *p)
{
	if (!p) {
		fprintf(stderr, "explore: out of memory\n");
		exit(2);
	}
	return p;
}

static void grow(struct table *t)
{
	struct table bigger = { .size = t->size * 2, .n = t->n };

	bigger.at = must(calloc(bigger.size, sizeof(*bigger.at)));
	for (uint64_t i = 0; i < t->size; i++) {
		if (t->at[i].id_plus_1)
			*slot(&bigger, t->at[i].hash) = t->at[i];
	}
	free(t->at);
	*t = bigger;
}

static double cpu_seconds(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &ts);
	return (double)ts.tv_sec + (double)ts.tv_nsec * 1e-9;
}

struct search {
	const struct limits *limits;
	struct outcome *out;
	struct table table;
	struct frame *frames;
	size_t depth, room; /* frames in use, frames there are */
	size_t top;	    /* of bytes */
	struct graph *graph;
	bool cut; /* something was left out */
};

static void keep_failure(struct search *s)
{
	struct outcome *out = s->out;

	out->failed = true;
	out->unsupported = explore.unsupported;
	memcpy(out->failure, explore.failure, sizeof(out->failure));
	out->trace = must(malloc((s->depth + 1) * sizeof(*out->trace)));
	out->n_trace = s->depth;
	for (size_t i = 0; i < s->depth; i++)
		out->trace[i] = s->frames[i].moves[s->frames[i].next - 1];
}

static struct frame *push(struct search *s)
{
	if (s->depth == s->room) {
		s->room = s->room ? 2 * s->room : 1024;
		s->frames = must(realloc(s->frames, s->room * sizeof(*s->frames)));
	}
	return &s->frames[s->depth++];
}

/*
 * Take in the state that the machine is in, `used` preemptions from the start;
 * `last` ran last, or -1. False: it is a fault.
 */
static bool arrive(struct search *s, uint8_t used, int last, uint32_t *id)
{
	const size_t size = state_save(bytes + s->top);
	struct hash h = state_hash(bytes + s->top, size);
	struct visited *v;
	struct frame *f;
	bool progress;

	if (s->limits->bound >= 0)
		h.b += (uint64_t)(last + 1) * 0x9e3779b97f4a7c15u;
	v = slot(&s->table, h);
	*id = v->id_plus_1 - 1;
	if (v->id_plus_1 && v->used <= used && (!s->limits->depth || v->depth <= s->depth))
		return true;
	if (!v->id_plus_1) {
		*v = (struct visited){ .hash = h, .id_plus_1 = (uint32_t)++s->table.n };
		*id = v->id_plus_1 - 1;
	}
	v->used = used;
	v->depth = (uint16_t)s->depth;
	if (s->table.n * 3 > s->table.size * 2)
		grow(&s->table);
	if (s->limits->depth && s->depth >= s->limits->depth) {
		s->cut = true;
		return true;
	}
	f = push(s);
	*f = (struct frame){ .bytes = s->top, .id = *id, .used = used, .last = (int8_t)last };
	f->n = (uint8_t)machine_moves(f->moves, &progress);
	if (!progress) {
		if (!machine_ended()) {
			s->depth--;
			return false;
		}
		if (s->graph)
			graph_end(s->graph, *id);
	}
	if (f->n > 1)
		s->top += (size + 7) & ~(size_t)7;
	if (s->top + (1u << 20) > bytes_size) {
		s->cut = true;
		f->n = 0;
	}
	return true;
}

/* Preemption: somebody else goes on although the last one could. */
static bool preempts(const struct frame *f, struct move m)
{
	if (m.kind != MOVE_OP || f->last < 0 || f->last == m.thread)
		return false;
	for (unsigned i = 0; i < f->n; i++) {
		if (f->moves[i].thread == f->last && f->moves[i].kind == MOVE_OP)
			return true;
	}
	return false;
}

static bool out_of_limits(const struct search *s, double start)
{
	if (s->table.n >= s->limits->states)
		return true;
	return (s->out->transitions & 4095) == 0 && cpu_seconds() - start > s->limits->seconds;
}

/* False: a failure, or a limit was hit. */
static bool depth_first(struct search *s, double start)
{
	bool fresh = true;
	uint32_t id;

	if (!arrive(s, 0, -1, &id))
		return false;
	while (s->depth) {
		struct frame *f = &s->frames[s->depth - 1];
		const uint32_t from = f->id;
		uint8_t used = f->used;
		int last = f->last;
		size_t depth;
		struct move m;

		if (f->next == f->n) {
			s->top = f->bytes;
			s->depth--;
			fresh = false;
			continue;
		}
		m = f->moves[f->next++];
		used += preempts(f, m);
		if (s->limits->bound >= 0 && used > s->limits->bound) {
			s->cut = true;
			continue;
		}
		if (!fresh)
			state_load(bytes + f->bytes);
		fresh = false;
		if (m.kind == MOVE_OP)
			last = m.thread;
		s->out->transitions++;
		machine_apply(m);
		if (explore.restart || explore.failure[0])
			return false;
		if (explore.paused)
			last = -1;
		depth = s->depth;
		if (!arrive(s, s->limits->bound >= 0 ? used : 0, last, &id))
			return false;
		fresh = s->depth > depth;
		if (s->graph)
			graph_edge(s->graph, from, id, m, explore.paused);
		if (out_of_limits(s, start)) {
			s->cut = true;
			return false;
		}
	}
	return true;
}

struct outcome search(const struct limits *limits)
{
	struct outcome out = { .complete = false };
	const double start = cpu_seconds();
	struct search s = { .limits = limits, .out = &out };

	if (!bytes) {
		bytes = mmap(NULL, bytes_size, PROT_READ | PROT_WRITE,
			     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
		if (bytes == MAP_FAILED)
			must(NULL);
	}
	explore.fences = explore.clock = false;
	do {
		explore.restart = false;
		s.table.n = s.depth = s.top = out.transitions = 0;
		free(s.table.at);
		s.table.size = 1 << 14;
		s.table.at = must(calloc(s.table.size, sizeof(*s.table.at)));
		graph_free(s.graph);
		s.graph = limits->live ? graph_new() : NULL;
		if (!machine_reset()) {
			keep_failure(&s);
			break;
		}
		depth_first(&s, start);
		if (explore.failure[0] && !explore.restart)
			keep_failure(&s);
	} while (explore.restart);
	out.states = s.table.n;
	out.complete = !out.failed && !s.cut;
	if (out.complete && s.graph)
		graph_check(s.graph, (uint32_t)s.table.n, &out);
	out.seconds = cpu_seconds() - start;
	graph_free(s.graph);
	free(s.frames);
	free(s.table.at);
	return out;
}
