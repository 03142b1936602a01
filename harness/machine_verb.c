/* machine_verb.c - the verb `machine`, and what `list machine` and `list counters` print. */
#include <string.h>

#include "counters.h"
#include "machine.h"
#include "topology.h"
#include "verbs.h"

void machine_list(FILE *to)
{
	const struct topology *t = topology();

	if (!t->real)
		fputs("described by the environment, not this machine: nothing can be pinned\n",
		      to);
	if (*t->reason)
		fprintf(to, "%s\n", t->reason);
	fprintf(to, "%u CPUs, %u cores, %u packages, %u nodes, %u last-level caches\n", t->cpus,
		t->cores, t->packages, t->nodes, t->llcs);
	fputs("  compact   scatter\n  cpu node core smt cache   cpu node core smt cache\n", to);
	for (unsigned i = 0; i < t->cpus; i++) {
		const struct topology_cpu *c = &t->cpu[i], *s = &t->cpu[t->scattered[i]];

		fprintf(to, "  %3d %4d %4u %3u %5u   %3d %4d %4u %3u %5u\n", c->os, c->node_os,
			c->core, c->smt, c->llc, s->os, s->node_os, s->core, s->smt, s->llc);
	}
}

static void list_events(FILE *to, const char *const *names)
{
	counters_probe(names);
	for (; *names; names++) {
		const char *reason = counters_reason(*names);

		if (reason)
			fprintf(to, "  no   %-36s %s\n", *names, reason);
		else
			fprintf(to, "  yes  %-36s %lld under known work\n", *names,
				counters_known_work(*names));
	}
}

void counters_list(FILE *to)
{
	static const char *const software[] = {
		"perf::CONTEXT-SWITCHES:u=1:k=1", "perf::CPU-MIGRATIONS:u=1:k=1",
		"perf::PAGE-FAULTS:u=1:k=1",	  "perf::MINOR-FAULTS:u=1:k=1",
		"perf::MAJOR-FAULTS:u=1:k=1",	  "perf::TASK-CLOCK:u=1:k=1",
		"perf::CPU-CLOCK:u=1:k=1",	  NULL,
	};
	static const char *const cycles[] = { "PAPI_TOT_CYC", NULL };
	static const char *const hardware[] = {
		"PAPI_TOT_INS", "PAPI_REF_CYC", "PAPI_STL_ICY", "PAPI_BR_INS", "PAPI_BR_MSP",
		"PAPI_LD_INS",	"PAPI_SR_INS",	"PAPI_L1_DCM",	"PAPI_L2_DCM", "PAPI_L3_TCM",
		"PAPI_TLB_DM",	"PAPI_CA_SNP",	"PAPI_CA_INV",	"PAPI_CA_ITV", NULL,
	};

	fprintf(to, "%s; each event was started over known work\n", counters_version());
	list_events(to, software);
	list_events(to, cycles);
	/* without cycles there is no PMU to ask for the rest */
	if (!counters_reason(*cycles))
		list_events(to, hardware);
	fputs("any other name of papi_native_avail may stand in a config too\n", to);
}

int verb_machine(int argc, char **argv)
{
	unsigned refusals;

	if (argc == 2 && !strcmp(argv[1], "--help")) {
		puts("usage: machine\n\n"
		     "One line for each thing that will disturb a measurement, with the command\n"
		     "that mends it. Changes nothing. Exit code 0 whatever it finds.");
		return EXIT_FINE;
	}
	if (argc > 1) {
		fprintf(stderr, "machine: takes no argument, but got '%s'\n", argv[1]);
		return EXIT_USAGE;
	}
	refusals = machine_check(stdout);
	if (refusals)
		printf("%u of these make run --strict refuse\n", refusals);
	else
		puts("nothing here makes run --strict refuse");
	return EXIT_FINE;
}
