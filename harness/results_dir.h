/*
 * results_dir.h - a results folder: made whole or not at all, written by one
 * run at a time, and read again by `resume`.
 */
#ifndef HARNESS_RESULTS_DIR_H
#define HARNESS_RESULTS_DIR_H

#include "plan.h"

struct results {
	char *path;
	int records; /* records.jsonl: O_APPEND, locked against other runs */
};

/* A file that the folder is made with. */
struct results_file {
	const char *name, *content;
};

/* What an earlier run left. */
struct results_left {
	bool *done;	 /* [plan->step_count] */
	unsigned count;	 /* records */
	unsigned not_ok; /* of them, with a status other than ok */
	size_t dropped;	 /* bytes of a truncated last line; 0: there was none */
};

/*
 * Makes the folder with the files (NULL name at the end) and an empty
 * records.jsonl. It appears under its name only when all is on the disk, so a
 * run killed before leaves nothing that looks like results. Refuses a path
 * that is taken, but for an empty folder.
 *
 * All functions: 0, or -1 with the reason in why.
 */
int results_create(struct results *r, const char *path, const struct results_file *files, char *why,
		   size_t size);

/* Opens the folder of an earlier run for going on with it. */
int results_open(struct results *r, const char *path, char *why, size_t size);

/*
 * Reads the records against the plan they must be of. A truncated last line is
 * cut off the file. Any other damage (not JSON, a cell or repetition that the
 * plan lacks, a twin, another lock's record) is an error that names the line.
 */
int results_read(struct results *r, const struct plan *plan, struct results_left *left, char *why,
		 size_t size);

void results_left_free(struct results_left *left);
void results_close(struct results *r);

/* "results/<name>-<UTC time>"; the caller frees it. */
char *results_default_path(const char *name);

#endif
