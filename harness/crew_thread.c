/* crew_thread.c - one thread of a repetition, through all phases. */
#include "crew_thread.h"

#include <fcntl.h>
#include <string.h>
#include <sys/resource.h>

#include "counters.h"
#include "placement.h"

/* Generous: only a lock that serialises readers, or never wakes one, needs it. */
#define PROBE_NS 1000000000u

enum probe { PROBE_IDLE, PROBE_FIRST_IN, PROBE_BOTH_IN };

/* splitmix64, Steele et al. 2014, https://doi.org/10.1145/2714064.2660195 */
static uint64_t mix(uint64_t x)
{
	x += 0x9e3779b97f4a7c15u;
	x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
	x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
	return x ^ (x >> 31);
}

size_t crew_thread_bytes(const struct lock_ops *lk)
{
	/* the colour below, the thread, its ctx on a line of its own */
	size_t bytes = (16 * 128 + sizeof(struct thread) + 128 + lk->ctx_size);

	return (bytes + 4095) & ~(size_t)4095;
}

static enum role role_of(const struct crew *crew, unsigned id)
{
	const struct cell_spec *spec = crew->spec;

	if (!spec->workload_ops->has_roles)
		return ROLE_ANY;
	if (id < spec->readers)
		return ROLE_READER;
	return id < spec->readers + spec->writers ? ROLE_WRITER : ROLE_ANY;
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
		crew_fail(crew, STATUS_UNSUPPORTED, "thread %u cannot be pinned to CPU %d: %s",
			  t->id, cpu, strerror(-rc));
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
	lock_events = &t->slot->events;
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
		crew_fail(crew, STATUS_UNSUPPORTED, "the workload cannot set up thread %u: %s",
			  t->id, strerror(-rc));
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
		crew_fail(crew, STATUS_VIOLATED, "a second reader was not let in beside the first");
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

/*
 * How often the calling thread was moved to another CPU; UINT64_MAX where the
 * kernel does not say. The file costs some 20 us, so only threads that can be
 * moved ask.
 */
static uint64_t migrations_so_far(const struct slot *slot)
{
	static const char key[] = "nr_migrations";
	char text[2048], *at;
	ssize_t n = 0;
	int fd;

	if (slot->cpu_asked >= 0)
		return 0;
	fd = open("/proc/thread-self/sched", O_RDONLY | O_CLOEXEC);
	if (fd >= 0) {
		n = read(fd, text, sizeof(text) - 1);
		close(fd);
	}
	text[n > 0 ? n : 0] = '\0';
	at = strstr(text, key);
	at = at ? strchr(at, ':') : NULL;
	return at ? strtoull(at + 1, NULL, 10) : UINT64_MAX;
}

static void measure(struct seat *seat, struct thread *t)
{
	struct slot *slot = t->slot;
	struct rusage before, after;
	unsigned cpu = 0, node = 0;
	uint64_t moved = migrations_so_far(slot);

	slot->events = (struct lock_events){ 0 };
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
	slot->migrations = moved == UINT64_MAX ? moved : migrations_so_far(slot) - moved;
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

void *crew_thread(void *arg)
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
