/* list.c - the verb `list`: what this build holds. */
#include <stdio.h>
#include <string.h>

#include "cells.h"
#include "machine.h"
#include "verbs.h"

static void list_params(const struct param *p)
{
	for (; p && p->name; p++) {
		printf("    %-12s %s; default %s", p->name, p->about, p->def);
		for (const char *const *c = p->choices; c && *c; c++)
			printf("%s%s", c == p->choices ? "; one of " : ", ", *c);
		putchar('\n');
	}
}

static void list_locks(void)
{
	for (const struct lock_ops *const *l = cells_locks(); *l; l++) {
		unsigned caps = (*l)->caps;

		printf("%-16s %s [%s%s%s]\n", (*l)->name, (*l)->about,
		       caps & LOCK_SHARED ? "readers overlap" : "exclusive: read is write",
		       caps & LOCK_FIFO ? ", fifo" : "", caps & LOCK_SPINS ? ", spins" : "");
		list_params((*l)->params);
	}
}

static void list_workloads(void)
{
	for (const struct workload_ops *const *w = cells_workloads(); *w; w++) {
		printf("%-16s %s [counts %s%s]\n", (*w)->name, (*w)->about, (*w)->unit,
		       (*w)->has_roles ? ", takes readers and writers" : "");
		list_params((*w)->params);
	}
}

static void list_machine(void)
{
	machine_list(stdout);
}

static void list_counters(void)
{
	counters_list(stdout);
}

static const struct {
	const char *name;
	void (*print)(void);
	bool always; /* also when nothing is named: of this build, not of the machine */
} lists[] = {
	{ "locks", list_locks, true },
	{ "workloads", list_workloads, true },
	{ "machine", list_machine, false },
	{ "counters", list_counters, false },
};

int verb_list(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : NULL;
	bool known = false;

	if (what && !strcmp(what, "--help")) {
		puts("usage: list [locks|workloads|machine|counters]");
		return EXIT_FINE;
	}
	for (size_t i = 0; argc <= 2 && i < sizeof lists / sizeof *lists; i++) {
		if (what ? strcmp(what, lists[i].name) != 0 : !lists[i].always)
			continue;
		lists[i].print();
		known = true;
	}
	if (known)
		return EXIT_FINE;
	fprintf(stderr, "list: no such list '%s'; there are: locks, workloads, machine, counters\n",
		argc > 2 ? argv[2] : what);
	return EXIT_USAGE;
}
