/*
 * pingpong.h - the distance of two CPUs, as the time a cache line needs to go
 * to the other and back. On virtual machines it changes under way, and every
 * contended figure with it.
 */
#ifndef HARNESS_PINGPONG_H
#define HARNESS_PINGPONG_H

#include <stddef.h>
#include <stdint.h>

#define PINGPONG_NS 500000 /* how long it measures */

/*
 * Median ns per round trip between the first two distinct CPUs of
 * cpus[count], in about PINGPONG_NS. Negative, with the reason in *why (a
 * literal), where fewer than two are pinned or a CPU is taken; never waits
 * longer than a few times PINGPONG_NS for a CPU. Leaves the caller's affinity
 * as it was.
 */
double pingpong(const int32_t *cpus, size_t count, const char **why);

#endif
