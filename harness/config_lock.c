/* config_lock.c - "mcs", "rwsem_*" and "rwsem_wakeq:wake=inside" to locks. */
#include <errno.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cells.h"
#include "config_axes.h"
#include "suggest.h"
#include "value.h"

#define NAME_SIZE 128

static bool is_glob(const char *name)
{
	return strpbrk(name, "*?[");
}

static const struct param *find_param(const struct param *params, const char *name, unsigned *i)
{
	for (*i = 0; params && params[*i].name; (*i)++)
		if (!strcmp(params[*i].name, name))
			return &params[*i];
	return NULL;
}

/* One "key=value" of a lock. */
static bool read_param(struct lock_choice *l, char *text, bool *given, struct fault *f)
{
	char *equals = strchr(text, '='), why[256];
	struct suggest near;
	const struct param *p;
	unsigned i;

	if (!equals) {
		fault_at(f, &l->word->at, "'%s' of '%s' is not of the form parameter=value", text,
			 l->word->text);
		return false;
	}
	*equals = 0;
	p = find_param(l->ops->params, text, &i);
	if (!p) {
		suggest_begin(&near, text);
		for (p = l->ops->params; p && p->name; p++)
			suggest_name(&near, p->name);
		fault_at(f, &l->word->at, "lock '%s' has no parameter '%s'; %s", l->ops->name, text,
			 suggest_end(&near));
		return false;
	}
	if (value_parse(p, equals + 1, &l->params[i], why, sizeof why)) {
		fault_at(f, &l->word->at, "lock '%s': %s", l->ops->name, why);
		return false;
	}
	given[i] = true;
	return true;
}

/* text: what stands behind the name and its first ':', or NULL. */
static bool choose(struct lock_choice *l, const struct lock_ops *ops, const struct word *word,
		   const char *text, struct fault *f)
{
	char *copy = text ? strdup(text) : NULL, *rest = copy, *part, why[256];
	bool given[MAX_PARAMS] = { false };
	size_t size;
	FILE *to;

	*l = (struct lock_choice){ .ops = ops, .word = word };
	for (unsigned i = 0; ops->params && ops->params[i].name; i++)
		if (value_parse(&ops->params[i], ops->params[i].def, &l->params[i], why,
				sizeof why))
			fault_at(f, &word->at, "lock '%s', default: %s", ops->name, why);
	while ((part = strsep(&rest, ":")) && read_param(l, part, given, f))
		;
	free(copy);
	if (f->failed)
		return false;
	/* the label: as written, but always in one order and one unit */
	to = open_memstream(&l->label, &size);
	if (!to) {
		fault_at(f, &word->at, "%s", strerror(errno));
		return false;
	}
	fputs(ops->name, to);
	for (unsigned i = 0; ops->params && ops->params[i].name; i++) {
		char value[VALUE_SIZE];

		value_print(&ops->params[i], l->params[i], value, sizeof value);
		if (given[i])
			fprintf(to, ":%s=%s", ops->params[i].name, value);
	}
	fclose(to);
	return true;
}

static bool add(struct lock_choice **locks, unsigned *count, const struct lock_ops *ops,
		const struct word *word, const char *params, struct fault *f)
{
	struct lock_choice l, *more;

	if (!choose(&l, ops, word, params, f))
		return false;
	for (unsigned i = 0; i < *count; i++)
		if (!strcmp((*locks)[i].label, l.label)) {
			free(l.label);
			return true;
		}
	more = realloc(*locks, (*count + 1) * sizeof **locks);
	if (!more) {
		free(l.label);
		fault_at(f, &word->at, "%s", strerror(errno));
		return false;
	}
	*locks = more;
	more[(*count)++] = l;
	return true;
}

static bool resolve_word(struct lock_choice **locks, unsigned *count, const struct word *w,
			 struct fault *f)
{
	const char *colon = strchr(w->text, ':');
	unsigned matches = 0;
	struct suggest near;
	char name[NAME_SIZE];

	snprintf(name, sizeof name, "%.*s", colon ? (int)(colon - w->text) : (int)strlen(w->text),
		 w->text);
	suggest_begin(&near, name);
	for (const struct lock_ops *const *l = cells_locks(); *l; l++) {
		suggest_name(&near, (*l)->name);
		if (is_glob(name) ? fnmatch(name, (*l)->name, 0) != 0
				  : strcmp(name, (*l)->name) != 0)
			continue;
		matches++;
		if (!add(locks, count, *l, w, colon ? colon + 1 : NULL, f))
			return false;
	}
	if (!matches)
		fault_at(f, &w->at, is_glob(name) ? "no lock matches '%s'; %s" : "no lock '%s'; %s",
			 name, suggest_end(&near));
	return matches;
}

bool locks_resolve(struct lock_choice **locks, unsigned *count, const struct setting *s,
		   struct fault *f)
{
	*locks = NULL;
	*count = 0;
	for (unsigned i = 0; i < s->count; i++)
		if (!resolve_word(locks, count, setting_word(s, i), f))
			return false;
	return true;
}

void locks_free(struct lock_choice *locks, unsigned count)
{
	for (unsigned i = 0; i < count; i++)
		free(locks[i].label);
	free(locks);
}

char *locks_label(const struct word *w, struct fault *f)
{
	struct lock_choice *locks = NULL;
	unsigned count = 0;
	char *label = NULL;

	if (is_glob(w->text))
		fault_at(f, &w->at, "the baseline is one lock, '%s' is a pattern", w->text);
	else if (resolve_word(&locks, &count, w, f))
		label = strdup(locks[0].label);
	locks_free(locks, count);
	return label;
}
