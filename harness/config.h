/*
 * config.h - a config file becomes a plan, or a sentence that says what is
 * wrong with it. docs/configs.md is the page that users read.
 */
#ifndef HARNESS_CONFIG_H
#define HARNESS_CONFIG_H

#include "plan.h"

/*
 * Reads the config at path, and what it includes, with sets (NULL-terminated
 * "key=value" as after --set; NULL for none) laid over all of it. Everything is
 * checked against this build and this machine, nothing is run.
 *
 * The plan, for plan_free(). NULL when anything does not hold: why gets where
 * (file and line, or --set), what, and what would be right.
 *
 * text, unless NULL, gets the same config with includes resolved and sets
 * applied, for the results folder; the caller frees it.
 */
struct plan *config_plan(const char *path, const char *const *sets, char **text, char *why,
			 size_t size);

#endif
