/*
 * suite.c - the explorations that every lock has to pass, cheapest first.
 * "any" scripts let each thread choose its next operation as it goes, so that
 * programs that come to the same state share all that follows.
 */
#include "suite.h"
#include "search.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct item {
	const char *what;
	const char *scripts; /* NULL: any, `threads` of up to `ops` operations */
	enum model model;
	unsigned threads, ops;
	bool spurious, fifo, live;
	unsigned steals;
	uint64_t states; /* limit of the quick suite; 0: it has to be exhaustive */
	uint64_t full;	 /* limit of the full suite; 0: it has to be exhaustive */
	uint64_t runs;	 /* random runs instead; ten times as many in the full suite */
};

static const struct item items[] = {
	{ "alone", "A", MODEL_SC },
	{ "2 × ≤ 2", NULL, MODEL_SC, 2, 2, .live = true },
	{ "readers meet", "H,R", MODEL_SC },
	{ "readers meet after a downgrade", "D,R", MODEL_SC },
	{ "readers meet past a writer that gave up", "H,k,R", MODEL_SC },
	{ "2 × 1", NULL, MODEL_C11, 2, 1 },
	{ "3 × 1", NULL, MODEL_SC, 3, 1, .states = 2500000, .full = 80000000 },
	{ "2 × ≤ 2, spurious wakeups", NULL, MODEL_SC, 2, 2, .spurious = true, .states = 2500000 },
	{ "2 × ≤ 2", NULL, MODEL_TSO, 2, 2, .states = 300000, .full = 10000000 },
	{ "3 × 1", NULL, MODEL_TSO, 3, 1, .states = 300000, .full = 5000000 },
	{ "order of service, 2 × ≤ 2", NULL, MODEL_SC, 2, 2, .fifo = true },
	{ "order of service, 3 × 1", NULL, MODEL_SC, 3, 1, .fifo = true },
	{ "overtaken at most once when it is its time", "w,wwwwwww", MODEL_SC, .steals = 1 },
	{ "overtaken at most once when it is its time", "r,wwwwwww", MODEL_SC, .steals = 1 },
	{ "4 × ≤ 3, random runs", NULL, MODEL_SC, 4, 3, .runs = 200000 },
	{ "2 × ≤ 2", NULL, MODEL_C11, 2, 2, .states = 200000, .full = 2000000 },
	{ "3 × 1", NULL, MODEL_C11, 3, 1, .states = 200000, .full = 2000000 },
	{ "3 × ≤ 2, random runs", NULL, MODEL_C11, 3, 2, .runs = 100000 },
	{ "4 × ≤ 3, random runs", NULL, MODEL_C11, 4, 3, .runs = 100000 },
};

static bool has(char letter)
{
	const bool shared = explore.ops->caps & LOCK_SHARED;

	switch (letter) {
	case 'H':
	case 'R':
		return shared;
	case 'D':
		return shared && explore.ops->downgrade;
	case 'A':
	case ',':
		return true;
	default:
		return strchr(script_letters(), letter) != NULL;
	}
}

/* Their pages say that a head which has waited for some time is not passed any more. */
static bool claims_bound(void)
{
	return !strcmp(explore.ops->name, "rwsem_handoff") ||
	       !strcmp(explore.ops->name, "rwsem_xadd");
}

static bool applies(const struct item *item)
{
	if (item->steals && !claims_bound())
		return false;
	if (item->fifo && !(explore.ops->caps & LOCK_FIFO))
		return false;
	for (const char *s = item->scripts; s && *s; s++) {
		if (!has(*s))
			return false;
	}
	return true;
}

static void set_options(const struct item *item)
{
	static char copy[32];
	static char order_letters[3];

	explore.opt = (struct options){ .model = item->model,
					.threads = item->threads,
					.ops = item->ops,
					.old = 2,
					.leaps = 1,
					.spurious = item->spurious,
					.fifo = item->fifo,
					.steals = item->steals,
					.letters = script_letters(),
					.sorted = !explore.ops->ctx_init };
	if (item->fifo) {
		snprintf(order_letters, sizeof(order_letters), "w%s", has('r') ? "r" : "");
		explore.opt.letters = order_letters;
	}
	if (!item->scripts)
		return;
	explore.opt.letters = NULL;
	snprintf(copy, sizeof(copy), "%s", item->scripts);
	for (char *s = strtok(copy, ","); s; s = strtok(NULL, ","))
		explore.opt.scripts[explore.opt.threads++] = s;
}

static struct outcome run_item(const struct item *item, bool full)
{
	const clock_t start = clock();
	struct outcome out;
	struct limits limits = {
		.states = UINT32_MAX - 1, .seconds = 1e9, .bound = -1, .live = item->live
	};

	set_options(item);
	if (full ? item->full : item->states)
		limits.states = full ? item->full : item->states;
	if (item->runs)
		out = random_runs(item->runs * (full ? 10 : 1), item->ops, 1);
	else
		out = search(&limits);
	out.seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
	return out;
}

static void print_row(const struct item *item, const struct outcome *out)
{
	static const char *const models[] = { "SC", "TSO", "C11" };

	printf("%s\t%s\t%s\t%llu\t%llu\t%s\t%.2f\n", explore.ops->name, item->what,
	       models[item->model], (unsigned long long)out->states,
	       (unsigned long long)(item->runs ? out->runs : out->transitions),
	       out->unsupported ? out->failure
	       : out->failed	? "FAULT"
	       : item->runs	? "random"
	       : out->complete	? "exhaustive"
				: "bounded",
	       out->seconds);
}

int suite_run(bool full, bool kill)
{
	bool unsupported = false;

	for (size_t i = 0; i < sizeof(items) / sizeof(items[0]); i++) {
		struct outcome out;

		if (!applies(&items[i]))
			continue;
		out = run_item(&items[i], full);
		if (kill && out.failed && !out.unsupported) {
			printf("%s, %s: %s\n", items[i].what,
			       items[i].model == MODEL_C11   ? "C11"
			       : items[i].model == MODEL_TSO ? "TSO"
							     : "SC",
			       out.failure);
			return 1;
		}
		if (!kill)
			print_row(&items[i], &out);
		unsupported |= out.unsupported;
		if (out.failed && !out.unsupported) {
			trace_shrink(&out);
			trace_print(&out);
			free(out.trace);
			return 1;
		}
		free(out.trace);
	}
	return unsupported ? 3 : 0;
}
