/*
 * lock.h - contract 1: what a lock is.
 *
 * A file in locks/ includes this header and ends with one table:
 *
 *	static const struct lock_ops lock_ops = { .name = "mylock", ... };
 *
 * The table must be static const and carry that very name: harness/cell.c
 * includes the file, and the compiler folds the table away. A table that is
 * not const silently brings back the indirect calls; tests look at the
 * disassembly for it.
 *
 * A lock knows nobody: it has no globals. The caller owns the memory of the
 * lock (`size` bytes, zeroed, aligned to `align` or 128) and of one context
 * per thread and lock held (`ctx_size` bytes, zeroed, aligned to 128). A
 * context is passed to release as it was passed to acquire, and is free for
 * the next acquire after it.
 */
#ifndef HARNESS_LOCK_H
#define HARNESS_LOCK_H

#include "atomic.h"
#include "events.h"
#include "params.h"

/* Fast paths: always in the caller's loop. Slow paths: never. */
#define HOT static inline __attribute__((always_inline))
#define COLD static __attribute__((noinline, cold))
#define likely(x) __builtin_expect(!!(x), 1)
#define unlikely(x) __builtin_expect(!!(x), 0)
#define LINE_SIZE 64
/* x86 fetches lines in pairs, some arm64 and ppc64 lines are 128 bytes */
#define LINE_ALIGNED _Alignas(128)

/* What a lock promises; printed by `list locks`, checked by the tests. */
enum lock_caps {
	LOCK_SHARED = 1 << 0,			 /* readers overlap; without it read is write */
	LOCK_FIFO = 1 << 1,			 /* served in order of arrival */
	LOCK_SPINS = 1 << 2,			 /* waits without ever sleeping */
	LOCK_FIFO_SPIN = LOCK_FIFO | LOCK_SPINS, /* collapses when oversubscribed */
	LOCK_NOT_EXCLUSIVE = 1 << 3,		 /* `none`: the floor, not a lock */
	LOCK_WRITER_PREFERRING = 1 << 4,
	LOCK_READER_PREFERRING = 1 << 5,
};

/* Who a thread is, for locks that keep something by thread or by node. */
struct lock_thread {
	unsigned id;	  /* 0 … threads − 1 */
	unsigned threads; /* how many will ever use the lock */
	unsigned cpu;	  /* the CPU it is pinned to, or ran on last */
	unsigned node;	  /* that CPU's NUMA node, 0 … nodes − 1 */
	unsigned nodes;
};

/* What a lock may need to know before it is first used. */
struct lock_env {
	unsigned threads;
	unsigned nodes;
	const int64_t *params; /* values of lock_ops.params, in its order */
};

struct lock_ops {
	const char *name;	    /* the file's stem and the label on the graphs */
	const char *about;	    /* one line for `list locks` */
	unsigned caps;		    /* enum lock_caps */
	size_t size;		    /* bytes of the lock for `env` NULL; see size_for */
	size_t align;		    /* 0 for 128 */
	size_t ctx_size;	    /* bytes of one thread's context; 0 for none */
	const struct param *params; /* of the lock itself, or NULL */
	unsigned events;	    /* enum lock_counts: what it counts; 0 for nothing */

	/*
	 * All zero bytes are an unlocked lock when init is NULL. init returns 0
	 * or -errno (-ENOTSUP: cannot run here). size_for gives the size where
	 * it depends on env.
	 */
	size_t (*size_for)(const struct lock_env *env);
	int (*init)(void *lock, const struct lock_env *env);
	void (*destroy)(void *lock);
	void (*ctx_init)(void *lock, void *ctx, const struct lock_thread *who);
	void (*ctx_destroy)(void *lock, void *ctx);

	void (*acquire_read)(void *lock, void *ctx);
	void (*release_read)(void *lock, void *ctx);
	void (*acquire_write)(void *lock, void *ctx);
	void (*release_write)(void *lock, void *ctx);

	/* Optional. try_* may fail only while somebody holds, waits or tries. */
	bool (*try_read)(void *lock, void *ctx);
	bool (*try_write)(void *lock, void *ctx);
	/* deadline in clock_now() ns; false: it passed, nothing is held */
	bool (*acquire_read_until)(void *lock, void *ctx, uint64_t deadline);
	bool (*acquire_write_until)(void *lock, void *ctx, uint64_t deadline);
	/* from write-held to read-held with no gap; release by release_read */
	void (*downgrade)(void *lock, void *ctx);

	/*
	 * With nobody holding or waiting: NULL, or what is wrong with the state,
	 * in words. Called by the tests and the explorer only.
	 */
	const char *(*check_idle)(const void *lock);
};

#endif
