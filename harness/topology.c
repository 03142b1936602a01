/* topology.c - the table of CPUs, from hwloc. */
#include "topology.h"

#include <errno.h>
#include <hwloc.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct topology table;
static hwloc_topology_t tree; /* NULL: hwloc gave nothing */
static bool loaded;

static void *must(void *p)
{
	if (!p) {
		fputs("topology: out of memory\n", stderr);
		abort();
	}
	return p;
}

/* What the affinity mask says, as one node without neighbours. */
static void from_affinity(struct topology *t)
{
	int size = 1024;
	struct topology_cpu *cpu = NULL;
	unsigned *scattered;
	cpu_set_t *set;

	t->cpus = 0;
	/* the kernel refuses a mask smaller than its own */
	for (; size <= 1 << 20; size *= 2) {
		set = must(CPU_ALLOC(size));
		if (!sched_getaffinity(0, CPU_ALLOC_SIZE(size), set))
			break;
		CPU_FREE(set);
		set = NULL;
	}
	for (int i = 0; set && i < size; i++) {
		if (!CPU_ISSET_S(i, CPU_ALLOC_SIZE(size), set))
			continue;
		cpu = must(realloc(cpu, (t->cpus + 1) * sizeof *cpu));
		cpu[t->cpus] = (struct topology_cpu){ .os = i, .core = t->cpus };
		t->cpus++;
	}
	if (set)
		CPU_FREE(set);
	if (!t->cpus) {
		cpu = must(calloc(1, sizeof *cpu));
		t->cpus = 1;
	}
	t->cpu = cpu;
	scattered = must(calloc(t->cpus, sizeof *scattered));
	for (unsigned i = 0; i < t->cpus; i++)
		scattered[i] = i;
	t->scattered = scattered;
	t->cores = t->cpus;
	t->packages = t->nodes = t->llcs = 1;
	t->real = true;
}

static unsigned index_above(hwloc_obj_t pu, hwloc_obj_type_t type)
{
	hwloc_obj_t o = hwloc_get_ancestor_obj_by_type(tree, type, pu);

	return o ? o->logical_index : 0;
}

static unsigned count_of(hwloc_obj_type_t type)
{
	int n = hwloc_get_nbobjs_by_type(tree, type);

	return n > 0 ? (unsigned)n : 1;
}

static void describe_pu(struct topology_cpu *c, hwloc_obj_t pu)
{
	hwloc_obj_t core = hwloc_get_ancestor_obj_by_type(tree, HWLOC_OBJ_CORE, pu), node = NULL;

	*c = (struct topology_cpu){
		.os = (int32_t)pu->os_index,
		.package = index_above(pu, HWLOC_OBJ_PACKAGE),
		.core = core ? core->logical_index : pu->logical_index,
		.llc = index_above(pu, HWLOC_OBJ_L3CACHE),
	};
	for (hwloc_obj_t s = core ? pu->prev_cousin : NULL; s; s = s->prev_cousin) {
		if (hwloc_get_ancestor_obj_by_type(tree, HWLOC_OBJ_CORE, s) != core)
			break;
		c->smt++;
	}
	while ((node = hwloc_get_next_obj_by_type(tree, HWLOC_OBJ_NUMANODE, node)))
		if (hwloc_bitmap_isset(node->cpuset, pu->os_index)) {
			c->node = node->logical_index;
			c->node_os = (int32_t)node->os_index;
			break;
		}
}

/*
 * The CPUs under o, each as far from those before as can be: the children's
 * own such orders, dealt out in turn. Returns how many.
 */
static unsigned scatter(hwloc_obj_t o, unsigned *out)
{
	unsigned *part, *length, total = 0, taken = 0;

	if (o->type == HWLOC_OBJ_PU) {
		*out = o->logical_index;
		return 1;
	}
	part = must(calloc(table.cpus, sizeof *part));
	length = must(calloc(o->arity + 1, sizeof *length));
	for (unsigned i = 0; i < o->arity; i++) {
		length[i] = scatter(o->children[i], part + total);
		total += length[i];
	}
	for (unsigned round = 0; taken < total; round++)
		for (unsigned i = 0, from = 0; i < o->arity; from += length[i++])
			if (round < length[i])
				out[taken++] = part[from + round];
	free(part);
	free(length);
	return total;
}

static int read_tree(const char *synthetic)
{
	static const hwloc_obj_type_t wanted[] = {
		HWLOC_OBJ_PACKAGE, HWLOC_OBJ_DIE,   HWLOC_OBJ_L3CACHE,
		HWLOC_OBJ_CORE,	   HWLOC_OBJ_GROUP,
	};
	/* a description in the environment is a plan: it must not pass for this system */
	bool described = synthetic || getenv("HWLOC_SYNTHETIC") || getenv("HWLOC_XMLFILE");
	int rc = hwloc_topology_init(&tree);

	if (rc)
		return rc;
	hwloc_topology_set_all_types_filter(tree, HWLOC_TYPE_FILTER_KEEP_NONE);
	for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
		hwloc_topology_set_type_filter(tree, wanted[i],
					       wanted[i] == HWLOC_OBJ_GROUP
						       ? HWLOC_TYPE_FILTER_KEEP_STRUCTURE
						       : HWLOC_TYPE_FILTER_KEEP_ALL);
	if (synthetic)
		rc = hwloc_topology_set_synthetic(tree, synthetic);
	/* either flag alone ignores the affinity mask */
	else if (!described)
		rc = hwloc_topology_set_flags(tree, HWLOC_TOPOLOGY_FLAG_RESTRICT_TO_CPUBINDING |
							    HWLOC_TOPOLOGY_FLAG_IS_THISSYSTEM);
	if (rc || hwloc_topology_load(tree)) {
		hwloc_topology_destroy(tree);
		tree = NULL;
		return -1;
	}
	return 0;
}

/*
 * Down to what the calling thread may use. hwloc's own flag needs /proc; and
 * without /sys it numbers the CPUs from 0, whatever they are. 0, or -1 where
 * the tree does not have the CPUs that the kernel allows.
 */
static int restrict_to_affinity(void)
{
	hwloc_bitmap_t set = must(hwloc_bitmap_alloc());
	int rc = 0;

	if (!hwloc_get_cpubind(tree, set, HWLOC_CPUBIND_THREAD)) {
		hwloc_topology_restrict(tree, set, 0);
		rc = hwloc_bitmap_isequal(set, hwloc_topology_get_topology_cpuset(tree)) ? 0 : -1;
	}
	hwloc_bitmap_free(set);
	return rc;
}

static void from_tree(struct topology *t)
{
	int cores = hwloc_get_nbobjs_by_type(tree, HWLOC_OBJ_CORE);
	struct topology_cpu *cpu;
	unsigned *scattered;

	t->real = hwloc_topology_is_thissystem(tree);
	t->cpus = count_of(HWLOC_OBJ_PU);
	t->cores = cores > 0 ? (unsigned)cores : t->cpus;
	t->packages = count_of(HWLOC_OBJ_PACKAGE);
	t->nodes = count_of(HWLOC_OBJ_NUMANODE);
	t->llcs = count_of(HWLOC_OBJ_L3CACHE);
	cpu = must(calloc(t->cpus, sizeof *cpu));
	for (unsigned i = 0; i < t->cpus; i++)
		describe_pu(&cpu[i], hwloc_get_obj_by_type(tree, HWLOC_OBJ_PU, i));
	t->cpu = cpu;
	scattered = must(calloc(t->cpus, sizeof *scattered));
	scatter(hwloc_get_root_obj(tree), scattered);
	t->scattered = scattered;
}

static int load(const char *synthetic)
{
	bool sysfs = !access("/sys/devices/system/cpu/cpu0/topology", F_OK);

	loaded = true;
	/* hwloc says on stderr, each time, what `reason` says once */
	if (!sysfs)
		setenv("HWLOC_HIDE_ERRORS", "2", 0);
	if (!read_tree(synthetic)) {
		bool real = hwloc_topology_is_thissystem(tree);

		if (!real || !restrict_to_affinity()) {
			from_tree(&table);
			if (real && !sysfs)
				snprintf(table.reason, sizeof table.reason,
					 "no /sys/devices/system/cpu: cores, caches and nodes are "
					 "unknown");
			return 0;
		}
		topology_forget();
		loaded = true;
	}
	if (synthetic)
		return -EINVAL;
	from_affinity(&table);
	snprintf(table.reason, sizeof table.reason,
		 "hwloc could not read the topology: cores, caches and nodes are unknown");
	return 0;
}

void topology_forget(void)
{
	if (tree)
		hwloc_topology_destroy(tree);
	tree = NULL;
	free((void *)table.cpu);
	free((void *)table.scattered);
	memset(&table, 0, sizeof table);
	loaded = false;
}

const struct topology *topology(void)
{
	if (!loaded)
		load(NULL);
	return &table;
}

int topology_use_synthetic(const char *description)
{
	int rc;

	topology_forget();
	rc = load(description);
	if (rc)
		loaded = false;
	return rc;
}

const struct topology_cpu *topology_find(int cpu)
{
	const struct topology *t = topology();

	for (unsigned i = 0; i < t->cpus; i++)
		if (t->cpu[i].os == cpu)
			return &t->cpu[i];
	return NULL;
}

int topology_bind(int cpu)
{
	hwloc_bitmap_t set;
	cpu_set_t mask;
	int rc;

	if (!topology()->real)
		return -ENOTSUP;
	if (cpu < 0)
		return -EINVAL;
	if (!tree) {
		if (cpu >= CPU_SETSIZE)
			return -EINVAL;
		CPU_ZERO(&mask);
		CPU_SET(cpu, &mask);
		return sched_setaffinity(0, sizeof mask, &mask) ? -errno : 0;
	}
	set = hwloc_bitmap_alloc();
	if (!set)
		return -ENOMEM;
	hwloc_bitmap_only(set, (unsigned)cpu);
	rc = hwloc_set_cpubind(tree, set, HWLOC_CPUBIND_THREAD | HWLOC_CPUBIND_STRICT) ? -errno : 0;
	hwloc_bitmap_free(set);
	return rc;
}

char *topology_xml(char *why, size_t size)
{
	hwloc_topology_t whole;
	char *buffer, *copy = NULL;
	int length;

	/* read anew: the table's tree is filtered down to what a plan needs */
	if (hwloc_topology_init(&whole)) {
		snprintf(why, size, "hwloc: no memory");
		return NULL;
	}
	if (hwloc_topology_load(whole) ||
	    hwloc_topology_export_xmlbuffer(whole, &buffer, &length, 0)) {
		snprintf(why, size, "hwloc could not read or export the topology");
		hwloc_topology_destroy(whole);
		return NULL;
	}
	copy = strdup(buffer);
	hwloc_free_xmlbuffer(whole, buffer);
	hwloc_topology_destroy(whole);
	if (!copy)
		snprintf(why, size, "no memory");
	return copy;
}
