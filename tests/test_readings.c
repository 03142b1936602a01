/* Reading a results folder back, pooling, grouping, axes, and what may be claimed. */
#include <errno.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "claim.h"
#include "groups.h"
#include "picture.h"
#include "text.h"

struct given {
	const char *lock;
	unsigned cell, rep, threads;
	const char *status;
	double throughput, before, after;
	const char *experiment, *wait;
};

static char folder[] = "/tmp/test_readings_XXXXXX";

static char *path(const char *name)
{
	return text_append(NULL, "%s/%s", folder, name);
}

static void write_text(const char *name, const char *text)
{
	char *file = path(name);
	FILE *f = fopen(file, "w");

	assert_non_null(f);
	fputs(text, f);
	fclose(f);
	free(file);
}

static char *line(char *s, struct given g)
{
	return text_append(
		s,
		"{\"schema\":1,\"cell\":%u,\"rep\":%u,\"seq\":0,\"status\":\"%s\",\"reason\":null,"
		"\"experiment\":\"%s\",\"workload\":\"w\",\"lock\":\"%s\",\"call\":\"inline\","
		"\"params\":{\"p\":1},\"threads\":%u,\"readers\":null,\"writers\":null,"
		"\"placement\":\"compact\",\"memory\":\"local\",\"duration_ns\":1000,"
		"\"operations\":null,\"unit\":\"acquisitions\",\"baseline\":null,"
		"\"oversubscribed\":false,\"topology_cpus\":2,\"throughput\":%g,\"ops\":100,"
		"\"writes\":50,\"handovers\":5,\"wall_ns\":1000,\"gap_max_ns\":10,"
		"\"wait_max_ns\":null,\"jain\":1.0,\"wait_read\":%s,\"wait_write\":null,"
		"\"noise\":{\"ping_before_ns\":%g,\"ping_after_ns\":%g,\"dirty\":[]}}\n",
		g.cell, g.rep, g.status ? g.status : "ok", g.experiment ? g.experiment : "e",
		g.lock, g.threads, g.throughput, g.wait ? g.wait : "null", g.before, g.after);
}

static int make(void **state)
{
	(void)state;
	return mkdtemp(folder) ? 0 : -1;
}

static int removed(void **state)
{
	char *records = path("records.jsonl"), *host = path("host.json");

	(void)state;
	unlink(records);
	unlink(host);
	free(records);
	free(host);
	return rmdir(folder);
}

/* The records must be refused, for a reason that has both texts. */
static void refuses(const char *records, const char *where, const char *what)
{
	struct readings r;
	char why[512] = "";

	write_text("records.jsonl", records);
	assert_int_equal(readings_read(&r, folder, why, sizeof(why)), -1);
	if (!strstr(why, where) || !strstr(why, what))
		fail_msg("'%s' lacks '%s' or '%s'", why, where, what);
	readings_free(&r);
}

static void accepts(struct readings *r, char *records)
{
	char why[512];

	write_text("records.jsonl", records);
	free(records);
	if (readings_read(r, folder, why, sizeof(why)))
		fail_msg("%s", why);
}

static void a_folder_becomes_cells(void **state)
{
	char *s = line(NULL, (struct given){ "a", 7, 1, 1, .throughput = 30 });
	struct readings r;

	(void)state;
	s = line(s, (struct given){ "b", 3, 0, 2, .throughput = 20, .before = 100, .after = 110 });
	s = line(s, (struct given){ "a", 7, 0, 1, .throughput = 10 });
	write_text("host.json", "{\"cpu_model\":\"M\"}");
	accepts(&r, s);
	assert_int_equal(r.cells, 2);
	assert_int_equal(r.records, 3);
	/* in the plan's order, whatever the run's was */
	assert_int_equal(r.cell[1].id, 7);
	assert_int_equal(r.cell[1].readings, 2);
	assert_true(r.cell[1].reading[0].rep == 0 && r.cell[1].reading[1].throughput == 30);
	assert_string_equal(r.cell[0].lock, "b");
	assert_true(r.cell[0].reading[0].distance == 105);
	assert_string_equal(readings_host(&r, "cpu_model"), "M");
	readings_free(&r);
}

static void a_truncated_last_line_is_dropped(void **state)
{
	char *s = line(NULL, (struct given){ "a", 0, 0, 1, .throughput = 10 });
	struct readings r;

	(void)state;
	s = line(s, (struct given){ "a", 0, 1, 1, .throughput = 10 });
	s[strlen(s) - 30] = '\0';
	accepts(&r, s);
	assert_true(r.truncated);
	assert_int_equal(r.records, 1);
	readings_free(&r);
}

static void other_damage_is_an_error_with_its_line(void **state)
{
	char *good = line(NULL, (struct given){ "a", 0, 0, 1, .throughput = 10 }), *s;

	(void)state;
	s = text_append(NULL, "%s{\"schema\":\n%s", good, good);
	refuses(s, "records.jsonl:2:", "not JSON");
	free(s);
	s = text_append(NULL, "%s%s", good, good);
	refuses(s, "records.jsonl:2:", "already in line 1");
	free(s);
	s = line(text_append(NULL, "%s", good), (struct given){ "b", 0, 1, 1 });
	refuses(s, "records.jsonl:2:", "another one in line 1");
	free(s);
	s = line(NULL, (struct given){ "a", 0, 0, 1, "tired" });
	refuses(s, "records.jsonl:1:", "no status 'tired'");
	free(s);
	s = line(NULL,
		 (struct given){ "a", 0, 0, 1,
				 .wait = "{\"total\":3,\"max\":9,\"buckets\":[[5,1],[9,1]]}" });
	refuses(s, "records.jsonl:1:", "'total' says 3");
	free(s);
	s = line(NULL,
		 (struct given){ "a", 0, 0, 1,
				 .wait = "{\"total\":2,\"max\":9,\"buckets\":[[9,1],[5,1]]}" });
	refuses(s, "records.jsonl:1:", "rising index");
	free(s);
	good[10] = '9'; /* the schema */
	refuses(good, "records.jsonl:1:", "schema 9");
	free(good);
	refuses("{}\n", "records.jsonl:1:", "no key");
	refuses("[]\n", "records.jsonl:1:", "not an object");
}

static void a_missing_or_damaged_file_is_named(void **state)
{
	char why[512];
	struct readings r;

	(void)state;
	assert_int_equal(readings_read(&r, "/nowhere/at all", why, sizeof(why)), -1);
	assert_non_null(strstr(why, "/nowhere/at all/records.jsonl"));
	readings_free(&r);
	write_text("host.json", "{");
	refuses("", "host.json:1", "");
	write_text("host.json", "{}");
}

static void only_like_distances_are_pooled(void **state)
{
	static const double ping[] = { 90, 240, 95, 100, 245 };
	struct readings r;
	struct groups g;
	char *s = NULL;

	(void)state;
	for (unsigned i = 0; i < 5; i++)
		s = line(s, (struct given){ "a", 0, i, 2, .throughput = 100 - ping[i] / 10,
					    .before = ping[i], .after = ping[i] });
	/* changed under way: of no distance */
	s = line(s, (struct given){ "a", 0, 5, 2, .throughput = 1, .before = 90, .after = 240 });
	accepts(&r, s);
	groups_make(&g, &r);
	assert_int_equal(r.cell[0].values, 3);
	assert_int_equal(r.cell[0].far, 3);
	assert_true(r.cell[0].median == 90.5);
	assert_true(r.cell[0].reading[0].pooled && !r.cell[0].reading[1].pooled);
	groups_free(&g);
	readings_free(&r);
}

/* b was never measured near: a and b are compared far, where both were. */
static void the_poorest_cell_decides_the_distance(void **state)
{
	static const double ping[] = { 90, 92, 94, 96, 240 };
	struct readings r;
	struct groups g;
	char *s = NULL;

	(void)state;
	for (unsigned i = 0; i < 5; i++) {
		s = line(s, (struct given){ "a", 0, i, 2, .throughput = 10, .before = ping[i],
					    .after = ping[i] });
		s = line(s, (struct given){ "b", 1, i, 2, .throughput = 10, .before = 245,
					    .after = 240 });
	}
	accepts(&r, s);
	groups_make(&g, &r);
	assert_int_equal(r.cell[0].values, 1);
	assert_int_equal(r.cell[1].values, 5);
	groups_free(&g);
	readings_free(&r);
}

static void a_broken_lock_has_no_figure(void **state)
{
	struct readings r;
	struct groups g;
	char *s = NULL, text[64];

	(void)state;
	for (unsigned i = 0; i < 5; i++) {
		s = line(s, (struct given){ "a", 0, i, 1, i == 2 ? "violated" : "ok", 10 });
		s = line(s, (struct given){ "b", 1, i, 1, i == 2 ? "hung" : "ok", 10 });
	}
	accepts(&r, s);
	groups_make(&g, &r);
	assert_int_equal(r.cell[0].values, 0);
	assert_true(isnan(r.cell[0].median));
	assert_string_equal(cell_fault(&r.cell[0], text, sizeof(text)), "violated");
	assert_int_equal(r.cell[1].values, 4);
	assert_true(isnan(r.cell[1].interval.low));
	assert_string_equal(cell_fault(&r.cell[1], text, sizeof(text)), "1 of 5 hung");
	groups_free(&g);
	readings_free(&r);
}

static void groups_have_safe_names_of_their_own(void **state)
{
	static const char *const experiments[] = { "../x y", "x'y", "x;y", "-" };
	struct readings r;
	struct groups g;
	char *s = NULL;

	(void)state;
	for (unsigned i = 0; i < 4; i++)
		s = line(s, (struct given){ "a", i, 0, 1, .throughput = 1,
					    .experiment = experiments[i] });
	accepts(&r, s);
	groups_make(&g, &r);
	assert_int_equal(g.count, 4);
	for (unsigned i = 0; i < 4; i++) {
		const char *slug = g.group[i].slug;

		assert_true(*slug && *slug != '.' && *slug != '-');
		assert_int_equal(strspn(slug, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
					      "0123456789._-"),
				 strlen(slug));
		for (unsigned k = 0; k < i; k++)
			assert_string_not_equal(slug, g.group[k].slug);
	}
	groups_free(&g);
	readings_free(&r);
}

static struct reading_cell values(double *v, unsigned n)
{
	return (struct reading_cell){ .value = v, .values = n, .median = stats_median(v, n) };
}

static void a_claim_needs_runs_for_its_family(void **state)
{
	double low[] = { 1, 2, 3, 4, 5 }, high[] = { 6, 7, 8, 9, 10 };
	struct reading_cell a = values(high, 5), b = values(low, 5), few = values(high, 4);
	struct claim family[8];

	(void)state;
	for (unsigned i = 0; i < 8; i++)
		family[i] = claim_make(&a, &b);
	claims_judge(family, 6, 0.05);
	assert_int_equal(family[0].verdict, VERDICT_FASTER);
	assert_true(family[0].interval.low > 1 && family[0].ratio == 8.0 / 3);
	for (unsigned i = 0; i < 8; i++)
		family[i] = claim_make(&b, &a);
	claims_judge(family, 6, 0.05);
	assert_int_equal(family[5].verdict, VERDICT_SLOWER);
	/* 7 × 2/252 is above 0.05: five runs cannot show it, whatever they are */
	for (unsigned i = 0; i < 8; i++)
		family[i] = claim_make(&a, &b);
	claims_judge(family, 7, 0.05);
	assert_int_equal(family[0].verdict, VERDICT_FEW);
	family[0] = claim_make(&b, &b);
	claims_judge(family, 1, 0.05);
	assert_int_equal(family[0].verdict, VERDICT_NOISE);
	family[0] = claim_make(&few, &b);
	claims_judge(family, 1, 0.05);
	assert_int_equal(family[0].verdict, VERDICT_FEW);
	assert_true(isnan(family[0].interval.low));
	assert_int_equal(claim_make(NULL, &b).verdict, VERDICT_NOT);
}

static unsigned tics_of(const struct axis *a)
{
	unsigned n = *a->tics != '\0';

	for (const char *s = a->tics; *s; s++)
		n += *s == ',';
	return n;
}

static void axes_have_some_tics_whatever_the_range(void **state)
{
	(void)state;
	for (double low = 1e-6; low < 1e11; low *= 3.7)
		for (double factor = 1; factor < 1e14; factor *= 1.9) {
			struct axis a = axis_log(low, low * factor, 8, text_si);

			if (tics_of(&a) < 2 || tics_of(&a) > 11 || a.low > low ||
			    a.high < low * factor)
				fail_msg("%g to %g: %s", low, low * factor, a.tics);
			free(a.tics);
		}
}

static void labels_keep_apart_and_in_order(void **state)
{
	double v[] = { 5, NAN, 5.1, 5.2, 9, 0 };

	(void)state;
	spread(v, 6, 1, 0, 10);
	assert_true(isnan(v[1]));
	assert_true(v[2] - v[0] > 0.999 && v[3] - v[2] > 0.999 && v[4] == 9 && v[5] == 0);
	assert_true(fabs(v[2] - 5.1) < 1e-9);
}

static void figures_have_three_digits(void **state)
{
	char s[32];

	(void)state;
	assert_string_equal(text_si(s, sizeof(s), 12345678), "12.3 M");
	assert_string_equal(text_si(s, sizeof(s), 999.6), "1.00 k");
	assert_string_equal(text_si(s, sizeof(s), 0), "0");
	assert_string_equal(text_si(s, sizeof(s), NAN), "–");
	assert_string_equal(text_time(s, sizeof(s), 1234), "1.23 µs");
	assert_string_equal(text_ratio(s, sizeof(s), 0.0441), ".044");
	assert_string_equal(text_ratio(s, sizeof(s), 1.424), "1.42");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_folder_becomes_cells),
		cmocka_unit_test(a_truncated_last_line_is_dropped),
		cmocka_unit_test(other_damage_is_an_error_with_its_line),
		cmocka_unit_test(a_missing_or_damaged_file_is_named),
		cmocka_unit_test(only_like_distances_are_pooled),
		cmocka_unit_test(the_poorest_cell_decides_the_distance),
		cmocka_unit_test(a_broken_lock_has_no_figure),
		cmocka_unit_test(groups_have_safe_names_of_their_own),
		cmocka_unit_test(a_claim_needs_runs_for_its_family),
		cmocka_unit_test(axes_have_some_tics_whatever_the_range),
		cmocka_unit_test(labels_keep_apart_and_in_order),
		cmocka_unit_test(figures_have_three_digits),
	};

	return cmocka_run_group_tests(tests, make, removed);
}
