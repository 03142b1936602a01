/*
 * rw.c - the family of 2001: readers that only read, writers that only write,
 * nothing inside the section and nothing between two of them, as fast as they
 * can. Its members are numbers of readers and writers:
 *
 *	r1 r2 ro    1, 2, 4 readers         w1 wo    1, 4 writers
 *	rw          31 readers, 16 writers  worm     30 readers, 1 writer
 *	xx          30 readers, 15 writers
 *	mx dg       the same with some of the writers as downgraders, which write,
 *	            go on as a reader without a gap, and release as one
 *
 * The original counted the holders inside by two shared counters; here the
 * harness's own check of exclusion takes their place and their cost.
 */
#include "workload.h"

enum { RW_YIELD, RW_DOWNGRADERS };

static const char *const rw_no_yes[] = { "no", "yes", NULL };

static const struct param rw_params[] = {
	{ "yield", "give up the CPU after each release", PARAM_CHOICE, 0, 0, "no", rw_no_yes },
	{ "downgraders", "how many of the writers go on as readers", PARAM_COUNT, 0, 100000, "0",
	  NULL },
	{ 0 },
};

/* the first for who yields or downgrades, decided in each operation */
enum { RW_MIXED, RW_READER, RW_WRITER, RW_VARIANTS };

static int rw_setup(struct run *run)
{
	if (run->params[RW_DOWNGRADERS] && !run->lock_ops->downgrade)
		return -ENOTSUP;
	return 0;
}

static int rw_thread_setup(struct thread *t)
{
	if (t->role != ROLE_READER && t->role != ROLE_WRITER)
		return -EINVAL;
	if (t->role == ROLE_WRITER && t->id - t->run->readers < t->params[RW_DOWNGRADERS])
		t->role = ROLE_DOWNGRADER;
	if (t->role == ROLE_DOWNGRADER || t->params[RW_YIELD])
		t->variant = RW_MIXED;
	else
		t->variant = t->role == ROLE_READER ? RW_READER : RW_WRITER;
	return 0;
}

HOT void rw_downgrade(const struct lock_ops *lk, struct thread *t, const bool sampled)
{
	/* setup has refused a lock without it; the test spares it a call of NULL */
	if (!LOCK_OPS(lk)->downgrade)
		return;
	write_begin(lk, t, sampled);
	section_downgrade(lk, t);
	read_end(lk, t);
}

HOT void rw_op(const struct lock_ops *lk, struct thread *t, const bool sampled)
{
	if (t->variant == RW_READER || (t->variant == RW_MIXED && t->role == ROLE_READER)) {
		read_begin(lk, t, sampled);
		read_end(lk, t);
	} else if (t->variant == RW_WRITER || t->role == ROLE_WRITER) {
		write_begin(lk, t, sampled);
		write_end(lk, t);
	} else {
		rw_downgrade(lk, t, sampled);
	}
	if (t->variant == RW_MIXED && t->params[RW_YIELD])
		cpu_yield();
}

static const struct workload_ops workload_ops = {
	.name = "rw",
	.about = "readers that only read, writers that only write, nothing in between (2001)",
	.unit = "acquisitions",
	.has_roles = true,
	.params = rw_params,
	.setup = rw_setup,
	.thread_setup = rw_thread_setup,
	.variants = RW_VARIANTS,
	.op = rw_op,
};
