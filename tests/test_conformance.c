/*
 * test_conformance.c - every check of tests/conformance/ on every lock of the
 * build, by the same tables that measure it. A new file in locks/ is tested
 * with nothing to add here.
 */
#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cells.h"
#include "conformance/checks.h"

/* far above what a slow machine under a sanitizer takes: only a hang meets it */
#define HANG_SECONDS 100

struct row {
	const struct lock_ops *ops;
	const struct check *check;
	char name[96];
};

static const struct row *running;

static void hung(int sig)
{
	(void)sig;
	write(STDERR_FILENO, running->name, strlen(running->name));
	write(STDERR_FILENO, ": hangs\n", 8);
	_exit(1);
}

static void run_row(void **state)
{
	const struct row *row = running = *state;
	struct subject s;
	const char *wrong;

	signal(SIGALRM, hung);
	for (unsigned choice = 0; choice < subject_choices(row->ops); choice++) {
		int err = subject_open(&s, row->ops, choice);

		if (err == -ENOTSUP)
			skip();
		assert_int_equal(err, 0);
		alarm(HANG_SECONDS);
		wrong = row->check->run(&s);
		if (!wrong && row->ops->check_idle)
			wrong = row->ops->check_idle(s.lock);
		alarm(0);
		/* on a failure threads may still stand in the lock: leave it to them */
		if (wrong)
			fail_msg("%s, choice %u: %s", row->name, choice, wrong);
		subject_close(&s);
	}
}

int main(int argc, char **argv)
{
	static struct row rows[2000];
	static struct CMUnitTest tests[2000];
	size_t n = 0;

	for (const struct lock_ops *const *l = cells_locks(); *l; l++) {
		if ((*l)->caps & LOCK_NOT_EXCLUSIVE || (argc > 1 && strcmp(argv[1], (*l)->name)))
			continue;
		for (const struct check *c = checks; c->name && n < 2000; c++, n++) {
			rows[n].ops = *l;
			rows[n].check = c;
			snprintf(rows[n].name, sizeof(rows[n].name), "%s_%s", (*l)->name, c->name);
			tests[n].name = rows[n].name;
			tests[n].test_func = run_row;
			tests[n].initial_state = &rows[n];
		}
	}
	return _cmocka_run_group_tests("conformance", tests, n, NULL, NULL);
}
