/* plot_sources.h - the files of plots/, inside the program: it works anywhere. */
#ifndef HARNESS_PLOT_SOURCES_H
#define HARNESS_PLOT_SOURCES_H

#include <stddef.h>

struct plot_source {
	const char *name, *begin, *end;
};

extern const struct plot_source plot_sources[]; /* name NULL at the end */

/* NULL when there is none. */
const struct plot_source *plot_source(const char *name);

#endif
