/* config_text.c - see config_text.h. */
#include "config_text.h"

#include <inttypes.h>
#include <stdio.h>

#include "value.h"

static void quote(FILE *to, const char *text)
{
	fputc('\'', to);
	for (; *text; text++) {
		if (*text == '\'' || *text == '\\')
			fputc('\\', to);
		fputc(*text, to);
	}
	fputc('\'', to);
}

static void write_setting(FILE *to, const struct setting *s)
{
	if (!s->count)
		return;
	fprintf(to, "\t%s = {", s->key);
	for (unsigned i = 0; i < s->count; i++) {
		fputs(i ? ", " : "", to);
		quote(to, setting_word(s, i)->text);
	}
	fputs("}\n", to);
}

static void write_params(FILE *to, const struct axes *a)
{
	const struct param *p = a->workload->params;
	char value[VALUE_SIZE];

	if (!p || !p->name)
		return;
	fputs("\tparams {\n", to);
	for (unsigned i = 0; p[i].name; i++) {
		fprintf(to, "\t\t%s = {", p[i].name);
		for (unsigned j = 0; j < a->value_count[i]; j++) {
			value_print(&p[i], a->values[i][j], value, sizeof value);
			fprintf(to, "%s'%s'", j ? ", " : "", value);
		}
		fputs("}\n", to);
	}
	fputs("\t}\n", to);
}

static void write_experiment(FILE *to, const struct axes *a)
{
	fputs("\nexperiment ", to);
	quote(to, a->experiment);
	fprintf(to, " {\n\tworkload = '%s'\n", a->workload->name);
	write_params(to, a);
	fputs("\tlocks = {", to);
	for (unsigned i = 0; i < a->lock_count; i++) {
		fputs(i ? ", " : "", to);
		quote(to, a->locks[i].label);
	}
	fputs("}\n", to);
	write_setting(to, &a->threads);
	write_setting(to, &a->readers);
	write_setting(to, &a->writers);
	write_setting(to, &a->placement);
	write_setting(to, &a->memory);
	write_setting(to, &a->call);
	write_setting(to, &a->counters);
	if (a->operations)
		fprintf(to, "\toperations = %" PRIu64 "\n", a->operations);
	else
		fprintf(to, "\tduration = %" PRIu64 "ns\n", a->duration_ns);
	fprintf(to, "\twarmup = %" PRIu64 "ns\n\ttimeout = %" PRIu64 "ns\n\trepetitions = %u\n",
		a->warmup_ns, a->timeout_ns, a->repetitions);
	if (a->sample_every)
		fprintf(to, "\tlatency = '1/%" PRIu32 "'\n", a->sample_every);
	if (a->events)
		fputs("\tevents = on\n", to);
	if (a->baseline) {
		fputs("\tbaseline = ", to);
		quote(to, a->baseline);
		fputc('\n', to);
	}
	fputs("}\n", to);
}

char *config_text(const char *path, uint64_t seed, const struct axes *all, unsigned count)
{
	char *text = NULL;
	size_t size;
	FILE *to = open_memstream(&text, &size);

	if (!to)
		return NULL;
	fprintf(to,
		"# from %s, with includes, inheritance and --set resolved\nseed = %" PRIu64 "\n",
		path, seed);
	for (unsigned i = 0; i < count; i++)
		write_experiment(to, &all[i]);
	return fclose(to) ? NULL : text;
}
