/* events_verb.c - the verb `events`: a table for each place of each experiment. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "events_table.h"
#include "groups.h"
#include "verbs.h"

/* Why the cell is no column, or NULL. */
static const char *missing(const struct reading_cell *cell)
{
	const char *why = "no repetition is ok";

	for (unsigned i = 0; i < cell->readings; i++) {
		const struct reading *r = &cell->reading[i];

		if (r->status != STATUS_OK)
			continue;
		if (json_is_object(json_object_get(r->json, "events")))
			return NULL;
		why = json_string_value(json_object_get(r->json, "events_reason"));
		/* records that were written before there were events */
		why = why ? why : "its records have no events";
	}
	return why;
}

/* In the order of the config: the records are shuffled. */
static int by_id(const void *a, const void *b)
{
	const struct reading_cell *const *x = a, *const *y = b;

	return ((*x)->id > (*y)->id) - ((*x)->id < (*y)->id);
}

/* The cells of one place of a group; -1 for records that do not add up. */
static int put_place(const struct group *g, unsigned x, const char *dir, unsigned *tables)
{
	struct reading_cell **cells = calloc(g->locks, sizeof(*cells));
	struct events_column *columns = calloc(g->locks, sizeof(*columns));
	unsigned all = 0, n = 0;
	char text[64];
	int rc = 0;

	if (!cells || !columns)
		abort();
	for (unsigned l = 0; l < g->locks; l++)
		if (group_cell(g, l, x))
			cells[all++] = group_cell(g, l, x);
	qsort(cells, all, sizeof(*cells), by_id);
	for (unsigned k = 0; k < all && !rc; k++) {
		if (missing(cells[k]))
			continue;
		columns[n].lock = cells[k]->lock;
		for (unsigned i = 0; i < cells[k]->readings && !rc; i++)
			if (cells[k]->reading[i].status == STATUS_OK &&
			    !events_add(&columns[n], &cells[k]->reading[i], dir))
				rc = -1;
		n++;
	}
	if (n && !rc) {
		printf("%s%s, %s; counts are sums over the repetitions\n", *tables ? "\n" : "",
		       g->title, group_x_text(g, x, text, sizeof(text)));
		events_put(columns, n);
		for (unsigned k = 0; k < all; k++)
			if (missing(cells[k]))
				printf("\n  %s: %s\n", cells[k]->lock, missing(cells[k]));
		++*tables;
	}
	free(columns);
	free(cells);
	return rc;
}

static int put_folder(const char *dir)
{
	struct readings r;
	struct groups g;
	unsigned tables = 0;
	char why[512];
	int rc = 0;

	if (readings_read(&r, dir, why, sizeof(why))) {
		fprintf(stderr, "events: %s\n", why);
		readings_free(&r);
		return EXIT_USAGE;
	}
	groups_make(&g, &r);
	for (unsigned i = 0; i < g.count; i++)
		for (unsigned x = 0; x < g.group[i].xs && !rc; x++)
			rc = put_place(&g.group[i], x, dir, &tables);
	groups_free(&g);
	if (!rc && !tables) {
		fprintf(stderr, "events: no record in %s has events; measure with events = on\n",
			dir);
		rc = -1;
	}
	readings_free(&r);
	return rc ? EXIT_USAGE : EXIT_FINE;
}

int verb_events(int argc, char **argv)
{
	if (argc > 1 && !strcmp(argv[1], "--help")) {
		puts("usage: events DIR\n\n"
		     "Prints what was counted inside the locks of the results folder DIR: how\n"
		     "many acquisitions were blocked, and how that ended. docs/events.md says\n"
		     "what each line means. Measure with events = on.");
		return EXIT_FINE;
	}
	if (argc != 2 || argv[1][0] == '-') {
		fprintf(stderr, "usage: events DIR\n");
		return EXIT_USAGE;
	}
	return put_folder(argv[1]);
}
