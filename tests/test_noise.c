/* test_noise.c - what noise_begin and noise_end say, on the real machine and on made-up files. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "noise.h"
#include "pingpong.h"
#include "placement.h"
#include "sysfile.h"
#include "topology.h"

static char root[] = "/tmp/latchmark-noise-XXXXXX";

static void put_file(const char *path, const char *text)
{
	char full[256];
	FILE *f;

	snprintf(full, sizeof full, "%s/%s", root, path);
	for (char *s = full + strlen(root) + 1; (s = strchr(s, '/')); s++) {
		*s = 0;
		mkdir(full, 0755);
		*s = '/';
	}
	f = fopen(full, "w");
	assert_non_null(f);
	fputs(text, f);
	fclose(f);
}

/* user, steal: ticks of CPU 0 and CPU 1 each */
static void put_stat(unsigned user, unsigned steal)
{
	char text[512];

	snprintf(text, sizeof text,
		 "cpu  0 0 0 0 0 0 0 0 0 0\n"
		 "cpu0 %u 0 5 900 0 0 0 %u 0 0\n"
		 "cpu1 %u 0 5 900 0 0 0 %u 0 0\n"
		 "cpu2 999999 0 0 0 0 0 0 999999 0 0\n"
		 "intr 1 2 3\n",
		 user, steal, user, steal);
	put_file("proc/stat", text);
}

static const int32_t two[] = { 0, 1 };

static int fake(void **state)
{
	(void)state;
	assert_non_null(mkdtemp(root));
	sysfile_use_root(root);
	put_stat(100, 10);
	put_file("proc/pressure/cpu", "some avg10=0.00 avg60=0.00 avg300=0.00 total=1000\n");
	return 0;
}

static int real(void **state)
{
	char command[300];

	(void)state;
	sysfile_use_root(NULL);
	snprintf(command, sizeof command, "rm -r %s", root);
	assert_int_equal(system(command), 0);
	strcpy(root, "/tmp/latchmark-noise-XXXXXX");
	return 0;
}

static bool says(const struct noise *n, const char *word)
{
	for (unsigned i = 0; i < n->dirty; i++)
		if (strstr(n->reason[i], word))
			return true;
	return false;
}

static void quiet_files_are_clean(void **state)
{
	struct noise_mark m;
	struct noise n;

	(void)state;
	noise_begin(&m, two, 2);
	put_file("proc/pressure/cpu", "some avg10=0.00 avg60=0.00 avg300=0.00 total=1234\n");
	noise_end(&m, NULL, &n);
	assert_int_equal(n.foreign_cpu_ns, 0);
	assert_int_equal(n.steal_ns, 0);
	assert_int_equal(n.psi_cpu_us, 234);
	assert_false(says(&n, "others") || says(&n, "hypervisor"));
	assert_int_equal(n.migrations, -1);
}

static void foreign_time_is_seen(void **state)
{
	struct noise_mark m;
	struct noise n;

	(void)state;
	noise_begin(&m, two, 2);
	put_stat(110, 10);
	noise_end(&m, NULL, &n);
	assert_int_equal(n.foreign_cpu_ns, 20 * (1000000000 / sysconf(_SC_CLK_TCK)));
	assert_true(says(&n, "others"));
	assert_false(says(&n, "hypervisor"));
}

static void one_tick_is_rounding(void **state)
{
	struct noise_mark m;
	struct noise n;

	(void)state;
	noise_begin(&m, two, 2);
	put_stat(101, 11);
	noise_end(&m, NULL, &n);
	assert_false(says(&n, "others") || says(&n, "hypervisor"));
}

static void steal_is_seen(void **state)
{
	struct noise_mark m;
	struct noise n;

	(void)state;
	noise_begin(&m, two, 2);
	put_stat(100, 30);
	noise_end(&m, NULL, &n);
	assert_true(says(&n, "hypervisor"));
	assert_false(says(&n, "others"));
}

/* A container without /proc/stat and /proc/pressure: null with reasons. */
static void missing_files_are_null(void **state)
{
	static const char *const keys[] = { "foreign_cpu_ns", "steal_ns", "psi_cpu_us", "mhz" };
	struct noise_mark m;
	struct noise n;
	json_t *o;

	(void)state;
	sysfile_use_root("/nonexistent");
	noise_begin(&m, two, 2);
	noise_end(&m, NULL, &n);
	sysfile_use_root(root);
	o = noise_json(&n);
	for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
		char reason[64];

		snprintf(reason, sizeof reason, "%s_reason", keys[i]);
		assert_true(json_is_null(json_object_get(o, keys[i])));
		assert_true(json_string_length(json_object_get(o, reason)) > 0);
	}
	json_decref(o);
}

static void own_child_is_not_foreign(void **state)
{
	int32_t cpu[1];
	char why[128];
	struct noise_mark m;
	struct noise n;
	struct rusage used;
	uint64_t start, child_ns, others_ns;
	pid_t pid;

	(void)state;
	assert_int_equal(placement_plan("compact", 1, cpu, why, sizeof why), 0);
	start = clock_now();
	noise_begin(&m, cpu, 1);
	pid = fork();
	if (!pid) {
		uint64_t end = clock_now() + 150000000;

		placement_pin(cpu[0]);
		while (clock_now() < end)
			;
		_exit(0);
	}
	wait4(pid, NULL, 0, &used);
	noise_end(&m, NULL, &n);
	if (n.stat_reason)
		skip();
	child_ns = (uint64_t)used.ru_utime.tv_sec * 1000000000u +
		   (uint64_t)used.ru_utime.tv_usec * 1000u;
	others_ns = clock_now() - start - child_ns;
	/* one CPU: what the child did not have is all that others can have had; in ticks */
	if (n.foreign_cpu_ns > (int64_t)others_ns + 40000000)
		fail_msg("%lld ns foreign", (long long)n.foreign_cpu_ns);
}

static void pingpong_needs_two(void **state)
{
	const int32_t same[] = { 0, 0 }, free_[] = { -1, 0 };
	const char *why = NULL;

	(void)state;
	assert_true(pingpong(same, 2, &why) < 0 && why);
	assert_true(pingpong(free_, 2, &why) < 0 && why);
	assert_true(pingpong(NULL, 0, &why) < 0 && why);
}

static void pingpong_measures(void **state)
{
	int32_t cpus[3];
	char text[128];
	const char *why = NULL;
	double ns = -1;

	(void)state;
	if (placement_cpus() < 2)
		skip();
	assert_int_equal(placement_plan("compact", 2, cpus, text, sizeof text), 0);
	cpus[2] = cpus[1];
	cpus[1] = cpus[0]; /* the first two distinct ones are taken */
	for (int i = 0; i < 20 && ns < 0; i++)
		ns = pingpong(cpus, 3, &why);
	assert_true(ns > 0);
	assert_null(why);
}

#define HOG_NS 3000000000ull

/*
 * A CPU held by others ends in a reason or a figure, long before the hog ends.
 * A real-time hog leaves no turn at all until the kernel throttles it, after
 * some 0.95 s; where that is not permitted, an ordinary one must do.
 */
static void pingpong_ends_on_a_taken_cpu(void **state)
{
	const struct sched_param first = { .sched_priority = 1 };
	uint64_t start = clock_now();
	int32_t cpus[2];
	char text[128];
	const char *why;
	int status;
	pid_t hog;

	(void)state;
	if (placement_cpus() < 2)
		skip();
	assert_int_equal(placement_plan("compact", 2, cpus, text, sizeof text), 0);
	hog = fork();
	if (!hog) {
		placement_pin(cpus[1]);
		sched_setscheduler(0, SCHED_FIFO, &first);
		while (clock_now() < start + HOG_NS)
			;
		_exit(0);
	}
	for (int i = 0; i < 4; i++) {
		why = NULL;
		assert_true(pingpong(cpus, 2, &why) > 0 || why);
	}
	kill(hog, SIGKILL);
	waitpid(hog, &status, 0);
	assert_true(clock_now() - start < HOG_NS / 4);
}

static void sysfile_reads_numbers(void **state)
{
	long long v = 7;
	char text[8];

	(void)state;
	put_file("sys/a", "42\n");
	put_file("sys/b", "forty\n");
	assert_int_equal(sysfile_number(&v, "/sys/%s", "a"), 0);
	assert_int_equal(v, 42);
	assert_true(sysfile_number(&v, "/sys/b") < 0);
	assert_true(sysfile_number(&v, "/sys/none") < 0);
	assert_int_equal(v, 42);
	assert_int_equal(sysfile_read(text, sizeof text, "/sys/b"), 5);
	assert_string_equal(text, "forty");
	assert_int_equal(sysfile_read(text, 4, "/sys/b"), 3);
	assert_string_equal(text, "for");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(quiet_files_are_clean, fake, real),
		cmocka_unit_test_setup_teardown(foreign_time_is_seen, fake, real),
		cmocka_unit_test_setup_teardown(one_tick_is_rounding, fake, real),
		cmocka_unit_test_setup_teardown(steal_is_seen, fake, real),
		cmocka_unit_test_setup_teardown(missing_files_are_null, fake, real),
		cmocka_unit_test_setup_teardown(sysfile_reads_numbers, fake, real),
		cmocka_unit_test(own_child_is_not_foreign),
		cmocka_unit_test(pingpong_needs_two),
		cmocka_unit_test(pingpong_measures),
		cmocka_unit_test(pingpong_ends_on_a_taken_cpu),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
