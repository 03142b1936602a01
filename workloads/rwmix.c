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

HOT void rwmix_op(const struct lock_ops *lk, struct thread *t, const bool sampled)
{
	const int64_t *p = t->params;
	/* 32 bits of the draw against the share: no division in the loop */
	bool read = (thread_random(t) >> 32) * 100 < (uint64_t)p[RWMIX_READ_PCT] << 32;

	if (read) {
		read_begin(lk, t, sampled);
		for (int64_t i = 0; i < p[RWMIX_LINES]; i++)
			(void)load_rlx(&t->section->line[i].word);
		work_for(p[RWMIX_CS]);
		read_end(lk, t);
	} else {
		write_begin(lk, t, sampled);
		for (int64_t i = 0; i < p[RWMIX_LINES]; i++)
			store_rlx(&t->section->line[i].word, t->writes);
		work_for(p[RWMIX_CS]);
		write_end(lk, t);
	}
	work_for(p[RWMIX_NCS]);
}

static const struct workload_ops workload_ops = {
	.name = "rwmix",
	.about = "reads and writes by a ratio, with work inside and outside",
	.unit = "acquisitions",
	.params = rwmix_params,
	.op = rwmix_op,
};
