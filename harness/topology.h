/*
 * topology.h - the CPUs and nodes this process may use, as a plain table. Read
 * from hwloc once, lazily, in the parent; children inherit it by fork and only
 * read. CPUs are those of the affinity mask and the cpuset, not the machine's.
 */
#ifndef HARNESS_TOPOLOGY_H
#define HARNESS_TOPOLOGY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct topology_cpu {
	int32_t os;	  /* the kernel's number */
	unsigned node;	  /* 0 … nodes − 1 */
	int32_t node_os;  /* the kernel's number of that node */
	unsigned package; /* 0 … packages − 1 */
	unsigned core;	  /* 0 … cores − 1 */
	unsigned smt;	  /* which of its core's CPUs: 0, 1, … */
	unsigned llc;	  /* which last-level cache: 0, 1, … */
};

struct topology {
	/* false: read from a description (synthetic, HWLOC_XMLFILE): a plan, nothing binds */
	bool real;
	unsigned cpus, cores, packages, nodes, llcs; /* ≥ 1 each */
	/* cpu[0 … cpus−1], neighbours together: SMT, then cache, then node, then package */
	const struct topology_cpu *cpu;
	/* the same CPUs as indices into cpu[], each as far from those before as can be */
	const unsigned *scattered;
	/* empty, or why hwloc gave nothing and the table holds the affinity mask alone */
	char reason[128];
};

/* Never NULL, never fails. Not thread-safe on the first call: call it in the parent. */
const struct topology *topology(void);

/* By the kernel's number; NULL when this process may not use it or there is none. */
const struct topology_cpu *topology_find(int cpu);

/* Forget what was read; topology() reads this machine anew. */
void topology_forget(void);

/* Forget what was read, and read this hwloc synthetic description. 0 or -EINVAL. */
int topology_use_synthetic(const char *description);

/*
 * Bind the calling thread to one CPU by hwloc. 0 or -errno; -ENOTSUP where the
 * table is a plan.
 */
int topology_bind(int cpu);

/* The whole machine as hwloc's XML, malloced; NULL with the reason in why. */
char *topology_xml(char *why, size_t size);

#endif
