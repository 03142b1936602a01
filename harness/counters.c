/*
 * counters.c - PAPI by thread.
 *
 * PAPI is initialised in the parent, and what it knows is inherited by fork:
 * the first use of an event's name costs milliseconds (its tables are searched
 * as text), by code it costs a fraction. PAPI wants a number for each thread;
 * gettid() is one that no thread of the parent and its child share.
 */
#include "counters.h"

#include <papi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#define WORK_PAGES 64
#define WORK_SLEEPS 4

struct event {
	struct event *next;
	char *name;
	int code, component;
	long long counted; /* under the known work */
	bool counts;
	char reason[160];
};

static struct event *events; /* all that were probed */
static const char *unusable; /* why PAPI as a whole is; NULL: it works */
static bool started;

/* Of this child, in the order of its names. */
static struct event *asked[MAX_COUNTERS];
static unsigned asked_count, first;

struct event_set {
	int set, component;
	unsigned count, index[MAX_COUNTERS]; /* which of asked[] */
};

struct counters_thread {
	unsigned sets;
	struct event_set set[MAX_COUNTERS];
};

static unsigned long thread_id(void)
{
	return (unsigned long)gettid();
}

static void initialise(void)
{
	static char text[96];
	int rc;

	if (started)
		return;
	started = true;
	rc = PAPI_library_init(PAPI_VER_CURRENT);
	if (rc != PAPI_VER_CURRENT) {
		snprintf(text, sizeof text, "PAPI does not start: %s",
			 rc > 0 ? "another version than it was built for" : PAPI_strerror(rc));
		unusable = text;
		return;
	}
	PAPI_set_debug(PAPI_QUIET);
	rc = PAPI_thread_init(thread_id);
	if (rc) {
		snprintf(text, sizeof text, "PAPI has no threads: %s", PAPI_strerror(rc));
		unusable = text;
	}
}

static struct event *find(const char *name)
{
	for (struct event *e = events; e; e = e->next)
		if (!strcmp(e->name, name))
			return e;
	return NULL;
}

/* Faults, switches, instructions: something for most events to see. */
static void known_work(void)
{
	const struct timespec nap = { .tv_nsec = 20000 };
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	char *p = mmap(NULL, WORK_PAGES * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
		       -1, 0);

	if (p != MAP_FAILED) {
		madvise(p, WORK_PAGES * page, MADV_NOHUGEPAGE);
		for (size_t i = 0; i < WORK_PAGES; i++)
			((volatile char *)p)[i * page] = 1;
		munmap(p, WORK_PAGES * page);
	}
	for (int i = 0; i < WORK_SLEEPS; i++)
		nanosleep(&nap, NULL);
}

/*
 * What the known work must at least have left in an event of this name, by
 * getrusage where it counts the same thing; 0 where that is not known.
 */
static long long expected(const char *name, const struct rusage *a, const struct rusage *b,
			  const char **by)
{
	static const char *const always[] = { "CPU-CLOCK",  "TASK-CLOCK",   "CPU_CLOCK",
					      "TASK_CLOCK", "PAPI_TOT_CYC", "PAPI_TOT_INS",
					      "CPU-CYCLES", "INSTRUCTIONS" };

	*by = "getrusage";
	if (strcasestr(name, "CONTEXT-SWITCHES") || strcasestr(name, "CONTEXT_SWITCHES"))
		return b->ru_nvcsw - a->ru_nvcsw;
	if (strcasestr(name, "PAGE-FAULTS") || strcasestr(name, "PAGE_FAULTS") ||
	    strcasestr(name, "MINOR-FAULTS"))
		return b->ru_minflt - a->ru_minflt < WORK_PAGES ? 0 : WORK_PAGES;
	*by = "the work done";
	for (size_t i = 0; i < sizeof always / sizeof *always; i++)
		if (strcasestr(name, always[i]))
			return 1;
	return 0;
}

/* A component that is switched off says why, where its events only fail. */
static const char *component_fault(const char *name)
{
	const PAPI_component_info_t *c;
	const char *end = strstr(name, ":::");
	int i;

	for (i = 0; i < PAPI_num_components(); i++) {
		c = PAPI_get_component_info(i);
		if (!c || !c->disabled || !*c->disabled_reason)
			continue;
		if (end ? !strncmp(c->name, name, (size_t)(end - name))
			: !strcmp(c->name, "perf_event"))
			return c->disabled_reason;
	}
	return NULL;
}

static void refuse(struct event *e, const char *step, int rc)
{
	const char *component = component_fault(e->name);
	bool hardware = rc == PAPI_ENOEVNT && !strncmp(e->name, "PAPI_", 5);

	if (component)
		snprintf(e->reason, sizeof e->reason, "%.159s", component);
	else if (rc == PAPI_EPERM)
		snprintf(e->reason, sizeof e->reason,
			 "not permitted: lower kernel.perf_event_paranoid or be root");
	else
		snprintf(e->reason, sizeof e->reason, "%s: %s%s", step, PAPI_strerror(rc),
			 hardware ? " (no PMU here?)" : "");
}

static void try_event(struct event *e)
{
	int set = PAPI_NULL, rc;
	struct rusage before, after;
	long long expect;
	const char *by;

	rc = PAPI_event_name_to_code(e->name, &e->code);
	if (rc) {
		refuse(e, "no such event", rc);
		return;
	}
	e->component = PAPI_get_event_component(e->code);
	rc = PAPI_create_eventset(&set);
	if (rc) {
		refuse(e, "no event set", rc);
		return;
	}
	rc = PAPI_add_event(set, e->code);
	if (rc) {
		refuse(e, "cannot be added", rc);
		goto out;
	}
	getrusage(RUSAGE_THREAD, &before);
	rc = PAPI_start(set);
	if (rc) {
		refuse(e, "does not start", rc);
		goto out;
	}
	known_work();
	rc = PAPI_stop(set, &e->counted);
	getrusage(RUSAGE_THREAD, &after);
	if (rc) {
		refuse(e, "does not stop", rc);
		goto out;
	}
	expect = expected(e->name, &before, &after, &by);
	/* half: start and stop themselves may switch and fault */
	if (e->counted < expect - expect / 2)
		snprintf(e->reason, sizeof e->reason, "counts %lld where %s says %lld%s",
			 e->counted, by, expect, strstr(e->name, ":k=1") ? "" : "; try :u=1:k=1");
	else
		e->counts = true;
out:
	PAPI_cleanup_eventset(set);
	PAPI_destroy_eventset(&set);
}

static struct event *probe(const char *name)
{
	struct event *e = find(name);

	if (e)
		return e;
	e = calloc(1, sizeof *e);
	if (!e || !(e->name = strdup(name))) {
		free(e);
		return NULL;
	}
	e->next = events;
	events = e;
	if (unusable)
		snprintf(e->reason, sizeof e->reason, "%s", unusable);
	else
		try_event(e);
	return e;
}

unsigned counters_probe(const char *const *names)
{
	unsigned usable = 0;

	if (!names || !*names)
		return 0;
	initialise();
	for (; *names; names++) {
		const struct event *e = probe(*names);

		usable += e && e->counts;
	}
	return usable;
}

const char *counters_reason(const char *name)
{
	const struct event *e = find(name);

	if (!e)
		return "was not tried";
	return e->counts ? NULL : e->reason;
}

long long counters_known_work(const char *name)
{
	const struct event *e = find(name);

	return e && e->counts ? e->counted : -1;
}

void counters_open(const char *const *names, unsigned turn)
{
	struct rlimit files;

	asked_count = 0;
	if (!names || !*names)
		return;
	/* nothing to do when the parent has done it */
	counters_probe(names);
	while (asked_count < MAX_COUNTERS && names[asked_count]) {
		asked[asked_count] = find(names[asked_count]);
		asked_count++;
	}
	first = turn % asked_count;
	/* each event of each thread is a file: a thousand threads pass the usual 1024 */
	if (!getrlimit(RLIMIT_NOFILE, &files) && files.rlim_cur < files.rlim_max) {
		files.rlim_cur = files.rlim_max;
		setrlimit(RLIMIT_NOFILE, &files);
	}
}

static void say(struct slot *slot, unsigned i, const char *why)
{
	snprintf(slot->counter_reason[i], sizeof slot->counter_reason[i], "%.47s", why);
}

/* A set holds the events of one component only. */
static struct event_set *set_for(struct counters_thread *c, int component)
{
	struct event_set *s;

	for (unsigned i = 0; i < c->sets; i++)
		if (c->set[i].component == component)
			return &c->set[i];
	s = &c->set[c->sets];
	*s = (struct event_set){ .set = PAPI_NULL, .component = component };
	if (PAPI_create_eventset(&s->set))
		return NULL;
	c->sets++;
	return s;
}

static void drop_last(struct event_set *s, struct slot *slot, const char *why)
{
	unsigned i = s->index[--s->count];

	PAPI_remove_event(s->set, asked[i]->code);
	say(slot, i, why);
}

struct counters_thread *counters_thread_open(struct slot *slot)
{
	struct counters_thread *c = asked_count ? calloc(1, sizeof *c) : NULL;
	long long ignored[MAX_COUNTERS];

	for (unsigned n = 0; n < asked_count; n++) {
		unsigned i = (first + n) % asked_count;
		const struct event *e = asked[i];
		struct event_set *s;
		int rc;

		if (!c || !e) {
			say(slot, i, "no memory");
			continue;
		}
		if (!e->counts) {
			say(slot, i, e->reason);
			continue;
		}
		s = set_for(c, e->component);
		rc = s ? PAPI_add_event(s->set, e->code) : PAPI_ENOMEM;
		if (rc == PAPI_ECNFLCT || rc == PAPI_ECOUNT)
			say(slot, i, "no free CPU counter in this repetition");
		else if (rc)
			say(slot, i, PAPI_strerror(rc));
		else {
			*slot->counter_reason[i] = 0;
			s->index[s->count++] = i;
		}
	}
	/* an event that fits alone may not start beside the others */
	for (unsigned k = 0; c && k < c->sets; k++) {
		struct event_set *s = &c->set[k];
		int rc = PAPI_OK;

		while (s->count && (rc = PAPI_start(s->set)))
			drop_last(s, slot,
				  rc == PAPI_ECNFLCT ? "no free CPU counter in this repetition"
						     : PAPI_strerror(rc));
		if (s->count)
			PAPI_stop(s->set, ignored);
	}
	return c;
}

void counters_thread_start(struct counters_thread *c)
{
	for (unsigned k = 0; c && k < c->sets; k++)
		if (c->set[k].count && PAPI_start(c->set[k].set))
			c->set[k].component = -1; /* seen by counters_thread_stop */
}

void counters_thread_stop(struct counters_thread *c, struct slot *slot)
{
	long long values[MAX_COUNTERS];

	for (unsigned k = 0; c && k < c->sets; k++) {
		const struct event_set *s = &c->set[k];
		int rc = s->component < 0 ? PAPI_ENOTRUN : PAPI_OK;

		if (!s->count)
			continue;
		if (!rc)
			rc = PAPI_stop(s->set, values);
		for (unsigned j = 0; j < s->count; j++) {
			if (rc)
				say(slot, s->index[j], PAPI_strerror(rc));
			else
				slot->counter[s->index[j]] = values[j];
		}
	}
}

void counters_thread_close(struct counters_thread *c)
{
	if (!c)
		return;
	for (unsigned k = 0; k < c->sets; k++) {
		PAPI_cleanup_eventset(c->set[k].set);
		PAPI_destroy_eventset(&c->set[k].set);
	}
	/* no PAPI_unregister_thread(): after it, a first thread's next call crashes */
	free(c);
}

const char *counters_version(void)
{
	static char text[96];

	snprintf(text, sizeof text, "PAPI %d.%d.%d", PAPI_VERSION_MAJOR(PAPI_VERSION),
		 PAPI_VERSION_MINOR(PAPI_VERSION), PAPI_VERSION_REVISION(PAPI_VERSION));
	return text;
}
