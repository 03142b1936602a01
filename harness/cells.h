/* cells.h - all cells of this build and of loaded plug-ins, by name. */
#ifndef HARNESS_CELLS_H
#define HARNESS_CELLS_H

#include "cell.h"

/* Every cell, NULL-terminated; outline cells have lock NULL. Never freed. */
const struct cell *const *cells_all(void);

/* Each lock (workload) once, sorted by name, NULL-terminated. Never freed. */
const struct lock_ops *const *cells_locks(void);
const struct workload_ops *const *cells_workloads(void);

/* NULL when there is none. lock NULL asks for the outline cell. */
const struct cell *cells_find(const char *lock, const char *workload);

/*
 * The pair's counting cell; its lock's table is its own, too, and goes with no
 * other cell of that lock. NULL when the lock counts nothing.
 */
const struct cell *cells_find_events(const char *lock, const char *workload);

/*
 * Adds the cells of a plug-in. 0, or -1 with the reason in why: not a
 * plug-in, another ABI, a lock's name that is taken.
 */
int cells_add_plugin(const char *path, char *why, size_t size);

#endif
