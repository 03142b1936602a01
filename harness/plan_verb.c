/* plan_verb.c - the verb `plan`: what a config would measure, and for how long. */
#include <getopt.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "config.h"
#include "placement.h"
#include "value.h"
#include "verbs.h"

#define MAX_SETS 64

enum column {
	COLUMN_CELL,
	COLUMN_EXPERIMENT,
	COLUMN_WORKLOAD,
	COLUMN_PARAMS,
	COLUMN_LOCK,
	COLUMN_CALL,
	COLUMN_THREADS,
	COLUMN_PLACEMENT,
	COLUMN_MEMORY,
	COLUMN_MEASURED,
	COLUMN_REPS,
	COLUMNS
};

static const struct {
	const char *name;
	bool right;
} columns[COLUMNS] = {
	[COLUMN_CELL] = { "cell", true },	   [COLUMN_EXPERIMENT] = { "experiment", false },
	[COLUMN_WORKLOAD] = { "workload", false }, [COLUMN_PARAMS] = { "params", false },
	[COLUMN_LOCK] = { "lock", false },	   [COLUMN_CALL] = { "call", false },
	[COLUMN_THREADS] = { "threads", true },	   [COLUMN_PLACEMENT] = { "placement", false },
	[COLUMN_MEMORY] = { "memory", false },	   [COLUMN_MEASURED] = { "measured", true },
	[COLUMN_REPS] = { "reps", true },
};

__attribute__((format(printf, 1, 2))) static char *text(const char *format, ...)
{
	va_list args;
	char *s;

	va_start(args, format);
	if (vasprintf(&s, format, args) < 0)
		s = NULL;
	va_end(args);
	return s;
}

static char *params_text(const struct cell_spec *c)
{
	const struct param *p = c->workload_ops->params;
	char *out = NULL, value[VALUE_SIZE];
	size_t size;
	FILE *to = open_memstream(&out, &size);

	for (unsigned i = 0; to && p && p[i].name; i++) {
		value_print(&p[i], c->params[i], value, sizeof value);
		fprintf(to, "%s%s=%s", i ? " " : "", p[i].name, value);
	}
	if (to)
		fclose(to);
	return out;
}

static char *field(const struct cell_spec *c, enum column column)
{
	static const struct param time = { "", "", PARAM_TIME, 0, INT64_MAX };
	char value[VALUE_SIZE];

	switch (column) {
	case COLUMN_CELL:
		return text("%u", c->id);
	case COLUMN_EXPERIMENT:
		return text("%s", c->experiment);
	case COLUMN_WORKLOAD:
		return text("%s", c->workload_ops->name);
	case COLUMN_PARAMS:
		return params_text(c);
	case COLUMN_LOCK:
		return text("%s", c->lock);
	case COLUMN_CALL:
		return text("%s", c->outline ? "outline" : "inline");
	case COLUMN_THREADS:
		if (c->workload_ops->has_roles)
			return text("%u (%ur %uw)", c->threads, c->readers, c->writers);
		return text("%u", c->threads);
	case COLUMN_PLACEMENT:
		return text("%s", c->placement);
	case COLUMN_MEMORY:
		return text("%s", c->memory);
	case COLUMN_MEASURED:
		value_print(&time, (int64_t)c->duration_ns, value, sizeof value);
		if (c->operations)
			return text("%" PRIu64 " ops", c->operations);
		return text("%s", value);
	default:
		return text("%u", c->repetitions);
	}
}

static void print_table(const struct plan *plan)
{
	char *(*rows)[COLUMNS] = calloc(plan->cell_count, sizeof *rows);
	int widths[COLUMNS];

	if (!rows)
		return;
	for (unsigned k = 0; k < COLUMNS; k++) {
		widths[k] = (int)strlen(columns[k].name);
		for (unsigned i = 0; i < plan->cell_count; i++) {
			rows[i][k] = field(&plan->cells[i], k);
			if (rows[i][k] && (int)strlen(rows[i][k]) > widths[k])
				widths[k] = (int)strlen(rows[i][k]);
		}
	}
	for (unsigned i = 0; i <= plan->cell_count; i++)
		for (unsigned k = 0; k < COLUMNS; k++) {
			const char *s = i ? rows[i - 1][k] : columns[k].name;

			printf("%s%*s%s", k ? "  " : "",
			       columns[k].right || k + 1 < COLUMNS
				       ? (columns[k].right ? widths[k] : -widths[k])
				       : 0,
			       s ? s : "", k + 1 < COLUMNS ? "" : "\n");
			if (i)
				free(rows[i - 1][k]);
		}
	free(rows);
}

/* "1 min 35 s"; below ten seconds with a tenth. */
static char *duration_text(uint64_t ns)
{
	double s = (double)ns / 1e9;
	unsigned whole = (unsigned)(s + 0.5);

	if (s < 10)
		return text("%.1f s", s);
	if (whole < 60)
		return text("%u s", whole);
	if (whole < 3600)
		return text("%u min %u s", whole / 60, whole % 60);
	return text("%u h %u min", whole / 3600, whole % 3600 / 60);
}

static const char *plural(unsigned n)
{
	return n == 1 ? "" : "s";
}

static void print_summary(const struct plan *plan)
{
	unsigned unknown, crowded = 0, cpus = placement_cpus();
	char *time = duration_text(plan_time(plan, &unknown));

	for (unsigned i = 0; i < plan->cell_count; i++)
		crowded += plan->cells[i].threads > cpus;
	printf("\n%u cell%s, %u repetition%s in the order of seed %" PRIu64 ": ", plan->cell_count,
	       plural(plan->cell_count), plan->step_count, plural(plan->step_count), plan->seed);
	if (unknown < plan->cell_count)
		printf("about %s%s", time ? time : "?", unknown ? ", and " : "\n");
	if (unknown)
		printf("as long as it takes for %u cell%s counted by operations\n", unknown,
		       plural(unknown));
	if (crowded)
		printf("%u cell%s with more threads than the %u CPU%s\n", crowded, plural(crowded),
		       cpus, plural(cpus));
	free(time);
}

static void help(void)
{
	puts("usage: plan CONFIG [--set KEY=VALUE]… [--plugin FILE.so]…\n\n"
	     "Prints every cell that the configuration asks for, and how long measuring them\n"
	     "takes. Measures nothing.\n\n"
	     "  --set KEY=VALUE   lay a setting over the whole configuration: duration=1s,\n"
	     "                    threads=1,2,2x, params.read_pct=95\n"
	     "  --plugin FILE.so  add the lock of a plug-in\n"
	     "  --help\n\n"
	     "exit codes: 0 fine, 2 the configuration does not hold");
}

int verb_plan(int argc, char **argv)
{
	static const struct option longs[] = { { "help", no_argument, NULL, 'h' },
					       { "set", required_argument, NULL, 's' },
					       { 0 } };
	const char *sets[MAX_SETS + 1] = { NULL };
	unsigned count = 0;
	struct plan *plan;
	char why[1024];
	int c;

	optind = 1;
	while ((c = getopt_long(argc, argv, "", longs, NULL)) != -1) {
		if (c == 'h') {
			help();
			return EXIT_FINE;
		}
		if (c != 's' || count == MAX_SETS) {
			fprintf(stderr, c == 's' ? "plan: too many --set\n" : "plan: see --help\n");
			return EXIT_USAGE;
		}
		sets[count++] = optarg;
	}
	if (argc - optind != 1) {
		fprintf(stderr, "plan: wants one configuration; see --help\n");
		return EXIT_USAGE;
	}
	plan = config_plan(argv[optind], sets, NULL, why, sizeof why);
	if (!plan) {
		fprintf(stderr, "plan: %s\n", why);
		return EXIT_USAGE;
	}
	print_table(plan);
	print_summary(plan);
	plan_free(plan);
	return EXIT_FINE;
}
