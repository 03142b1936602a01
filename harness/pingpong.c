/*
 * pingpong.c - two threads hand one line to and fro. They are detached and the
 * ball is freed by the last of the three who know it: a thread that gets no
 * CPU must not hold up the caller.
 */
#include "pingpong.h"

#include <pthread.h>
#include <stdlib.h>

#include "lock.h"
#include "placement.h"

#define BATCH 64	    /* round trips between two looks at the clock */
#define BATCHES 512	    /* 64 × 512 trips of 15 ns fill PINGPONG_NS */
#define BATCHES_MIN 4	    /* fewer: a CPU was taken most of the time */
#define PATIENCE_NS 3000000 /* for both to get their CPU; a busy one costs this much */
#define LOOK_EVERY 256	    /* spins between two looks at the deadline */

struct ball {
	LINE_ALIGNED _Atomic uint32_t side; /* 1: at the far thread; the one hot word */
	LINE_ALIGNED _Atomic uint32_t here; /* threads on their CPU */
	_Atomic uint32_t over;
	_Atomic uint32_t knowers;
	_Atomic uint32_t done; /* threads that ended; a futex */
	int32_t near_cpu, far_cpu;
	uint64_t deadline;
	int pin_error;
	unsigned batches;
	double trip[BATCHES]; /* ns per round trip of each batch */
};

static void forget(struct ball *b)
{
	if (add_acq_rel(&b->knowers, -1u) == 1)
		free(b);
}

/* false: the time is up, or the other one has left */
static bool wait_side(struct ball *b, uint32_t side)
{
	for (unsigned spins = 1; load_rlx(&b->side) != side; spins++)
		if (spins % LOOK_EVERY == 0 && (load_rlx(&b->over) || clock_now() > b->deadline))
			return false;
	return true;
}

static bool meet(struct ball *b, int32_t cpu)
{
	int rc = placement_pin(cpu);

	if (rc) {
		b->pin_error = rc;
		return false;
	}
	add_rlx(&b->here, 1);
	for (unsigned spins = 1; load_rlx(&b->here) < 2; spins++)
		if (spins % LOOK_EVERY == 0 && (load_rlx(&b->over) || clock_now() > b->deadline))
			return false;
	return true;
}

static void leave(struct ball *b)
{
	store_rlx(&b->over, 1);
	/* pairs with the acquire in pingpong(): the batches must be seen */
	add_rel(&b->done, 1);
	futex_wake(&b->done, 1);
	forget(b);
}

static void *far_side(void *arg)
{
	struct ball *b = arg;

	if (meet(b, b->far_cpu))
		while (wait_side(b, 1))
			store_rlx(&b->side, 0);
	leave(b);
	return NULL;
}

static void *near_side(void *arg)
{
	struct ball *b = arg;
	uint64_t end, from, now;
	bool warm = false;

	if (!meet(b, b->near_cpu))
		goto out;
	from = clock_now();
	end = from + PINGPONG_NS;
	while (b->batches < BATCHES && from < end) {
		for (int i = 0; i < BATCH; i++) {
			store_rlx(&b->side, 1);
			if (!wait_side(b, 0))
				goto out;
		}
		now = clock_now();
		/* the first batch pays for cold lines and branch predictors */
		if (warm)
			b->trip[b->batches++] = (double)(now - from) / BATCH;
		warm = true;
		from = now;
	}
out:
	leave(b);
	return NULL;
}

static int by_size(const void *x, const void *y)
{
	double a = *(const double *)x, b = *(const double *)y;

	return (a > b) - (a < b);
}

static bool start(struct ball *b, void *(*side)(void *))
{
	pthread_attr_t attr;
	pthread_t thread;
	bool ok;

	pthread_attr_init(&attr);
	pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
	pthread_attr_setstacksize(&attr, 64 << 10);
	add_rlx(&b->knowers, 1);
	ok = !pthread_create(&thread, &attr, side, b);
	pthread_attr_destroy(&attr);
	if (!ok)
		leave(b);
	return ok;
}

double pingpong(const int32_t *cpus, size_t count, const char **why)
{
	struct ball *b;
	double result = -1;
	size_t other = 0;
	uint32_t done;

	while (other < count && (cpus[other] < 0 || cpus[other] == cpus[0]))
		other++;
	if (!count || cpus[0] < 0 || other == count) {
		*why = "fewer than two distinct CPUs are pinned";
		return -1;
	}
	placement_cpus(); /* read before two threads would do it at once */
	b = aligned_alloc(_Alignof(struct ball), sizeof *b);
	if (!b) {
		*why = "no memory";
		return -1;
	}
	*b = (struct ball){ .near_cpu = cpus[0], .far_cpu = cpus[other], .knowers = 1 };
	b->deadline = clock_now() + PATIENCE_NS;
	*why = "no thread could be started";
	if (start(b, near_side) && start(b, far_side)) {
		/* pairs with the release in leave() */
		while ((done = load_acq(&b->done)) < 2)
			if (futex_wait(&b->done, done, b->deadline + PINGPONG_NS) == FUTEX_TIMEDOUT)
				break;
		if (load_acq(&b->done) < 2 || b->batches < BATCHES_MIN)
			*why = b->pin_error ? "a thread could not be pinned"
					    : "a CPU was taken by others";
		else {
			qsort(b->trip, b->batches, sizeof *b->trip, by_size);
			result = b->trip[b->batches / 2];
			*why = NULL;
		}
	}
	store_rlx(&b->over, 1);
	forget(b);
	return result;
}
