/* config_text.h - a config written out again: what is kept with the results. */
#ifndef HARNESS_CONFIG_TEXT_H
#define HARNESS_CONFIG_TEXT_H

#include "config_axes.h"

/*
 * The experiments as a config without includes or inheritance, which gives the
 * same cells; numbers of threads stay as written ("2x"). The caller frees it;
 * NULL without memory.
 */
char *config_text(const char *path, uint64_t seed, const struct axes *all, unsigned count);

#endif
