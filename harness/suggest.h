/*
 * suggest.h - for a word that is not known, the known ones that it may have been
 * meant to be.
 *
 *	suggest_begin(&s, "rwsem_xad");
 *	for (...) suggest_name(&s, name);
 *	say("no lock '%s'; %s", word, suggest_end(&s));   "nearest: rwsem_xadd"
 */
#ifndef HARNESS_SUGGEST_H
#define HARNESS_SUGGEST_H

#include <stddef.h>

#define SUGGESTIONS 3

struct suggest {
	const char *word;
	const char *best[SUGGESTIONS]; /* nearest first */
	unsigned distance[SUGGESTIONS];
	unsigned count; /* of names */
	size_t used;
	char all[512], said[640];
};

void suggest_begin(struct suggest *s, const char *word);

/* name must live until suggest_end. */
void suggest_name(struct suggest *s, const char *name);

/* The near ones, or all when none is near. Lives as long as s. */
const char *suggest_end(struct suggest *s);

/*
 * How many letters to insert, delete, replace, or swap with their neighbour
 * make b out of a; case does not count. Words over 63 letters are cut there.
 */
unsigned suggest_distance(const char *a, const char *b);

#endif
