/*
 * placement.h - which thread runs on which CPU.
 *
 *	none       the scheduler decides
 *	compact    neighbours first: SMT siblings, then the cache, node, package
 *	scatter    the farthest first: packages and nodes in turn, SMT siblings last
 *	cpus=LIST  these, in this order: "cpus=0-3,8"
 *
 * n threads take the first n places of any policy, so that one thread more
 * moves none of the others. More threads than CPUs wrap round.
 */
#ifndef HARNESS_PLACEMENT_H
#define HARNESS_PLACEMENT_H

#include <stddef.h>
#include <stdint.h>

/*
 * Fills cpus[threads] with the kernel's CPU numbers, -1 for not pinned. cpus
 * may be NULL to check the policy alone. 0, or -EINVAL with a reason in why
 * that names what would be right.
 */
int placement_plan(const char *policy, unsigned threads, int32_t *cpus, char *why, size_t size);

/* CPUs this process may use: affinity mask and cpuset respected; ≥ 1. */
unsigned placement_cpus(void);

/*
 * Pins the calling thread and looks whether it runs there. -1 leaves it as it
 * is. 0 or -errno: -ENOTSUP where the topology is a plan, -EXDEV when the
 * kernel said yes and runs it elsewhere.
 */
int placement_pin(int cpu);

#endif
