/* machine.c - facts of this machine, and which of them disturb a measurement. */
#include "machine.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "noise.h"
#include "sysfile.h"
#include "topology.h"

bool machine_is_virtual(void)
{
	char *text = malloc(64 << 10);
	bool yes = text && sysfile_read(text, 64 << 10, "/proc/cpuinfo") > 0 &&
		   strstr(text, " hypervisor");

	free(text);
	return yes;
}

static double quota_of(const char *folder, const char *path, bool v2, char *where, size_t size)
{
	long long quota, period;
	char text[64];

	if (v2) {
		snprintf(where, size, "%s%s/cpu.max", folder, path);
		if (sysfile_read(text, sizeof text, "%s", where) > 0 &&
		    sscanf(text, "%lld %lld", &quota, &period) == 2 && period > 0)
			return (double)quota / (double)period;
		return -1;
	}
	snprintf(where, size, "%s%s/cpu.cfs_quota_us", folder, path);
	if (!sysfile_number(&quota, "%s", where) && quota > 0 &&
	    !sysfile_number(&period, "%s%s/cpu.cfs_period_us", folder, path) && period > 0)
		return (double)quota / (double)period;
	return -1;
}

double machine_cpu_quota(char *where, size_t size)
{
	char text[4096], *line, *next, file[512];
	double least = -1;

	*where = 0;
	if (sysfile_read(text, sizeof text, "/proc/self/cgroup") <= 0)
		return -1;
	for (line = text; line; line = next) {
		char *controllers, *path;
		bool v2;

		next = strchr(line, '\n');
		if (next)
			*next++ = 0;
		controllers = strchr(line, ':');
		path = controllers ? strchr(controllers + 1, ':') : NULL;
		if (!path)
			continue;
		*path++ = 0;
		v2 = !controllers[1];
		if (!v2 && strcmp(controllers + 1, "cpu") && strncmp(controllers + 1, "cpu,", 4) &&
		    !strstr(controllers + 1, ",cpu"))
			continue;
		/* a limit binds all below it; in a container the own group is the mount's root */
		for (char *end = path + strlen(path); end; end = strrchr(path, '/')) {
			double cpus;

			*end = 0;
			cpus = quota_of(v2 ? "/sys/fs/cgroup" : "/sys/fs/cgroup/cpu", path, v2,
					file, sizeof file);
			if (cpus >= 0 && (least < 0 || cpus < least)) {
				least = cpus;
				snprintf(where, size, "%s", file);
			}
		}
	}
	return least;
}

const char *machine_turbo(void)
{
	long long v;

	if (!sysfile_number(&v, "/sys/devices/system/cpu/intel_pstate/no_turbo"))
		return v ? "off" : "on";
	if (!sysfile_number(&v, "/sys/devices/system/cpu/cpufreq/boost"))
		return v ? "on" : "off";
	return NULL;
}

char *machine_chosen(char *text)
{
	char *open = strchr(text, '['), *close = open ? strchr(open, ']') : NULL;

	if (!close)
		return NULL;
	*close = 0;
	return open + 1;
}

struct report {
	FILE *to;
	unsigned refusals;
};

enum weight { MENTION, REFUSE };

/* mend: a command, or NULL where nothing helps from here. */
__attribute__((format(printf, 5, 6))) static void found(struct report *r, enum weight weight,
							const char *what, const char *mend,
							const char *format, ...)
{
	va_list ap;

	r->refusals += weight == REFUSE;
	if (!r->to)
		return;
	fprintf(r->to, "%-14s ", what);
	va_start(ap, format);
	vfprintf(r->to, format, ap);
	va_end(ap);
	if (mend)
		fprintf(r->to, "; mend: %s\n", mend);
	else
		fputs("; nothing mends this from here\n", r->to);
}

static void check_frequency(struct report *r)
{
	int cpu = topology()->cpu[0].os;
	const char *turbo = machine_turbo();
	char governor[64];
	long long pstate;

	if (sysfile_read(governor, sizeof governor,
			 "/sys/devices/system/cpu/cpu%d/cpufreq/scaling_governor", cpu) > 0 &&
	    strcmp(governor, "performance"))
		found(r, REFUSE, "governor",
		      "echo performance | sudo tee "
		      "/sys/devices/system/cpu/cpu*/cpufreq/scaling_governor",
		      "%s: the frequency follows the load", governor);
	if (turbo && !strcmp(turbo, "on"))
		found(r, MENTION, "turbo",
		      sysfile_number(&pstate, "/sys/devices/system/cpu/intel_pstate/no_turbo")
			      ? "echo 0 | sudo tee /sys/devices/system/cpu/cpufreq/boost"
			      : "echo 1 | sudo tee /sys/devices/system/cpu/intel_pstate/no_turbo",
		      "on: the frequency depends on how many cores are busy, and on heat");
}

static void check_cpus(struct report *r)
{
	const struct topology *t = topology();
	long online = sysconf(_SC_NPROCESSORS_ONLN);
	char where[512], mend[600];
	double quota = machine_cpu_quota(where, sizeof where);

	if (t->cpus > t->cores)
		found(r, MENTION, "SMT",
		      "placement = \"scatter\" in the config, or "
		      "echo off | sudo tee /sys/devices/system/cpu/smt/control",
		      "%u CPUs on %u cores: siblings share a core's units", t->cpus, t->cores);
	if (online > 0 && t->cpus < (unsigned long)online)
		found(r, MENTION, "CPUs", "taskset, or the cpuset of the container",
		      "%u of %ld CPUs are allowed to this process", t->cpus, online);
	if (t->cpus < 2)
		found(r, MENTION, "CPUs", NULL, "one alone: threads never run at the same time");
	if (quota >= 0 && quota < t->cpus) {
		snprintf(mend, sizeof mend, "echo %s | sudo tee %s",
			 strstr(where, "cpu.max") ? "max" : "-1", where);
		found(r, REFUSE, "CPU limit", mend,
		      "%.2f CPUs by cgroup: the kernel stops all threads when it is used up",
		      quota);
	}
	if (*t->reason)
		found(r, MENTION, "topology", NULL, "%s", t->reason);
}

static void check_kernel(struct report *r)
{
	char text[256], *word;
	long long v;

	if (sysfile_read(text, sizeof text,
			 "/sys/devices/system/clocksource/clocksource0/current_clocksource") > 0 &&
	    strcmp(text, "tsc") && strcmp(text, "kvm-clock") && strcmp(text, "arch_sys_counter"))
		found(r, REFUSE, "clock",
		      "echo tsc | sudo tee "
		      "/sys/devices/system/clocksource/clocksource0/current_clocksource",
		      "%s: reading it may be a system call; sampled waits grow by that", text);
	if (sysfile_read(text, sizeof text, "/sys/kernel/mm/transparent_hugepage/enabled") > 0 &&
	    (word = machine_chosen(text)) && !strcmp(word, "always"))
		found(r, MENTION, "huge pages",
		      "echo madvise | sudo tee /sys/kernel/mm/transparent_hugepage/enabled",
		      "always: page fault workloads get 2 MiB at once, or not, by alignment");
	if (!sysfile_number(&v, "/proc/sys/kernel/randomize_va_space") && v)
		found(r, MENTION, "ASLR", "sudo sysctl kernel.randomize_va_space=0",
		      "on: addresses differ between runs (not between repetitions of one run)");
	if (topology()->nodes > 1 && !sysfile_number(&v, "/proc/sys/kernel/numa_balancing") && v)
		found(r, MENTION, "NUMA balance", "sudo sysctl kernel.numa_balancing=0",
		      "on: the kernel moves pages and takes faults for it");
	if (!sysfile_number(&v, "/proc/sys/kernel/nmi_watchdog") && v)
		found(r, MENTION, "NMI watchdog", "sudo sysctl kernel.nmi_watchdog=0",
		      "on: it keeps one of the CPU's counters");
	if (!sysfile_number(&v, "/proc/sys/kernel/perf_event_paranoid") && v > 1 && geteuid())
		found(r, MENTION, "counters", "sudo sysctl kernel.perf_event_paranoid=1",
		      "perf_event_paranoid is %lld: events of the kernel's side are refused", v);
	if (sysfile_read(text, sizeof text, "/proc/pressure/cpu") <= 0)
		found(r, MENTION, "pressure", "boot with psi=1 on a kernel with CONFIG_PSI",
		      "unknown: threads that wait for a CPU are not seen");
}

static void check_others(struct report *r)
{
	const struct timespec nap = { .tv_nsec = 200000000 };
	struct noise_mark mark;
	struct noise noise;

	noise_begin(&mark, NULL, 0);
	nanosleep(&nap, NULL);
	noise_end(&mark, NULL, &noise);
	if (noise.stat_reason)
		found(r, MENTION, "others", "mount /proc",
		      "unknown, %s: foreign CPU time is not seen", noise.stat_reason);
	for (unsigned i = 0; i < noise.dirty; i++)
		found(r, REFUSE, "others",
		      strstr(noise.reason[i], "hypervisor")
			      ? NULL
			      : "stop what `top` shows, or wait until it ends",
		      "now, in a fifth of a second, %s", noise.reason[i]);
	if (machine_is_virtual())
		found(r, MENTION, "virtual", NULL,
		      "a hypervisor schedules the CPUs: their distance and speed may change "
		      "(repetitions where they did are marked dirty)");
}

unsigned machine_check(FILE *to)
{
	struct report r = { .to = to };

	check_frequency(&r);
	check_cpus(&r);
	check_kernel(&r);
	check_others(&r);
	return r.refusals;
}
