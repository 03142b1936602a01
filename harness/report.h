/* report.h - index.html beside the pictures. */
#ifndef HARNESS_REPORT_H
#define HARNESS_REPORT_H

#include "picture.h"

/*
 * Writes PLOTS/index.html, whole or not at all: tables of all groups, and the
 * album's pictures inside, so that the page works alone. 0 or -errno.
 */
int report_write(const struct album *a, const char *plots, bool pdf);

#endif
