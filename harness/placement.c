/* placement.c - policies over the table of CPUs. */
#include "placement.h"

#include <ctype.h>
#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "topology.h"

unsigned placement_cpus(void)
{
	return topology()->cpus;
}

static int by_number(const void *a, const void *b)
{
	int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;

	return (x > y) - (x < y);
}

/* The allowed CPUs as a list: "0-3,8". */
static void allowed(char *out, size_t size)
{
	const struct topology *t = topology();
	int32_t *os = calloc(t->cpus, sizeof *os);
	size_t used = 0;

	snprintf(out, size, "(no memory)");
	if (!os)
		return;
	for (unsigned i = 0; i < t->cpus; i++)
		os[i] = t->cpu[i].os;
	qsort(os, t->cpus, sizeof *os, by_number);
	for (unsigned i = 0, j; i < t->cpus && used < size; i = j + 1) {
		for (j = i; j + 1 < t->cpus && os[j + 1] == os[j] + 1;)
			j++;
		used += (size_t)snprintf(out + used, size - used, "%s%d", i ? "," : "", os[i]);
		if (j > i && used < size)
			used += (size_t)snprintf(out + used, size - used, "-%d", os[j]);
	}
	free(os);
}

static int complain(char *why, size_t size, const char *list, const char *what)
{
	char set[128];

	allowed(set, sizeof set);
	snprintf(why, size, "placement \"cpus=%s\": %s; CPUs this process may use: %s", list, what,
		 set);
	return -EINVAL;
}

/* A whole number of at most six digits at *s, which moves behind it; or -1. */
static long number(const char **s)
{
	long n = 0;
	int digits = 0;

	for (; isdigit((unsigned char)**s) && digits < 7; (*s)++, digits++)
		n = n * 10 + (**s - '0');
	return digits && digits < 7 ? n : -1;
}

static int plan_list(const char *list, unsigned threads, int32_t *cpus, char *why, size_t size)
{
	const char *s = list;
	unsigned filled = 0;
	char what[96];

	do {
		long from = number(&s), to = from;

		if (from >= 0 && *s == '-') {
			s++;
			to = number(&s);
		}
		if (from < 0 || to < 0 || (*s && *s != ','))
			return complain(why, size, list, "not a list of CPUs like 0-3,8");
		if (to < from) {
			snprintf(what, sizeof what, "the range %ld-%ld runs backwards", from, to);
			return complain(why, size, list, what);
		}
		for (long c = from; c <= to; c++) {
			if (!topology_find((int)c)) {
				snprintf(what, sizeof what,
					 "CPU %ld does not exist or is not allowed here", c);
				return complain(why, size, list, what);
			}
			if (cpus && filled < threads)
				cpus[filled] = (int32_t)c;
			filled++;
		}
	} while (*s++ == ',');
	for (unsigned i = filled; cpus && i < threads; i++)
		cpus[i] = cpus[i % filled];
	return 0;
}

int placement_plan(const char *policy, unsigned threads, int32_t *cpus, char *why, size_t size)
{
	const struct topology *t = topology();

	if (!policy || !strcmp(policy, "none")) {
		for (unsigned i = 0; cpus && i < threads; i++)
			cpus[i] = -1;
		return 0;
	}
	if (!strcmp(policy, "compact") || !strcmp(policy, "scatter")) {
		bool far = *policy == 's';

		for (unsigned i = 0; cpus && i < threads; i++)
			cpus[i] = t->cpu[far ? t->scattered[i % t->cpus] : i % t->cpus].os;
		return 0;
	}
	if (!strncmp(policy, "cpus=", 5))
		return plan_list(policy + 5, threads, cpus, why, size);
	snprintf(why, size,
		 "no placement \"%s\"; there are: compact, scatter, none, cpus=LIST (like "
		 "cpus=0-3,8)",
		 policy);
	return -EINVAL;
}

int placement_pin(int cpu)
{
	int rc;

	if (cpu < 0)
		return 0;
	rc = topology_bind(cpu);
	if (rc)
		return rc;
	/* the kernel moves a thread before the call returns */
	return sched_getcpu() == cpu ? 0 : -EXDEV;
}
