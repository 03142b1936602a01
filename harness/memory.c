/* memory.c - memory by node, through libnuma. */
#include "memory.h"

#include <ctype.h>
#include <errno.h>
#include <numa.h>
#include <numaif.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "topology.h"

enum policy { LOCAL, FIRST_TOUCH, INTERLEAVE, BIND };

static bool have_numa(void)
{
	static int known; /* 0: not asked yet */

	if (!known)
		known = numa_available() < 0 ? -1 : 1;
	return known > 0;
}

/* The nodes that memory may come from, as "0,1". */
static void nodes(char *out, size_t size)
{
	struct bitmask *allowed = numa_get_mems_allowed();
	size_t used = 0;

	*out = 0;
	for (int n = 0; n <= numa_max_node() && used < size; n++)
		if (numa_bitmask_isbitset(allowed, (unsigned)n))
			used += (size_t)snprintf(out + used, size - used, "%s%d", used ? "," : "",
						 n);
	numa_bitmask_free(allowed);
}

static bool node_allowed(long node)
{
	struct bitmask *allowed = numa_get_mems_allowed();
	bool yes = node <= numa_max_node() && numa_bitmask_isbitset(allowed, (unsigned)node);

	numa_bitmask_free(allowed);
	return yes;
}

static int parse(const char *policy, enum policy *kind, long *node, char *why, size_t size)
{
	char have[128], *end;

	*node = -1;
	if (!policy || !strcmp(policy, "first-touch")) {
		*kind = FIRST_TOUCH;
		return 0;
	}
	if (!strcmp(policy, "local")) {
		*kind = LOCAL;
		return 0;
	}
	if (!strcmp(policy, "interleave"))
		*kind = INTERLEAVE;
	else if (!strncmp(policy, "bind:", 5) && isdigit((unsigned char)policy[5])) {
		*kind = BIND;
		*node = strtol(policy + 5, &end, 10);
		if (*end)
			goto unknown;
	} else
		goto unknown;
	if (!have_numa()) {
		snprintf(why, size,
			 "memory \"%s\": this kernel has no NUMA support; local and first-touch "
			 "work here",
			 policy);
		return -EINVAL;
	}
	if (*kind == BIND && !node_allowed(*node)) {
		nodes(have, sizeof have);
		snprintf(why, size, "memory \"%s\": no node %ld that may be used; there are: %s",
			 policy, *node, have);
		return -EINVAL;
	}
	return 0;
unknown:
	snprintf(why, size,
		 "no memory policy \"%s\"; there are: local, first-touch, interleave, bind:N "
		 "(like bind:0)",
		 policy);
	return -EINVAL;
}

int memory_check(const char *policy, char *why, size_t size)
{
	enum policy kind;
	long node;

	return parse(policy, &kind, &node, why, size);
}

static size_t whole_pages(size_t bytes)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);

	return (bytes + page - 1) / page * page;
}

void *memory_alloc(size_t bytes, const char *policy, char *why, size_t size)
{
	size_t length = whole_pages(bytes ? bytes : 1);
	enum policy kind;
	long node;
	void *p;

	if (parse(policy, &kind, &node, why, size))
		return NULL;
	p = mmap(NULL, length, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (p == MAP_FAILED) {
		snprintf(why, size, "%zu bytes of memory: %s", length, strerror(errno));
		return NULL;
	}
	if (kind == LOCAL && have_numa())
		numa_setlocal_memory(p, length);
	else if (kind == INTERLEAVE) {
		struct bitmask *allowed = numa_get_mems_allowed();

		numa_interleave_memory(p, length, allowed);
		numa_bitmask_free(allowed);
	} else if (kind == BIND)
		numa_tonode_memory(p, length, (int)node);
	if (kind != FIRST_TOUCH)
		memset(p, 0, length);
	return p;
}

void memory_free(void *p, size_t bytes)
{
	if (p)
		munmap(p, whole_pages(bytes ? bytes : 1));
}

int memory_node_of(const void *p)
{
	uintptr_t page = (uintptr_t)p & ~((uintptr_t)sysconf(_SC_PAGESIZE) - 1);
	void *pages[1] = { (void *)page };
	int status[1] = { -ENOSYS };

	if (!have_numa())
		return -ENOSYS;
	if (numa_move_pages(0, 1, pages, NULL, status, 0))
		return errno ? -errno : -EIO;
	return status[0];
}

const char *memory_node_reason(int result)
{
	switch (result) {
	case -ENOSYS:
		return "this kernel has no NUMA support";
	case -ENOENT:
		return "the page was never touched";
	case -EPERM:
	case -EACCES:
		return "move_pages is forbidden here (a container's filter?)";
	case -EFAULT:
		return "no such page, or the shared page of zeroes";
	default:
		return result < 0 ? strerror(-result) : "";
	}
}

int memory_node_ok(const char *policy, int node, int cpu)
{
	const struct topology_cpu *c = cpu < 0 ? NULL : topology_find(cpu);
	enum policy kind;
	char why[1];
	long asked;

	if (node < 0 || parse(policy, &kind, &asked, why, sizeof why))
		return 0;
	if (kind == BIND)
		return node == asked;
	if (kind == LOCAL && c)
		return node == c->node_os;
	return 1;
}
