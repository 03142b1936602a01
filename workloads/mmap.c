/*
 * mmap.c - the benchmark of 2011: each operation maps anonymous memory, touches
 * it or not, and unmaps it:
 *
 *	lock  mmap  unlock   touch   lock  munmap  unlock
 *
 * The lock is held for writing around the two system calls. It is not needed:
 * the kernel has its own, and with the lock `none` nothing else serialises. The
 * question is whether a lock in front of the kernel's is faster than the kernel's
 * alone, as it was when the kernel's slept and the other did not.
 *
 * The page faults of the touching fall outside the lock, and meet the kernel's
 * lock in its read mode, or, since 6.4, that of the one mapping.
 */
#include "workload.h"

#include "maps.h"

enum { MMAP_TOUCH, MMAP_SIZE, MMAP_POPULATE, MMAP_FIXED, MMAP_HUGE };
enum { TOUCH_NONE, TOUCH_ONE, TOUCH_ALL };

static const char *const mmap_touch[] = { "none", "one", "all", NULL };
static const char *const mmap_no_yes[] = { "no", "yes", NULL };
static const char *const mmap_huge[] = { "no", "system", NULL };

static const struct param mmap_params[] = {
	{ "touch", "write no byte, one, or one in every page", PARAM_CHOICE, 0, 0, "one",
	  mmap_touch },
	{ "size", "bytes of a mapping, rounded up to pages", PARAM_BYTES, 4096, 64 << 20, "4K",
	  NULL },
	{ "populate", "MAP_POPULATE: the pages come with the mapping", PARAM_CHOICE, 0, 0, "no",
	  mmap_no_yes },
	{ "fixed", "each thread at an address of its own, so that neighbours cannot merge",
	  PARAM_CHOICE, 0, 0, "no", mmap_no_yes },
	{ "huge", "transparent huge pages: off, or as the system has it", PARAM_CHOICE, 0, 0, "no",
	  mmap_huge },
	{ 0 },
};

/* Between two threads' places; also keeps them in different page tables. */
#define MMAP_GAP (2u << 20)

/*
 * A stretch of address space far from where the kernel puts what it may place
 * freely. It is looked for, and given up again: MAP_FIXED_NOREPLACE then tells if
 * somebody else came there after all.
 */
static int mmap_find_region(struct maps *m, unsigned threads)
{
	size_t bytes;

	m->stride = (m->thread[0].size + 2 * MMAP_GAP - 1) & ~(size_t)(MMAP_GAP - 1);
	bytes = m->stride * threads;
	for (uintptr_t at = 0x200000000000u; at <= 0x500000000000u; at += 0x010000000000u) {
		void *p = mmap((void *)at, bytes, PROT_NONE,
			       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE,
			       -1, 0);

		if (p == MAP_FAILED)
			continue;
		munmap(p, bytes);
		/* a kernel before 4.17 takes the address for a hint */
		if (p != (void *)at)
			return -ENOTSUP;
		m->region = p;
		return 0;
	}
	return -ENOTSUP;
}

static int mmap_setup(struct run *run)
{
	const int64_t *p = run->params;
	int rc = maps_setup(run, p[MMAP_SIZE]);
	struct maps *m = run->data;

	if (rc)
		return rc;
	rc = maps_huge_pages(p[MMAP_HUGE]);
	if (!rc && p[MMAP_FIXED])
		rc = mmap_find_region(m, run->threads);
	for (unsigned i = 0; i < run->threads; i++) {
		struct maps_thread *own = &m->thread[i];

		if (p[MMAP_POPULATE])
			own->flags |= MAP_POPULATE;
		if (m->region) {
			own->flags |= MAP_FIXED_NOREPLACE;
			own->at = m->region + i * m->stride;
		}
	}
	if (rc)
		maps_teardown(run);
	return rc;
}

static int mmap_thread_setup(struct thread *t)
{
	struct maps *m = t->data;

	t->own = &m->thread[t->id];
	return 0;
}

HOT void mmap_op(const struct lock_ops *lk, struct thread *t, const bool sampled)
{
	struct maps_thread *own = t->own;
	char *at;
	int error = 0;

	write_begin(lk, t, sampled);
	at = mmap(own->at, own->size, PROT_READ | PROT_WRITE, own->flags, -1, 0);
	if (unlikely(at == MAP_FAILED))
		error = errno;
	write_end(lk, t);
	if (unlikely(error)) {
		maps_fail(t->run, own, "mmap", error);
		return;
	}
	if (t->params[MMAP_TOUCH] == TOUCH_ALL)
		for (size_t i = 0; i < own->size; i += own->page)
			maps_touch(at + i);
	else if (t->params[MMAP_TOUCH] == TOUCH_ONE)
		maps_touch(at);
	write_begin(lk, t, sampled);
	if (unlikely(munmap(at, own->size)))
		error = errno;
	write_end(lk, t);
	if (unlikely(error))
		maps_fail(t->run, own, "munmap", error);
}

/* How many page faults an operation cannot do without. */
static uint64_t mmap_faults(const int64_t *p, uint64_t pages)
{
	/* whether populated pages count as faults is the kernel's choice */
	if (p[MMAP_TOUCH] == TOUCH_NONE || p[MMAP_POPULATE])
		return 0;
	return p[MMAP_TOUCH] == TOUCH_ONE || p[MMAP_HUGE] ? 1 : pages;
}

static const char *mmap_check(const struct run *run, const struct slot *slots)
{
	struct maps *m = run->data;
	const char *why = maps_check(m, run->threads);

	for (unsigned i = 0; !why && i < run->threads; i++)
		why = maps_check_faults(m, i, &slots[i],
					slots[i].ops *
						mmap_faults(run->params, m->thread[i].pages));
	return why;
}

static const struct workload_ops workload_ops = {
	.name = "mmap",
	.about = "map, touch and unmap memory, the lock around the system calls (2011)",
	.unit = "mappings",
	.params = mmap_params,
	.setup = mmap_setup,
	.teardown = maps_teardown,
	.thread_setup = mmap_thread_setup,
	.op = mmap_op,
	.check = mmap_check,
};
