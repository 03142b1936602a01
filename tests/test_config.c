/* test_config.c - what configs mean, and what is said about those that do not hold. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "config.h"
#include "topology.h"

static char folder[] = "/tmp/test_config.XXXXXX";
static char path[128], why[2048];

/* name may have one folder in it */
static void put(const char *name, const char *text)
{
	char file[128];
	FILE *out;

	snprintf(file, sizeof file, "%s/%s", folder, name);
	out = fopen(file, "w");
	assert_non_null(out);
	fputs(text, out);
	fclose(out);
}

static struct plan *plan_with(const char *text, const char *const *sets, char **again)
{
	*why = 0;
	snprintf(path, sizeof path, "%s/t.conf", folder);
	put("t.conf", text);
	return config_plan(path, sets, again, why, sizeof why);
}

static struct plan *good_with(const char *text, const char *const *sets)
{
	struct plan *plan = plan_with(text, sets, NULL);

	if (!plan)
		fail_msg("%s", why);
	return plan;
}

static struct plan *good(const char *text)
{
	return good_with(text, NULL);
}

/* The faults that a user may make; `where` is behind the folder's name. */
static const struct {
	const char *text, *where, *what;
} faults[] = {
#define MIX "experiment \"m\" { workload = rwmix\nlocks = none\n"
	{ MIX "locks = rwsem_xad }", "t.conf:3:", "no lock 'rwsem_xad'; nearest: rwsem_xadd" },
	{ MIX "locks = {none, \"nosuch_*\"} }", "t.conf:3:", "no lock matches 'nosuch_*'" },
	{ MIX "locks = \"none:spin=3\" }", "t.conf:3:", "lock 'none' has no parameter 'spin'" },
	{ MIX "locks = \"none:spin\" }", "t.conf:3:", "not of the form" },
	{ MIX "locks = {rwsem_*} }", "t.conf:3:", "outside of quotes" },
	{ MIX "workload = rwmx }", "t.conf:3:", "no workload 'rwmx'; nearest: rw" },
	{ "\nexperiment \"m\" {\n}", "t.conf:3:", "ends without a workload" },
	{ "experiment \"m\" {\nworkload = rwmix }", "t.conf:2:", "has no locks" },
	{ MIX "thraeds = 4 }", "t.conf:3:", "no key 'thraeds'; nearest: threads" },
	{ "\n\nlock = none\n" MIX "}", "t.conf:3:", "no key 'lock'; nearest: locks" },
	{ MIX "read_pct = 4 }", "t.conf:3:", "write params { read_pct = … }" },
	{ MIX "params { cs = 0\nread_pc = 4 } }", "t.conf:4:",
	  "no parameter 'read_pc'; nearest: "
	  "read_pct" },
	{ MIX "params { size = 4K } }", "t.conf:3:", "workload 'rwmix' has no parameter 'size'" },
	{ "params {\nsize = 4K }\n" MIX "}", "t.conf:2:", "has no effect" },
	{ MIX "params { read_pct = {50,\n101} } }", "t.conf:4:", "'read_pct' is from 0 to 100" },
	{ MIX "params { cs = 5 } }", "t.conf:3:", "no unit" },
	{ MIX "duration = 5sec }", "t.conf:3:", "nearest: s" },
	{ MIX "duration = 0s }", "t.conf:3:", "from 1ms to" },
	{ MIX "duration = {1s, 2s} }", "t.conf:3:", "takes one value" },
	{ MIX "operations = 5 duration = 1s }", "t.conf:3:", "both 'duration' and 'operations'" },
	{ MIX "timeout = 1s duration = 1s }", "t.conf:3:", "no longer than" },
	{ MIX "repetitions = 0 }", "t.conf:3:", "from 1 to" },
	{ MIX "latency = often }", "t.conf:3:", "neither \"off\" nor" },
	{ MIX "latency = 1/0 }", "t.conf:3:", "neither \"off\" nor" },
	{ MIX "call = inlined }", "t.conf:3:", "nearest: inline" },
	{ MIX "memory = locl }", "t.conf:3:", "no memory policy \"locl\"" },
	{ MIX "placement = compct }", "t.conf:3:", "no placement \"compct\"" },
	{ MIX "placement = 'cpus=0-1,9' }", "t.conf:3:", "CPU 9 does not exist" },
	{ MIX "threads = 0 }", "t.conf:3:", "from 1 to" },
	{ MIX "threads = 99999 }", "t.conf:3:", "from 1 to" },
	{ MIX "threads = \"2y\" }", "t.conf:3:", "a multiple of the CPUs" },
	{ MIX "threads = 8-4 }", "t.conf:3:", "runs backwards" },
	{ MIX "# a\n/* b */ threads = {} }", "t.conf:4:", "'threads' has no values" },
	{ MIX "params { cs = {} } }", "t.conf:3:", "'cs' has no values" },
	{ "params { cs = {} }\n" MIX "}", "t.conf:1:", "'cs' has no values" },
	{ MIX "readers = 1 }", "t.conf:3:", "has no roles" },
	{ MIX "baseline = kmutex }", "t.conf:3:", "not among the locks" },
	{ MIX "baseline = \"*\" }", "t.conf:3:", "is a pattern" },
	{ "baseline = kmutex\n" MIX "}", "t.conf:1:", "not among the locks of any" },
	{ MIX "seed = 4 }", "t.conf:3:", "one for the whole run" },
	{ "locks = nosuch\n" MIX "}", "t.conf:1:", "no lock 'nosuch'" },
	{ "duration = 1\n" MIX "duration = 1s }", "t.conf:1:", "duration" },
	{ MIX "}\n" MIX "}", "t.conf:4:", "found duplicate title 'm'" },
	{ MIX "threads += 3 }", "t.conf:3:", "the whole list" },
	{ MIX "threads 3 }", "t.conf:3:", "equal sign" },
	{ MIX "locks = {none, kmutex}\n", "t.conf:1:", "never closed" },
	{ MIX "locks = \"none }\n", "t.conf:3:", "quote" },
	{ MIX "/* locks = none }\n", "t.conf:3:", "comment" },
	{ MIX "}\n}", "t.conf:4:", "closing brace" },
	{ MIX "experiment \"x\" { } }", "t.conf:3:", "a '}' is missing" },
	{ "", "t.conf:", "no experiment" },
	{ "experiment \"\" { workload = rwmix locks = none }", "t.conf:1:", "needs a name" },
	{ MIX "include(\"nosuch.conf\") }", "t.conf:3:", "No such file" },
	{ MIX "include(\"t.cnf\") }", "t.conf:3:", "nearest: t.conf" },
	{ MIX "include(\"sub\") }", "t.conf:3:", "Is a directory" },
	{ MIX "include() }", "t.conf:3:", "wants one file" },
	{ "\ninclude('t.conf')", "t.conf:2:", "include itself" },
	{ "include('sub/bad.conf')\n" MIX "}", "sub/bad.conf:2:", "no unit" },
	{ "include('sub/open.conf')\n" MIX "}", "sub/open.conf:1:", "never closed" },
	{ "include('sub/deep.conf')\n" MIX "}", "sub/deep.conf:2:", "No such file" },
#define RW "experiment \"m\" { workload = rw\nlocks = none\n"
	{ RW "}", "t.conf:1:", "wants readers or writers" },
	{ RW "readers = 5 threads = 4 }", "t.conf:3:", "more readers (5) than threads (4)" },
	{ RW "writers = 5 threads = 4 }", "t.conf:3:", "more writers (5) than threads (4)" },
	{ RW "readers = 1 writers = 2 threads = 4 }", "t.conf:3:", "are not 4 threads" },
	{ RW "readers = 0 }", "t.conf:3:", "nobody" },
	{ "threads = 1-3000 params { cs = {1ns, 2ns, 3ns} ncs = {1ns, 2ns, 3ns} lines = {1, 2, 3, "
	  "4} "
	  "}\n" MIX "}",
	  "t.conf:2:", "108000 cells, more than" },
};

static void faults_are_named(void **state)
{
	(void)state;
	put("sub/bad.conf", "\nduration = 5");
	put("sub/open.conf", "params {\n");
	put("sub/deep.conf", "warmup = 0\ninclude(\"gone.conf\")");
	for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
		struct plan *plan = plan_with(faults[i].text, NULL, NULL);
		size_t n = strlen(folder) + 1;

		if (plan)
			fail_msg("accepted: %s", faults[i].text);
		if (strncmp(why + n, faults[i].where, strlen(faults[i].where)) ||
		    !strstr(why, faults[i].what))
			fail_msg("\"%s\" gave \"%s\"; expected %s … %s", faults[i].text, why,
				 faults[i].where, faults[i].what);
	}
}

static void faults_of_set(void **state)
{
	static const char *const bad[][2] = {
		{ "locks=rwsem_xad", "nearest: rwsem_xadd" },
		{ "lock=none", "no key 'lock'; nearest: locks" },
		{ "params.read_pc=5", "no parameter 'read_pc'" },
		{ "params.size=4K", "has no effect" },
		{ "read_pct=5", "--set params.read_pct=5" },
		{ "threads", "not of the form key=value" },
		{ "=4", "not of the form key=value" },
		{ "threads=", "has no values" },
		{ "threads={1", "ends where a value is missing" },
		{ "duration=1", "no unit" },
		{ "readers=4,x", "no number of readers" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		const char *const sets[] = { bad[i][0], NULL };
		char where[64];

		assert_null(plan_with(MIX "}", sets, NULL));
		snprintf(where, sizeof where, "--set %s:", bad[i][0]);
		if (strncmp(why, where, strlen(where)) || !strstr(why, bad[i][1]))
			fail_msg("--set %s gave \"%s\"", bad[i][0], why);
	}
}

static void the_issues_example(void **state)
{
	struct plan *plan = good(
		"duration = \"0.3s\"   repetitions = 5   locks = {\"pthread_spin\", "
		"\"rwsem_xadd\"}   "
		"threads = {\"1\", \"2\", \"2x\"}\n"
		"experiment \"mix\" { workload = \"rwmix\"  params { read_pct = {\"95\", \"50\"} } "
		"}\n"
		"experiment \"faults\" { workload = \"mmap\"  params { touch = {\"one\"} size = "
		"{\"1M\"} }  counters = {\"perf::PAGE-FAULTS:u=1:k=1\"} }\n");
	const struct cell_spec *c;

	(void)state;
	assert_string_equal(plan->name, "t");
	/* four CPUs: 1, 2 and 8 threads */
	assert_int_equal(plan->cell_count, 2 * 2 * 3 + 2 * 3);
	assert_int_equal(plan->step_count, 18 * 5);
	c = &plan->cells[0];
	assert_string_equal(c->experiment, "mix");
	assert_string_equal(c->lock, "pthread_spin");
	assert_string_equal(c->workload_ops->name, "rwmix");
	assert_ptr_equal(c->cell->lock, c->lock_ops);
	assert_int_equal(c->params[0], 95);
	assert_int_equal(c->threads, 1);
	assert_int_equal(c->duration_ns, 300000000);
	assert_int_equal(c->operations, 0);
	assert_true(c->timeout_ns > c->duration_ns + c->warmup_ns);
	assert_null(c->counters);
	c = &plan->cells[11];
	assert_int_equal(c->params[0], 50);
	assert_int_equal(c->threads, 8);
	assert_int_equal(c->cpus[7], 3);
	c = &plan->cells[12];
	assert_string_equal(c->experiment, "faults");
	assert_int_equal(c->params[1], 1 << 20);
	assert_string_equal(c->counters[0], "perf::PAGE-FAULTS:u=1:k=1");
	assert_null(c->counters[1]);
	for (unsigned i = 0; i < plan->cell_count; i++)
		assert_int_equal(plan->cells[i].id, i);
	plan_free(plan);
}

static void nearer_settings_hold(void **state)
{
	static const char *const sets[] = { "repetitions=2", "params.cs=1us,2us", "latency=1/8",
					    "placement=cpus=0,1", NULL };
	struct plan *plan =
		good_with("duration = 1s warmup = 0 threads = 2 latency = 4\n"
			  "params { read_pct = 10 cs = 3us }\n"
			  "experiment \"a\" { workload = rwmix locks = none }\n"
			  "experiment \"b\" { workload = rwmix locks = none threads = 3\n"
			  "params { read_pct = 20 } operations = 7 repetitions = 9 }",
			  sets);
	const struct cell_spec *a = &plan->cells[0], *b = &plan->cells[2];

	(void)state;
	assert_int_equal(plan->cell_count, 4);
	assert_int_equal(a->params[0], 10);
	assert_int_equal(b->params[0], 20);
	assert_int_equal(a[0].params[1], 1000);
	assert_int_equal(a[1].params[1], 2000);
	assert_int_equal(a->threads, 2);
	assert_int_equal(b->threads, 3);
	assert_int_equal(a->repetitions, 2);
	assert_int_equal(b->repetitions, 2);
	assert_int_equal(a->duration_ns, 1000000000);
	assert_int_equal(b->duration_ns, 0);
	assert_int_equal(b->operations, 7);
	assert_int_equal(a->sample_every, 8);
	assert_string_equal(a->placement, "cpus=0,1");
	plan_free(plan);
}

static void locks_by_name_glob_and_parameter(void **state)
{
	struct plan *plan =
		good("experiment \"m\" { workload = rwmix threads = 1\n"
		     "locks = {rwsem_xadd, \"rwsem_xadd*\", \"rwsem_wakeq:wake=inside\",\n"
		     "rwsem_wakeq} baseline = \"rwsem_wakeq:wake=inside\" call = outline }");
	static const char *const expected[] = { "rwsem_xadd", "rwsem_xadd_aa", "rwsem_xadd_dh",
						"rwsem_wakeq:wake=inside", "rwsem_wakeq" };

	(void)state;
	assert_int_equal(plan->cell_count, 5);
	for (unsigned i = 0; i < 5; i++)
		assert_string_equal(plan->cells[i].lock, expected[i]);
	assert_ptr_equal(plan->cells[3].lock_ops, plan->cells[4].lock_ops);
	assert_int_not_equal(plan->cells[3].lock_params[0], plan->cells[4].lock_params[0]);
	assert_string_equal(plan->cells[0].baseline, "rwsem_wakeq:wake=inside");
	assert_true(plan->cells[0].outline);
	assert_null(plan->cells[0].cell->lock);
	plan_free(plan);
}

static void expect_teams(const char *text, const unsigned (*teams)[3])
{
	struct plan *plan = good(text);
	unsigned n = 0;

	for (; teams[n][0]; n++) {
		const struct cell_spec *c = &plan->cells[n];

		assert_true(n < plan->cell_count);
		if (c->threads != teams[n][0] || c->readers != teams[n][1] ||
		    c->writers != teams[n][2])
			fail_msg("%s: team %u is %u (%u, %u)", text, n, c->threads, c->readers,
				 c->writers);
	}
	assert_int_equal(plan->cell_count, n);
	plan_free(plan);
}

#define TEAMS(text, ...) expect_teams(text, (const unsigned[][3]){ __VA_ARGS__, { 0 } })

static void teams(void **state)
{
	(void)state;
	TEAMS(MIX "threads = {1-3, 2, \"0.5x\", 4-2x} }", { 1 }, { 2 }, { 3 }, { 4 }, { 5 }, { 6 },
	      { 7 }, { 8 });
	TEAMS(MIX "threads = \"0.01x\" }", { 1 });
	TEAMS(MIX "}", { 4 });
	TEAMS("threads = 99 " RW "readers = 31 writers = 16 }", { 47, 31, 16 });
	TEAMS("threads = 99 " RW "readers = {1, 2} }", { 1, 1, 0 }, { 2, 2, 0 });
	TEAMS(RW "threads = {4, 8} readers = {1, 2} }", { 4, 1, 3 }, { 4, 2, 2 }, { 8, 1, 7 },
	      { 8, 2, 6 });
	TEAMS(RW "threads = 4 writers = 1x }", { 4, 0, 4 });
	TEAMS("readers = 1 " RW "threads = 4 }", { 4, 1, 3 });
	TEAMS("readers = 1 " MIX "threads = 4 }", { 4 });
	TEAMS(RW "readers = 0 writers = 1 }", { 1, 0, 1 });
}

static void includes(void **state)
{
	struct plan *plan;

	(void)state;
	put("sub/base.conf", "duration = 2s include(\"locks.conf\")");
	put("sub/locks.conf", "# nothing but\nlocks = {none, // and\nkmutex}");
	put("sub/params.conf", "params { cs = 5ns }");
	put("sub/empty.conf", "");
	plan = good(
		"include(\"sub/base.conf\") include('sub/empty.conf') warmup = 0\n"
		"experiment \"m\" { workload = rwmix include(\"sub/params.conf\") threads = 1 }");
	assert_int_equal(plan->cell_count, 2);
	assert_string_equal(plan->cells[1].lock, "kmutex");
	assert_int_equal(plan->cells[1].duration_ns, 2000000000);
	assert_int_equal(plan->cells[1].params[1], 5);
	assert_int_equal(plan->cells[1].threads, 1);
	plan_free(plan);
}

static void expect_same(const struct plan *a, const struct plan *b)
{
	assert_int_equal(a->seed, b->seed);
	assert_int_equal(a->cell_count, b->cell_count);
	assert_int_equal(a->step_count, b->step_count);
	for (unsigned i = 0; i < a->cell_count; i++) {
		const struct cell_spec *x = &a->cells[i], *y = &b->cells[i];

		assert_string_equal(x->experiment, y->experiment);
		assert_string_equal(x->lock, y->lock);
		assert_ptr_equal(x->cell, y->cell);
		assert_memory_equal(x->params, y->params, sizeof x->params);
		assert_memory_equal(x->lock_params, y->lock_params, sizeof x->lock_params);
		assert_int_equal(x->threads, y->threads);
		assert_int_equal(x->readers, y->readers);
		assert_int_equal(x->writers, y->writers);
		assert_string_equal(x->placement, y->placement);
		assert_string_equal(x->memory, y->memory);
		assert_memory_equal(x->cpus, y->cpus, x->threads * sizeof *x->cpus);
		assert_int_equal(x->duration_ns, y->duration_ns);
		assert_int_equal(x->operations, y->operations);
		assert_int_equal(x->warmup_ns, y->warmup_ns);
		assert_int_equal(x->timeout_ns, y->timeout_ns);
		assert_int_equal(x->sample_every, y->sample_every);
		assert_int_equal(!x->baseline, !y->baseline);
		assert_int_equal(!x->counters, !y->counters);
	}
	assert_memory_equal(a->steps, b->steps, a->step_count * sizeof *a->steps);
}

static void what_is_written_out_means_the_same(void **state)
{
	static const char *const sets[] = { "repetitions=2", "params.cs=1us,2us", NULL };
	static const char text[] =
		"seed = 77 locks = {\"pthread_*\", \"rwsem_wakeq:wake=inside\"} threads = {1, 2x}\n"
		"baseline = pthread_spin latency = 1/16 placement = {scatter, 'cpus=1-2'}\n"
		"experiment \"it's a \\\\ name\" { workload = rwmix params { read_pct = {0, 100} } "
		"}\n"
		"experiment \"rw\" { workload = rw locks = none readers = 3 writers = {0, 2}\n"
		"call = {inline, outline} operations = 100 counters = {\"a:b=1\", c} memory = "
		"local }";
	char *again = NULL;
	struct plan *plan = plan_with(text, sets, &again), *second;

	(void)state;
	if (!plan)
		fail_msg("%s", why);
	assert_non_null(again);
	second = good(again);
	expect_same(plan, second);
	plan_free(plan);
	plan_free(second);
	free(again);
}

static void configs_that_come_along_hold(void **state)
{
	glob_t found = { 0 };

	(void)state;
	assert_int_equal(glob("configs/*.conf", 0, NULL, &found), 0);
	assert_int_equal(glob("configs/seeds/*.conf", GLOB_APPEND, NULL, &found), 0);
	assert_true(found.gl_pathc >= 3);
	for (size_t i = 0; i < found.gl_pathc; i++) {
		struct plan *plan = config_plan(found.gl_pathv[i], NULL, NULL, why, sizeof why);

		if (!plan)
			fail_msg("%s", why);
		plan_free(plan);
	}
	globfree(&found);
}

/* The promise of configs/quick.conf, for two CPUs. */
static void quick_is_quick(void **state)
{
	static const char *const wanted[] = { "pthread_mutex",	"pthread_spin",
					      "pthread_rwlock", "pthread_rwlock_writer",
					      "rwsem_xadd",	"rwsem_mutex" };
	struct plan *plan;
	unsigned most = 0, unknown;

	(void)state;
	assert_int_equal(topology_use_synthetic("node:1 core:2 pu:1"), 0);
	plan = config_plan("configs/quick.conf", NULL, NULL, why, sizeof why);
	if (!plan)
		fail_msg("%s", why);
	assert_true(plan_time(plan, &unknown) <= 100000000000u);
	assert_int_equal(unknown, 0);
	for (unsigned w = 0; w < sizeof wanted / sizeof *wanted; w++) {
		unsigned mixes = 0, maps = 0;

		for (unsigned i = 0; i < plan->cell_count; i++) {
			const struct cell_spec *c = &plan->cells[i];

			if (c->threads > most)
				most = c->threads;
			if (strcmp(c->lock, wanted[w]))
				continue;
			mixes += !strcmp(c->workload_ops->name, "rwmix");
			maps += !strcmp(c->workload_ops->name, "mmap");
		}
		assert_true(mixes && maps);
	}
	assert_true(most > 2);
	plan_free(plan);
}

static int set_up(void **state)
{
	char sub[64];

	(void)state;
	if (!mkdtemp(folder))
		return -1;
	snprintf(sub, sizeof sub, "%s/sub", folder);
	return mkdir(sub, 0700) || topology_use_synthetic("node:1 core:4 pu:1");
}

static int tear_down(void **state)
{
	char command[64];

	(void)state;
	snprintf(command, sizeof command, "rm -r %s", folder);
	return system(command);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(faults_are_named),
		cmocka_unit_test(faults_of_set),
		cmocka_unit_test(the_issues_example),
		cmocka_unit_test(nearer_settings_hold),
		cmocka_unit_test(locks_by_name_glob_and_parameter),
		cmocka_unit_test(teams),
		cmocka_unit_test(includes),
		cmocka_unit_test(what_is_written_out_means_the_same),
		cmocka_unit_test(configs_that_come_along_hold),
		cmocka_unit_test(quick_is_quick),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
