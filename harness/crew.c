/*
 * crew.c - a cell's threads and their phases:
 *
 *	set up | look whether readers overlap | warm up | measure | tear down
 *
 * with a barrier at each bar. The process's own thread takes part in the
 * barriers and sleeps through the phases; it touches no clock of theirs.
 */
#include "crew.h"

#include <numa.h>
#include <pthread.h>
#include <stdarg.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>

#include "counters.h"
#include "memory.h"
#include "placement.h"

/* The slot (36 KiB) and this stay well below 256 KiB a thread. */
#define STACK_SIZE (128u << 10)
#define PAGE 4096u

/* Generous: only a lock that serialises readers, or never wakes one, needs it. */
#define PROBE_NS 1000000000u

enum probe { PROBE_IDLE, PROBE_FIRST_IN, PROBE_BOTH_IN };

struct crew {
	const struct cell_spec *spec;
	struct sample *sample;
	struct run *run;
	struct seat *seats;
	uint64_t seed;
	bool probing;
	pthread_barrier_t barrier;
	_Atomic uint32_t failed;
	_Atomic uint32_t probe; /* enum probe */
};

/* What a thread is given at its start. */
struct seat {
	struct crew *crew;
	unsigned id;
	pthread_t pthread;
	void *memory; /* struct thread and ctx; first touched by the thread */
	struct counters_thread *counters;
	uint64_t writes, broken; /* warm-up and measured part together */
};

/* The first failure stays. */
__attribute__((format(printf, 3, 4))) static void fail(struct crew *crew, enum record_status status,
						       const char *format, ...)
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
	fail(crew, STATUS_UNSUPPORTED, "%s: %s", what, strerror(error < 0 ? -error : error));
}

static void sleep_until(uint64_t ns)
{
	struct timespec ts = { (time_t)(ns / 1000000000u), (long)(ns % 1000000000u) };

	while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &ts, NULL) == EINTR)
		;
}

/* splitmix64, Steele et al. 2014, https://doi.org/10.1145/2714064.2660195 */
static uint64_t mix(uint64_t x)
{
	x += 0x9e3779b97f4a7c15u;
	x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
	x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
	return x ^ (x >> 31);
}

static size_t pages(size_t bytes)
{
	return (bytes + PAGE - 1) & ~(size_t)(PAGE - 1);
}

static void *map(size_t bytes)
{
	void *p = mmap(NULL, pages(bytes), PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	return p == MAP_FAILED ? NULL : p;
}

/* --- one thread --- */

static enum role role_of(const struct crew *crew, unsigned id)
{
	const struct cell_spec *spec = crew->spec;

	if (!spec->workload_ops->has_roles)
		return ROLE_ANY;
	if (id < spec->readers)
		return ROLE_READER;
	return id < spec->readers + spec->writers ? ROLE_WRITER : ROLE_ANY;
}

static size_t thread_bytes(const struct lock_ops *lk)
{
	/* the colour below, the thread, its ctx on a line of its own */
	return pages(16 * 128 + sizeof(struct thread) + 128 + lk->ctx_size);
}

static struct thread *thread_new(struct seat *seat)
{
	struct crew *crew = seat->crew;
	struct run *run = crew->run;
	/* not all at the same place of a page: they would compete for cache sets */
	char *at = (char *)seat->memory + (seat->id % 16) * 128;
	struct thread *t = (struct thread *)at;

	at += (sizeof(*t) + 127) & ~(size_t)127;
	t->run = run;
	t->lock = run->lock;
	t->ctx = run->lock_ops->ctx_size ? at : NULL;
	t->section = run->section;
	t->slot = &crew->sample->slots[seat->id];
	t->params = run->params;
	t->data = run->data;
	t->id = seat->id;
	t->role = role_of(crew, seat->id);
	t->random = mix(crew->seed ^ mix(seat->id));
	if (!t->random)
		t->random = 1;
	return t;
}

static void pin(struct crew *crew, const struct thread *t)
{
	int32_t cpu = crew->spec->cpus ? crew->spec->cpus[t->id] : -1;
	int rc = placement_pin(cpu);

	t->slot->cpu_asked = cpu;
	if (rc)
		fail(crew, STATUS_UNSUPPORTED, "thread %u cannot be pinned to CPU %d: %s", t->id,
		     cpu, strerror(-rc));
}

static void set_up(struct seat *seat, struct thread *t)
{
	struct crew *crew = seat->crew;
	const struct workload_ops *w = crew->spec->workload_ops;
	unsigned cpu = 0, node = 0;
	int rc;

	t->slot->role = t->role;
	store_rlx(&t->slot->stage, STAGE_SETUP);
	pin(crew, t);
	getcpu(&cpu, &node);
	if (t->run->lock_ops->ctx_init) {
		struct lock_thread who = { .id = t->id,
					   .threads = t->run->threads,
					   .cpu = cpu,
					   .node = node,
					   .nodes = t->run->nodes };

		t->run->lock_ops->ctx_init(t->lock, t->ctx, &who);
	}
	seat->counters = counters_thread_open(t->slot);
	rc = w->thread_setup ? w->thread_setup(t) : 0;
	if (rc)
		fail(crew, STATUS_UNSUPPORTED, "the workload cannot set up thread %u: %s", t->id,
		     strerror(-rc));
}

/*
 * A lock that says LOCK_SHARED must let thread 1 read while thread 0 does. The
 * sampled looks cannot tell that on one CPU, or in sections of a few ns.
 */
static void probe_overlap(struct crew *crew, struct thread *t)
{
	const struct lock_ops *lk = t->run->lock_ops;
	uint64_t half = crew->spec->timeout_ns / 2; /* it is no hang */
	uint64_t deadline = clock_now() + (half < PROBE_NS ? half : PROBE_NS);

	if (load_acq(&crew->failed) || t->id > 1)
		return;
	if (t->id == 1) {
		while (load_acq(&crew->probe) == PROBE_IDLE && clock_now() < deadline)
			cpu_yield();
		lk->acquire_read(t->lock, t->ctx);
		store_rel(&crew->probe, PROBE_BOTH_IN);
		lk->release_read(t->lock, t->ctx);
		return;
	}
	lk->acquire_read(t->lock, t->ctx);
	store_rel(&crew->probe, PROBE_FIRST_IN);
	while (load_acq(&crew->probe) != PROBE_BOTH_IN && clock_now() < deadline)
		cpu_yield();
	/* before the release: afterwards the second reader gets in whatever the lock does */
	if (load_acq(&crew->probe) != PROBE_BOTH_IN)
		fail(crew, STATUS_VIOLATED, "a second reader was not let in beside the first");
	lk->release_read(t->lock, t->ctx);
}

static void count(struct seat *seat, const struct thread *t)
{
	seat->writes += t->writes;
	seat->broken += t->broken;
}

static void warm_up(struct seat *seat, struct thread *t)
{
	struct slot *slot = t->slot;

	store_rlx(&slot->stage, STAGE_WARMUP);
	seat->crew->spec->cell->loop(t);
	count(seat, t);
	t->reads = t->writes = t->handovers = t->broken = 0;
	slot->looks = slot->overlaps = slot->gap_max_ns = slot->wait_max_ns = 0;
	for (int k = 0; seat->crew->run->sample_every && k < WAIT_KINDS; k++)
		memset(&slot->wait[k], 0, sizeof(slot->wait[k]));
	store_rlx(&slot->progress, 0);
}

static uint64_t timeval_ns(struct timeval tv)
{
	return (uint64_t)tv.tv_sec * 1000000000u + (uint64_t)tv.tv_usec * 1000u;
}

static void usage_between(struct slot *slot, const struct rusage *a, const struct rusage *b)
{
	slot->user_ns = timeval_ns(b->ru_utime) - timeval_ns(a->ru_utime);
	slot->system_ns = timeval_ns(b->ru_stime) - timeval_ns(a->ru_stime);
	slot->nvcsw = (uint64_t)(b->ru_nvcsw - a->ru_nvcsw);
	slot->nivcsw = (uint64_t)(b->ru_nivcsw - a->ru_nivcsw);
	slot->minflt = (uint64_t)(b->ru_minflt - a->ru_minflt);
	slot->majflt = (uint64_t)(b->ru_majflt - a->ru_majflt);
}

static void measure(struct seat *seat, struct thread *t)
{
	struct slot *slot = t->slot;
	struct rusage before, after;
	unsigned cpu = 0, node = 0;

	store_rlx(&slot->stage, STAGE_MEASURED);
	counters_thread_start(seat->counters);
	getrusage(RUSAGE_THREAD, &before);
	slot->cpu_start = sched_getcpu();
	slot->start_ns = clock_now();
	seat->crew->spec->cell->loop(t);
	slot->end_ns = clock_now();
	getrusage(RUSAGE_THREAD, &after);
	counters_thread_stop(seat->counters, slot);
	getcpu(&cpu, &node);
	slot->cpu_end = (int32_t)cpu;
	slot->node = (int32_t)node;
	usage_between(slot, &before, &after);
	/* a pinned thread cannot migrate; of the others the kernel tells only by file */
	slot->migrations = slot->cpu_asked >= 0 ? 0 : UINT64_MAX;
	slot->reads = t->reads;
	slot->writes = t->writes;
	slot->handovers = t->handovers;
	if (slot->wait[WAIT_READ].max > slot->wait_max_ns)
		slot->wait_max_ns = slot->wait[WAIT_READ].max;
	if (slot->wait[WAIT_WRITE].max > slot->wait_max_ns)
		slot->wait_max_ns = slot->wait[WAIT_WRITE].max;
	count(seat, t);
	slot->broken = seat->broken;
	store_rlx(&slot->stage, STAGE_DONE);
}

static void *thread_main(void *arg)
{
	struct seat *seat = arg;
	struct crew *crew = seat->crew;
	struct thread *t = thread_new(seat);

	set_up(seat, t);
	pthread_barrier_wait(&crew->barrier);
	if (crew->probing) {
		probe_overlap(crew, t);
		pthread_barrier_wait(&crew->barrier);
	}
	/* nothing fails from here to the join, so all threads see the same */
	if (load_acq(&crew->failed))
		return NULL;
	if (crew->spec->warmup_ns) {
		warm_up(seat, t);
		pthread_barrier_wait(&crew->barrier); /* all out of the loop */
		pthread_barrier_wait(&crew->barrier); /* stop is taken back */
	}
	measure(seat, t);
	/* nobody unmaps or frees while others are still measuring */
	pthread_barrier_wait(&crew->barrier);
	counters_thread_close(seat->counters);
	if (crew->spec->workload_ops->thread_teardown)
		crew->spec->workload_ops->thread_teardown(t);
	if (crew->run->lock_ops->ctx_destroy)
		crew->run->lock_ops->ctx_destroy(t->lock, t->ctx);
	return NULL;
}

/* --- the process's own thread --- */

static int start_threads(struct crew *crew)
{
	unsigned n = crew->spec->threads;
	size_t bytes = thread_bytes(crew->run->lock_ops);
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
		rc = pthread_create(&crew->seats[i].pthread, &attr, thread_main, &crew->seats[i]);
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
		fail(crew, STATUS_UNSUPPORTED, "%s", why);
		return -ENOMEM;
	}
	return lk->init ? lk->init(run->lock, &env) : 0;
}

/* Through the phases, in step with thread_main. */
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
			fail(crew, STATUS_VIOLATED,
			     "%llu sections were entered or left while a writer was inside",
			     (unsigned long long)broken);
		if (counted != (writes & 0xffffffffffffu))
			fail(crew, STATUS_VIOLATED,
			     "the threads wrote %llu times, but the section counted %llu writes",
			     (unsigned long long)writes, (unsigned long long)counted);
		if (before != after)
			fail(crew, STATUS_VIOLATED, "a writer is still inside after the end");
	}
	why = w->check ? w->check(crew->run, crew->sample->slots) : NULL;
	if (why)
		fail(crew, STATUS_VIOLATED, "%s", why);
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
