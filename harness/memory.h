/*
 * memory.h - on which NUMA node the lock and the shared data lie.
 *
 *	local        the node of the CPU that the caller runs on; pages are there
 *	             when the call returns. Pin first.
 *	first-touch  the kernel's default: the node of whoever writes a page first
 *	interleave   pages in turn over all nodes this process may use
 *	bind:N       node N (the kernel's number)
 *
 * Where the kernel has no NUMA, local and first-touch work (there is one
 * memory), the others are refused with the reason.
 */
#ifndef HARNESS_MEMORY_H
#define HARNESS_MEMORY_H

#include <stddef.h>

/* Whether memory_alloc can serve this policy: 0, or -EINVAL with the reason. */
int memory_check(const char *policy, char *why, size_t size);

/*
 * Zeroed, page-aligned, private; pages shared with nobody else's data. Any
 * count of bytes from 1 on. NULL with a reason in why that names what would be
 * right. Memory that the kernel would not put where asked is still returned:
 * memory_node_of() tells where it is.
 */
void *memory_alloc(size_t bytes, const char *policy, char *why, size_t size);

/* The same bytes as were asked for; NULL is fine. */
void memory_free(void *p, size_t bytes);

/*
 * The kernel's number of the node that holds p's page, read back. Negative when
 * it is unknown: -errno; -ENOENT: the page was not touched yet.
 */
int memory_node_of(const void *p);

/* What a negative result of memory_node_of means, in words. */
const char *memory_node_reason(int result);

/*
 * Whether a node that was read back is what the policy promises, asked by a
 * thread of cpu (the first pinned one; −1 unknown). Unknown nodes are not ok.
 */
int memory_node_ok(const char *policy, int node, int cpu);

#endif
