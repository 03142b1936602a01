/*
 * atomic_explore.h - atomic.h under the explorer: every access, futex call and
 * clock read of a lock becomes a request to the scheduler in machine.c, which
 * decides who goes next and what the access finds. Names, types and results
 * are those of atomic_real.h; each request carries its place in the source.
 */
#ifndef ATOMIC_EXPLORE_H
#define ATOMIC_EXPLORE_H

#include <stdatomic.h>

enum op_kind {
	OP_START,  /* begin, or go on after a sleep: touches nothing */
	OP_CHOOSE, /* which lock operation next */
	OP_STEP,   /* inside a critical section: let others run */
	OP_LOAD,
	OP_STORE,
	OP_XCHG,
	OP_ADD,
	OP_OR,
	OP_AND,
	OP_CAS,
	OP_FENCE,
	OP_CLOCK,
	OP_WAIT,
	OP_WAKE,
};

/*
 * Hand one operation on `size` bytes at p to the scheduler and come back with
 * its result. a, b: value; for OP_CAS expected and new; for OP_WAIT the value
 * and the deadline; for OP_WAKE how many.
 */
uint64_t explore_op(enum op_kind kind, volatile void *p, size_t size, uint64_t a, uint64_t b,
		    int order, const char *file, int line);
void explore_plain(volatile void *p, bool write, const char *file, int line);
void explore_word_init(volatile void *p, size_t size);
void explore_pause(void);
/* Report a fault; does not come back when called from a lock. */
void explore_bug(const char *file, int line, const char *what);

#define explore_type(p) __typeof__((void)0, *(p))
#define explore_at(kind, p, a, b, order)                                               \
	explore_op(kind, (volatile void *)(uintptr_t)(p), sizeof(*(p)), (uint64_t)(a), \
		   (uint64_t)(b), order, __FILE__, __LINE__)
#define explore_value(kind, p, v, order)                                                    \
	({                                                                                  \
		explore_type(p) found_ = (explore_type(p))explore_at(kind, p, v, 0, order); \
		found_;                                                                     \
	})

#define atomic_op_load(p, order) explore_value(OP_LOAD, p, 0, order)
#define atomic_op_store(p, v, order) ((void)explore_at(OP_STORE, p, v, 0, order))
#define atomic_op_xchg(p, v, order) explore_value(OP_XCHG, p, v, order)
#define atomic_op_add(p, v, order) explore_value(OP_ADD, p, v, order)
#define atomic_op_or(p, v, order) explore_value(OP_OR, p, v, order)
#define atomic_op_and(p, v, order) explore_value(OP_AND, p, v, order)
#define atomic_op_cas(p, e, v, order)                                                            \
	({                                                                                       \
		__typeof__(e) expected_ = (e);                                                   \
		explore_type(p) want_ = *expected_;                                              \
		explore_type(p) seen_ = (explore_type(p))explore_at(OP_CAS, p, want_, v, order); \
		const bool stored_ = seen_ == want_;                                             \
		*expected_ = seen_;                                                              \
		stored_;                                                                         \
	})
#define atomic_op_fence(order) \
	((void)explore_op(OP_FENCE, NULL, 0, 0, 0, order, __FILE__, __LINE__))

#define plain_read(p) explore_plain((volatile void *)(uintptr_t)(p), false, __FILE__, __LINE__)
#define plain_write(p) explore_plain((volatile void *)(uintptr_t)(p), true, __FILE__, __LINE__)
#define lock_word_init(p, v)                                \
	(atomic_store_explicit(p, v, memory_order_relaxed), \
	 explore_word_init((volatile void *)(uintptr_t)(p), sizeof(*(p))))
#define lock_bug_on(condition)                                       \
	do {                                                         \
		if (condition)                                       \
			explore_bug(__FILE__, __LINE__, #condition); \
	} while (0)

#define clock_now() explore_op(OP_CLOCK, NULL, 0, 0, 0, 0, __FILE__, __LINE__)
#define cpu_pause() explore_pause()
#define cpu_yield() explore_pause()
#define futex_wait(word, value, deadline) \
	((enum futex_result)explore_at(OP_WAIT, word, value, deadline, 0))
#define futex_wake(word, n) ((void)explore_at(OP_WAKE, word, n, 0, 0))

#endif
