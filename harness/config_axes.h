/*
 * config_axes.h - what one experiment of a config asks for, checked and in
 * numbers: the axes whose product are its cells, and what all of them share.
 */
#ifndef HARNESS_CONFIG_AXES_H
#define HARNESS_CONFIG_AXES_H

#include "cell.h"
#include "config_read.h"

#define MAX_THREADS 16384

struct lock_choice {
	const struct lock_ops *ops;
	int64_t params[MAX_PARAMS];
	char *label; /* "rwsem_wakeq:wake=inside" */
	const struct word *word;
};

struct team {
	unsigned threads, readers, writers;
};

struct axes {
	const char *experiment;
	struct place at; /* of its workload */
	const struct workload_ops *workload;

	int64_t *values[MAX_PARAMS]; /* of workload->params */
	unsigned value_count[MAX_PARAMS];
	struct lock_choice *locks;
	unsigned lock_count;
	struct team *teams;
	unsigned team_count;
	/* where teams come from; a setting that is not in use has no words */
	struct setting threads, readers, writers;
	struct setting placement, memory; /* policies, checked */
	struct setting call;

	struct setting counters;
	uint64_t duration_ns, operations, warmup_ns, timeout_ns;
	unsigned repetitions;
	uint32_t sample_every;
	bool events;
	char *baseline;
};

/*
 * Fills a from the settings that hold in the experiment. False with a fault
 * otherwise; free it by axes_free either way.
 */
bool axes_fill(struct axes *a, const struct config *c, cfg_t *experiment, struct fault *f);
void axes_free(struct axes *a);

/* The seed of the whole run. */
uint64_t axes_seed(const struct config *c, struct fault *f);

/*
 * Checks what all experiments inherit also where each sets it anew, and that no
 * setting above them is without any effect.
 */
void axes_check_globals(const struct config *c, const struct axes *all, struct fault *f);

/* config_lock.c: names and globs to locks, each once. */
bool locks_resolve(struct lock_choice **locks, unsigned *count, const struct setting *s,
		   struct fault *f);
void locks_free(struct lock_choice *locks, unsigned count);
/* One lock, no glob; NULL with a fault. The caller frees it. */
char *locks_label(const struct word *w, struct fault *f);

/* config_team.c: threads, readers and writers. */
bool teams_resolve(struct axes *a, const struct config *c, cfg_t *experiment, struct fault *f);
/* Each word of the setting as numbers, in their order, each once. */
bool teams_numbers(unsigned **numbers, unsigned *count, const struct setting *s, unsigned least,
		   struct fault *f);

#endif
