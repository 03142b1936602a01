/* list.c - the verb `list`: what this build holds. */
#include <stdio.h>
#include <string.h>

#include "cells.h"
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

int verb_list(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : NULL;

	if (what && !strcmp(what, "--help")) {
		puts("usage: list [locks|workloads]");
		return EXIT_FINE;
	}
	if (argc > 2 || (what && strcmp(what, "locks") && strcmp(what, "workloads"))) {
		fprintf(stderr, "list: no such list '%s'; there are: locks, workloads\n", what);
		return EXIT_USAGE;
	}
	if (!what || !strcmp(what, "locks"))
		list_locks();
	if (!what || !strcmp(what, "workloads"))
		list_workloads();
	return EXIT_FINE;
}
