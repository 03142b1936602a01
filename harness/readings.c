/* readings.c - see readings.h. */
#include "readings.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "child.h"
#include "histogram.h"
#include "noise.h"
#include "record.h"

/* Where reading stands, and the first thing that was wrong. */
struct place {
	const char *file;
	unsigned line;
	char *why;
	size_t size;
	bool failed;
};

__attribute__((format(printf, 2, 3))) static void wrong(struct place *at, const char *format, ...)
{
	va_list args;
	int n;

	if (at->failed)
		return;
	at->failed = true;
	n = snprintf(at->why, at->size, "%s:%u: ", at->file, at->line);
	if (n < 0 || (size_t)n >= at->size)
		return;
	va_start(args, format);
	vsnprintf(at->why + n, at->size - (size_t)n, format, args);
	va_end(args);
}

static json_t *member(struct place *at, const json_t *o, const char *key)
{
	json_t *v = json_object_get(o, key);

	if (!v)
		wrong(at, "no key '%s'", key);
	return v;
}

static double number(struct place *at, const json_t *o, const char *key)
{
	json_t *v = member(at, o, key);

	if (json_is_number(v))
		return json_number_value(v);
	if (v && !json_is_null(v))
		wrong(at, "'%s' is neither a number nor null", key);
	return NAN;
}

static unsigned whole(struct place *at, const json_t *o, const char *key)
{
	double v = number(at, o, key);

	if (!(v >= 0 && v < UINT32_MAX)) {
		wrong(at, "'%s' must be a whole number", key);
		return 0;
	}
	return (unsigned)v;
}

static const char *text(struct place *at, const json_t *o, const char *key)
{
	json_t *v = member(at, o, key);

	if (v && !json_is_string(v) && !json_is_null(v))
		wrong(at, "'%s' is neither a text nor null", key);
	return json_string_value(v);
}

static const char *needed_text(struct place *at, const json_t *o, const char *key)
{
	const char *s = text(at, o, key);

	if (!s)
		wrong(at, "'%s' must be a text", key);
	return s;
}

static enum record_status status(struct place *at, const json_t *o)
{
	const char *name = needed_text(at, o, "status");

	for (int s = 0; name && s <= STATUS_UNSUPPORTED; s++)
		if (!strcmp(name, status_name((enum record_status)s)))
			return (enum record_status)s;
	wrong(at, "no status '%s'; there are ok, hung, crashed, violated, unsupported",
	      name ? name : "null");
	return STATUS_OK;
}

static void read_waits(struct place *at, json_t *o, const char *key, struct waits *w)
{
	json_t *v = member(at, o, key), *buckets = json_object_get(v, "buckets"), *b;
	uint64_t sum = 0;
	int previous = -1;
	size_t i;

	if (!v || json_is_null(v))
		return;
	w->total = (uint64_t)number(at, v, "total");
	w->max = (uint64_t)number(at, v, "max");
	if (!json_is_array(buckets))
		wrong(at, "'%s' has no array 'buckets'", key);
	w->index = calloc(json_array_size(buckets) + 1, sizeof(*w->index));
	w->count = calloc(json_array_size(buckets) + 1, sizeof(*w->count));
	if (!w->index || !w->count)
		abort();
	json_array_foreach(buckets, i, b)
	{
		json_int_t index = json_integer_value(json_array_get(b, 0));
		json_int_t count = json_integer_value(json_array_get(b, 1));

		if (index <= previous || index >= HISTOGRAM_BUCKETS || count <= 0) {
			wrong(at, "'%s': bucket %zu is not a pair of a rising index and a count",
			      key, i);
			return;
		}
		w->index[i] = (uint16_t)index;
		w->count[i] = (uint64_t)count;
		sum += (uint64_t)count;
		previous = (int)index;
	}
	w->buckets = (unsigned)i;
	if (sum != w->total)
		wrong(at, "'%s': the buckets hold %llu samples, 'total' says %llu", key,
		      (unsigned long long)sum, (unsigned long long)w->total);
	json_object_del(o, key);
}

static double distance(struct place *at, const json_t *noise)
{
	double before, after;

	if (!json_is_object(noise))
		return NAN;
	before = number(at, noise, "ping_before_ns");
	after = number(at, noise, "ping_after_ns");
	if (isnan(before) || isnan(after))
		return NAN;
	if (fmax(before, after) > fmin(before, after) * (1 + NOISE_DISTANCE))
		return INFINITY;
	return (before + after) / 2;
}

static void read_measured(struct place *at, struct reading *r)
{
	json_t *o = r->json, *noise = member(at, o, "noise");

	r->status = status(at, o);
	r->reason = text(at, o, "reason");
	r->throughput = number(at, o, "throughput");
	r->ops = number(at, o, "ops");
	r->writes = number(at, o, "writes");
	r->handovers = number(at, o, "handovers");
	r->wall_ns = number(at, o, "wall_ns");
	r->gap_max_ns = number(at, o, "gap_max_ns");
	r->wait_max_ns = number(at, o, "wait_max_ns");
	r->jain = number(at, o, "jain");
	r->jain_readers = r->jain_writers = NAN;
	if (json_object_get(o, "jain_readers"))
		r->jain_readers = number(at, o, "jain_readers");
	if (json_object_get(o, "jain_writers"))
		r->jain_writers = number(at, o, "jain_writers");
	r->distance = distance(at, noise);
	r->dirty = json_string_value(json_array_get(json_object_get(noise, "dirty"), 0));
	read_waits(at, o, "wait_read", &r->wait[WAIT_READ]);
	read_waits(at, o, "wait_write", &r->wait[WAIT_WRITE]);
}

/* Everything but lock, threads and roles: cells that differ in it are not compared. */
static char *question(const struct reading_cell *c)
{
	char *params = json_dumps(c->params, JSON_COMPACT | JSON_SORT_KEYS), *q;

	if (asprintf(&q, "%s|%s|%s|%s|%s|%s|%g|%g", c->experiment ? c->experiment : "", c->workload,
		     params ? params : "", c->call, c->placement ? c->placement : "",
		     c->memory ? c->memory : "", c->duration_ns, c->operations) < 0)
		abort();
	free(params);
	return q;
}

static void read_identity(struct place *at, struct reading_cell *c, const json_t *o)
{
	double readers = number(at, o, "readers"), writers = number(at, o, "writers");

	c->experiment = text(at, o, "experiment");
	c->workload = needed_text(at, o, "workload");
	c->lock = needed_text(at, o, "lock");
	c->call = needed_text(at, o, "call");
	c->placement = text(at, o, "placement");
	c->memory = text(at, o, "memory");
	c->unit = needed_text(at, o, "unit");
	c->baseline = text(at, o, "baseline");
	c->params = member(at, o, "params");
	if (c->params && !json_is_object(c->params))
		wrong(at, "'params' is not an object");
	c->threads = whole(at, o, "threads");
	c->readers = isnan(readers) ? -1 : (int)readers;
	c->writers = isnan(writers) ? -1 : (int)writers;
	c->oversubscribed = json_is_true(member(at, o, "oversubscribed"));
	c->cpus = whole(at, o, "topology_cpus");
	c->duration_ns = number(at, o, "duration_ns");
	c->operations = number(at, o, "operations");
	if (!at->failed)
		c->question = question(c);
}

static bool same_cell(const struct reading_cell *a, const struct reading_cell *b)
{
	return !strcmp(a->question, b->question) && !strcmp(a->lock, b->lock) &&
	       a->threads == b->threads && a->readers == b->readers && a->writers == b->writers;
}

static struct reading_cell *find_cell(struct readings *r, unsigned id)
{
	for (unsigned i = r->cells; i-- > 0;)
		if (r->cell[i].id == id)
			return &r->cell[i];
	return NULL;
}

static void *grown(void *array, unsigned count, size_t size)
{
	/* a power of two is full */
	if (count & (count - 1))
		return array;
	array = realloc(array, (count ? 2 * (size_t)count : 1) * size);
	if (!array)
		abort();
	return array;
}

static void waits_free(struct waits *w)
{
	free(w->index);
	free(w->count);
}

/* Takes over the object. */
static void add_record(struct readings *r, struct place *at, json_t *o)
{
	struct reading_cell identity = { .id = whole(at, o, "cell") }, *c;
	struct reading one = { .rep = whole(at, o, "rep"), .line = at->line, .json = o };
	unsigned schema = whole(at, o, "schema");

	if (!at->failed && schema != RECORD_SCHEMA)
		wrong(at, "schema %u; this build reads schema %d", schema, RECORD_SCHEMA);
	if (!at->failed)
		read_identity(at, &identity, o);
	if (!at->failed)
		read_measured(at, &one);
	c = at->failed ? NULL : find_cell(r, identity.id);
	if (c && !same_cell(c, &identity))
		wrong(at, "cell %u was another one in line %u", c->id, c->reading[0].line);
	for (unsigned i = 0; c && i < c->readings; i++)
		if (c->reading[i].rep == one.rep)
			wrong(at, "cell %u, repetition %u was already in line %u", c->id, one.rep,
			      c->reading[i].line);
	if (at->failed) {
		free(identity.question);
		waits_free(&one.wait[0]);
		waits_free(&one.wait[1]);
		json_decref(o);
		return;
	}
	if (!c) {
		r->cell = grown(r->cell, r->cells, sizeof(*r->cell));
		c = &r->cell[r->cells++];
		*c = identity;
	} else {
		free(identity.question);
	}
	c->reading = grown(c->reading, c->readings, sizeof(*c->reading));
	c->reading[c->readings++] = one;
	r->records++;
}

static void read_records(struct readings *r, struct place *at, FILE *f)
{
	char *line = NULL;
	size_t room = 0;
	ssize_t n;

	while (!at->failed && (n = getline(&line, &room, f)) > 0) {
		json_error_t error;
		json_t *o;

		at->line++;
		if (line[n - 1] != '\n') {
			fprintf(stderr, "%s:%u: warning: the last line is truncated; dropped\n",
				at->file, at->line);
			r->truncated = true;
			break;
		}
		o = json_loadb(line, (size_t)n, JSON_REJECT_DUPLICATES, &error);
		if (!o)
			wrong(at, "not JSON: %s (byte %d)", error.text, error.position);
		else if (!json_is_object(o))
			wrong(at, "not an object");
		if (at->failed)
			json_decref(o);
		else
			add_record(r, at, o);
	}
	if (!at->failed && ferror(f))
		wrong(at, "%s", strerror(errno));
	free(line);
}

static int read_host(struct readings *r, const char *path, char *why, size_t size)
{
	json_error_t error;
	FILE *f = fopen(path, "re");

	if (!f) {
		r->host = json_object();
		return 0;
	}
	r->host = json_loadf(f, 0, &error);
	fclose(f);
	if (json_is_object(r->host))
		return 0;
	snprintf(why, size, "%s:%d: %s", path, r->host ? 1 : error.line,
		 r->host ? "not an object" : error.text);
	return -1;
}

static int by_id(const void *a, const void *b)
{
	const struct reading_cell *x = a, *y = b;

	return (x->id > y->id) - (x->id < y->id);
}

static int by_rep(const void *a, const void *b)
{
	const struct reading *x = a, *y = b;

	return (x->rep > y->rep) - (x->rep < y->rep);
}

/* The run's order is shuffled; people want the configuration's. */
static void put_in_order(struct readings *r)
{
	for (unsigned i = 0; i < r->cells; i++)
		qsort(r->cell[i].reading, r->cell[i].readings, sizeof(*r->cell[i].reading), by_rep);
	if (r->cells)
		qsort(r->cell, r->cells, sizeof(*r->cell), by_id);
}

int readings_read(struct readings *r, const char *dir, char *why, size_t size)
{
	struct place at = { .why = why, .size = size };
	char *records = NULL, *host = NULL;
	int rc = -1;
	FILE *f;

	*r = (struct readings){ .path = strdup(dir) };
	if (!r->path || asprintf(&records, "%s/records.jsonl", dir) < 0 ||
	    asprintf(&host, "%s/host.json", dir) < 0)
		abort();
	f = fopen(records, "re");
	if (!f) {
		snprintf(why, size, "%s: %s; a results folder has this file", records,
			 strerror(errno));
	} else {
		at.file = records;
		read_records(r, &at, f);
		fclose(f);
		put_in_order(r);
		rc = at.failed ? -1 : read_host(r, host, why, size);
	}
	free(records);
	free(host);
	return rc;
}

void readings_free(struct readings *r)
{
	for (unsigned i = 0; i < r->cells; i++) {
		struct reading_cell *c = &r->cell[i];

		for (unsigned k = 0; k < c->readings; k++) {
			waits_free(&c->reading[k].wait[0]);
			waits_free(&c->reading[k].wait[1]);
			json_decref(c->reading[k].json);
		}
		free(c->reading);
		free(c->question);
		free(c->value);
	}
	free(r->cell);
	json_decref(r->host);
	free(r->path);
	*r = (struct readings){ 0 };
}

const char *readings_host(const struct readings *r, const char *key)
{
	return json_string_value(json_object_get(r->host, key));
}

double reading_thread_sum(const struct reading *r, const char *field)
{
	json_t *array = json_object_get(json_object_get(r->json, "thread"), field), *v;
	double sum = 0;
	size_t i;

	if (!json_is_array(array))
		return NAN;
	json_array_foreach(array, i, v)
	{
		if (!json_is_number(v))
			return NAN;
		sum += json_number_value(v);
	}
	return sum;
}

double reading_counter(const struct reading *r, const char *name, const char **reason)
{
	json_t *counter = json_object_get(json_object_get(r->json, "counters"), name);
	json_t *value = json_object_get(counter, "value");

	*reason = json_string_value(json_object_get(counter, "reason"));
	return json_is_number(value) && r->ops > 0 ? json_number_value(value) / r->ops : NAN;
}
