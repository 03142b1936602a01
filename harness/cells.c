/* cells.c - the registry of cells: the linker's array, then plug-ins. */
#include "cells.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* made by the linker around the section that cell.c fills */
extern const struct cell *const __start_latchmark_cells[];
extern const struct cell *const __stop_latchmark_cells[];
extern const struct cell *const __start_latchmark_event_cells[] __attribute__((weak));
extern const struct cell *const __stop_latchmark_event_cells[] __attribute__((weak));

static struct {
	const struct cell **cells;
	size_t count;
	const struct lock_ops **locks;
	const struct workload_ops **workloads;
	const struct cell **event_cells;
} all;

static int by_lock_name(const void *a, const void *b)
{
	const struct lock_ops *const *x = a, *const *y = b;

	return strcmp((*x)->name, (*y)->name);
}

static int by_workload_name(const void *a, const void *b)
{
	const struct workload_ops *const *x = a, *const *y = b;

	return strcmp((*x)->name, (*y)->name);
}

static void *array(size_t n, size_t size)
{
	void *p = calloc(n + 1, size);

	if (!p)
		abort();
	return p;
}

/*
 * Each pair is an object of its own with its own copy of the lock's table, so
 * a lock is known by its name.
 */
static void index_names(void)
{
	size_t locks = 0, workloads = 0, k;

	free(all.locks);
	free(all.workloads);
	all.locks = array(all.count, sizeof(*all.locks));
	all.workloads = array(all.count, sizeof(*all.workloads));
	for (size_t i = 0; i < all.count; i++) {
		const struct cell *c = all.cells[i];

		for (k = 0; c->lock && k < locks; k++)
			if (!strcmp(all.locks[k]->name, c->lock->name))
				break;
		if (c->lock && k == locks)
			all.locks[locks++] = c->lock;
		for (k = 0; k < workloads; k++)
			if (!strcmp(all.workloads[k]->name, c->workload->name))
				break;
		if (k == workloads)
			all.workloads[workloads++] = c->workload;
	}
	qsort(all.locks, locks, sizeof(*all.locks), by_lock_name);
	qsort(all.workloads, workloads, sizeof(*all.workloads), by_workload_name);
}

/* `to` is NULL-terminated, or NULL for none; so is the result. */
static const struct cell **joined(const struct cell **to, const struct cell *const *cells,
				  const struct cell *const *end)
{
	size_t n = 0;

	while (to && to[n])
		n++;
	to = realloc(to, (n + (size_t)(end - cells) + 1) * sizeof(*to));
	if (!to)
		abort();
	while (cells < end)
		to[n++] = *cells++;
	to[n] = NULL;
	return to;
}

static void append(const struct cell *const *cells, const struct cell *const *end)
{
	all.cells = joined(all.cells, cells, end);
	all.count += (size_t)(end - cells);
	index_names();
}

static void load(void)
{
	if (all.cells)
		return;
	append(__start_latchmark_cells, __stop_latchmark_cells);
	all.event_cells = joined(NULL, __start_latchmark_event_cells, __stop_latchmark_event_cells);
}

const struct cell *const *cells_all(void)
{
	load();
	return all.cells;
}

const struct lock_ops *const *cells_locks(void)
{
	load();
	return all.locks;
}

const struct workload_ops *const *cells_workloads(void)
{
	load();
	return all.workloads;
}

const struct cell *cells_find(const char *lock, const char *workload)
{
	for (const struct cell *const *c = cells_all(); *c; c++) {
		if (strcmp((*c)->workload->name, workload))
			continue;
		if (lock ? (*c)->lock && !strcmp((*c)->lock->name, lock) : !(*c)->lock)
			return *c;
	}
	return NULL;
}

const struct cell *cells_find_events(const char *lock, const char *workload)
{
	load();
	for (const struct cell **c = all.event_cells; *c; c++)
		if (!strcmp((*c)->workload->name, workload) && !strcmp((*c)->lock->name, lock))
			return *c;
	return NULL;
}

int cells_add_plugin(const char *path, char *why, size_t size)
{
	/* a bare name is a file here, not one of the library path */
	char *file = realpath(path, NULL);
	const struct latchmark_plugin *plugin;
	void *so;

	load();
	if (!file) {
		snprintf(why, size, "%s: %s", path, strerror(errno));
		return -1;
	}
	so = dlopen(file, RTLD_NOW | RTLD_LOCAL);
	free(file);
	if (!so) {
		snprintf(why, size, "%s", dlerror());
		return -1;
	}
	plugin = dlsym(so, "latchmark_plugin");
	if (!plugin) {
		snprintf(why, size, "%s is not a latchmark plug-in: it exports no latchmark_plugin",
			 path);
		goto refuse;
	}
	if (plugin->abi != LATCHMARK_ABI) {
		snprintf(why, size, "%s is built for ABI %u, this latchmark has ABI %u: rebuild it",
			 path, plugin->abi, LATCHMARK_ABI);
		goto refuse;
	}
	if (plugin->lock_ops_size != sizeof(struct lock_ops) ||
	    plugin->thread_size != sizeof(struct thread)) {
		snprintf(why, size, "%s is built from other headers: rebuild it", path);
		goto refuse;
	}
	for (const struct cell *const *c = plugin->cells; c < plugin->cells_end; c++) {
		const struct lock_ops *lock = (*c)->lock;

		if (lock && cells_find(lock->name, (*c)->workload->name)) {
			snprintf(why, size, "%s: a lock named '%s' exists already", path,
				 lock->name);
			goto refuse;
		}
	}
	append(plugin->cells, plugin->cells_end);
	all.event_cells = joined(all.event_cells, plugin->event_cells, plugin->event_cells_end);
	return 0;
refuse:
	dlclose(so);
	return -1;
}
