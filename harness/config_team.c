/*
 * config_team.c - threads, readers and writers: "4", "1-8", "2x" to numbers,
 * and who of them reads.
 */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "config_axes.h"
#include "placement.h"

/* A whole number, or a multiple "0.5x" of the CPUs; moves *s behind it. -1: neither. */
static double one_number(const char **s)
{
	char *end;
	double n;

	if (!isdigit((unsigned char)**s))
		return -1;
	n = strtod(*s, &end);
	if (*end == 'x') {
		n = n * placement_cpus() + 0.5;
		end++;
		/* a part of a machine is still one thread */
		n = n < 1 ? 1 : n;
	} else if (strspn(*s, "0123456789") != (size_t)(end - *s))
		return -1;
	*s = end;
	return n;
}

static bool add(unsigned **numbers, unsigned *count, unsigned n)
{
	unsigned *more;

	for (unsigned i = 0; i < *count; i++)
		if ((*numbers)[i] == n)
			return true;
	more = realloc(*numbers, (*count + 1) * sizeof **numbers);
	if (!more)
		return false;
	*numbers = more;
	more[(*count)++] = n;
	return true;
}

static bool add_word(unsigned **numbers, unsigned *count, const struct word *w, const char *key,
		     unsigned least, struct fault *f)
{
	const char *s = w->text;
	double from = one_number(&s), to = from;

	if (from >= 0 && *s == '-') {
		s++;
		to = one_number(&s);
	}
	if (from < 0 || to < 0 || *s) {
		fault_at(f, &w->at,
			 "'%s' is no number of %s; write a number (4), a range (1-8), or a "
			 "multiple of the CPUs (\"2x\", \"0.5x\")",
			 w->text, key);
		return false;
	}
	if (from < least || to > MAX_THREADS) {
		fault_at(f, &w->at, "'%s' is out of range; '%s' is from %u to %u", w->text, key,
			 least, MAX_THREADS);
		return false;
	}
	if ((unsigned)to < (unsigned)from) {
		fault_at(f, &w->at, "the range '%s' runs backwards", w->text);
		return false;
	}
	for (unsigned n = (unsigned)from; n <= (unsigned)to; n++)
		if (!add(numbers, count, n)) {
			fault_at(f, &w->at, "%s", strerror(errno));
			return false;
		}
	return true;
}

bool teams_numbers(unsigned **numbers, unsigned *count, const struct setting *s, unsigned least,
		   struct fault *f)
{
	*numbers = NULL;
	*count = 0;
	for (unsigned i = 0; i < s->count; i++)
		if (!add_word(numbers, count, setting_word(s, i), s->key, least, f))
			return false;
	return true;
}

/* The numbers of each setting in use; one entry, unused, for one that is not. */
struct numbers {
	unsigned *threads, *readers, *writers;
	unsigned thread_count, reader_count, writer_count;
};

static bool make_team(struct axes *a, unsigned threads, unsigned readers, unsigned writers,
		      struct fault *f)
{
	const struct setting *s = a->readers.count ? &a->readers : &a->writers;
	const struct place *at = &setting_word(s, 0)->at;
	struct team *more;

	if (!a->threads.count)
		threads = readers + writers;
	if (!threads) {
		fault_at(f, at, "no readers and no writers: nobody would measure anything");
		return false;
	}
	if (threads > MAX_THREADS) {
		fault_at(f, at, "%u readers and %u writers are more than %u threads", readers,
			 writers, MAX_THREADS);
		return false;
	}
	if (readers > threads || writers > threads) {
		fault_at(f, at, "more %s (%u) than threads (%u)",
			 readers > threads ? "readers" : "writers",
			 readers > threads ? readers : writers, threads);
		return false;
	}
	if (!a->readers.count)
		readers = threads - writers;
	if (!a->writers.count)
		writers = threads - readers;
	if (readers + writers != threads) {
		fault_at(f, at,
			 "%u readers and %u writers are not %u threads; give two of the three",
			 readers, writers, threads);
		return false;
	}
	more = realloc(a->teams, (a->team_count + 1) * sizeof *more);
	if (!more) {
		fault_at(f, at, "%s", strerror(errno));
		return false;
	}
	a->teams = more;
	more[a->team_count++] = (struct team){ threads, readers, writers };
	return true;
}

static bool product(struct axes *a, const struct numbers *n, struct fault *f)
{
	for (unsigned t = 0; t < n->thread_count || !t; t++)
		for (unsigned r = 0; r < n->reader_count || !r; r++)
			for (unsigned w = 0; w < n->writer_count || !w; w++)
				if (!make_team(a, n->threads ? n->threads[t] : 0,
					       n->readers ? n->readers[r] : 0,
					       n->writers ? n->writers[w] : 0, f))
					return false;
	return true;
}

static bool without_roles(struct axes *a, const struct setting *role, struct fault *f)
{
	static const struct setting none;

	/* what all experiments inherit may be meant for the others */
	if (role->level == LEVEL_EXPERIMENT) {
		fault_at(f, &setting_word(role, 0)->at,
			 "workload '%s' has no roles, so no '%s'; 'threads' says how many",
			 a->workload->name, role->key);
		return false;
	}
	a->readers = a->writers = none;
	return true;
}

bool teams_resolve(struct axes *a, const struct config *c, cfg_t *experiment, struct fault *f)
{
	static const struct setting none;
	enum level roles;
	struct numbers n = { 0 };
	bool ok = true;

	a->threads = config_setting(c, experiment, "threads");
	a->readers = config_setting(c, experiment, "readers");
	a->writers = config_setting(c, experiment, "writers");
	if (!a->workload->has_roles) {
		struct setting readers = a->readers, writers = a->writers;

		if (!without_roles(a, &readers, f) || !without_roles(a, &writers, f))
			return false;
	} else if (!a->readers.count && !a->writers.count) {
		fault_at(f, &a->at, "workload '%s' wants readers or writers, as in readers = 4",
			 a->workload->name);
		return false;
	}
	/* the nearer setting is meant: a team that an experiment names is whole */
	roles = a->readers.level > a->writers.level ? a->readers.level : a->writers.level;
	if (a->threads.level < roles)
		a->threads = none;
	ok = teams_numbers(&n.threads, &n.thread_count, &a->threads, 1, f) &&
	     teams_numbers(&n.readers, &n.reader_count, &a->readers, 0, f) &&
	     teams_numbers(&n.writers, &n.writer_count, &a->writers, 0, f);
	if (ok && a->workload->has_roles)
		ok = product(a, &n, f);
	else if (ok) {
		a->team_count = n.thread_count ? n.thread_count : 1;
		a->teams = calloc(a->team_count, sizeof *a->teams);
		for (unsigned i = 0; a->teams && i < a->team_count; i++)
			a->teams[i].threads = n.threads ? n.threads[i] : placement_cpus();
	}
	free(n.threads);
	free(n.readers);
	free(n.writers);
	return ok && a->teams;
}
