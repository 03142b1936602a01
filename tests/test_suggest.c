/* test_suggest.c - near words, and values as users write them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "suggest.h"
#include "value.h"

static void distances(void **state)
{
	(void)state;
	assert_int_equal(suggest_distance("", ""), 0);
	assert_int_equal(suggest_distance("mcs", ""), 3);
	assert_int_equal(suggest_distance("mcs", "MCS"), 0);
	assert_int_equal(suggest_distance("kitten", "sitting"), 3);
	assert_int_equal(suggest_distance("thraeds", "threads"), 1);
	assert_int_equal(suggest_distance("thread", "threads"), 1);
	assert_int_equal(
		suggest_distance("a_word_that_is_longer_than_any_name_that_a_lock_has", "a_word"),
		45);
}

static const char *suggested(struct suggest *s, const char *word)
{
	static const char *const names[] = { "none",	   "pthread_mutex", "pthread_spin",
					     "rwsem_xadd", "rwsem_mutex",   NULL };

	suggest_begin(s, word);
	for (const char *const *n = names; *n; n++)
		suggest_name(s, *n);
	return suggest_end(s);
}

static void nearest_first(void **state)
{
	struct suggest s;

	(void)state;
	assert_string_equal(suggested(&s, "rwsem_xad"), "nearest: rwsem_xadd");
	assert_string_equal(suggested(&s, "pthread_mutx"), "nearest: pthread_mutex, pthread_spin");
	assert_string_equal(suggested(&s, "xadd"), "nearest: rwsem_xadd");
	assert_string_equal(suggested(&s, "qqqqq"), "there are: none, pthread_mutex, pthread_spin, "
						    "rwsem_xadd, rwsem_mutex");
	suggest_begin(&s, "x");
	assert_string_equal(suggest_end(&s), "there are none");
}

static void long_lists_end_in_dots(void **state)
{
	struct suggest s;

	(void)state;
	suggest_begin(&s, "qqqqq");
	for (int i = 0; i < 200; i++)
		suggest_name(&s, "a_lock_with_a_name");
	assert_non_null(strstr(suggest_end(&s), "…"));
}

static const char *const no_yes[] = { "no", "yes", NULL };
static const struct param whole = { "n", "", PARAM_COUNT, 1, 100, "1", NULL };
static const struct param wait = { "wait", "", PARAM_TIME, 0, 3600000000000, "0ns", NULL };
static const struct param bytes = { "size", "", PARAM_BYTES, 512, 1 << 30, "4K", NULL };
static const struct param yield = { "yield", "", PARAM_CHOICE, 0, 0, "no", no_yes };

/* What is printed again, or why not, as one text. */
static const char *parsed(const struct param *p, const char *text)
{
	static char out[256];
	int64_t value;

	if (!value_parse(p, text, &value, out, sizeof out))
		value_print(p, value, out, sizeof out);
	return out;
}

static void good_values(void **state)
{
	static const struct {
		const struct param *p;
		const char *text, *again;
	} good[] = {
		{ &whole, "1", "1" },		{ &whole, "100", "100" },
		{ &whole, "007", "7" },		{ &wait, "0", "0ns" },
		{ &wait, "100ns", "100ns" },	{ &wait, "0.3s", "300ms" },
		{ &wait, "1.5us", "1500ns" },	{ &wait, "3us", "3us" },
		{ &wait, "2 ms", "2ms" },	{ &wait, "1min", "60s" },
		{ &wait, "1h", "3600s" },	{ &wait, "0.000000001s", "1ns" },
		{ &bytes, "512", "512" },	{ &bytes, "4096", "4K" },
		{ &bytes, "0.5K", "512" },	{ &bytes, "1M", "1M" },
		{ &bytes, "1.25MiB", "1280K" }, { &bytes, "1G", "1G" },
		{ &yield, "no", "no" },		{ &yield, "yes", "yes" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
		const char *again = parsed(good[i].p, good[i].text);
		char copy[256];

		if (strcmp(again, good[i].again))
			fail_msg("'%s' became '%s', not '%s'", good[i].text, again, good[i].again);
		/* and what is printed is read back as the same */
		snprintf(copy, sizeof copy, "%s", again);
		assert_string_equal(parsed(good[i].p, copy), good[i].again);
	}
}

static void bad_values(void **state)
{
	static const struct {
		const struct param *p;
		const char *text, *why;
	} bad[] = {
		{ &whole, "0", "'n' is from 1 to 100" },
		{ &whole, "101", "out of range" },
		{ &whole, "-1", "out of range" },
		{ &whole, "99999999999999999999", "out of range" },
		{ &whole, "", "not a whole number" },
		{ &whole, "1.0", "not a whole number" },
		{ &whole, "5K", "not a whole number" },
		{ &whole, "ten", "not a whole number" },
		{ &wait, "5", "no unit" },
		{ &wait, "5sec", "nearest: s" },
		{ &wait, "5m", "nearest: s, ms" },
		{ &wait, "s", "not a time like" },
		{ &wait, "1.s", "not a time like" },
		{ &wait, "2h", "from 0ns to 3600s" },
		{ &wait, "0.5ns", "not a whole number of ns" },
		{ &wait, "99999999999h", "out of range" },
		{ &bytes, "1", "from 512 to 1G" },
		{ &bytes, "4k", "nearest: K" },
		{ &bytes, "0.3K", "not a whole number of bytes" },
		{ &yield, "ye", "nearest: yes" },
		{ &yield, "maybe", "there are: no, yes" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		const char *why = parsed(bad[i].p, bad[i].text);

		if (!strstr(why, bad[i].why))
			fail_msg("'%s' gave \"%s\", without \"%s\"", bad[i].text, why, bad[i].why);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(distances),
		cmocka_unit_test(nearest_first),
		cmocka_unit_test(long_lists_end_in_dots),
		cmocka_unit_test(good_values),
		cmocka_unit_test(bad_values),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
