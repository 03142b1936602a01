/*
 * rwsem.c - an uncontended acquire and release of rwsem_xadd, against the least
 * that a lock can cost here: a pair of locked additions on one line. One thread,
 * the lock's own operations inlined into a loop written by hand, no section.
 */
#include "bench.h"

#include "../../locks/rwsem_xadd.c"

#define REPETITIONS 401
#define OPERATIONS 100000

static struct {
	LINE_ALIGNED char lock[4096 + 256];
	LINE_ALIGNED char ctx[4096 + 256];
	LINE_ALIGNED _Atomic uint64_t word;
} place;

#define LOOP(name, first, second)                                  \
	static double name(void *arg)                              \
	{                                                          \
		uint64_t start = clock_now();                      \
                                                                   \
		(void)arg;                                         \
		for (int i = 0; i < OPERATIONS; i++) {             \
			first;                                     \
			second;                                    \
		}                                                  \
		return (double)(clock_now() - start) / OPERATIONS; \
	}

LOOP(bare, add_acq(&place.word, 1), add_rel(&place.word, -1))
LOOP(reading, lock_ops.acquire_read(place.lock, place.ctx),
     lock_ops.release_read(place.lock, place.ctx))
LOOP(writing, lock_ops.acquire_write(place.lock, place.ctx),
     lock_ops.release_write(place.lock, place.ctx))

int main(void)
{
	static struct bench_case cases[] = {
		{ .name = "a pair of locked additions", .run = bare },
		{ .name = "rwsem_xadd, read", .run = reading },
		{ .name = "rwsem_xadd, write", .run = writing },
	};
	struct lock_env env = { .threads = 1, .nodes = 1 };

	_Static_assert(sizeof(struct rwsem_xadd) <= sizeof(place.lock), "the lock fits");
	if (lock_ops.init && lock_ops.init(place.lock, &env))
		return 2;
	bench_interleaved(cases, 3, REPETITIONS);
	printf("uncontended acquire and release, 1 thread; %d interleaved repetitions of %d\n",
	       REPETITIONS, OPERATIONS);
	for (unsigned i = 0; i < 3; i++)
		bench_print(&cases[i], REPETITIONS);
	for (unsigned i = 1; i < 3; i++)
		bench_print_cost(&cases[i], &cases[0], REPETITIONS, 1.15);
	return 0;
}
