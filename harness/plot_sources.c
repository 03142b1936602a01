/* plot_sources.c - takes the files of plots/ into the program as they are. */
#include "plot_sources.h"

#include <string.h>

/* name of the symbol, file */
#define SOURCES(X)                     \
	X(style, "style.gp")           \
	X(throughput, "throughput.gp") \
	X(multiples, "multiples.gp")   \
	X(dots, "dots.gp")             \
	X(latency, "latency.gp")       \
	X(fairness, "fairness.gp")     \
	X(time, "time.gp")             \
	X(counters, "counters.gp")     \
	X(heat, "heat.gp")             \
	X(terminal, "terminal.gp")     \
	X(report, "report.html")

/* the assembler looks from the tree's root, where make runs */
#define TAKE(symbol, file)                                                    \
	__asm__(".pushsection .rodata\n"                                      \
		"plot_source_" #symbol "_begin: .incbin \"plots/" file "\"\n" \
		"plot_source_" #symbol "_end: .byte 0\n"                      \
		".popsection\n");                                             \
	extern const char plot_source_##symbol##_begin[], plot_source_##symbol##_end[];
SOURCES(TAKE)

const struct plot_source plot_sources[] = {
#define ENTRY(symbol, file) { file, plot_source_##symbol##_begin, plot_source_##symbol##_end },
	SOURCES(ENTRY){ 0 }
};

const struct plot_source *plot_source(const char *name)
{
	for (const struct plot_source *s = plot_sources; s->name; s++)
		if (!strcmp(s->name, name))
			return s;
	return NULL;
}
