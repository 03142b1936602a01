/* text.h - numbers and names as people read them; small helpers for growing text. */
#ifndef HARNESS_TEXT_H
#define HARNESS_TEXT_H

#include <stddef.h>
#include <stdio.h>

/* Appends to s (NULL: begins anew), which may move. Aborts without memory. */
__attribute__((format(printf, 2, 3))) char *text_append(char *s, const char *format, ...);

/* "12.3 M", "950", "1.20 k", "3 n": three digits and a prefix; "-" for NAN. */
const char *text_si(char *s, size_t size, double v);

/* Two digits and no prefix, for figures per operation: "0.24", "0.0031", "1.2e-05" */
const char *text_small(char *s, size_t size, double v);

/* "850 ns", "12.3 µs", "4.00 ms", "1.50 s" */
const char *text_time(char *s, size_t size, double ns);

/* A ratio, at two or three digits: "1.42", "12", ".044" */
const char *text_ratio(char *s, size_t size, double v);

/* As a single-quoted string of gnuplot, in which nothing is expanded. */
void text_gnuplot(FILE *to, const char *s);

/* To HTML text or a quoted attribute. */
void text_html(FILE *to, const char *s);

/* Columns that s takes on a terminal: code points, not bytes. */
size_t text_width(const char *s);

#endif
