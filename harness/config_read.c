/*
 * config_read.c - see config_read.h. Every key is a list of "pointers" to
 * libconfuse, which then hands over each word as it reads it, and so its place.
 */
#include "config_read.h"

#include <regex.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cells.h"
#include "config_source.h"
#include "suggest.h"

#define MAX_OPTIONS 128
#define MAX_DEPTH 8

static const char *const keys[] = {
	"workload", "locks",	  "threads",  "readers",     "writers", "placement", "memory",
	"duration", "operations", "warmup",   "repetitions", "latency", "counters",  "events",
	"call",	    "timeout",	  "baseline", "seed",	     NULL,
};

/*
 * libconfuse has no room for a caller's pointer in its callbacks: what is being
 * read, while it is.
 */
static struct {
	struct fault *fault;
	const char *set; /* the --set, or NULL in a file */
	char set_place[256];
	unsigned depth; /* of includes */
} reading;

void fault_at(struct fault *f, const struct place *at, const char *format, ...)
{
	va_list args;
	int n = 0;

	if (f->failed)
		return;
	f->failed = true;
	if (at && at->line)
		n = snprintf(f->why, f->size, "%s:%d: ", at->file, at->line);
	else if (at)
		n = snprintf(f->why, f->size, "%s: ", at->file);
	va_start(args, format);
	if (n >= 0 && (size_t)n < f->size)
		vsnprintf(f->why + n, f->size - (size_t)n, format, args);
	va_end(args);
}

static struct place place_of(const cfg_t *cfg)
{
	if (reading.set)
		return (struct place){ reading.set_place, 0 };
	return (struct place){ cfg->filename ? cfg->filename : "config", cfg->line };
}

/* The parameters of all workloads, each name once, for i from 0 on. */
static const char *any_param(unsigned i)
{
	const char *seen[MAX_OPTIONS];
	unsigned n = 0, twin;

	for (const struct workload_ops *const *w = cells_workloads(); *w; w++)
		for (const struct param *p = (*w)->params; p && p->name; p++) {
			for (twin = 0; twin < n && strcmp(seen[twin], p->name); twin++)
				;
			if (twin < n || n == MAX_OPTIONS - 1)
				continue;
			if (n == i)
				return p->name;
			seen[n++] = p->name;
		}
	return NULL;
}

static bool is_param(const char *word)
{
	const char *name;

	for (unsigned i = 0; (name = any_param(i)); i++)
		if (!strcmp(name, word))
			return true;
	return false;
}

static void unknown_key(struct fault *f, const struct place *at, const char *word, bool in_params)
{
	struct suggest near;
	const char *name;

	suggest_begin(&near, word);
	if (!in_params && !strcmp(word, "seed")) {
		fault_at(f, at, "'seed' is one for the whole run: write it before the experiments");
		return;
	}
	if (!strcmp(word, "experiment")) {
		fault_at(f, at, "an experiment inside of a block; a '}' is missing before it");
		return;
	}
	if (!in_params && is_param(word)) {
		fault_at(f, at, "'%s' is a parameter: write params { %s = … }", word, word);
		return;
	}
	for (unsigned i = 0; in_params && (name = any_param(i)); i++)
		suggest_name(&near, name);
	for (const char *const *k = keys; !in_params && *k; k++)
		suggest_name(&near, *k);
	if (!in_params) {
		suggest_name(&near, "params");
		suggest_name(&near, "experiment");
		suggest_name(&near, "include");
	}
	fault_at(f, at, "no %s '%s'; %s", in_params ? "parameter" : "key", word,
		 suggest_end(&near));
}

/* What libconfuse complains about, with more help where there is some. */
static void complaint(cfg_t *cfg, const char *format, va_list args)
{
	struct place at = place_of(cfg);
	char text[512];

	vsnprintf(text, sizeof text, format, args);
	if (strstr(format, "no such option '%s'")) {
		char *word = strchr(text, '\'') + 1;

		word[strcspn(word, "'")] = 0;
		unknown_key(reading.fault, &at, word, !strcmp(cfg->name, "params"));
	} else if (strstr(format, "duplicate title '%s'"))
		fault_at(reading.fault, &at, "%s; each experiment needs a name of its own", text);
	else if (strstr(format, "premature end"))
		fault_at(reading.fault, &at, "the file ends where a value is missing");
	else if (strstr(format, "unexpected token"))
		fault_at(reading.fault, &at,
			 "%s; a value with any of = , { } ( ) + # or spaces needs quotes, and a "
			 "list "
			 "is {\"a\", \"b\"}",
			 text);
	else
		fault_at(reading.fault, &at, "%s", text);
}

static int take_word(cfg_t *cfg, cfg_opt_t *option, const char *text, void *result)
{
	struct place at = place_of(cfg);
	size_t name = strlen(at.file) + 1, length = strlen(text) + 1;
	struct word *w = malloc(sizeof *w + name + length);
	char *room = (char *)(w + 1);

	(void)option;
	if (!w)
		return -1;
	w->at = (struct place){ memcpy(room, at.file, name), at.line };
	w->text = memcpy(room + name, text, length);
	*(void **)result = w;
	return 0;
}

/* One file, also while another is being read. False with a fault. */
static bool parse_file(cfg_t *cfg, const char *path, const char *what, const struct place *at)
{
	char *text = config_source(path, what, at, reading.fault), *outer = cfg->filename;
	int outer_line = cfg->line;
	FILE *in;
	bool ok;

	if (!text)
		return false;
	cfg->filename = strdup(path);
	/* an empty text cannot be opened */
	in = fmemopen(*text ? text : "\n", *text ? strlen(text) : 1, "r");
	ok = in && cfg->filename && cfg_parse_fp(cfg, in) == CFG_SUCCESS;
	if (!ok)
		fault_at(reading.fault, at, "%s cannot be read as a config", what);
	if (in)
		fclose(in);
	free(text);
	if (outer) {
		free(cfg->filename);
		cfg->filename = outer;
		cfg->line = outer_line;
	}
	return ok;
}

/*
 * include("file"): relative to the file that says so, not to where we were
 * started. libconfuse's own include would go on inside a block that the included
 * file leaves open.
 */
static int include(cfg_t *cfg, cfg_opt_t *option, int argc, const char **argv)
{
	struct place at = place_of(cfg);
	const char *slash = strrchr(at.file, '/');
	char *path, what[256];
	bool ok;

	(void)option;
	if (argc != 1 || !*argv[0]) {
		fault_at(reading.fault, &at, "include wants one file: include(\"file\")");
		return -1;
	}
	if (reading.depth == MAX_DEPTH) {
		fault_at(reading.fault, &at,
			 "include(\"%s\"): %d files deep; does one of them "
			 "include itself?",
			 argv[0], MAX_DEPTH);
		return -1;
	}
	if (asprintf(&path, "%.*s%s", *argv[0] == '/' || !slash ? 0 : (int)(slash - at.file + 1),
		     at.file, argv[0]) < 0)
		return -1;
	snprintf(what, sizeof what, "include(\"%s\")", argv[0]);
	reading.depth++;
	ok = parse_file(cfg, path, what, &at);
	reading.depth--;
	free(path);
	return ok ? 0 : -1;
}

/* The options of a block; libconfuse copies them. */
static void block_options(cfg_opt_t *to, cfg_opt_t *params, cfg_opt_t *experiment)
{
	const char *name;
	unsigned n = 0;

	for (unsigned i = 0; (name = any_param(i)); i++)
		params[n++] = (cfg_opt_t)CFG_PTR_LIST_CB(name, 0, CFGF_NODEFAULT, take_word, free);
	params[n] = (cfg_opt_t)CFG_END();
	for (const char *const *k = keys; *k; k++)
		if (experiment || strcmp(*k, "seed"))
			*to++ = (cfg_opt_t)CFG_PTR_LIST_CB(*k, 0, CFGF_NODEFAULT, take_word, free);
	/* several, since only a new section knows the file it is in */
	*to++ = (cfg_opt_t)CFG_SEC("params", params, CFGF_MULTI);
	*to++ = (cfg_opt_t)CFG_FUNC("include", include);
	if (experiment)
		*to++ = (cfg_opt_t)CFG_SEC("experiment", experiment,
					   CFGF_MULTI | CFGF_TITLE | CFGF_NO_TITLE_DUPES);
	*to = (cfg_opt_t)CFG_END();
}

static cfg_t *new_block(void)
{
	cfg_opt_t params[MAX_OPTIONS], inner[32], outer[32];
	cfg_t *cfg;

	block_options(inner, params, NULL);
	block_options(outer, params, inner);
	cfg = cfg_init(outer, CFGF_NONE);
	if (cfg)
		cfg_set_error_function(cfg, complaint);
	return cfg;
}

/* The line of the last `key = {}` in the first `end` lines; end when it is not there. */
static int line_of_empty(const char *file, const char *key, int end)
{
	char pattern[128], *line = NULL;
	size_t size = 0;
	regex_t regex;
	int found = end;
	FILE *in = fopen(file, "r");

	snprintf(pattern, sizeof pattern, "(^|[^a-z_])%s[ \t]*\\+?=[ \t]*(\\{|$)", key);
	if (!in || regcomp(&regex, pattern, REG_EXTENDED | REG_NOSUB))
		goto out;
	for (int i = 1; i <= end && getline(&line, &size, in) > 0; i++) {
		line[strcspn(line, "\n")] = 0;
		if (!regexec(&regex, line, 0, NULL, 0))
			found = i;
	}
	regfree(&regex);
out:
	free(line);
	if (in)
		fclose(in);
	return found;
}

static void refuse_empty(cfg_t *block)
{
	for (cfg_opt_t *o = block->opts; o->name; o++) {
		struct place at = place_of(block);

		if (o->type == CFGT_SEC)
			for (unsigned i = 0; i < cfg_opt_size(o); i++)
				refuse_empty(cfg_opt_getnsec(o, i));
		if (o->type != CFGT_PTR || cfg_opt_size(o) || !(o->flags & CFGF_MODIFIED))
			continue;
		if (at.line)
			at.line = line_of_empty(at.file, o->name, at.line);
		fault_at(reading.fault, &at,
			 "'%s' has no values, so there are no cells to measure; give at least one",
			 o->name);
	}
}

static void quote(FILE *to, const char *text, size_t length)
{
	fputc('\'', to);
	for (size_t i = 0; i < length; i++)
		fprintf(to, "%s%c", strchr("\\'", text[i]) ? "\\" : "", text[i]);
	fputc('\'', to);
}

/* What stands behind --set as a line of a config: commas make lists, but in CPU lists. */
static char *set_line(const char *key, const char *value)
{
	bool param = !strncmp(key, "params.", 7), whole = !strncmp(value, "cpus=", 5);
	char *line = NULL;
	size_t size;
	FILE *to = open_memstream(&line, &size);

	if (!to)
		return NULL;
	fprintf(to, "%s%s = ", param ? "params { " : "", param ? key + 7 : key);
	if (*value == '{')
		fputs(value, to);
	else {
		fputc('{', to);
		for (const char *s = value; *value;) {
			size_t n = whole ? strlen(s) : strcspn(s, ",");

			quote(to, s, n);
			if (!s[n])
				break;
			fputc(',', to);
			s += n + 1;
		}
		fputc('}', to);
	}
	fputs(param ? " }\n" : "\n", to);
	return fclose(to) ? NULL : line;
}

static void read_set(cfg_t *set, const char *text, struct fault *f)
{
	const char *equals = strchr(text, '='), *const *k = keys;
	struct place at = { reading.set_place, 0 };
	char key[64], *line;

	reading.set = text;
	snprintf(reading.set_place, sizeof reading.set_place, "--set %s", text);
	if (!equals || equals == text || (size_t)(equals - text) >= sizeof key) {
		fault_at(f, &at,
			 "not of the form key=value, like duration=1s, threads=1,2,2x or "
			 "params.read_pct=95");
		return;
	}
	snprintf(key, sizeof key, "%.*s", (int)(equals - text), text);
	while (*k && strcmp(*k, key))
		k++;
	if (!strncmp(key, "params.", 7) ? !is_param(key + 7) : !*k) {
		bool param = !strncmp(key, "params.", 7);

		if (!param && is_param(key))
			fault_at(f, &at, "'%s' is a parameter: --set params.%s", key, text);
		else
			unknown_key(f, &at, param ? key + 7 : key, param);
		return;
	}
	line = set_line(key, equals + 1);
	if (!line || cfg_parse_buf(set, line) != CFG_SUCCESS)
		fault_at(f, &at, "cannot be read");
	free(line);
}

void config_read(struct config *c, const char *path, const char *const *sets, struct fault *f)
{
	struct place at = { path, 0 };

	*c = (struct config){ .file = new_block(), .set = new_block() };
	reading.fault = f;
	reading.set = NULL;
	if (!c->file || !c->set)
		fault_at(f, &at, "no memory to read it");
	else if (parse_file(c->file, path, "the config", &at))
		refuse_empty(c->file);
	for (; sets && *sets && !f->failed; sets++)
		read_set(c->set, *sets, f);
	if (!f->failed)
		refuse_empty(c->set);
	reading.set = NULL;
	c->experiments = f->failed ? 0 : cfg_size(c->file, "experiment");
	if (!f->failed && !c->experiments)
		fault_at(f, &at, "no experiment; write: experiment \"name\" { workload = … }");
}

void config_close(struct config *c)
{
	if (c->file)
		cfg_free(c->file);
	if (c->set)
		cfg_free(c->set);
	*c = (struct config){ 0 };
}
