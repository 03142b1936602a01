/*
 * turnover.c - what a repetition costs beside the measuring: from fork to the
 * first barrier, and from the last thread's end to the child's exit.
 */
#include "bench.h"

#include <stdlib.h>

#include "child.h"

#define REPETITIONS 101
#define MS 1000000ull

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* ms, sorted; the name of the status where a repetition fails */
static const char *measure(unsigned threads, double *ms)
{
	const struct cell *cell = cells_find("pthread_mutex", "rwmix");
	struct cell_spec spec = { .lock = "pthread_mutex",
				  .cell = cell,
				  .lock_ops = cell->lock,
				  .workload_ops = cell->workload,
				  .params = { 90, 0, 0, 0 },
				  .threads = threads,
				  .duration_ns = 2 * MS,
				  .timeout_ns = 20000 * MS,
				  .repetitions = 1 };

	for (unsigned r = 0; r < REPETITIONS; r++) {
		struct sample *s = sample_new(threads);
		int rc = s ? child_run(&spec, r, 0, NULL, s) : -ENOMEM;
		const char *status = rc || s->status != STATUS_OK ? "not ok" : NULL;

		ms[r] = s ? (double)(s->setup_ns + s->turnover_ns) / 1e6 : 0;
		sample_free(s);
		if (status)
			return status;
	}
	qsort(ms, REPETITIONS, sizeof(*ms), by_value);
	return NULL;
}

int main(void)
{
	static const unsigned threads[] = { 1, 2, 16 };
	double ms[REPETITIONS];

	printf("start-up and turnover of a repetition, without the measured time; "
	       "%d repetitions, target at most 10 ms median\n",
	       REPETITIONS);
	for (unsigned i = 0; i < 3; i++) {
		const char *fault = measure(threads[i], ms);

		if (fault) {
			fprintf(stderr, "bench: turnover with %u threads: %s\n", threads[i], fault);
			return 1;
		}
		printf("  %3u threads %8.3f ms  (middle half %.3f to %.3f): %s\n", threads[i],
		       ms[REPETITIONS / 2], ms[REPETITIONS / 4],
		       ms[REPETITIONS - 1 - REPETITIONS / 4],
		       ms[REPETITIONS / 2] <= 10 ? "reached" : "MISSED");
	}
	return 0;
}
