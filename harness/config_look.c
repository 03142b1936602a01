/* config_look.c - which of several settings of a key holds. */
#include <string.h>

#include "config_read.h"

cfg_t *config_experiment(const struct config *c, unsigned i)
{
	return cfg_getnsec(c->file, "experiment", i);
}

struct place config_end(const cfg_t *block)
{
	return (struct place){ block->filename ? block->filename : "config", block->line };
}

const struct word *setting_word(const struct setting *s, unsigned i)
{
	return cfg_opt_getnptr(s->option, i);
}

static bool take(struct setting *s, cfg_t *block, enum level level)
{
	cfg_opt_t *o = NULL;

	for (o = block ? block->opts : NULL; o && o->name; o++)
		if (o->type == CFGT_PTR && !strcmp(o->name, s->key))
			break;
	if (!o || !o->name || !cfg_opt_size(o))
		return false;
	s->level = level;
	s->option = o;
	s->count = cfg_opt_size(o);
	return true;
}

/* Of several params { } in one block the last one that has the name. */
static bool take_param(struct setting *s, cfg_t *block, enum level level)
{
	for (unsigned i = block ? cfg_size(block, "params") : 0; i > 0; i--)
		if (take(s, cfg_getnsec(block, "params", i - 1), level))
			return true;
	return false;
}

struct setting config_setting(const struct config *c, cfg_t *experiment, const char *key)
{
	struct setting s = { .key = key };

	if (!take(&s, c->set, LEVEL_SET) && !take(&s, experiment, LEVEL_EXPERIMENT))
		take(&s, c->file, LEVEL_GLOBAL);
	return s;
}

struct setting config_param(const struct config *c, cfg_t *experiment, const char *name)
{
	struct setting s = { .key = name };

	if (!take_param(&s, c->set, LEVEL_SET) && !take_param(&s, experiment, LEVEL_EXPERIMENT))
		take_param(&s, c->file, LEVEL_GLOBAL);
	return s;
}

const struct word *config_param_given(cfg_t *block, unsigned i, const char **name)
{
	for (unsigned n = 0; n < cfg_size(block, "params"); n++)
		for (cfg_opt_t *o = cfg_getnsec(block, "params", n)->opts; o->name; o++) {
			if (o->type != CFGT_PTR || !cfg_opt_size(o) || i--)
				continue;
			*name = o->name;
			return cfg_opt_getnptr(o, 0);
		}
	return NULL;
}
