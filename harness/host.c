/* host.c - the machine, the kernel and the build, for host.json. */
#include "host.h"

#include <dirent.h>
#include <errno.h>
#include <gnu/libc-version.h>
#include <hwloc.h>
#include <numa.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>

#include "counters.h"
#include "machine.h"
#include "sysfile.h"
#include "topology.h"

#if __has_include("build_info.h")
#include "build_info.h" /* BUILD_FLAGS, BUILD_COMMIT: made by the Makefile */
#else
#define BUILD_FLAGS ""
#define BUILD_COMMIT ""
#endif

static void put_null(json_t *o, const char *key, const char *reason)
{
	char sibling[320];

	json_object_set_new(o, key, json_null());
	snprintf(sibling, sizeof sibling, "%s_reason", key);
	json_object_set_new(o, sibling, json_string(reason));
}

/* Kernel text need not be UTF-8, which is all that JSON takes. */
static void put_text(json_t *o, const char *key, const char *text)
{
	json_t *s = json_string(text);

	if (s)
		json_object_set_new(o, key, s);
	else
		put_null(o, key, "not UTF-8");
}

static void put_file(json_t *o, const char *key, const char *path)
{
	char text[4096], reason[256];
	long n = sysfile_read(text, sizeof text, "%s", path);

	if (n >= 0) {
		put_text(o, key, text);
		return;
	}
	snprintf(reason, sizeof reason, "%s: %s", path, strerror((int)-n));
	put_null(o, key, reason);
}

static void put_number(json_t *o, const char *key, const char *path)
{
	char reason[256];
	long long v;
	int rc = sysfile_number(&v, "%s", path);

	if (!rc) {
		json_object_set_new(o, key, json_integer(v));
		return;
	}
	snprintf(reason, sizeof reason, "%s: %s", path, strerror(-rc));
	put_null(o, key, reason);
}

static void put_choice(json_t *o, const char *key, const char *path)
{
	char text[256], *word;

	if (sysfile_read(text, sizeof text, "%s", path) > 0 && (word = machine_chosen(text)))
		put_text(o, key, word);
	else
		put_file(o, key, path);
}

/* The value of the first line of /proc/cpuinfo that starts with this name. */
static void put_cpuinfo(json_t *o, const char *key, const char *name, const char *cpuinfo)
{
	size_t length = strlen(name);
	const char *line, *end;
	char value[256];

	for (line = cpuinfo; line && *line; line = end ? end + 1 : NULL) {
		const char *colon = strchr(line, ':');

		end = strchr(line, '\n');
		if (strncmp(line, name, length) || !colon || (end && colon > end))
			continue;
		colon += colon[1] == ' ' ? 2 : 1;
		snprintf(value, sizeof value, "%.*s", end ? (int)(end - colon) : 255, colon);
		put_text(o, key, value);
		return;
	}
	put_null(o, key, *cpuinfo ? "/proc/cpuinfo does not say" : "no /proc/cpuinfo");
}

static void put_cpu(json_t *o)
{
	size_t size = 64 << 10;
	char *text = malloc(size);

	if (!text || sysfile_read(text, size, "/proc/cpuinfo") < 0) {
		free(text);
		text = calloc(1, 1);
		if (!text)
			return;
	}
	put_cpuinfo(o, "cpu_model", "model name", text);
	put_cpuinfo(o, "microcode", "microcode", text);
	free(text);
	json_object_set_new(o, "virtual", json_boolean(machine_is_virtual()));
	put_file(o, "governor", "/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor");
	put_file(o, "frequency_driver", "/sys/devices/system/cpu/cpu0/cpufreq/scaling_driver");
	if (machine_turbo())
		put_text(o, "turbo", machine_turbo());
	else
		put_null(o, "turbo", "neither intel_pstate/no_turbo nor cpufreq/boost is there");
	put_file(o, "smt", "/sys/devices/system/cpu/smt/control");
}

static void put_mitigations(json_t *o)
{
	static const char folder[] = "/sys/devices/system/cpu/vulnerabilities";
	DIR *d = opendir(folder);
	json_t *all;

	if (!d) {
		put_null(o, "mitigations", "no /sys/devices/system/cpu/vulnerabilities");
		return;
	}
	all = json_object();
	for (const struct dirent *e; (e = readdir(d));) {
		char text[512];

		if (*e->d_name != '.' &&
		    sysfile_read(text, sizeof text, "%s/%s", folder, e->d_name) > 0)
			put_text(all, e->d_name, text);
	}
	closedir(d);
	json_object_set_new(o, "mitigations", all);
}

static void put_kernel(json_t *o)
{
	struct utsname u;

	if (!uname(&u)) {
		put_text(o, "arch", u.machine);
		put_text(o, "kernel", u.release);
		put_text(o, "kernel_build", u.version);
	}
	put_file(o, "kernel_cmdline", "/proc/cmdline");
	put_mitigations(o);
	put_choice(o, "thp", "/sys/kernel/mm/transparent_hugepage/enabled");
	put_number(o, "aslr", "/proc/sys/kernel/randomize_va_space");
	put_number(o, "perf_event_paranoid", "/proc/sys/kernel/perf_event_paranoid");
	put_number(o, "numa_balancing", "/proc/sys/kernel/numa_balancing");
}

static void put_limits(json_t *o)
{
	char where[512];
	double quota = machine_cpu_quota(where, sizeof where);

	if (quota >= 0) {
		json_object_set_new(o, "cgroup_cpus", json_real(quota));
		put_text(o, "cgroup_cpus_from", where);
	} else
		put_null(o, "cgroup_cpus", "no limit, or no cgroup files to read it from");
	put_file(o, "cgroup", "/proc/self/cgroup");
}

static void put_clock(json_t *o)
{
	struct timespec ts;

	put_file(o, "clock_source",
		 "/sys/devices/system/clocksource/clocksource0/current_clocksource");
	if (!clock_getres(CLOCK_MONOTONIC, &ts))
		json_object_set_new(o, "clock_resolution_ns",
				    json_integer(ts.tv_sec * 1000000000ll + ts.tv_nsec));
	else
		put_null(o, "clock_resolution_ns", strerror(errno));
}

static void put_nodes(json_t *o, const struct topology *t)
{
	json_t *nodes = json_array();

	for (unsigned n = 0; n < t->nodes; n++) {
		json_t *node = json_object(), *cpus = json_array();
		long long bytes = -1;

		for (unsigned i = 0; i < t->cpus; i++)
			if (t->cpu[i].node == n) {
				json_object_set_new(node, "node", json_integer(t->cpu[i].node_os));
				json_array_append_new(cpus, json_integer(t->cpu[i].os));
				bytes = numa_available() < 0
						? -1
						: numa_node_size64(t->cpu[i].node_os, NULL);
			}
		json_object_set_new(node, "cpus", cpus);
		if (bytes >= 0)
			json_object_set_new(node, "bytes", json_integer(bytes));
		else
			put_null(node, "bytes", "libnuma does not say");
		/* memory without a CPU that may be used is no place for a thread */
		if (json_array_size(cpus))
			json_array_append_new(nodes, node);
		else
			json_decref(node);
	}
	json_object_set_new(o, "nodes", nodes);
}

static void put_topology(json_t *o)
{
	const struct topology *t = topology();
	json_t *cpus = json_array();
	char why[128], *xml;

	for (unsigned i = 0; i < t->cpus; i++)
		json_array_append_new(cpus, json_integer(t->cpu[i].os));
	json_object_set_new(o, "cpus_allowed", cpus);
	json_object_set_new(o, "cores", json_integer(t->cores));
	json_object_set_new(o, "packages", json_integer(t->packages));
	put_nodes(o, t);
	xml = topology_xml(why, sizeof why);
	if (xml)
		put_text(o, "topology_xml", xml);
	else
		put_null(o, "topology_xml", why);
	free(xml);
}

static void put_build(json_t *o)
{
	char text[64];

	put_text(o, "libc", gnu_get_libc_version());
	snprintf(text, sizeof text, "hwloc %x", hwloc_get_api_version());
	put_text(o, "hwloc", text);
	put_text(o, "counters", counters_version());
#if defined __clang__
	put_text(o, "compiler", __VERSION__);
#else
	put_text(o, "compiler", "gcc " __VERSION__);
#endif
	if (*BUILD_FLAGS)
		put_text(o, "flags", BUILD_FLAGS);
	else
		put_null(o, "flags", "not built by the Makefile");
	if (*BUILD_COMMIT)
		put_text(o, "commit", BUILD_COMMIT);
	else
		put_null(o, "commit", "built outside a git tree, or without git");
}

json_t *host_describe(void)
{
	json_t *o = json_object();

	if (!o)
		return NULL;
	put_build(o);
	put_kernel(o);
	put_cpu(o);
	put_limits(o);
	put_clock(o);
	put_topology(o);
	return o;
}
