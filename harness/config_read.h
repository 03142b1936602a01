/*
 * config_read.h - a config file as libconfuse reads it: words that know where
 * they stand, and which of several settings of a key holds. What the words mean
 * is not known here.
 */
#ifndef HARNESS_CONFIG_READ_H
#define HARNESS_CONFIG_READ_H

#include <confuse.h>
#include <stdbool.h>
#include <stddef.h>

/* Where something stands in a config. file may be "--set key=value", with line 0. */
struct place {
	const char *file;
	int line;
};

/* The first thing that is wrong, with its place. */
struct fault {
	char *why;
	size_t size;
	bool failed;
};

__attribute__((format(printf, 3, 4))) void fault_at(struct fault *f, const struct place *at,
						    const char *format, ...);

struct word {
	struct place at;
	const char *text;
};

/* Who said it; a higher one holds. */
enum level { LEVEL_DEFAULT, LEVEL_GLOBAL, LEVEL_EXPERIMENT, LEVEL_SET };

/* A key's words; without any at LEVEL_DEFAULT, otherwise there is at least one. */
struct setting {
	const char *key;
	enum level level;
	unsigned count;
	cfg_opt_t *option;
};

const struct word *setting_word(const struct setting *s, unsigned i);

struct config {
	cfg_t *file, *set;
	unsigned experiments;
};

/* As config_plan. Call config_close after it, also when it failed. */
void config_read(struct config *c, const char *path, const char *const *sets, struct fault *f);
void config_close(struct config *c);

cfg_t *config_experiment(const struct config *c, unsigned i);

/* Where the block ends; for what is missing in it. */
struct place config_end(const cfg_t *block);

/*
 * The setting that holds for a key, or for a workload's parameter, in an
 * experiment; NULL: in the part that all experiments inherit.
 */
struct setting config_setting(const struct config *c, cfg_t *experiment, const char *key);
struct setting config_param(const struct config *c, cfg_t *experiment, const char *name);

/*
 * The parameters that a block gives by itself, i from 0 on: its name and its
 * first word; NULL after the last. block: an experiment, c->file or c->set.
 */
const struct word *config_param_given(cfg_t *block, unsigned i, const char **name);

#endif
