/* text.c - see text.h. */
#include "text.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

char *text_append(char *s, const char *format, ...)
{
	size_t used = s ? strlen(s) : 0;
	va_list args, again;
	int n;

	va_start(args, format);
	va_copy(again, args);
	n = vsnprintf(NULL, 0, format, args);
	va_end(args);
	s = n < 0 ? NULL : realloc(s, used + (size_t)n + 1);
	if (!s)
		abort();
	vsnprintf(s + used, (size_t)n + 1, format, again);
	va_end(again);
	return s;
}

/* Three digits of v, 0.1 … 9999: no more decimals than they need. */
static int decimals(double v)
{
	return fabs(v) < 9.995 ? 2 : fabs(v) < 99.95 ? 1 : 0;
}

const char *text_si(char *s, size_t size, double v)
{
	static const char *const prefix[] = { " n", " µ", " m", "", " k", " M", " G", " T" };
	int p = 3;

	if (!isfinite(v)) {
		snprintf(s, size, "–");
		return s;
	}
	if (v == 0) {
		snprintf(s, size, "0");
		return s;
	}
	for (; fabs(v) >= 999.5 && p < 7; p++)
		v /= 1000;
	for (; fabs(v) < 0.9995 && p > 0; p--)
		v *= 1000;
	snprintf(s, size, "%.*f%s", decimals(v), v, prefix[p]);
	return s;
}

const char *text_small(char *s, size_t size, double v)
{
	if (!isfinite(v))
		snprintf(s, size, "–");
	else if (v >= 1000)
		text_si(s, size, v);
	else
		snprintf(s, size, v >= 9.95 ? "%.0f" : "%.2g", v);
	return s;
}

const char *text_time(char *s, size_t size, double ns)
{
	static const char *const unit[] = { "ns", "µs", "ms", "s" };
	int u = 0;

	if (!isfinite(ns)) {
		snprintf(s, size, "–");
		return s;
	}
	for (; ns >= 999.5 && u < 3; u++)
		ns /= 1000;
	snprintf(s, size, "%.*f %s", u ? decimals(ns) : 0, ns, unit[u]);
	return s;
}

const char *text_ratio(char *s, size_t size, double v)
{
	if (!isfinite(v))
		snprintf(s, size, "–");
	else if (v >= 9.95)
		snprintf(s, size, "%.0f", v);
	else if (v >= 0.995)
		snprintf(s, size, "%.2f", v);
	else
		snprintf(s, size, "%.*f", v < 0.0995 ? 3 : 2, v);
	if (s[0] == '0' && s[1] == '.')
		memmove(s, s + 1, strlen(s));
	return s;
}

void text_gnuplot(FILE *to, const char *s)
{
	putc('\'', to);
	for (; *s; s++) {
		if (*s == '\'')
			putc('\'', to);
		if ((unsigned char)*s >= ' ')
			putc(*s, to);
	}
	putc('\'', to);
}

void text_html(FILE *to, const char *s)
{
	for (; *s; s++)
		switch (*s) {
		case '<':
			fputs("&lt;", to);
			break;
		case '>':
			fputs("&gt;", to);
			break;
		case '&':
			fputs("&amp;", to);
			break;
		case '"':
			fputs("&quot;", to);
			break;
		default:
			putc(*s, to);
		}
}

size_t text_width(const char *s)
{
	size_t n = 0;

	for (; *s; s++)
		n += (*s & 0xc0) != 0x80;
	return n;
}
