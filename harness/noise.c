/* noise.c - who else was there. */
#include "noise.h"

#include <string.h>

static const char missing[] = "not in this build";

void noise_begin(struct noise_mark *m, const int32_t *cpus, unsigned count)
{
	memset(m, 0, sizeof *m);
	m->cpus = cpus;
	m->count = count;
}

void noise_end(struct noise_mark *m, const struct sample *sample, struct noise *out)
{
	(void)m;
	(void)sample;
	*out = (struct noise){
		.foreign_cpu_ns = -1,
		.steal_ns = -1,
		.psi_cpu_us = -1,
		.migrations = -1,
		.nivcsw = -1,
		.ping_before_ns = -1,
		.ping_after_ns = -1,
		.mhz = -1,
		.stat_reason = missing,
		.psi_reason = missing,
		.ping_before_reason = missing,
		.ping_after_reason = missing,
		.mhz_reason = missing,
	};
}

json_t *noise_json(const struct noise *n)
{
	return json_pack("{s:n,s:s}", "foreign_cpu_ns", "foreign_cpu_ns_reason", n->stat_reason);
}
