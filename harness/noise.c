/* noise.c - who else was there: CPU time of others, steal, pressure, distance. */
#include "noise.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "pingpong.h"
#include "sysfile.h"
#include "topology.h"

/* The lines of /proc/stat that matter come first: about 100 bytes a CPU. */
#define STAT_BYTES (128 << 10)

static bool all_pinned(const int32_t *cpus, unsigned count)
{
	for (unsigned i = 0; i < count; i++)
		if (cpus[i] < 0)
			return false;
	return count > 0;
}

/*
 * Only the CPUs the threads are pinned to: on a big machine the others' work
 * would hide what happens here. All allowed ones where any thread is free.
 */
static bool watched(const struct noise_mark *m, bool pinned, int cpu)
{
	if (!pinned)
		return topology_find(cpu) != NULL;
	for (unsigned i = 0; i < m->count; i++)
		if (m->cpus[i] == cpu)
			return true;
	return false;
}

static int64_t ticks_to_ns(unsigned long long ticks)
{
	return (int64_t)(ticks * (1000000000ull / (unsigned long long)sysconf(_SC_CLK_TCK)));
}

static void read_stat(struct noise_mark *m)
{
	bool pinned = all_pinned(m->cpus, m->count);
	unsigned long long user, nice, system, idle, iowait, irq, softirq, steal;
	char *text = malloc(STAT_BYTES), *line, *next;
	int cpu;

	m->busy_ns = m->steal_ns = -1;
	m->watched = 0;
	m->stat_reason = "/proc/stat cannot be read";
	if (!text)
		return;
	if (sysfile_read(text, STAT_BYTES, "/proc/stat") <= 0)
		goto out;
	m->stat_reason = "/proc/stat does not show the CPUs used";
	for (line = text; line && !strncmp(line, "cpu", 3); line = next) {
		next = strchr(line, '\n');
		next = next ? next + 1 : NULL;
		/* the kernel's words: guest time is part of user */
		if (sscanf(line, "cpu%d %llu %llu %llu %llu %llu %llu %llu %llu", &cpu, &user,
			   &nice, &system, &idle, &iowait, &irq, &softirq, &steal) != 9 ||
		    !watched(m, pinned, cpu))
			continue;
		if (!m->watched++)
			m->busy_ns = m->steal_ns = 0;
		m->busy_ns += ticks_to_ns(user + nice + system + irq + softirq);
		m->steal_ns += ticks_to_ns(steal);
		m->stat_reason = NULL;
	}
out:
	free(text);
}

static void read_pressure(struct noise_mark *m)
{
	char text[256], *total;

	m->psi_us = -1;
	m->psi_reason = "/proc/pressure/cpu cannot be read: kernel without PSI, or psi=0";
	if (sysfile_read(text, sizeof text, "/proc/pressure/cpu") <= 0)
		return;
	total = strstr(text, "total=");
	if (total && !strncmp(text, "some ", 5)) {
		m->psi_us = strtoll(total + 6, NULL, 10);
		m->psi_reason = NULL;
	}
}

/* Of the first pinned CPU, by the file that says it at no cost. */
static void read_frequency(struct noise_mark *m)
{
	int cpu = m->count && m->cpus[0] >= 0 ? m->cpus[0] : topology()->cpu[0].os;
	long long khz, count;

	m->mhz = -1;
	m->mhz_reason = "no cpufreq here (usual in virtual machines)";
	if (!sysfile_number(&khz, "/sys/devices/system/cpu/cpu%d/cpufreq/scaling_cur_freq", cpu)) {
		m->mhz = (double)khz / 1000;
		m->mhz_reason = NULL;
	}
	m->throttled = -1;
	if (!sysfile_number(&count,
			    "/sys/devices/system/cpu/cpu%d/thermal_throttle/core_throttle_count",
			    cpu))
		m->throttled = count;
}

static int64_t own_time(void)
{
	struct rusage u;

	if (getrusage(RUSAGE_CHILDREN, &u))
		return -1;
	return (u.ru_utime.tv_sec + u.ru_stime.tv_sec) * 1000000000ll +
	       (u.ru_utime.tv_usec + u.ru_stime.tv_usec) * 1000ll;
}

void noise_begin(struct noise_mark *m, const int32_t *cpus, unsigned count)
{
	memset(m, 0, sizeof *m);
	m->cpus = cpus;
	m->count = count;
	m->ping_ns = pingpong(cpus, count, &m->ping_reason);
	read_frequency(m);
	read_pressure(m);
	m->own_ns = own_time();
	read_stat(m);
	m->at_ns = clock_now();
}

__attribute__((format(printf, 2, 3))) static void dirty(struct noise *n, const char *format, ...)
{
	va_list ap;

	if (n->dirty == NOISE_REASONS)
		return;
	va_start(ap, format);
	vsnprintf(n->reason[n->dirty++], sizeof n->reason[0], format, ap);
	va_end(ap);
}

/*
 * Whether a time taken away is too much. The kernel counts in ticks, so a
 * short repetition gets one tick a CPU for nothing: less cannot be told from
 * rounding.
 */
static bool too_much(int64_t ns, double share, int64_t wall_ns, unsigned cpus)
{
	double capacity = (double)wall_ns * cpus;

	return (double)ns > share * capacity + (double)ticks_to_ns(1) * cpus;
}

static void judge(struct noise *n, const struct noise_mark *before, const struct noise_mark *after,
		  bool pinned)
{
	int64_t wall = (int64_t)(after->at_ns - before->at_ns);
	unsigned cpus = after->watched;
	double capacity = (double)wall * cpus, low, high;

	if (n->foreign_cpu_ns >= 0 && too_much(n->foreign_cpu_ns, NOISE_FOREIGN_SHARE, wall, cpus))
		dirty(n, "others used %.0f %% of the CPUs' time",
		      100 * (double)n->foreign_cpu_ns / capacity);
	if (n->steal_ns >= 0 && too_much(n->steal_ns, NOISE_STEAL_SHARE, wall, cpus))
		dirty(n, "the hypervisor took %.1f %% of the CPUs' time",
		      100 * (double)n->steal_ns / capacity);
	low = n->ping_before_ns < n->ping_after_ns ? n->ping_before_ns : n->ping_after_ns;
	high = n->ping_before_ns + n->ping_after_ns - low;
	if (low > 0 && high > low * (1 + NOISE_DISTANCE))
		dirty(n, "the CPUs' distance changed from %.0f to %.0f ns", n->ping_before_ns,
		      n->ping_after_ns);
	if (before->throttled >= 0 && after->throttled > before->throttled)
		dirty(n, "a CPU was throttled by heat");
	if (pinned && n->migrations > 0)
		dirty(n, "%lld migrations of pinned threads", (long long)n->migrations);
}

void noise_end(struct noise_mark *m, const struct sample *sample, struct noise *out)
{
	struct noise_mark now = { .cpus = m->cpus, .count = m->count };

	now.at_ns = clock_now();
	read_stat(&now);
	now.own_ns = own_time();
	read_pressure(&now);
	read_frequency(&now);
	memset(out, 0, sizeof *out);
	out->foreign_cpu_ns = out->steal_ns = out->psi_cpu_us = -1;
	out->migrations = out->nivcsw = -1;
	out->stat_reason = m->stat_reason ? m->stat_reason : now.stat_reason;
	if (!out->stat_reason && now.watched != m->watched)
		out->stat_reason = "a CPU came or went";
	if (!out->stat_reason) {
		int64_t own = m->own_ns < 0 || now.own_ns < 0 ? 0 : now.own_ns - m->own_ns;

		/* two clocks of different grain: rounding may make it negative */
		out->foreign_cpu_ns = now.busy_ns - m->busy_ns - own;
		if (out->foreign_cpu_ns < 0)
			out->foreign_cpu_ns = 0;
		out->steal_ns = now.steal_ns - m->steal_ns;
	}
	out->psi_reason = m->psi_reason ? m->psi_reason : now.psi_reason;
	if (!out->psi_reason)
		out->psi_cpu_us = now.psi_us - m->psi_us;
	out->mhz = now.mhz;
	out->mhz_reason = now.mhz_reason;
	if (sample) {
		out->migrations = out->nivcsw = 0;
		for (unsigned i = 0; i < sample->threads; i++) {
			out->migrations += (int64_t)sample->slots[i].migrations;
			out->nivcsw += (int64_t)sample->slots[i].nivcsw;
		}
	}
	out->ping_before_ns = m->ping_ns;
	out->ping_before_reason = m->ping_reason;
	out->ping_after_ns = pingpong(m->cpus, m->count, &out->ping_after_reason);
	judge(out, m, &now, all_pinned(m->cpus, m->count));
}

/* value < 0: null, and why in a sibling. */
static void put(json_t *o, const char *key, double value, bool whole, const char *reason)
{
	char sibling[64];

	if (value >= 0) {
		json_object_set_new(o, key,
				    whole ? json_integer((json_int_t)value) : json_real(value));
		return;
	}
	json_object_set_new(o, key, json_null());
	snprintf(sibling, sizeof sibling, "%s_reason", key);
	json_object_set_new(o, sibling, json_string(reason ? reason : "unknown"));
}

json_t *noise_json(const struct noise *n)
{
	static const char none[] = "the repetition left no sample";
	json_t *o = json_object(), *why = json_array();

	put(o, "foreign_cpu_ns", (double)n->foreign_cpu_ns, true, n->stat_reason);
	put(o, "steal_ns", (double)n->steal_ns, true, n->stat_reason);
	put(o, "psi_cpu_us", (double)n->psi_cpu_us, true, n->psi_reason);
	put(o, "migrations", (double)n->migrations, true, none);
	put(o, "nivcsw", (double)n->nivcsw, true, none);
	put(o, "ping_before_ns", n->ping_before_ns, false, n->ping_before_reason);
	put(o, "ping_after_ns", n->ping_after_ns, false, n->ping_after_reason);
	put(o, "mhz", n->mhz, false, n->mhz_reason);
	for (unsigned i = 0; i < n->dirty; i++)
		json_array_append_new(why, json_string(n->reason[i]));
	json_object_set_new(o, "dirty", why);
	return o;
}
