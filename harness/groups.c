/* groups.c - see groups.h. */
#include "groups.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "text.h"

static unsigned name_index(const char ***list, unsigned *count, const char *name)
{
	for (unsigned i = 0; i < *count; i++)
		if (!strcmp((*list)[i], name))
			return i;
	*list = realloc(*list, (*count + 1) * sizeof(**list));
	if (!*list)
		abort();
	(*list)[*count] = name;
	return (*count)++;
}

static bool at_place(const struct place_x *x, const struct reading_cell *c)
{
	return x->threads == c->threads && x->readers == c->readers && x->writers == c->writers;
}

static unsigned place_index(struct group *g, const struct reading_cell *c)
{
	struct place_x *x;

	for (unsigned i = 0; i < g->xs; i++)
		if (at_place(&g->x[i], c)) {
			g->x[i].oversubscribed |= c->oversubscribed;
			return i;
		}
	g->x = realloc(g->x, (g->xs + 1) * sizeof(*g->x));
	if (!g->x)
		abort();
	x = &g->x[g->xs];
	*x = (struct place_x){ .threads = c->threads,
			       .readers = c->readers,
			       .writers = c->writers,
			       .oversubscribed = c->oversubscribed };
	if (c->readers < 0)
		snprintf(x->label, sizeof(x->label), "%u", c->threads);
	else
		snprintf(x->label, sizeof(x->label), "%dr %dw", c->readers, c->writers);
	return g->xs++;
}

static int by_threads(const void *a, const void *b)
{
	const struct place_x *x = a, *y = b;

	if (x->threads != y->threads)
		return x->threads < y->threads ? -1 : 1;
	return x->writers - y->writers;
}

static void fill(struct group *g, struct readings *r, const char *question)
{
	g->cell = calloc((size_t)g->locks * g->xs, sizeof(*g->cell));
	if (!g->cell)
		abort();
	for (unsigned i = 0; i < r->cells; i++) {
		struct reading_cell *c = &r->cell[i];

		if (!strcmp(c->question, question))
			g->cell[name_index(&g->lock, &g->locks, c->lock) * g->xs +
				place_index(g, c)] = c;
	}
}

static void count(struct group *g)
{
	g->runs_low = UINT32_MAX;
	for (unsigned i = 0; i < g->locks * g->xs; i++) {
		const struct reading_cell *c = g->cell[i];

		if (!c)
			continue;
		g->bad += c->bad;
		g->dirty += c->dirty;
		g->far += c->far;
		g->two_modes += c->two_modes;
		if (c->values && c->values < g->runs_low)
			g->runs_low = c->values;
		if (c->values > g->runs_high)
			g->runs_high = c->values;
	}
	if (!g->runs_high)
		g->runs_low = 0;
	g->busiest = g->xs - 1;
	g->busiest_fitting = g->busiest;
	for (unsigned i = g->xs; i-- > 0;)
		if (!g->x[i].oversubscribed) {
			g->busiest_fitting = i;
			break;
		}
}

static void arrange(struct group *g, struct readings *r, struct reading_cell *first)
{
	struct reading_cell **column;

	g->any = first;
	g->roles = first->readers >= 0;
	for (unsigned i = 0; i < r->cells; i++)
		if (!strcmp(r->cell[i].question, first->question)) {
			name_index(&g->lock, &g->locks, r->cell[i].lock);
			place_index(g, &r->cell[i]);
		}
	qsort(g->x, g->xs, sizeof(*g->x), by_threads);
	fill(g, r, first->question);
	column = calloc(g->locks, sizeof(*column));
	if (!column)
		abort();
	for (unsigned x = 0; x < g->xs; x++) {
		for (unsigned l = 0; l < g->locks; l++)
			column[l] = group_cell(g, l, x);
		pool_alike(column, g->locks);
	}
	free(column);
	count(g);
}

struct reading_cell *group_cell(const struct group *g, unsigned lock, unsigned x)
{
	return g->cell[lock * g->xs + x];
}

const char *group_x_text(const struct group *g, unsigned x, char *text, size_t size)
{
	snprintf(text, size, "%s%s", g->x[x].label,
		 g->roles		? ""
		 : g->x[x].threads == 1 ? " thread"
					: " threads");
	return text;
}

const char *group_runs(const struct group *g, char *text, size_t size)
{
	if (g->runs_low == g->runs_high)
		snprintf(text, size, "%u run%s", g->runs_high, g->runs_high == 1 ? "" : "s");
	else
		snprintf(text, size, "%u to %u runs", g->runs_low, g->runs_high);
	return text;
}

static bool same(const char *a, const char *b)
{
	return a == b || (a && b && !strcmp(a, b));
}

static void append_setting(char **varying, char **fixed, bool varies, const char *name,
			   const char *value)
{
	char **to = varies ? varying : fixed;

	if (value)
		*to = text_append(*to, "%s%s%s%s", **to ? ", " : "", name, *name ? " " : "", value);
}

/* The parameters by whether they tell this group from others of its experiment. */
static void name_group(struct groups *all, struct group *g)
{
	const struct reading_cell *c = g->any;
	bool call = false, placement = false, memory = false, experiment = false;
	char *varying = text_append(NULL, "%s", ""), *fixed = text_append(NULL, "%s", "");
	const char *key;
	json_t *value;

	for (unsigned i = 0; i < all->count; i++) {
		const struct reading_cell *o = all->group[i].any;

		if (!same(o->experiment, c->experiment))
			continue;
		call |= !same(o->call, c->call);
		placement |= !same(o->placement, c->placement);
		memory |= !same(o->memory, c->memory);
		experiment |= !same(o->workload, c->workload);
	}
	json_object_foreach(c->params, key, value)
	{
		bool varies = false;
		char *text = json_is_string(value) ? NULL : json_dumps(value, JSON_ENCODE_ANY);

		for (unsigned i = 0; i < all->count; i++) {
			const struct reading_cell *o = all->group[i].any;
			json_t *other = json_object_get(o->params, key);

			varies |= same(o->experiment, c->experiment) && other &&
				  !json_equal(other, value);
		}
		append_setting(&varying, &fixed, varies, key,
			       text ? text : json_string_value(value));
		free(text);
	}
	append_setting(&varying, &fixed, call, "", c->call);
	append_setting(&varying, &fixed, placement, "placement", c->placement);
	append_setting(&varying, &fixed, memory, "memory", c->memory);
	g->title = text_append(NULL, "%s", c->experiment ? c->experiment : c->workload);
	if (!same(c->experiment, c->workload) && c->experiment)
		g->title = text_append(g->title, ": %s", c->workload);
	if (*varying)
		g->title = text_append(g->title, ", %s", varying);
	g->about = fixed;
	g->slug = text_append(NULL, "%s%s%s%s%s", c->experiment ? c->experiment : c->workload,
			      experiment ? "-" : "", experiment ? c->workload : "",
			      *varying ? "-" : "", varying);
	free(varying);
}

/* Letters, digits, dot, hyphen; a number behind where two come out the same. */
static void make_safe(struct groups *all, struct group *g)
{
	char *to = g->slug, *stem;
	unsigned n = 1;

	for (const char *from = g->slug; *from; from++) {
		bool plain = isalnum((unsigned char)*from) || (*from == '.' && to != g->slug);

		if (plain || *from == '_')
			*to++ = *from;
		else if (to != g->slug && to[-1] != '-')
			*to++ = '-';
	}
	while (to != g->slug && to[-1] == '-')
		to--;
	*to = '\0';
	if (strlen(g->slug) > 80)
		g->slug[80] = '\0';
	if (!*g->slug)
		g->slug = text_append(g->slug, "group");
	stem = strdup(g->slug);
	for (unsigned i = 0; &all->group[i] != g; i++)
		if (!strcmp(all->group[i].slug, g->slug)) {
			free(g->slug);
			g->slug = text_append(NULL, "%s-%u", stem, ++n);
			i = UINT32_MAX; /* look at all of them again */
		}
	free(stem);
}

void groups_make(struct groups *g, struct readings *r)
{
	*g = (struct groups){ 0 };
	g->group = calloc(r->cells ? r->cells : 1, sizeof(*g->group));
	if (!g->group)
		abort();
	for (unsigned i = 0; i < r->cells; i++) {
		unsigned k = 0;

		name_index(&g->lock, &g->locks, r->cell[i].lock);
		while (k < g->count && strcmp(g->group[k].any->question, r->cell[i].question))
			k++;
		if (k == g->count)
			arrange(&g->group[g->count++], r, &r->cell[i]);
	}
	for (unsigned i = 0; i < g->count; i++)
		name_group(g, &g->group[i]);
	for (unsigned i = 0; i < g->count; i++)
		make_safe(g, &g->group[i]);
}

void groups_free(struct groups *g)
{
	for (unsigned i = 0; i < g->count; i++) {
		struct group *one = &g->group[i];

		free(one->title);
		free(one->about);
		free(one->slug);
		free(one->lock);
		free(one->x);
		free(one->cell);
	}
	free(g->group);
	free(g->lock);
	*g = (struct groups){ 0 };
}
