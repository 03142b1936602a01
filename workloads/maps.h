/*
 * maps.h - what workloads made of mmap() share: memory of their own for each
 * thread, a place for the first failure, and transparent huge pages out of the
 * way, so that a touched page is a page fault that can be counted.
 */
#ifndef WORKLOADS_MAPS_H
#define WORKLOADS_MAPS_H

#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>

struct maps_thread {
	LINE_ALIGNED char *at; /* the current mapping, or where it must come to lie */
	size_t size, page, pages, next;
	int flags;
	const char *failed; /* the call that failed first, or NULL */
	int error;	    /* its errno */
};

struct maps {
	char *region; /* address space kept for mappings at fixed places, or NULL */
	size_t stride;
	char why[160];
	struct maps_thread thread[];
};

/* run->data with each thread's size set, rounded up to pages; 0 or -errno. */
static int maps_setup(struct run *run, int64_t bytes)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	size_t size = sizeof(struct maps) + run->threads * sizeof(struct maps_thread);
	struct maps *m = aligned_alloc(128, (size + 127) & ~(size_t)127);

	if (!m)
		return -ENOMEM;
	memset(m, 0, size);
	for (unsigned i = 0; i < run->threads; i++) {
		m->thread[i].page = page;
		m->thread[i].pages = ((size_t)bytes + page - 1) / page;
		m->thread[i].size = m->thread[i].pages * page;
		m->thread[i].flags = MAP_PRIVATE | MAP_ANONYMOUS;
	}
	run->data = m;
	return 0;
}

static void maps_teardown(struct run *run)
{
	free(run->data);
	run->data = NULL;
}

/* For this process, and so for this repetition alone. 0 or -errno. */
static int maps_huge_pages(bool on)
{
	return prctl(PR_SET_THP_DISABLE, on ? 0 : 1, 0, 0, 0) ? -errno : 0;
}

/* Keeps the first failure for check(), and ends the repetition. */
COLD void maps_fail(struct run *run, struct maps_thread *own, const char *call, int error)
{
	if (!own->failed) {
		own->failed = call;
		own->error = error;
	}
	store_rlx(&run->stop, 1);
}

HOT void maps_touch(char *p)
{
	*(volatile char *)p = 1;
}

/* The first failure of any thread in words, or NULL. */
static const char *maps_check(struct maps *m, unsigned threads)
{
	for (unsigned i = 0; i < threads; i++) {
		if (!m->thread[i].failed)
			continue;
		snprintf(m->why, sizeof(m->why), "thread %u: %s: %s", i, m->thread[i].failed,
			 strerror(m->thread[i].error));
		return m->why;
	}
	return NULL;
}

/* The kernel's own count must hold at least what is claimed; NULL, or why not. */
static const char *maps_check_faults(struct maps *m, unsigned thread, const struct slot *slot,
				     uint64_t claimed)
{
	uint64_t counted = slot->minflt + slot->majflt;

	if (counted >= claimed)
		return NULL;
	snprintf(m->why, sizeof(m->why),
		 "thread %u claims to have touched %llu new pages, but took %llu page faults",
		 thread, (unsigned long long)claimed, (unsigned long long)counted);
	return m->why;
}

#endif
