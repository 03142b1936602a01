/* suggest.c - see suggest.h. */
#include "suggest.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#define LETTERS 63

static unsigned least(unsigned a, unsigned b)
{
	return a < b ? a : b;
}

static bool same(char a, char b)
{
	return tolower((unsigned char)a) == tolower((unsigned char)b);
}

/* Optimal string alignment: the textbook table, three rows of it. */
unsigned suggest_distance(const char *a, const char *b)
{
	unsigned rows[3][LETTERS + 1], *before = rows[0], *last = rows[1], *now = rows[2];
	unsigned na = (unsigned)strnlen(a, LETTERS), nb = (unsigned)strnlen(b, LETTERS);

	for (unsigned j = 0; j <= nb; j++)
		last[j] = j;
	for (unsigned i = 1; i <= na; i++) {
		unsigned *spare = before;

		now[0] = i;
		for (unsigned j = 1; j <= nb; j++) {
			now[j] = least(last[j - 1] + !same(a[i - 1], b[j - 1]),
				       least(last[j], now[j - 1]) + 1);
			if (i > 1 && j > 1 && same(a[i - 1], b[j - 2]) && same(a[i - 2], b[j - 1]))
				now[j] = least(now[j], before[j - 2] + 1);
		}
		before = last;
		last = now;
		now = spare;
	}
	return last[nb];
}

/* A word left short is as near as one with a slip: "xadd" for "rwsem_xadd". */
static unsigned distance(const char *word, const char *name)
{
	unsigned d = suggest_distance(word, name);

	if (strlen(word) >= 3 && (strcasestr(name, word) || strcasestr(word, name)))
		d = least(d, 1);
	return d;
}

void suggest_begin(struct suggest *s, const char *word)
{
	memset(s, 0, sizeof *s);
	s->word = word;
}

void suggest_name(struct suggest *s, const char *name)
{
	unsigned d = distance(s->word, name), at = 0;

	if (s->used < sizeof s->all)
		s->used += (size_t)snprintf(s->all + s->used, sizeof s->all - s->used, "%s%s",
					    s->count ? ", " : "", name);
	s->count++;
	while (at < SUGGESTIONS && s->best[at] && s->distance[at] <= d)
		at++;
	if (at == SUGGESTIONS)
		return;
	for (unsigned i = SUGGESTIONS - 1; i > at; i--) {
		s->best[i] = s->best[i - 1];
		s->distance[i] = s->distance[i - 1];
	}
	s->best[at] = name;
	s->distance[at] = d;
}

const char *suggest_end(struct suggest *s)
{
	unsigned near = 1 + (unsigned)strlen(s->word) / 3;
	size_t used = 0;

	if (!s->count)
		return "there are none";
	for (unsigned i = 0; i < SUGGESTIONS && s->best[i] && s->distance[i] <= near; i++)
		used += (size_t)snprintf(s->said + used, sizeof s->said - used, "%s%s",
					 i ? ", " : "nearest: ", s->best[i]);
	if (!used)
		snprintf(s->said, sizeof s->said, "there are: %s%s", s->all,
			 s->used < sizeof s->all ? "" : "…");
	return s->said;
}
