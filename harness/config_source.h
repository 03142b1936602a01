/* config_source.h - the text of a config file, for libconfuse. */
#ifndef HARNESS_CONFIG_SOURCE_H
#define HARNESS_CONFIG_SOURCE_H

#include "config_read.h"

/*
 * The file with its comments blanked: libconfuse counts lines wrong behind a
 * comment, and takes none inside a list. NULL with a fault at `at` (who wants
 * the file: "include(\"x\")", "the config") or in the file itself. The caller
 * frees it.
 */
char *config_source(const char *path, const char *what, const struct place *at, struct fault *f);

#endif
