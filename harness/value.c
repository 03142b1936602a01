/* value.c - see value.h. */
#include "value.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "suggest.h"

struct unit {
	const char *name;
	int64_t size;
	bool printed;
};

/* largest first */
static const struct unit times[] = {
	{ "h", 3600000000000, false },
	{ "min", 60000000000, false },
	{ "s", 1000000000, true },
	{ "ms", 1000000, true },
	{ "us", 1000, true },
	{ "µs", 1000, false },
	{ "ns", 1, true },
	{ 0 },
};

static const struct unit bytes[] = {
	{ "G", 1 << 30, true },	   { "GiB", 1 << 30, false }, { "M", 1 << 20, true },
	{ "MiB", 1 << 20, false }, { "K", 1 << 10, true },    { "KiB", 1 << 10, false },
	{ "B", 1, false },	   { "", 1, true },	      { 0 },
};

static const struct unit counts[] = { { "", 1, true }, { 0 } };

static const struct unit *units_of(const struct param *p)
{
	return p->kind == PARAM_TIME ? times : p->kind == PARAM_BYTES ? bytes : counts;
}

static const char *wanted(const struct param *p)
{
	switch (p->kind) {
	case PARAM_TIME:
		return "a time like 100ns, 3us, 0.5s";
	case PARAM_BYTES:
		return "a size like 512, 4K, 64M";
	default:
		return "a whole number";
	}
}

static int parse_choice(const struct param *p, const char *text, int64_t *value, char *why,
			size_t size)
{
	struct suggest near;

	suggest_begin(&near, text);
	for (int64_t i = 0; p->choices[i]; i++) {
		if (!strcmp(text, p->choices[i])) {
			*value = i;
			return 0;
		}
		suggest_name(&near, p->choices[i]);
	}
	snprintf(why, size, "'%s' is no choice of '%s'; %s", text, p->name, suggest_end(&near));
	return -EINVAL;
}

static int out_of_range(const struct param *p, const char *text, char *why, size_t size)
{
	char min[VALUE_SIZE], max[VALUE_SIZE];

	value_print(p, p->min, min, sizeof min);
	value_print(p, p->max, max, sizeof max);
	snprintf(why, size, "'%s' is out of range; '%s' is from %s to %s", text, p->name, min, max);
	return -EINVAL;
}

/* Digits at *s as a number; false when they do not fit. *s moves behind them. */
static bool digits(const char **s, int64_t *n)
{
	bool fits = true;

	for (*n = 0; isdigit((unsigned char)**s); (*s)++)
		fits = fits && !__builtin_mul_overflow(*n, 10, n) &&
		       !__builtin_add_overflow(*n, **s - '0', n);
	return fits;
}

/* The decimals at *s, of a unit: ".25" of 1000 is 250. False: not a whole number. */
static bool decimals(const char **s, int64_t unit, int64_t *part)
{
	int64_t n = 0, scale = 1;
	__int128 product;

	for (; isdigit((unsigned char)**s); (*s)++) {
		if (scale > INT64_MAX / 10)
			return false;
		n = n * 10 + (**s - '0');
		scale *= 10;
	}
	product = (__int128)n * unit;
	*part = (int64_t)(product / scale);
	return product % scale == 0;
}

static int unknown_unit(const struct param *p, const char *text, const char *unit, char *why,
			size_t size)
{
	struct suggest near;

	if (!*unit) {
		snprintf(why, size, "'%s' has no unit; '%s' wants %s", text, p->name, wanted(p));
		return -EINVAL;
	}
	suggest_begin(&near, unit);
	for (const struct unit *u = units_of(p); u->name; u++)
		if (u->printed && *u->name)
			suggest_name(&near, u->name);
	snprintf(why, size, "'%s' has no unit that '%s' knows; %s", text, p->name,
		 suggest_end(&near));
	return -EINVAL;
}

static int malformed(const struct param *p, const char *text, char *why, size_t size)
{
	snprintf(why, size, "'%s' is not %s, as '%s' wants", text, wanted(p), p->name);
	return -EINVAL;
}

int value_parse(const struct param *p, const char *text, int64_t *value, char *why, size_t size)
{
	const struct unit *u = units_of(p);
	const char *s = text, *point = NULL;
	int64_t n, part = 0;
	bool fits;

	if (p->kind == PARAM_CHOICE)
		return parse_choice(p, text, value, why, size);
	if (*s == '-' && isdigit((unsigned char)s[1]))
		return out_of_range(p, text, why, size);
	if (!isdigit((unsigned char)*s))
		return malformed(p, text, why, size);
	fits = digits(&s, &n);
	if (*s == '.') {
		point = ++s;
		s += strspn(s, "0123456789");
		if (s == point)
			return malformed(p, text, why, size);
	}
	s += strspn(s, " ");
	if (p->kind == PARAM_COUNT && (*s || point))
		return malformed(p, text, why, size);
	while (u->name && strcmp(s, u->name))
		u++;
	if (!u->name && !(n == 0 && !*s && !point))
		return unknown_unit(p, text, s, why, size);
	if (point && !decimals(&point, u->size, &part)) {
		snprintf(why, size, "'%s' is not a whole number of %s", text,
			 p->kind == PARAM_TIME ? "ns" : "bytes");
		return -EINVAL;
	}
	if (!fits || (u->name && __builtin_mul_overflow(n, u->size, &n)) ||
	    __builtin_add_overflow(n, part, &n) || n < p->min || n > p->max)
		return out_of_range(p, text, why, size);
	*value = n;
	return 0;
}

void value_print(const struct param *p, int64_t value, char *out, size_t size)
{
	const struct unit *u = units_of(p);

	if (p->kind == PARAM_CHOICE) {
		snprintf(out, size, "%s", p->choices[value]);
		return;
	}
	if (value == 0) {
		snprintf(out, size, "0%s", p->kind == PARAM_TIME ? "ns" : "");
		return;
	}
	while (!u->printed || value % u->size)
		u++;
	snprintf(out, size, "%" PRId64 "%s", value / u->size, u->name);
}
