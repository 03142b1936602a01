/* config_source.c - see config_source.h. */
#include "config_source.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "suggest.h"

/* Why a file cannot be read, and what lies beside it. */
static void unreadable(const char *path, const char *what, const struct place *at, int error,
		       struct fault *f)
{
	const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path;
	char *folder = slash ? strndup(path, (size_t)(slash - path + 1)) : strdup(".");
	struct dirent **entries = NULL;
	struct suggest near;
	int n = error == ENOENT && folder ? scandir(folder, &entries, NULL, alphasort) : -1;

	suggest_begin(&near, base);
	for (int i = 0; i < n; i++)
		if (*entries[i]->d_name != '.')
			suggest_name(&near, entries[i]->d_name);
	fault_at(f, at, "%s cannot be read: %s%s%s", what, strerror(error),
		 n > 0 ? "; in that folder, " : "", n > 0 ? suggest_end(&near) : "");
	for (int i = 0; i < n; i++)
		free(entries[i]);
	free(entries);
	free(folder);
}

/* The whole file, up to a zero byte, which no config has. */
static char *slurp(const char *path, int *error)
{
	FILE *in = fopen(path, "r");
	struct stat st;
	char *text = NULL;
	size_t size = 0;

	*error = in ? 0 : errno;
	if (!in)
		return NULL;
	if (!fstat(fileno(in), &st) && S_ISDIR(st.st_mode))
		*error = EISDIR;
	else if (getdelim(&text, &size, 0, in) < 0) {
		*error = ferror(in) ? errno : 0;
		free(text);
		text = *error ? NULL : strdup("");
	}
	fclose(in);
	return text;
}

/* Blanks from s up to end, but for the ends of lines. */
static char *blank(char *s, const char *end)
{
	for (; s < end; s++)
		if (*s != '\n')
			*s = ' ';
	return s;
}

static int line_of(const char *text, const char *s)
{
	int line = 1;

	for (; text < s; text++)
		line += *text == '\n';
	return line;
}

/* Behind the quote that ends what starts at s; NULL when none does. */
static char *behind_quoted(char *s)
{
	char quote = *s++;

	for (; *s && *s != quote; s++)
		if (*s == '\\' && s[1])
			s++;
	return *s ? s + 1 : NULL;
}

/* Blanks comments; and what libconfuse would let pass or blame on another line. */
static bool strip(const char *path, char *text, struct fault *f)
{
	char *s = text, *end, *open = NULL;
	struct place at = { path, 0 };
	int depth = 0;

	while (*s) {
		if (*s == '{' && !depth++)
			open = s;
		depth -= *s == '}' && depth > 0;

		if (*s == '"' || *s == '\'') {
			end = behind_quoted(s);
			if (!end) {
				at.line = line_of(text, s);
				fault_at(f, &at, "the quote %c that begins here is never closed",
					 *s);
				return false;
			}
			s = end;
		} else if (*s == '#' || (*s == '/' && s[1] == '/'))
			s = blank(s, s + strcspn(s, "\n"));
		else if (*s == '/' && s[1] == '*') {
			end = strstr(s + 2, "*/");
			if (!end) {
				at.line = line_of(text, s);
				fault_at(f, &at, "the comment that begins here is never closed");
				return false;
			}
			s = blank(s, end + 2);
		} else if (*s == '+' && s[1] == '=') {
			at.line = line_of(text, s);
			fault_at(f, &at,
				 "+= would add to this block's own list alone, not to what it "
				 "inherits; write = and the whole list");
			return false;
		} else if (*s == '*') {
			at.line = line_of(text, s);
			fault_at(f, &at, "a '*' outside of quotes; write \"rwsem_*\"");
			return false;
		} else
			s++;
	}
	if (depth) {
		at.line = line_of(text, open);
		fault_at(f, &at, "the { that opens here is never closed, or one inside of it");
		return false;
	}
	return true;
}

char *config_source(const char *path, const char *what, const struct place *at, struct fault *f)
{
	int error;
	char *text = slurp(path, &error);

	if (error) {
		unreadable(path, what, at, error, f);
		return NULL;
	}
	if (!text)
		fault_at(f, at, "%s: no memory", what);
	else if (!strip(path, text, f)) {
		free(text);
		return NULL;
	}
	return text;
}
