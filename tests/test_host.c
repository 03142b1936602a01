/* test_host.c - host.json and the verb machine, on the real machine and on made-up files. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <cmocka.h>

#include "host.h"
#include "machine.h"
#include "sysfile.h"

static const char *const keys[] = {
	"libc",
	"hwloc",
	"counters",
	"compiler",
	"flags",
	"commit",
	"arch",
	"kernel",
	"kernel_build",
	"kernel_cmdline",
	"mitigations",
	"thp",
	"aslr",
	"cpu_model",
	"microcode",
	"governor",
	"turbo",
	"smt",
	"nodes",
	"cores",
	"cgroup_cpus",
	"clock_source",
	"clock_resolution_ns",
	"virtual",
	"topology_xml",
	"cpus_allowed",
	"perf_event_paranoid",
};

static char root[] = "/tmp/latchmark-host-XXXXXX";

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

static int fake(void **state)
{
	(void)state;
	assert_non_null(mkdtemp(root));
	sysfile_use_root(root);
	return 0;
}

static int real(void **state)
{
	char command[300];

	(void)state;
	sysfile_use_root(NULL);
	snprintf(command, sizeof command, "rm -r %s", root);
	assert_int_equal(system(command), 0);
	strcpy(root, "/tmp/latchmark-host-XXXXXX");
	return 0;
}

/* A value, or null with the reason: never a key that is not there. */
static void all_there(void)
{
	json_t *o = host_describe();

	assert_non_null(o);
	for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
		json_t *v = json_object_get(o, keys[i]);
		char reason[64];

		snprintf(reason, sizeof reason, "%s_reason", keys[i]);
		if (!v)
			fail_msg("no key %s", keys[i]);
		else if (json_is_null(v) != (json_string_length(json_object_get(o, reason)) > 0))
			fail_msg("%s: null without reason, or reason without null", keys[i]);
	}
	json_decref(o);
}

static void every_key_has_a_value_or_a_reason(void **state)
{
	(void)state;
	all_there();
}

static void without_proc_and_sys_too(void **state)
{
	json_t *o;

	(void)state;
	all_there();
	o = host_describe();
	assert_true(json_is_null(json_object_get(o, "cpu_model")));
	assert_true(json_is_null(json_object_get(o, "aslr")));
	json_decref(o);
	machine_check(NULL);
}

static void the_tightest_limit_is_found(void **state)
{
	char where[512];

	(void)state;
	assert_true(machine_cpu_quota(where, sizeof where) < 0);
	put_file("proc/self/cgroup", "2:cpuset:/x\n0::/a/b\n");
	put_file("sys/fs/cgroup/a/b/cpu.max", "max 100000\n");
	assert_true(machine_cpu_quota(where, sizeof where) < 0);
	put_file("sys/fs/cgroup/a/cpu.max", "150000 100000\n");
	assert_true(machine_cpu_quota(where, sizeof where) == 1.5);
	assert_string_equal(where, "/sys/fs/cgroup/a/cpu.max");
	put_file("sys/fs/cgroup/cpu.max", "50000 100000\n");
	assert_true(machine_cpu_quota(where, sizeof where) == 0.5);
}

static void the_old_cgroups_too(void **state)
{
	char where[512];

	(void)state;
	put_file("proc/self/cgroup", "3:cpuset:/x\n4:cpu,cpuacct:/d\n");
	put_file("sys/fs/cgroup/cpu/d/cpu.cfs_quota_us", "-1\n");
	put_file("sys/fs/cgroup/cpu/d/cpu.cfs_period_us", "100000\n");
	assert_true(machine_cpu_quota(where, sizeof where) < 0);
	put_file("sys/fs/cgroup/cpu/d/cpu.cfs_quota_us", "20000\n");
	assert_true(machine_cpu_quota(where, sizeof where) == 0.2);
}

static bool printed(const char *word, const char *mend, unsigned *refusals)
{
	char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);
	bool yes = false;

	*refusals = machine_check(f);
	fclose(f);
	for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n"))
		yes |= strstr(line, word) && strstr(line, mend);
	free(text);
	return yes;
}

static void a_governor_is_named_with_its_remedy(void **state)
{
	unsigned before, after;
	char path[128];

	(void)state;
	assert_false(printed("governor", "", &before));
	for (int cpu = 0; cpu < 64; cpu++) {
		snprintf(path, sizeof path, "sys/devices/system/cpu/cpu%d/cpufreq/scaling_governor",
			 cpu);
		put_file(path, "powersave\n");
	}
	put_file("sys/devices/system/cpu/intel_pstate/no_turbo", "0\n");
	assert_true(printed("powersave", "echo performance", &after));
	assert_int_equal(after, before + 1);
	assert_true(printed("turbo", "no_turbo", &after));
	assert_string_equal(machine_turbo(), "on");
}

static void the_chosen_word(void **state)
{
	char a[] = "always [madvise] never", b[] = "plain";

	(void)state;
	assert_string_equal(machine_chosen(a), "madvise");
	assert_null(machine_chosen(b));
}

#define FAKE(test) cmocka_unit_test_setup_teardown(test, fake, real)

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_key_has_a_value_or_a_reason),
		FAKE(without_proc_and_sys_too),
		FAKE(the_tightest_limit_is_found),
		FAKE(the_old_cgroups_too),
		FAKE(a_governor_is_named_with_its_remedy),
		cmocka_unit_test(the_chosen_word),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
