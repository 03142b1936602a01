/*
 * mmap_sem.c - the user-space shape of the kernel's lock of an address space:
 * page faults under the read lock, mmap and munmap under the write lock. Sections
 * cost what those cost: about a microsecond for a fault, some for a mapping.
 *
 * Each thread has an area of its own. A read touches the next page of it that has
 * none; when there is no such page left, the read gives all of them back first
 * (madvise, which the kernel too does under its read lock). A write replaces the
 * area by a new one. So every read is a page fault, whatever the share of writes.
 *
 * The kernel's own lock is taken inside ours, by faults since 6.4 only where they
 * cannot do with the mapping's; with the lock `none` the two can be told apart.
 */
#include "workload.h"

#include "maps.h"

enum { MMAP_SEM_WRITE_PCT, MMAP_SEM_SIZE };

static const struct param mmap_sem_params[] = {
	{ "write_pct", "share of operations that map and unmap, per cent", PARAM_COUNT, 0, 100,
	  "10", NULL },
	{ "size", "bytes of a thread's area, rounded up to pages", PARAM_BYTES, 4096, 64 << 20,
	  "1M", NULL },
	{ 0 },
};

/* words of struct thread */
enum { MMAP_SEM_WRITE_BELOW };

static int mmap_sem_setup(struct run *run)
{
	int rc = maps_huge_pages(false);

	return rc ? rc : maps_setup(run, run->params[MMAP_SEM_SIZE]);
}

static char *mmap_sem_map(const struct maps_thread *own)
{
	return mmap(NULL, own->size, PROT_READ | PROT_WRITE, own->flags, -1, 0);
}

static int mmap_sem_thread_setup(struct thread *t)
{
	struct maps *m = t->data;
	struct maps_thread *own = &m->thread[t->id];
	char *at = mmap_sem_map(own);

	if (at == MAP_FAILED)
		return -errno;
	own->at = at;
	own->next = 0;
	t->own = own;
	t->word[MMAP_SEM_WRITE_BELOW] = chance_of_pct(t->params[MMAP_SEM_WRITE_PCT]);
	return 0;
}

static void mmap_sem_thread_teardown(struct thread *t)
{
	struct maps_thread *own = t->own;

	if (own && own->at)
		munmap(own->at, own->size);
}

/* COLD by name: a system call dwarfs the call of it. */
COLD void mmap_sem_replace(struct run *run, struct maps_thread *own)
{
	char *at;

	if (munmap(own->at, own->size)) {
		maps_fail(run, own, "munmap", errno);
		return;
	}
	own->at = NULL;
	own->next = 0;
	at = mmap_sem_map(own);
	if (at == MAP_FAILED)
		maps_fail(run, own, "mmap", errno);
	else
		own->at = at;
}

COLD void mmap_sem_give_back(struct run *run, struct maps_thread *own)
{
	own->next = 0;
	if (madvise(own->at, own->size, MADV_DONTNEED))
		maps_fail(run, own, "madvise", errno);
}

HOT void mmap_sem_op(const struct lock_ops *lk, struct thread *t, const bool sampled)
{
	struct maps_thread *own = t->own;

	if (unlikely(own->failed)) {
		store_rlx(&t->run->stop, 1);
		return;
	}
	if (thread_chance(t, t->word[MMAP_SEM_WRITE_BELOW])) {
		write_begin(lk, t, sampled);
		mmap_sem_replace(t->run, own);
		write_end(lk, t);
		return;
	}
	read_begin(lk, t, sampled);
	if (unlikely(own->next == own->pages))
		mmap_sem_give_back(t->run, own);
	maps_touch(own->at + own->next++ * own->page);
	read_end(lk, t);
}

static const char *mmap_sem_check(const struct run *run, const struct slot *slots)
{
	struct maps *m = run->data;
	const char *why = maps_check(m, run->threads);

	for (unsigned i = 0; !why && i < run->threads; i++)
		why = maps_check_faults(m, i, &slots[i], slots[i].reads);
	return why;
}

static const struct workload_ops workload_ops = {
	.name = "mmap_sem",
	.about = "page faults as reads, mmap and munmap as writes: the kernel's lock in user space",
	.unit = "acquisitions",
	.params = mmap_sem_params,
	.setup = mmap_sem_setup,
	.teardown = maps_teardown,
	.thread_setup = mmap_sem_thread_setup,
	.thread_teardown = mmap_sem_thread_teardown,
	.op = mmap_sem_op,
	.check = mmap_sem_check,
};
