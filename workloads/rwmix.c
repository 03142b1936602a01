/*
 * rwmix.c - each operation draws read or write by a ratio, works in the
 * critical section and outside it, and touches a number of data lines: the
 * mix that most lock papers plot.
 *
 * Work is counted in rounds of a dependent multiply, calibrated once per
 * process to ns, so that it does not depend on the clock being read inside.
 */
#include "workload.h"

enum { RWMIX_READ_PCT, RWMIX_CS, RWMIX_NCS, RWMIX_LINES };

static const struct param rwmix_params[] = {
	{ "read_pct", "share of reads, per cent", PARAM_COUNT, 0, 100, "90", NULL },
	{ "cs", "work inside the section", PARAM_TIME, 0, 1000000000, "0ns", NULL },
	{ "ncs", "work between sections", PARAM_TIME, 0, 1000000000, "0ns", NULL },
	{ "lines", "data lines read or written inside", PARAM_COUNT, 0, SECTION_LINES, "0", NULL },
	{ 0 },
};

/*
 * Empty sections draw and nothing else; at 0 and 100 per cent there is nothing
 * to draw either.
 */
enum { RWMIX_BUSY, RWMIX_EMPTY, RWMIX_EMPTY_WRITES, RWMIX_EMPTY_READS, RWMIX_VARIANTS };

/* words of struct thread */
enum { RWMIX_READ_BELOW };

static int rwmix_thread_setup(struct thread *t)
{
	const int64_t *p = t->params;

	t->word[RWMIX_READ_BELOW] = chance_of_pct(p[RWMIX_READ_PCT]);
	if (p[RWMIX_CS] || p[RWMIX_NCS] || p[RWMIX_LINES])
		t->variant = RWMIX_BUSY;
	else if (p[RWMIX_READ_PCT] == 0)
		t->variant = RWMIX_EMPTY_WRITES;
	else if (p[RWMIX_READ_PCT] == 100)
		t->variant = RWMIX_EMPTY_READS;
	else
		t->variant = RWMIX_EMPTY;
	return 0;
}

HOT bool rwmix_draw(struct thread *t)
{
	if (t->variant == RWMIX_EMPTY_WRITES)
		return false;
	if (t->variant == RWMIX_EMPTY_READS)
		return true;
	return thread_chance(t, t->word[RWMIX_READ_BELOW]);
}

HOT void rwmix_read(const struct lock_ops *lk, struct thread *t, const bool sampled)
{
	const int64_t *p = t->params;

	read_begin(lk, t, sampled);
	if (t->variant == RWMIX_BUSY) {
		for (int64_t i = 0; i < p[RWMIX_LINES]; i++)
			(void)load_rlx(&t->section->line[i].word);
		work_for(p[RWMIX_CS]);
	}
	read_end(lk, t);
}

HOT void rwmix_write(const struct lock_ops *lk, struct thread *t, const bool sampled)
{
	const int64_t *p = t->params;

	write_begin(lk, t, sampled);
	if (t->variant == RWMIX_BUSY) {
		for (int64_t i = 0; i < p[RWMIX_LINES]; i++)
			store_rlx(&t->section->line[i].word, t->writes);
		work_for(p[RWMIX_CS]);
	}
	write_end(lk, t);
}

HOT void rwmix_op(const struct lock_ops *lk, struct thread *t, const bool sampled)
{
	if (rwmix_draw(t))
		rwmix_read(lk, t, sampled);
	else
		rwmix_write(lk, t, sampled);
	if (t->variant == RWMIX_BUSY)
		work_for(t->params[RWMIX_NCS]);
}

static const struct workload_ops workload_ops = {
	.name = "rwmix",
	.about = "reads and writes by a ratio, with work inside and outside",
	.unit = "acquisitions",
	.params = rwmix_params,
	.thread_setup = rwmix_thread_setup,
	.variants = RWMIX_VARIANTS,
	.op = rwmix_op,
};
