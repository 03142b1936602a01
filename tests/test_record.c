/*
 * test_record.c - a plan made by hand is run into a results folder; what is
 * there can be read again, gone on with, and damage is named.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "cells.h"
#include "child.h"
#include "record.h"
#include "run.h"
#include "verbs.h"

#define MS 1000000ull
#define CELLS 2
#define REPS 3

static int32_t unpinned[2] = { -1, -1 };
static struct cell_spec cells[CELLS];
static struct plan_step steps[CELLS * REPS];
static struct plan plan = {
	.name = "test",
	.seed = 5,
	.cells = cells,
	.cell_count = CELLS,
	.steps = steps,
	.step_count = CELLS * REPS,
};
static char base[] = "/tmp/latchmark-test-XXXXXX";
static char why[512];

static const struct results_file files[] = { { "plan.json", "{}\n" }, { 0 } };
static const struct run_options options = { .verbosity = QUIET };

static void fill_plan(void)
{
	static const char *const locks[CELLS] = { "pthread_mutex", "none" };

	for (unsigned i = 0; i < CELLS; i++) {
		const struct cell *cell = cells_find(locks[i], "rwmix");

		cells[i] = (struct cell_spec){
			.id = i,
			.experiment = "mix",
			.lock = locks[i],
			.cell = cell,
			.lock_ops = cell->lock,
			.workload_ops = cell->workload,
			.params = { 50, 100, 0, 0 },
			.threads = 2,
			.placement = "none",
			.memory = "first-touch",
			.cpus = unpinned,
			.duration_ns = MS,
			.timeout_ns = 10000 * MS,
			.repetitions = REPS,
			.sample_every = i, /* latency off, and on */
		};
	}
	for (unsigned i = 0; i < CELLS * REPS; i++)
		steps[i] = (struct plan_step){ i % CELLS, i / CELLS };
}

static int make_base(void **state)
{
	(void)state;
	fill_plan();
	return mkdtemp(base) ? 0 : -1;
}

static int remove_base(void **state)
{
	char command[64];

	(void)state;
	snprintf(command, sizeof(command), "rm -r %s", base);
	return system(command);
}

static const char *path_of(const char *name)
{
	static char path[4][128];
	static unsigned turn;

	snprintf(path[++turn % 4], 128, "%s/%s", base, name);
	return path[turn % 4];
}

/* A folder with all records in it, closed. */
static const char *full_run(const char *name)
{
	struct results r;

	assert_int_equal(results_create(&r, path_of(name), files, why, sizeof(why)), 0);
	assert_int_equal(run_plan(&plan, &r, NULL, NULL, &options), EXIT_FINE);
	results_close(&r);
	return path_of(name);
}

static char *slurp(const char *path, size_t *size)
{
	FILE *f = fopen(path, "r");
	char *text = calloc(1, 1 << 20);

	assert_non_null(f);
	*size = fread(text, 1, (1 << 20) - 1, f);
	fclose(f);
	return text;
}

static void spill(const char *path, const char *text, size_t size)
{
	FILE *f = fopen(path, "w");

	assert_int_equal(fwrite(text, 1, size, f), size);
	fclose(f);
}

/* 0 and *left, or -1 and why */
static int reread(const char *dir, struct results_left *left)
{
	struct results r;
	int rc;

	assert_int_equal(results_open(&r, dir, why, sizeof(why)), 0);
	rc = results_read(&r, &plan, left, why, sizeof(why));
	results_close(&r);
	return rc;
}

/* Every key of the tables in docs/records.md, and no reasonless null. */
static void a_record_has_what_the_page_says(void **state)
{
	char file[160], *text, *page, *line, *save = NULL;
	unsigned keys = 0;
	size_t size;
	json_t *o;

	(void)state;
	snprintf(file, sizeof(file), "%s/records.jsonl", full_run("keys"));
	text = slurp(file, &size);
	o = json_loads(strtok(text, "\n"), 0, NULL);
	assert_non_null(o);
	page = slurp("docs/records.md", &size);
	line = strstr(page, "## A record");
	assert_non_null(line);
	for (line = strtok_r(line, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
		char *at = line, *end = strncmp(line, "| `", 3) ? NULL : strstr(line + 2, " | ");

		while (end && (at = strchr(at, '`')) && at < end) {
			char key[64];

			sscanf(at + 1, "%63[^`]", key);
			if (!json_object_get(o, key))
				fail_msg("the record lacks %s", key);
			keys++;
			at = strchr(at + 1, '`') + 1;
		}
	}
	assert_true(keys > 40);
	json_decref(o);
	free(text);
	free(page);
}

static json_t *record_of(const char *lock, struct sample *s)
{
	struct record r = { .spec = &cells[!strcmp(lock, "none")],
			    .sample = s,
			    .attempts = 1,
			    .floor_ns = NAN,
			    .topology_cpus = 2 };

	return record_json(&r);
}

static json_int_t whole_at(json_t *o, const char *key)
{
	assert_true(json_is_integer(json_object_get(o, key)));
	return json_integer_value(json_object_get(o, key));
}

static void sums_are_those_of_the_threads(void **state)
{
	struct sample *s = sample_new(2);
	json_t *o, *waits;

	(void)state;
	atomic_store(&s->measured, 1);
	for (unsigned i = 0; i < 2; i++) {
		s->slots[i].cpu_asked = -1;
		s->slots[i].start_ns = 1000 + i * 100;
		s->slots[i].end_ns = 3000 + i * 100;
		s->slots[i].ops = 30 + 10 * i;
		s->slots[i].reads = 20;
		s->slots[i].writes = 10 + 10 * i;
		histogram_add(&s->slots[i].wait[WAIT_READ], 7);
	}
	o = record_of("none", s);
	assert_int_equal(whole_at(o, "wall_ns"), 2100);
	assert_int_equal(whole_at(o, "ops"), 70);
	assert_int_equal(whole_at(o, "reads"), 40);
	assert_int_equal(whole_at(o, "writes"), 30);
	assert_true(fabs(json_number_value(json_object_get(o, "throughput")) - 70e9 / 2100) < 1);
	waits = json_object_get(o, "wait_read");
	assert_int_equal(whole_at(waits, "total"), 2);
	assert_true(json_is_null(json_object_get(o, "floor_ns")));
	assert_true(json_is_string(json_object_get(o, "floor_ns_reason")));
	json_decref(o);

	o = record_of("pthread_mutex", s);
	assert_true(json_is_null(json_object_get(o, "wait_read")));
	assert_true(json_is_null(json_object_get(o, "wait_max_ns")));
	json_decref(o);

	/* nothing of a crash is passed off as measured */
	s->status = STATUS_CRASHED;
	o = record_of("none", s);
	assert_true(json_is_null(json_object_get(o, "ops")));
	assert_true(json_is_null(json_object_get(o, "throughput")));
	json_decref(o);
	sample_free(s);
}

static void jain_is_one_over_n_for_one_taker(void **state)
{
	uint64_t even[] = { 5, 5, 5 }, one[] = { 0, 9, 0 }, none[] = { 0, 0 };

	(void)state;
	assert_true(fabs(jain_index(even, 3) - 1) < 1e-12);
	assert_true(fabs(jain_index(one, 3) - 1.0 / 3) < 1e-12);
	assert_true(isnan(jain_index(none, 2)));
}

static void a_cut_last_line_is_measured_again(void **state)
{
	const char *dir = full_run("cut");
	struct results_left left;
	char file[160], *text;
	struct results r;
	size_t size, last;

	(void)state;
	snprintf(file, sizeof(file), "%s/records.jsonl", dir);
	assert_int_equal(reread(dir, &left), 0);
	assert_int_equal(left.count, CELLS * REPS);
	assert_int_equal(left.dropped, 0);
	results_left_free(&left);

	text = slurp(file, &size);
	text[size - 1] = '\0';
	last = (size_t)(strrchr(text, '\n') - text) + 1;
	text[size - 1] = '\n';
	/* cut anywhere in the last line, also by its end alone */
	for (size_t cut = last + 1; cut < size; cut += (size - last) / 7) {
		spill(file, text, cut);
		assert_int_equal(reread(dir, &left), 0);
		assert_int_equal(left.dropped, cut - last);
		assert_int_equal(left.count, CELLS * REPS - 1);
		results_left_free(&left);
	}
	spill(file, text, size - 1);
	assert_int_equal(results_open(&r, dir, why, sizeof(why)), 0);
	assert_int_equal(results_read(&r, &plan, &left, why, sizeof(why)), 0);
	for (unsigned i = 0; i < CELLS * REPS; i++)
		assert_int_equal(left.done[i], i != CELLS * REPS - 1);
	assert_int_equal(run_plan(&plan, &r, &left, NULL, &options), EXIT_FINE);
	results_left_free(&left);
	results_close(&r);
	assert_int_equal(reread(dir, &left), 0);
	assert_int_equal(left.count, CELLS * REPS);
	results_left_free(&left);
	free(text);
}

static void other_damage_is_named(void **state)
{
	static const struct {
		const char *line, *say;
	} bad[] = {
		{ "{\"schema\":1,", "line 1 is not JSON" },
		{ "[1]", "line 1 is no record" },
		{ "{\"schema\":9,\"cell\":0,\"rep\":0,\"lock\":\"none\",\"workload\":\"rwmix\","
		  "\"status\":\"ok\"}",
		  "schema 9" },
		{ "{\"schema\":1,\"cell\":7,\"rep\":0,\"lock\":\"none\",\"workload\":\"rwmix\","
		  "\"status\":\"ok\"}",
		  "no cell 7" },
		{ "{\"schema\":1,\"cell\":0,\"rep\":0,\"lock\":\"none\",\"workload\":\"rwmix\","
		  "\"status\":\"ok\"}",
		  "line 1 is of none with rwmix" },
	};
	const char *dir = full_run("damage");
	struct results_left left;
	char file[160], *text, *damaged;
	size_t size, first;

	(void)state;
	snprintf(file, sizeof(file), "%s/records.jsonl", dir);
	text = slurp(file, &size);
	first = (size_t)(strchr(text, '\n') - text) + 1;
	damaged = malloc(2 * size + 1024);
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		int n = sprintf(damaged, "%s\n%s", bad[i].line, text + first);

		spill(file, damaged, (size_t)n);
		assert_int_equal(reread(dir, &left), -1);
		if (!strstr(why, bad[i].say))
			fail_msg("'%s' should say '%s'", why, bad[i].say);
		results_left_free(&left);
	}
	/* a twin of the first line at the end */
	memcpy(damaged, text, size);
	memcpy(damaged + size, text, first);
	spill(file, damaged, size + first);
	assert_int_equal(reread(dir, &left), -1);
	assert_non_null(strstr(why, "line 7: cell 0, repetition 0 is there twice"));
	results_left_free(&left);
	free(text);
	free(damaged);
}

static void a_folder_is_whole_and_nobody_elses(void **state)
{
	const char *dir = path_of("mine");
	struct results r, again;
	int status;
	pid_t pid;

	(void)state;
	/* a file that cannot be written leaves no folder */
	assert_int_equal(results_create(&r, dir, (struct results_file[]){ { "a/b", "" }, { 0 } },
					why, sizeof(why)),
			 -1);
	results_close(&r);
	assert_int_equal(access(dir, F_OK), -1);
	/* an empty folder is taken, a used one is not */
	assert_int_equal(mkdir(dir, 0777), 0);
	assert_int_equal(results_create(&r, dir, files, why, sizeof(why)), 0);
	assert_int_equal(results_create(&again, dir, files, why, sizeof(why)), -1);
	assert_non_null(strstr(why, "not an empty folder"));
	results_close(&again);
	/* the first still has it */
	pid = fork();
	if (!pid) {
		struct results theirs;

		_exit(results_open(&theirs, dir, why, sizeof(why)) == -1 &&
				      strstr(why, "another run")
			      ? 0
			      : 1);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
	results_close(&r);
}

static void bad_cells_end_in_three(void **state)
{
	struct lock_ops broken = *cells[0].lock_ops;
	struct results_left left;
	struct results r;

	(void)state;
	broken.size = 0;
	broken.caps = LOCK_SHARED; /* it serialises */
	cells[0].lock_ops = &broken;
	broken.size = cells_find("pthread_mutex", "rwmix")->lock->size;
	assert_int_equal(results_create(&r, path_of("bad"), files, why, sizeof(why)), 0);
	for (unsigned i = 0; i < CELLS * REPS; i++)
		steps[i].repetition = 0; /* one of each is enough: a second's wait */
	plan.step_count = CELLS;
	assert_int_equal(run_plan(&plan, &r, NULL, NULL, &options), EXIT_CELLS);
	/* what an earlier run left counts, too */
	assert_int_equal(results_read(&r, &plan, &left, why, sizeof(why)), 0);
	assert_int_equal(left.not_ok, 1);
	assert_int_equal(run_plan(&plan, &r, &left, NULL, &options), EXIT_CELLS);
	results_left_free(&left);
	results_close(&r);
	plan.step_count = CELLS * REPS;
	fill_plan();
}

static void floors_are_shared_by_like_cells(void **state)
{
	struct floors f;

	(void)state;
	assert_int_equal(floors_measure(&f, &plan, NULL), 0);
	assert_true(f.ns[0] > 0);
	assert_true(f.ns[0] == f.ns[1]);
	assert_int_equal(json_array_size(f.json), 1);
	assert_true(f.clock_ns > 0 && f.clock_ns < 1000000000);
	floors_free(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_record_has_what_the_page_says),
		cmocka_unit_test(sums_are_those_of_the_threads),
		cmocka_unit_test(jain_is_one_over_n_for_one_taker),
		cmocka_unit_test(a_cut_last_line_is_measured_again),
		cmocka_unit_test(other_damage_is_named),
		cmocka_unit_test(a_folder_is_whole_and_nobody_elses),
		cmocka_unit_test(floors_are_shared_by_like_cells),
		cmocka_unit_test(bad_cells_end_in_three),
	};

	return cmocka_run_group_tests_name("record", tests, make_base, remove_base);
}
