/* results_dir.c - see results_dir.h. */
#include "results_dir.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "record.h"

struct why {
	char *text;
	size_t size;
};

__attribute__((format(printf, 2, 3))) static int refuse(struct why why, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(why.text, why.size, format, args);
	va_end(args);
	return -1;
}

char *results_default_path(const char *name)
{
	char stamp[32], *path;
	time_t now = time(NULL);
	struct tm tm;

	gmtime_r(&now, &tm);
	strftime(stamp, sizeof(stamp), "%Y%m%dT%H%M%SZ", &tm);
	return asprintf(&path, "results/%s-%s", name, stamp) < 0 ? NULL : path;
}

static int make_parents(const char *path)
{
	char *copy = strdup(path), *slash;
	int rc = copy ? 0 : -ENOMEM;

	for (slash = copy ? strchr(copy + 1, '/') : NULL; slash && !rc;
	     slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		if (mkdir(copy, 0777) && errno != EEXIST)
			rc = -errno;
		*slash = '/';
	}
	free(copy);
	return rc;
}

static bool is_empty_dir(const char *path)
{
	DIR *dir = opendir(path);
	struct dirent *e;
	bool empty = dir;

	while (dir && (e = readdir(dir)))
		empty &= !strcmp(e->d_name, ".") || !strcmp(e->d_name, "..");
	if (dir)
		closedir(dir);
	return empty;
}

static int write_file(int dir, const char *name, const char *content)
{
	int fd = openat(dir, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	size_t left = strlen(content);
	int rc = 0;

	if (fd < 0)
		return -errno;
	while (left && !rc) {
		ssize_t n = write(fd, content, left);

		if (n < 0) {
			rc = -errno;
		} else {
			content += n;
			left -= (size_t)n;
		}
	}
	if (!rc && fsync(fd))
		rc = -errno;
	close(fd);
	return rc;
}

/*
 * A record lock, not flock(2): it is the process's and not the open file's, so
 * a child that outlives a killed parent by a moment does not keep it. It goes
 * when this process closes any descriptor of the file: nobody else in here may
 * open records.jsonl during a run.
 */
static int lock_records(int fd)
{
	struct flock lock = { .l_type = F_WRLCK, .l_whence = SEEK_SET };

	return fcntl(fd, F_SETLK, &lock) ? -errno : 0;
}

static int fill(int dir, const struct results_file *files, const char **at)
{
	int rc = 0;

	for (const struct results_file *f = files; f->name && !rc; f++) {
		*at = f->name;
		rc = write_file(dir, f->name, f->content);
	}
	if (!rc) {
		*at = "records.jsonl";
		rc = write_file(dir, "records.jsonl", "");
	}
	if (!rc && fsync(dir))
		rc = -errno;
	return rc;
}

/* Best effort: what was made under the temporary name goes again. */
static void remove_made(int dir, const char *path, const struct results_file *files)
{
	for (const struct results_file *f = files; dir >= 0 && f->name; f++)
		unlinkat(dir, f->name, 0);
	if (dir >= 0)
		unlinkat(dir, "records.jsonl", 0);
	rmdir(path);
}

int results_create(struct results *r, const char *path, const struct results_file *files,
		   char *text, size_t size)
{
	struct why why = { text, size };
	size_t length = strlen(path);
	const char *at = "";
	char *made = NULL;
	int dir = -1, rc;

	while (length > 1 && path[length - 1] == '/')
		length--;
	*r = (struct results){ .path = strndup(path, length), .records = -1 };
	if (!access(r->path, F_OK) && !is_empty_dir(r->path))
		return refuse(why,
			      "%s exists and is not an empty folder; 'resume %s' goes on "
			      "with a run, -o names another folder",
			      path, path);
	rc = make_parents(r->path);
	if (rc)
		return refuse(why, "cannot make the folders above %s: %s", path, strerror(-rc));
	if (asprintf(&made, "%s.new-%d", r->path, (int)getpid()) < 0 || mkdir(made, 0777)) {
		rc = refuse(why, "cannot make the folder %s: %s", made, strerror(errno));
		free(made);
		return rc;
	}
	dir = open(made, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	rc = dir < 0 ? -errno : fill(dir, files, &at);
	if (rc) {
		refuse(why, "cannot write %s/%s: %s", path, at, strerror(-rc));
	} else if (rename(made, r->path)) {
		rc = refuse(why, "cannot rename %s to %s: %s", made, path, strerror(errno));
	}
	if (rc)
		remove_made(dir, made, files);
	if (dir >= 0)
		close(dir);
	free(made);
	return rc ? -1 : results_open(r, r->path, text, size);
}

int results_open(struct results *r, const char *path, char *text, size_t size)
{
	struct why why = { text, size };
	char *file = NULL;
	int rc;

	if (path != r->path)
		*r = (struct results){ .path = strdup(path), .records = -1 };
	if (asprintf(&file, "%s/records.jsonl", path) < 0)
		return refuse(why, "no memory");
	r->records = open(file, O_RDWR | O_APPEND | O_CLOEXEC);
	if (r->records < 0) {
		rc = refuse(why, "cannot open %s: %s", file, strerror(errno));
	} else {
		rc = lock_records(r->records);
		if (rc == -EACCES || rc == -EAGAIN)
			rc = refuse(why, "%s is being written by another run", path);
		else if (rc)
			rc = refuse(why, "cannot lock %s: %s", file, strerror(-rc));
	}
	free(file);
	return rc;
}

void results_close(struct results *r)
{
	if (r->records >= 0)
		close(r->records);
	free(r->path);
	*r = (struct results){ .records = -1 };
}

/* --- reading --- */

/* Repetitions of the cells before this one: (cell, rep) → one number. */
static unsigned *first_of_cell(const struct plan *plan)
{
	unsigned *first = calloc(plan->cell_count + 1, sizeof(*first));

	for (unsigned i = 0; first && i < plan->cell_count; i++)
		first[i + 1] = first[i] + plan->cells[i].repetitions;
	return first;
}

static int read_line(const char *line, size_t length, unsigned number, const struct plan *plan,
		     const unsigned *first, bool *seen, struct results_left *left, struct why why)
{
	json_error_t error;
	json_t *o = json_loadb(line, length, JSON_REJECT_DUPLICATES, &error);
	json_int_t cell, rep;
	const char *lock, *workload, *status;
	const struct cell_spec *spec;
	int schema, rc = 0;

	if (!o)
		return refuse(why, "records.jsonl line %u is not JSON: %s at column %d", number,
			      error.text, error.column);
	if (json_unpack(o, "{s:i,s:I,s:I,s:s,s:s,s:s}", "schema", &schema, "cell", &cell, "rep",
			&rep, "lock", &lock, "workload", &workload, "status", &status)) {
		rc = refuse(why,
			    "records.jsonl line %u is no record: it lacks schema, cell, rep, "
			    "lock, workload or status",
			    number);
		goto out;
	}
	if (schema != RECORD_SCHEMA) {
		rc = refuse(why, "records.jsonl line %u has schema %d, this build writes %d",
			    number, schema, RECORD_SCHEMA);
		goto out;
	}
	if (cell < 0 || cell >= (json_int_t)plan->cell_count || rep < 0 ||
	    rep >= (json_int_t)plan->cells[cell].repetitions) {
		rc = refuse(why,
			    "records.jsonl line %u: the plan has no cell %lld, repetition %lld",
			    number, (long long)cell, (long long)rep);
		goto out;
	}
	spec = &plan->cells[cell];
	if (strcmp(lock, spec->lock) || strcmp(workload, spec->workload_ops->name)) {
		rc = refuse(why,
			    "records.jsonl line %u is of %s with %s, cell %lld of the plan is "
			    "%s with %s",
			    number, lock, workload, (long long)cell, spec->lock,
			    spec->workload_ops->name);
		goto out;
	}
	if (seen[first[cell] + rep]) {
		rc = refuse(why, "records.jsonl line %u: cell %lld, repetition %lld is there twice",
			    number, (long long)cell, (long long)rep);
		goto out;
	}
	seen[first[cell] + rep] = true;
	left->count++;
	left->not_ok += strcmp(status, "ok") != 0;
out:
	json_decref(o);
	return rc;
}

static int read_lines(struct results *r, const char *text, size_t size, const struct plan *plan,
		      const unsigned *first, bool *seen, struct results_left *left, struct why why)
{
	const char *at = text, *end = text + size;

	for (unsigned number = 1; at < end; number++) {
		const char *newline = memchr(at, '\n', (size_t)(end - at));

		if (!newline) {
			/* each line is written with its end in one write: this one was cut */
			left->dropped = (size_t)(end - at);
			if (ftruncate(r->records, at - text) || fsync(r->records))
				return refuse(why,
					      "cannot cut the truncated line %u off "
					      "records.jsonl: %s",
					      number, strerror(errno));
			return 0;
		}
		if (read_line(at, (size_t)(newline - at), number, plan, first, seen, left, why))
			return -1;
		at = newline + 1;
	}
	return 0;
}

int results_read(struct results *r, const struct plan *plan, struct results_left *left, char *text,
		 size_t size)
{
	struct why why = { text, size };
	unsigned *first = first_of_cell(plan);
	bool *seen = first ? calloc(first[plan->cell_count] + 1, sizeof(*seen)) : NULL;
	char *map = NULL;
	struct stat st;
	int rc = 0;

	*left = (struct results_left){ .done = calloc(plan->step_count + 1, sizeof(bool)) };
	if (!first || !seen || !left->done || fstat(r->records, &st)) {
		rc = refuse(why, "cannot read records.jsonl: %s", strerror(errno));
		goto out;
	}
	if (st.st_size) {
		map = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, r->records, 0);
		if (map == MAP_FAILED) {
			rc = refuse(why, "cannot read records.jsonl: %s", strerror(errno));
			goto out;
		}
		rc = read_lines(r, map, (size_t)st.st_size, plan, first, seen, left, why);
		munmap(map, (size_t)st.st_size);
	}
	for (unsigned i = 0; !rc && i < plan->step_count; i++)
		left->done[i] = seen[first[plan->steps[i].cell] + plan->steps[i].repetition];
out:
	free(first);
	free(seen);
	return rc;
}

void results_left_free(struct results_left *left)
{
	free(left->done);
	*left = (struct results_left){ 0 };
}
