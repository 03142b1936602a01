/*
 * loop.c - what the measuring loop itself costs: rwmix with one thread, empty
 * sections, pthread_spin and latency off, through the real inlined cell, against
 * a loop written by hand of the same lock and the same stop check. The hand-made
 * loop draws nothing, checks no exclusion and leaves no trace of its progress.
 * Many short repetitions, interleaved, in one process; ratios of medians.
 */
#include <pthread.h>

#include "cells.h"
#include "bench.h"

#define REPETITIONS 401
#define OPERATIONS 100000

static struct bench_cell spin_write, spin_mixed, none_write, none_mixed;

static double by_hand(void *arg)
{
	struct bench_cell *c = arg;
	struct run *run = &c->run;
	pthread_spinlock_t *lock = (pthread_spinlock_t *)c->lock;
	const uint64_t limit = run->ops_limit;
	uint64_t n = 0, start = clock_now();

	while (!load_rlx(&run->stop) && n < limit) {
		pthread_spin_lock(lock);
		pthread_spin_unlock(lock);
		n++;
	}
	return (double)(clock_now() - start) / (double)n;
}

/*
 * The same, with rwmix's draw and a branch on it: a random branch is predicted
 * wrong as often as the rarer side comes, whoever writes the loop.
 */
static double by_hand_drawing(void *arg)
{
	struct bench_cell *c = arg;
	struct run *run = &c->run;
	pthread_spinlock_t *lock = (pthread_spinlock_t *)c->lock;
	struct thread t = { .random = c->thread.random };
	const uint64_t limit = run->ops_limit, below = chance_of_pct(90);
	uint64_t n = 0, start = clock_now();

	while (!load_rlx(&run->stop) && n < limit) {
		if (thread_chance(&t, below)) {
			pthread_spin_lock(lock);
			pthread_spin_unlock(lock);
		} else {
			pthread_spin_lock(lock);
			__asm__ volatile("" : : : "memory");
			pthread_spin_unlock(lock);
		}
		n++;
	}
	c->thread.random = t.random;
	return (double)(clock_now() - start) / (double)n;
}

int main(void)
{
	static struct bench_case cases[] = {
		{ .name = "by hand, pthread_spin", .run = by_hand, .arg = &spin_write },
		{ .name = "by hand, with a draw of 90 %",
		  .run = by_hand_drawing,
		  .arg = &spin_mixed },
		{ .name = "cell pthread_spin@rwmix, read_pct 0", .arg = &spin_write },
		{ .name = "cell pthread_spin@rwmix, read_pct default", .arg = &spin_mixed },
		{ .name = "cell none@rwmix, read_pct 0 (floor)", .arg = &none_write },
		{ .name = "cell none@rwmix, read_pct default (floor)", .arg = &none_mixed },
	};
	const unsigned n = sizeof(cases) / sizeof(*cases);

	bench_cell_open(&spin_write, "pthread_spin", "rwmix", OPERATIONS);
	bench_cell_open(&spin_mixed, "pthread_spin", "rwmix", OPERATIONS);
	bench_cell_open(&none_write, "none", "rwmix", OPERATIONS);
	bench_cell_open(&none_mixed, "none", "rwmix", OPERATIONS);
	bench_cell_param(&spin_write, "read_pct", 0);
	bench_cell_param(&none_write, "read_pct", 0);
	for (unsigned i = 2; i < n; i++)
		cases[i].run = bench_cell_run;
	bench_interleaved(cases, n, REPETITIONS);
	printf("the loop's own cost: rwmix, 1 thread, empty sections, latency off; "
	       "%d interleaved repetitions of %d operations\n",
	       REPETITIONS, OPERATIONS);
	for (unsigned i = 0; i < n; i++)
		bench_print(&cases[i], REPETITIONS);
	bench_print_ratio("throughput to the loop by hand", &cases[0], &cases[2], REPETITIONS,
			  0.97);
	bench_print_ratio("throughput to the loop by hand", &cases[0], &cases[3], REPETITIONS,
			  0.97);
	bench_print_ratio("throughput to the loop that draws", &cases[1], &cases[3], REPETITIONS,
			  0.97);
	return 0;
}
