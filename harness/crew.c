/*
 * crew.c - a cell's threads and their phases:
 *
 *	set up | look whether readers overlap | warm up | measure | tear down
 *
 * with a barrier at each bar. The process's own thread, which is all of this
 * file, takes part in the barriers and sleeps through the phases; it touches no
 * clock of theirs. The others are in crew_thread.c.
 */
#include "crew.h"

#include <numa.h>
#include <stdarg.h>
#include <string.h>
#include <sys/mman.h>

#include "counters.h"
#include "crew_thread.h"
#include "memory.h"
#include "placement.h"

/* The slot (36 KiB) and this stay well below 256 KiB a thread. */
#define STACK_SIZE (128u << 10)

void crew_fail(struct crew *crew, enum record_status status, const char *format, ...)
{
	uint32_t no = 0;
	va_list args;

	if (!cas_acq_rel(&crew->failed, &no, 1))
		return;
	va_start(args, format);
	crew->sample->status = (int32_t)status;
	vsnprintf(crew->sample->reason, REASON_SIZE, format, args);
	va_end(args);
}

static void fail_errno(struct crew *crew, const char *what, int error)
{
	crew_fail(crew, STATUS_UNSUPPORTED, "%s: %s", what, strerror(error < 0 ? -error : error));
}

static void sleep_until(uint64_t ns)
{
	struct timespec ts = { (time_t)(ns / 1000000000u), (long)(ns % 1000000000u) };

	while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &ts, NULL) == EINTR)
		;
}

static void *map(size_t bytes)
{
	void *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	return p == MAP_FAILED ? NULL : p;
}

static int start_threads(struct crew *crew)
{
	unsigned n = crew->spec->threads;
	size_t bytes = crew_thread_bytes(crew->run->lock_ops);
	char *memory = map(n * bytes);
	pthread_attr_t attr;
	int rc = 0;

	crew->seats = map(n * sizeof(*crew->seats));
	if (!memory || !crew->seats)
		return ENOMEM;
	pthread_barrier_init(&crew->barrier, NULL, n + 1);
	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, STACK_SIZE);
	for (unsigned i = 0; i < n && !rc; i++) {
		crew->seats[i] =
			(struct seat){ .crew = crew, .id = i, .memory = memory + i * bytes };
		rc = pthread_create(&crew->seats[i].pthread, &attr, crew_thread, &crew->seats[i]);
	}
	pthread_attr_destroy(&attr);
	return rc;
}

static int make_lock(struct crew *crew)
{
	const struct lock_ops *lk = crew->run->lock_ops;
	struct run *run = crew->run;
	struct lock_env env = {
		.threads = run->threads,
		.nodes = run->nodes,
		.params = run->lock_params,
	};
	int32_t first = crew->spec->cpus ? crew->spec->cpus[0] : -1;
	char why[REASON_SIZE] = "";
	cpu_set_t home;
	bool away = false;

	/* `local` memory is near the first thread */
	if (first >= 0 && !sched_getaffinity(0, sizeof(home), &home))
		away = !placement_pin(first);
	run->lock = memory_alloc(lk->size_for ? lk->size_for(&env) : lk->size, crew->spec->memory,
				 why, sizeof(why));
	run->section = memory_alloc(sizeof(struct section), crew->spec->memory, why, sizeof(why));
	if (away)
		sched_setaffinity(0, sizeof(home), &home);
	if (!run->lock || !run->section) {
		crew_fail(crew, STATUS_UNSUPPORTED, "%s", why);
		return -ENOMEM;
	}
	crew->sample->section_address = (uintptr_t)run->section;
	return lk->init ? lk->init(run->lock, &env) : 0;
}

/* Through the phases, in step with crew_thread. */
static void lead(struct crew *crew, uint64_t forked)
{
	const struct cell_spec *spec = crew->spec;
	struct run *run = crew->run;

	pthread_barrier_wait(&crew->barrier);
	crew->sample->setup_ns = clock_now() - forked;
	if (crew->probing)
		pthread_barrier_wait(&crew->barrier);
	if (load_acq(&crew->failed))
		return;
	if (spec->warmup_ns) {
		sleep_until(clock_now() + spec->warmup_ns);
		store_rlx(&run->stop, 1);
		pthread_barrier_wait(&crew->barrier);
		store_rlx(&run->stop, 0);
		run->ops_limit = spec->operations ? spec->operations : UINT64_MAX;
		pthread_barrier_wait(&crew->barrier);
	}
	if (spec->duration_ns) {
		sleep_until(clock_now() + spec->duration_ns);
		store_rlx(&run->stop, 1);
	}
	pthread_barrier_wait(&crew->barrier);
	store_rel(&crew->sample->measured, 1);
}

static void check(struct crew *crew)
{
	const struct section *s = crew->run->section;
	const struct workload_ops *w = crew->spec->workload_ops;
	uint64_t before = load_rlx(&s->before), after = load_rlx(&s->after);
	uint64_t writes = 0, broken = 0, counted = before >> 16;
	const char *why;

	for (unsigned i = 0; i < crew->spec->threads; i++) {
		writes += crew->seats[i].writes;
		broken += crew->seats[i].broken;
	}
	crew->sample->lock_writes = counted;
	crew->sample->lock_node = memory_node_of(crew->run->lock);
	crew->sample->data_node = memory_node_of(s);
	if (!(crew->run->lock_ops->caps & LOCK_NOT_EXCLUSIVE)) {
		if (broken)
			crew_fail(crew, STATUS_VIOLATED,
				  "%llu sections were entered or left while a writer was inside",
				  (unsigned long long)broken);
		if (counted != (writes & 0xffffffffffffu))
			crew_fail(
				crew, STATUS_VIOLATED,
				"the threads wrote %llu times, but the section counted %llu writes",
				(unsigned long long)writes, (unsigned long long)counted);
		if (before != after)
			crew_fail(crew, STATUS_VIOLATED, "a writer is still inside after the end");
	}
	why = w->check ? w->check(crew->run, crew->sample->slots) : NULL;
	if (why)
		crew_fail(crew, STATUS_VIOLATED, "%s", why);
}

void crew_run(const struct cell_spec *spec, uint64_t seed, unsigned turn, uint64_t forked,
	      struct sample *sample)
{
	const struct lock_ops *lk = spec->lock_ops;
	static struct run run; /* one a process: its children never come back here */
	struct crew crew = { .spec = spec, .sample = sample, .run = &run, .seed = seed };
	int rc;

	run.lock_ops = lk;
	run.params = spec->params;
	run.lock_params = spec->lock_params;
	run.threads = spec->threads;
	run.readers = spec->readers;
	run.writers = spec->writers;
	run.sample_every = spec->sample_every;
	run.nodes = numa_available() < 0 ? 1 : (unsigned)numa_max_node() + 1;
	/* a warm-up runs by the clock */
	run.ops_limit = spec->operations && !spec->warmup_ns ? spec->operations : UINT64_MAX;
	crew.probing = lk->caps & LOCK_SHARED && spec->threads > 1;

	counters_open((const char *const *)spec->counters, turn);
	rc = make_lock(&crew);
	if (rc) {
		fail_errno(&crew, "the lock cannot be set up", rc);
		return;
	}
	rc = spec->workload_ops->setup ? spec->workload_ops->setup(&run) : 0;
	if (rc) {
		fail_errno(&crew, "the workload cannot be set up", rc);
		return;
	}
	rc = start_threads(&crew);
	if (rc) {
		/* those that did start wait at the barrier, and end with the process */
		fail_errno(&crew, "the threads cannot be started", rc);
		return;
	}
	lead(&crew, forked);
	for (unsigned i = 0; i < spec->threads; i++)
		pthread_join(crew.seats[i].pthread, NULL);
	if (load_acq(&crew.failed))
		return;
	check(&crew);
	if (spec->workload_ops->teardown)
		spec->workload_ops->teardown(&run);
	if (lk->destroy)
		lk->destroy(run.lock);
	if (!load_acq(&crew.failed)) {
		sample->reason[0] = '\0';
		sample->status = STATUS_OK;
	}
}
