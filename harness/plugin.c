/*
 * plugin.c - the one symbol of a plug-in. Linked with a lock's cells into a
 * shared object, and never into latchmark itself.
 */
#include "cell.h"

/*
 * Made by the linker around this object's own cells. Hidden, or the dynamic
 * linker would bind them to the host's array of the same name.
 */
#define HIDDEN __attribute__((visibility("hidden")))
extern HIDDEN const struct cell *const __start_latchmark_cells[];
extern HIDDEN const struct cell *const __stop_latchmark_cells[];
/* weak: a lock that counts nothing has none */
extern HIDDEN const struct cell *const __start_latchmark_event_cells[] __attribute__((weak));
extern HIDDEN const struct cell *const __stop_latchmark_event_cells[] __attribute__((weak));

/* only the tests set it: to make a plug-in of another time */
#ifndef PLUGIN_ABI
#define PLUGIN_ABI LATCHMARK_ABI
#endif

__attribute__((visibility("default"))) const struct latchmark_plugin latchmark_plugin = {
	.abi = PLUGIN_ABI,
	.lock_ops_size = sizeof(struct lock_ops),
	.thread_size = sizeof(struct thread),
	.cells = __start_latchmark_cells,
	.cells_end = __stop_latchmark_cells,
	.event_cells = __start_latchmark_event_cells,
	.event_cells_end = __stop_latchmark_event_cells,
};
