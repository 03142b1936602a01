/*
 * trace.c - a failing run for people: what each step did and where, how to see
 * it again, and first of all made small.
 */
#include "search.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const kind_names[] = {
	[OP_START] = "goes on",	  [OP_CHOOSE] = "next",	    [OP_STEP] = "inside",
	[OP_LOAD] = "load",	  [OP_STORE] = "store",	    [OP_XCHG] = "xchg",
	[OP_ADD] = "add",	  [OP_OR] = "or",	    [OP_AND] = "and",
	[OP_CAS] = "cas",	  [OP_FENCE] = "fence",	    [OP_CLOCK] = "clock",
	[OP_WAIT] = "futex_wait", [OP_WAKE] = "futex_wake",
};
static const char *const order_names[] = { "rlx", "con", "acq", "rel", "acq_rel", "seq" };

static const char *hex(uint64_t v, char *buffer, size_t size)
{
	if ((int64_t)v < 0 && (int64_t)v > -1000000)
		snprintf(buffer, size, "%lld", (long long)v);
	else
		snprintf(buffer, size, v < 1000 ? "%llu" : "%#llx", (unsigned long long)v);
	return buffer;
}

/* Before the step: what is asked. */
static void print_op(const struct thread *t)
{
	const struct op *op = &t->op;
	char name[64], a[32], b[32];

	printf("%s:%d: %s", op->file ? op->file : "", op->line, kind_names[op->kind]);
	if (op->kind >= OP_LOAD && op->kind <= OP_FENCE)
		printf("_%s", order_names[op->order]);
	if (op->addr)
		printf(" %s", script_name(op->addr, name, sizeof(name)));
	if (op->kind == OP_CAS)
		printf(" %s -> %s", hex(op->a, a, sizeof(a)), hex(op->b, b, sizeof(b)));
	else if (op->kind >= OP_STORE && op->kind != OP_FENCE && op->kind != OP_CLOCK)
		printf(" %s", hex(op->a, a, sizeof(a)));
	if (op->kind == OP_WAIT && op->b != NO_DEADLINE)
		printf(" with a deadline");
}

/* After the step: what it gave. */
static void print_result(const struct op *op, struct move m)
{
	const struct thread *t = &machine.threads[m.thread];
	char v[32];

	if (op->kind >= OP_LOAD && op->kind <= OP_CAS && op->kind != OP_STORE)
		printf(" found %s", hex(explore.result, v, sizeof(v)));
	if ((op->kind == OP_LOAD || op->kind == OP_CAS) && m.pick)
		printf(" (%u values back)", m.pick);
	if (op->kind == OP_WAIT)
		printf(t->status == BLOCKED ? " sleeps" : " does not sleep");
	if (op->kind == OP_CLOCK && m.pick)
		printf(" much later");
}

static void print_step(size_t number, struct move m)
{
	struct thread *t = &machine.threads[m.thread];
	const struct op op = t->op;
	const char letter = t->letter ? (char)t->letter : '-';

	if (m.kind == MOVE_OP && op.kind <= OP_CHOOSE) {
		machine_apply(m);
		return;
	}
	printf("%4zu  T%u %c  ", number, m.thread, letter);
	switch (m.kind) {
	case MOVE_FLUSH: {
		char name[64];

		printf("%s:%d: its store to %s reaches memory", t->buffer[0].file,
		       t->buffer[0].line, script_name(t->buffer[0].addr, name, sizeof(name)));
		machine_apply(m);
		break;
	}
	case MOVE_SPURIOUS:
		printf("%s:%d: wakes for no reason", op.file, op.line);
		machine_apply(m);
		break;
	case MOVE_TIMEOUT:
		printf("%s:%d: its deadline passes", op.file, op.line);
		machine_apply(m);
		break;
	default:
		print_op(t);
		machine_apply(m);
		print_result(&op, m);
	}
	putchar('\n');
}

static void print_replay(const struct outcome *out)
{
	for (unsigned i = 0; i < explore.opt.threads; i++)
		printf("%s%s", i ? "," : "",
		       *explore.opt.scripts[i] ? explore.opt.scripts[i] : "-");
	printf(" --replay ");
	for (size_t i = 0, run; i < out->n_trace; i += run) {
		const struct move m = out->trace[i];

		for (run = 1;
		     i + run < out->n_trace && !memcmp(&out->trace[i + run], &m, sizeof(m));)
			run++;
		printf("%s%u", i ? "," : "", m.thread);
		if (m.kind)
			putchar("?fst"[m.kind]);
		if (m.pick)
			printf("/%u", m.pick);
		if (run > 1)
			printf("x%zu", run);
	}
	putchar('\n');
}

void trace_print(const struct outcome *out)
{
	printf("%s\n", out->failure);
	explore.fences = explore.clock = true;
	if (!machine_reset())
		return;
	for (size_t i = 0; i < out->n_trace; i++)
		print_step(i + 1, out->trace[i]);
	if (!explore.failure[0]) {
		struct move moves[MAX_MOVES];
		bool progress;

		machine_moves(moves, &progress);
		if (!progress)
			machine_ended();
	}
	if (explore.failure[0])
		printf("      %s\n", explore.failure);
	printf("again: --model %s ", explore.opt.model == MODEL_SC    ? "sc"
				     : explore.opt.model == MODEL_TSO ? "tso"
								      : "c11");
	if (explore.opt.steals)
		printf("--steals %u ", explore.opt.steals);
	printf("%s%s", explore.opt.fifo ? "--fifo " : "",
	       explore.opt.spurious ? "--spurious " : "");
	print_replay(out);
}

/* Turn "any scripts" and the choices made in the trace into the scripts that were chosen. */
static void fix_scripts(struct outcome *out)
{
	static char scripts[MAX_THREADS][16];
	const char *letters = explore.opt.letters;

	if (!letters)
		return;
	memset(scripts, 0, sizeof(scripts));
	if (!machine_reset())
		return;
	for (size_t i = 0; i < out->n_trace; i++) {
		struct move *m = &out->trace[i];
		const struct thread *t = &machine.threads[m->thread];
		const bool chooses = m->kind == MOVE_OP && t->op.kind == OP_CHOOSE;
		char *script = scripts[m->thread];

		machine_apply(*m);
		if (!chooses)
			continue;
		if (m->pick && strlen(script) < sizeof(scripts[0]) - 1)
			script[strlen(script)] = letters[m->pick - 1];
		m->pick = 0;
	}
	explore.opt.letters = NULL;
	for (unsigned i = 0; i < explore.opt.threads; i++)
		explore.opt.scripts[i] = scripts[i];
}

static bool fails_too(struct outcome *out, const struct limits *limits)
{
	struct outcome smaller = search(limits);

	if (!smaller.failed || smaller.unsupported || (limits->live && !smaller.n_trace)) {
		free(smaller.trace);
		return false;
	}
	free(out->trace);
	*out = smaller;
	return true;
}

static bool drop_a_letter(struct outcome *out, const struct limits *limits)
{
	static char shorter[16];

	for (unsigned i = 0; i < explore.opt.threads; i++) {
		char *script = (char *)(uintptr_t)explore.opt.scripts[i];
		const size_t n = strlen(script);

		for (size_t k = 0; k < n; k++) {
			char *kept = strdup(script);

			snprintf(shorter, sizeof(shorter), "%.*s%s", (int)k, script,
				 script + k + 1);
			strcpy(script, shorter);
			if (fails_too(out, limits)) {
				free(kept);
				return true;
			}
			strcpy(script, kept);
			free(kept);
		}
	}
	return false;
}

void trace_shrink(struct outcome *out)
{
	static char copies[MAX_THREADS][16];
	struct limits limits = { .states = 200000, .seconds = 2, .bound = -1 };

	limits.live = strstr(out->failure, "livelock") || strstr(out->failure, "busy wait");
	fix_scripts(out);
	for (unsigned i = 0; i < explore.opt.threads; i++) {
		snprintf(copies[i], sizeof(copies[i]), "%s", explore.opt.scripts[i]);
		explore.opt.scripts[i] = copies[i];
	}
	while (drop_a_letter(out, &limits))
		;
	if (limits.live)
		return;
	for (limits.bound = 0; limits.bound < 4 && !fails_too(out, &limits); limits.bound++)
		;
	if (limits.bound == 4)
		return;
	do {
		limits.depth = (unsigned)out->n_trace - 1;
	} while (limits.depth && fails_too(out, &limits));
}

bool trace_replay(const char *text, struct outcome *out)
{
	struct move moves[MAX_MOVES];
	bool progress, there;

	explore.fences = explore.clock = true;
	out->trace = calloc(strlen(text) * 1000 + 1, sizeof(*out->trace));
	if (!out->trace || !machine_reset())
		return false;
	while (*text) {
		char *end;
		struct move m = { .thread = (uint8_t)strtoul(text, &end, 10) };
		unsigned long times = 1;

		if (*end && strchr("fst", *end))
			m.kind = (uint8_t)(strchr("?fst", *end++) - "?fst");
		if (*end == '/')
			m.pick = (uint8_t)strtoul(end + 1, &end, 10);
		if (*end == 'x')
			times = strtoul(end + 1, &end, 10);
		if (end == text || (*end && *end != ','))
			return false;
		text = *end ? end + 1 : end;
		while (times-- && !explore.failure[0]) {
			const unsigned n = machine_moves(moves, &progress);

			there = false;
			for (unsigned i = 0; i < n; i++)
				there |= !memcmp(&moves[i], &m, sizeof(m));
			if (!there || out->n_trace >= 100000)
				return false;
			out->trace[out->n_trace++] = m;
			machine_apply(m);
		}
	}
	if (!explore.failure[0]) {
		machine_moves(moves, &progress);
		if (!progress)
			machine_ended();
	}
	out->failed = explore.failure[0];
	snprintf(out->failure, sizeof(out->failure), "%s",
		 out->failed ? explore.failure : "no failure along these steps");
	return true;
}
