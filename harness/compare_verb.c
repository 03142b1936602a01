/* compare_verb.c - the verb `compare`. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compare.h"
#include "text.h"
#include "verbs.h"

static const char *const verdicts[] = { [VERDICT_NOISE] = "within noise",
					[VERDICT_FASTER] = "faster",
					[VERDICT_SLOWER] = "slower",
					[VERDICT_FEW] = "too few runs",
					[VERDICT_NOT] = "not comparable" };

static void help(void)
{
	puts("usage: compare BASE NEW [--max-regress PERCENT] [--alpha P] [--other-machine]\n\n"
	     "Says of every cell that both results folders have whether NEW is faster, slower,\n"
	     "or within the noise. ratio is median(NEW) / median(BASE) of the throughput, with a\n"
	     "95 % bootstrap interval; a difference is claimed where Mann-Whitney's p, adjusted\n"
	     "by Holm over all cells, is below alpha (0.05).\n\n"
	     "Exit code 1 when a cell is slower by more than --max-regress (5) percent, or does\n"
	     "not end well any more.");
}

static bool percent(const char *option, const char *s, double most, double *v)
{
	char *end;

	*v = s ? strtod(s, &end) : NAN;
	if (s && *s && !*end && *v >= 0 && *v <= most)
		return true;
	fprintf(stderr, "compare: %s wants a number from 0 to %g, not '%s'\n", option, most,
		s ? s : "");
	return false;
}

/* dirs: two places. False after a fault, or with *helped. */
static bool parse(int argc, char **argv, const char **dirs, struct compare_options *o, bool *helped)
{
	int n = 0;

	for (int i = 1; i < argc; i++) {
		if (!strcmp(argv[i], "--help")) {
			help();
			*helped = true;
			return false;
		}
		if (!strcmp(argv[i], "--max-regress")) {
			if (!percent(argv[i], argv[i + 1], 100, &o->max_regress))
				return false;
			o->max_regress /= 100;
			i++;
		} else if (!strcmp(argv[i], "--alpha")) {
			if (!percent(argv[i], argv[i + 1], 1, &o->alpha))
				return false;
			i++;
		} else if (!strcmp(argv[i], "--other-machine")) {
			o->across_machines = true;
		} else if (argv[i][0] == '-' || n == 2) {
			fprintf(stderr,
				"compare: what is '%s'? usage: compare BASE NEW "
				"[--max-regress PERCENT] [--alpha P] [--other-machine]\n",
				argv[i]);
			return false;
		} else {
			dirs[n++] = argv[i];
		}
	}
	if (n < 2)
		fprintf(stderr, "usage: compare BASE NEW [--max-regress PERCENT] [--alpha P] "
				"[--other-machine]\n");
	return n == 2;
}

static void pad(const char *s, size_t width, bool right)
{
	size_t n = text_width(s);
	int room = n < width ? (int)(width - n) : 0;

	if (right)
		printf("%*s%s", room, "", s);
	else
		printf("%s%*s", s, room, "");
}

static void row(const struct compared *p, size_t lock)
{
	char text[64], low[32], high[32];
	const struct claim *c = &p->claim;

	printf("  ");
	pad(p->new->lock, lock, false);
	pad(p->x, 9, true);
	pad(text_si(text, sizeof(text), p->base->median), 10, true);
	pad(text_si(text, sizeof(text), p->new->median), 10, true);
	pad(text_ratio(text, sizeof(text), c->ratio), 7, true);
	*text = '\0';
	if (!isnan(c->interval.low))
		snprintf(text, sizeof(text), "%s–%s", text_ratio(low, sizeof(low), c->interval.low),
			 text_ratio(high, sizeof(high), c->interval.high));
	pad(text, 12, true);
	*text = '\0';
	if (!isnan(c->p))
		snprintf(text, sizeof(text), c->p < 0.0001 ? "<.0001" : "%.4f", c->p);
	pad(text, 8, true);
	printf("  %s%s%s%s%s%s\n", verdicts[c->verdict], *p->reason ? ": " : "", p->reason,
	       p->base->two_modes || p->new->two_modes ? ", two modes" : "",
	       p->base->dirty || p->new->dirty ? ", disturbed runs" : "",
	       p->regressed ? "  REGRESSED" : "");
}

static void print(const struct comparison *c, const struct compare_options *o)
{
	const char *title = NULL;
	size_t lock = strlen("lock");

	for (unsigned i = 0; i < c->pairs; i++)
		if (text_width(c->pair[i].new->lock) > lock)
			lock = text_width(c->pair[i].new->lock);
	for (unsigned i = 0; i < c->pairs; i++) {
		const struct compared *p = &c->pair[i];

		if (title != p->experiment) {
			title = p->experiment;
			printf("%s%s: %s per second\n  ", i ? "\n" : "", title, p->new->unit);
			pad("lock", lock, false);
			printf("%9s%10s%10s%7s%12s%8s\n", "threads", "base", "new", "ratio", "95 %",
			       "p");
		}
		row(p, lock);
	}
	printf("\n%u faster, %u slower, %u within noise, %u too few runs, %u not comparable",
	       c->count[VERDICT_FASTER], c->count[VERDICT_SLOWER], c->count[VERDICT_NOISE],
	       c->count[VERDICT_FEW], c->count[VERDICT_NOT]);
	if (c->only_base || c->only_new)
		printf("; %u cells only in base, %u only in new", c->only_base, c->only_new);
	printf("\n");
	if (c->count[VERDICT_FEW])
		printf("too few runs: %u comparisons at alpha %g want %u repetitions on each "
		       "side\n",
		       c->family ? c->family : c->count[VERDICT_FEW], o->alpha, c->runs_needed);
	if (c->regressed)
		printf("%u regressed (slower by more than %g %%, or no longer ending well)\n",
		       c->regressed, o->max_regress * 100);
}

int verb_compare(int argc, char **argv)
{
	struct compare_options options = { .alpha = 0.05, .max_regress = 0.05 };
	struct readings base = { 0 }, new = { 0 };
	struct groups groups = { 0 };
	struct comparison c = { 0 };
	const char *dirs[2];
	bool helped = false;
	int code = EXIT_USAGE;
	char why[512];

	if (!parse(argc, argv, dirs, &options, &helped))
		return helped ? EXIT_FINE : EXIT_USAGE;
	if (readings_read(&base, dirs[0], why, sizeof(why)) ||
	    readings_read(&new, dirs[1], why, sizeof(why))) {
		fprintf(stderr, "compare: %s\n", why);
	} else {
		groups_make(&groups, &new);
		compare(&c, &base, &new, &groups, &options);
		if (c.pairs) {
			print(&c, &options);
			code = c.regressed ? EXIT_REGRESSED : EXIT_FINE;
		} else {
			fprintf(stderr, "compare: %s and %s have no cell in common\n", dirs[0],
				dirs[1]);
		}
	}
	comparison_free(&c);
	groups_free(&groups);
	readings_free(&base);
	readings_free(&new);
	return code;
}
