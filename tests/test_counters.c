/* test_counters.c - PAPI by thread, across fork. What this machine cannot count is skipped. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "counters.h"

#define FAULTS "perf::PAGE-FAULTS:u=1:k=1"

static void an_unknown_event_has_a_reason(void **state)
{
	const char *const names[] = { "no_such_event", NULL };
	struct counters_thread *c;
	struct slot *slot = calloc(1, sizeof *slot);

	(void)state;
	assert_int_equal(counters_probe(names), 0);
	assert_non_null(counters_reason("no_such_event"));
	counters_open(names, 0);
	c = counters_thread_open(slot);
	counters_thread_start(c);
	counters_thread_stop(c, slot);
	counters_thread_close(c);
	assert_true(strlen(slot->counter_reason[0]) > 0);
	free(slot);
}

static void none_asked_is_nothing(void **state)
{
	struct slot *slot = calloc(1, sizeof *slot);

	(void)state;
	counters_open(NULL, 3);
	assert_null(counters_thread_open(slot));
	counters_thread_start(NULL);
	counters_thread_stop(NULL, slot);
	counters_thread_close(NULL);
	free(slot);
}

static void the_default_domain_is_not_believed(void **state)
{
	const char *const names[] = { "perf::CONTEXT-SWITCHES", NULL };

	(void)state;
	/* either it counts what getrusage saw, or it says why not */
	if (!counters_probe(names))
		assert_non_null(counters_reason(names[0]));
	else
		assert_true(counters_known_work(names[0]) > 0);
}

static struct slot *slots;
static const unsigned pages[] = { 100, 300 };
static pthread_barrier_t counting;

static void *fault(void *arg)
{
	unsigned id = (unsigned)(uintptr_t)arg;
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	struct counters_thread *c = counters_thread_open(&slots[id]);
	char *p =
		mmap(NULL, 300 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	madvise(p, 300 * page, MADV_NOHUGEPAGE);
	counters_thread_start(c);
	/* both at once: PAPI must keep them apart */
	pthread_barrier_wait(&counting);
	for (unsigned i = 0; i < pages[id]; i++)
		((volatile char *)p)[i * page] = 1;
	pthread_barrier_wait(&counting);
	counters_thread_stop(c, &slots[id]);
	counters_thread_close(c);
	return NULL;
}

/* Probed in the parent, counted by two threads of two children in a row. */
static void each_thread_of_a_child_counts_its_own(void **state)
{
	const char *const names[] = { "nonsense", FAULTS, NULL };

	(void)state;
	slots = mmap(NULL, 2 * sizeof *slots, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
		     -1, 0);
	assert_ptr_not_equal(slots, MAP_FAILED);
	if (!counters_probe(names))
		skip();
	for (unsigned turn = 0; turn < 2; turn++) {
		int status;
		pid_t pid;

		memset(slots, 0, 2 * sizeof *slots);
		pid = fork();
		if (!pid) {
			pthread_t t[2];

			pthread_barrier_init(&counting, NULL, 2);
			counters_open(names, turn);
			for (uintptr_t i = 0; i < 2; i++)
				pthread_create(&t[i], NULL, fault, (void *)i);
			for (unsigned i = 0; i < 2; i++)
				pthread_join(t[i], NULL);
			_exit(0);
		}
		waitpid(pid, &status, 0);
		assert_true(WIFEXITED(status) && !WEXITSTATUS(status));
		for (unsigned i = 0; i < 2; i++) {
			assert_string_equal(slots[i].counter_reason[1], "");
			assert_in_range(slots[i].counter[1], pages[i], pages[i] + 50);
			assert_true(strlen(slots[i].counter_reason[0]) > 0);
		}
	}
	munmap(slots, 2 * sizeof *slots);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(none_asked_is_nothing),
		cmocka_unit_test(an_unknown_event_has_a_reason),
		cmocka_unit_test(the_default_domain_is_not_believed),
		cmocka_unit_test(each_thread_of_a_child_counts_its_own),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
