/* record.c - from plain data in shared memory to a line of JSON. */
#include "record.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "child.h"
#include "events_json.h"
#include "memory.h"

/* jansson has no NaN: what was not measured is null. */
static json_t *real(double v)
{
	return isfinite(v) ? json_real(v) : json_null();
}

static json_t *whole(uint64_t v)
{
	return json_integer((json_int_t)v);
}

static json_t *text(const char *s)
{
	return s && *s ? json_string(s) : json_null();
}

static void put(json_t *o, const char *key, json_t *value)
{
	json_object_set_new_nocheck(o, key, value);
}

static void put_nothing(json_t *o, const char *key, const char *reason)
{
	char name[64];

	put(o, key, json_null());
	snprintf(name, sizeof(name), "%s_reason", key);
	put(o, name, json_string(reason));
}

double jain_index(const uint64_t *shares, unsigned n)
{
	double sum = 0, squares = 0;

	for (unsigned i = 0; i < n; i++) {
		sum += (double)shares[i];
		squares += (double)shares[i] * (double)shares[i];
	}
	return squares > 0 ? sum * sum / (n * squares) : NAN;
}

json_t *record_params(const struct param *params, const int64_t *values)
{
	json_t *o = json_object();

	for (unsigned i = 0; params && params[i].name; i++)
		put(o, params[i].name,
		    params[i].kind == PARAM_CHOICE ? json_string(params[i].choices[values[i]])
						   : json_integer(values[i]));
	return o;
}

static const char *role_name(uint32_t role)
{
	static const char *const names[] = {
		[ROLE_ANY] = "any",
		[ROLE_READER] = "reader",
		[ROLE_WRITER] = "writer",
		[ROLE_DOWNGRADER] = "downgrader",
	};

	return names[role];
}

static double jain_of(const struct sample *s, int role)
{
	uint64_t *ops = calloc(s->threads, sizeof(*ops));
	unsigned n = 0;
	double index;

	if (!ops)
		return NAN;
	for (unsigned i = 0; i < s->threads; i++)
		if (role < 0 || s->slots[i].role == (uint32_t)role)
			ops[n++] = s->slots[i].ops;
	index = n ? jain_index(ops, n) : NAN;
	free(ops);
	return index;
}

static json_t *waits(const struct sample *s, int kind)
{
	json_t *o = json_object(), *buckets = json_array();
	struct histogram *sum = calloc(1, sizeof(*sum));

	for (unsigned i = 0; sum && i < s->threads; i++)
		histogram_merge(sum, &s->slots[i].wait[kind]);
	for (unsigned i = 0; sum && i < HISTOGRAM_BUCKETS; i++)
		if (sum->count[i])
			json_array_append_new(
				buckets, json_pack("[i,I]", (int)i, (json_int_t)sum->count[i]));
	put(o, "total", whole(sum ? sum->total : 0));
	put(o, "max", whole(sum ? sum->max : 0));
	put(o, "buckets", buckets);
	free(sum);
	return o;
}

/* name, the expression of a struct slot *s, and how it becomes JSON */
#define THREAD_FIELDS(X)                                              \
	X(role, json_string(role_name(s->role)))                      \
	X(cpu_asked, cpu(s->cpu_asked))                               \
	X(cpu, cpu(s->cpu_end))                                       \
	X(node, cpu(s->node))                                         \
	X(ops, whole(s->ops))                                         \
	X(reads, whole(s->reads))                                     \
	X(writes, whole(s->writes))                                   \
	X(handovers, whole(s->handovers))                             \
	X(start_ns, whole(s->start_ns - first))                       \
	X(end_ns, whole(s->end_ns - first))                           \
	X(gap_max_ns, whole(s->gap_max_ns))                           \
	X(wait_max_ns, sampled ? whole(s->wait_max_ns) : json_null()) \
	X(user_ns, whole(s->user_ns))                                 \
	X(system_ns, whole(s->system_ns))                             \
	X(nvcsw, whole(s->nvcsw))                                     \
	X(nivcsw, whole(s->nivcsw))                                   \
	X(minflt, whole(s->minflt))                                   \
	X(majflt, whole(s->majflt))                                   \
	X(migrations, s->migrations == UINT64_MAX ? json_null() : whole(s->migrations))

static json_t *cpu(int32_t n)
{
	return n < 0 ? json_null() : json_integer(n);
}

static json_t *threads(const struct sample *sample, uint64_t first, bool sampled)
{
	json_t *o = json_object(), *array;

#define X(name, value)                                    \
	array = json_array();                             \
	for (unsigned i = 0; i < sample->threads; i++) {  \
		const struct slot *s = &sample->slots[i]; \
                                                          \
		json_array_append_new(array, value);      \
	}                                                 \
	put(o, #name, array);
	THREAD_FIELDS(X)
#undef X
	return o;
}

static json_t *hung_threads(const struct sample *sample)
{
	static const char *const stages[] = { "none", "setup", "warmup", "measured", "done" };
	static const char *const places[] = { "unknown", "outside", "waiting", "holding" };
	json_t *array = json_array();

	for (unsigned i = 0; i < sample->threads; i++) {
		const struct slot *s = &sample->slots[i];

		json_array_append_new(array,
				      json_pack("{s:s,s:s,s:I,s:s}", "role", role_name(s->role),
						"stage", stages[load_rlx(&s->stage)], "ops",
						(json_int_t)(load_rlx(&s->progress) >> 1), "where",
						places[s->where]));
	}
	return array;
}

static json_t *counters(const struct cell_spec *spec, const struct sample *sample, bool measured)
{
	json_t *o = json_object();

	for (unsigned c = 0; spec->counters && spec->counters[c] && c < MAX_COUNTERS; c++) {
		const char *reason = measured ? NULL : "the repetition was not measured";
		json_t *each = json_array(), *one;
		json_int_t sum = 0;

		for (unsigned i = 0; i < sample->threads; i++) {
			const struct slot *s = &sample->slots[i];

			if (!reason && s->counter_reason[c][0])
				reason = s->counter_reason[c];
			json_array_append_new(each, json_integer(s->counter[c]));
			sum += s->counter[c];
		}
		if (reason)
			one = json_pack("{s:n,s:s}", "value", "reason", reason);
		else
			one = json_pack("{s:I,s:O}", "value", sum, "per_thread", each);
		json_decref(each);
		put(o, spec->counters[c], one);
	}
	return o;
}

static void put_node(json_t *o, const char *key, int32_t node)
{
	if (node < 0)
		put_nothing(o, key, memory_node_reason(node));
	else
		put(o, key, json_integer(node));
}

static json_t *placed(const struct record *r)
{
	const struct sample *s = r->sample;
	int first = s->slots[0].cpu_asked;
	json_t *o = json_object();
	bool ok = true;

	for (unsigned i = 0; i < s->threads; i++) {
		int32_t asked = s->slots[i].cpu_asked;

		ok &= asked < 0 || (asked == s->slots[i].cpu_start && asked == s->slots[i].cpu_end);
	}
	put(o, "cpus_ok", json_boolean(ok));
	put_node(o, "lock_node", s->lock_node);
	put_node(o, "data_node", s->data_node);
	put(o, "memory_ok",
	    json_boolean(memory_node_ok(r->spec->memory, s->lock_node, first) &&
			 memory_node_ok(r->spec->memory, s->data_node, first)));
	return o;
}

/* More threads than CPUs that they may run on. */
static bool oversubscribed(const struct record *r)
{
	const struct cell_spec *spec = r->spec;
	unsigned cpus = 0;

	for (unsigned i = 0; i < spec->threads; i++) {
		unsigned k = 0;

		if (!spec->cpus || spec->cpus[i] < 0)
			return spec->threads > r->topology_cpus;
		while (k < i && spec->cpus[k] != spec->cpus[i])
			k++;
		cpus += k == i;
	}
	return spec->threads > cpus;
}

static void put_identity(json_t *o, const struct record *r)
{
	const struct cell_spec *spec = r->spec;
	bool roles = spec->workload_ops->has_roles;
	char started[64], at[32];
	struct tm tm;

	gmtime_r(&r->started.tv_sec, &tm);
	strftime(at, sizeof(at), "%Y-%m-%dT%H:%M:%S", &tm);
	snprintf(started, sizeof(started), "%s.%03ldZ", at, r->started.tv_nsec / 1000000);
	put(o, "schema", json_integer(RECORD_SCHEMA));
	put(o, "cell", whole(spec->id));
	put(o, "rep", whole(r->rep));
	put(o, "seq", whole(r->seq));
	put(o, "attempts", whole(r->attempts));
	put(o, "status", json_string(status_name((enum record_status)r->sample->status)));
	put(o, "reason", text(r->sample->reason));
	put(o, "experiment", text(spec->experiment));
	put(o, "workload", json_string(spec->workload_ops->name));
	put(o, "lock", json_string(spec->lock));
	put(o, "call", json_string(spec->outline ? "outline" : "inline"));
	put(o, "params", record_params(spec->workload_ops->params, spec->params));
	put(o, "lock_params", record_params(spec->lock_ops->params, spec->lock_params));
	put(o, "threads", whole(spec->threads));
	put(o, "readers", roles ? whole(spec->readers) : json_null());
	put(o, "writers", roles ? whole(spec->writers) : json_null());
	put(o, "placement", text(spec->placement));
	put(o, "memory", text(spec->memory));
	put(o, "duration_ns", spec->duration_ns ? whole(spec->duration_ns) : json_null());
	put(o, "operations", spec->operations ? whole(spec->operations) : json_null());
	put(o, "warmup_ns", whole(spec->warmup_ns));
	put(o, "sample_every", whole(spec->sample_every));
	put(o, "unit", json_string(spec->workload_ops->unit));
	put(o, "baseline", text(spec->baseline));
	put(o, "started", json_string(started));
	put(o, "oversubscribed", json_boolean(oversubscribed(r)));
	put(o, "topology_cpus", whole(r->topology_cpus));
}

static void put_measured(json_t *o, const struct record *r)
{
	const struct sample *s = r->sample;
	uint64_t first = UINT64_MAX, last = 0, ops = 0, reads = 0, writes = 0, handovers = 0;
	uint64_t looks = 0, overlaps = 0, gap = 0, wait = 0;
	bool sampled = r->spec->sample_every;

	for (unsigned i = 0; i < s->threads; i++) {
		const struct slot *t = &s->slots[i];

		first = t->start_ns < first ? t->start_ns : first;
		last = t->end_ns > last ? t->end_ns : last;
		ops += t->ops;
		reads += t->reads;
		writes += t->writes;
		handovers += t->handovers;
		looks += t->looks;
		overlaps += t->overlaps;
		gap = t->gap_max_ns > gap ? t->gap_max_ns : gap;
		wait = t->wait_max_ns > wait ? t->wait_max_ns : wait;
	}
	put(o, "wall_ns", whole(last - first));
	put(o, "setup_ns", whole(s->setup_ns));
	put(o, "turnover_ns", whole(s->turnover_ns));
	put(o, "ops", whole(ops));
	put(o, "reads", whole(reads));
	put(o, "writes", whole(writes));
	put(o, "throughput",
	    last > first ? json_real((double)ops * 1e9 / (double)(last - first)) : json_null());
	put(o, "handovers", whole(handovers));
	put(o, "looks", whole(looks));
	put(o, "overlaps", whole(overlaps));
	put(o, "jain", real(jain_of(s, -1)));
	if (r->spec->workload_ops->has_roles) {
		put(o, "jain_readers", real(jain_of(s, ROLE_READER)));
		put(o, "jain_writers", real(jain_of(s, ROLE_WRITER)));
	}
	put(o, "gap_max_ns", whole(gap));
	if (sampled)
		put(o, "wait_max_ns", whole(wait));
	else
		put_nothing(o, "wait_max_ns", "latency sampling is off");
	put(o, "thread", threads(s, first, sampled));
	put(o, "wait_read", sampled ? waits(s, WAIT_READ) : json_null());
	put(o, "wait_write", sampled ? waits(s, WAIT_WRITE) : json_null());
	put(o, "placed", placed(r));
	if (events_missing(r->spec))
		put_nothing(o, "events", events_missing(r->spec));
	else
		put(o, "events", events_json(r->spec->lock_ops, s));
}

static void put_unmeasured(json_t *o)
{
	static const char *const keys[] = { "wall_ns",	   "setup_ns", "turnover_ns", "ops",
					    "reads",	   "writes",   "throughput",  "handovers",
					    "looks",	   "overlaps", "jain",	      "gap_max_ns",
					    "wait_max_ns", "thread",   "wait_read",   "wait_write",
					    "placed",	   "events" };

	for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++)
		put(o, keys[i], json_null());
}

json_t *record_json(const struct record *r)
{
	json_t *o = json_object();
	bool measured = load_acq(&r->sample->measured) && r->sample->status != STATUS_CRASHED;

	put_identity(o, r);
	if (measured)
		put_measured(o, r);
	else
		put_unmeasured(o); /* `reason` says why */
	put(o, "hung_threads",
	    r->sample->status == STATUS_HUNG ? hung_threads(r->sample) : json_null());
	put(o, "counters", counters(r->spec, r->sample, measured));
	if (r->noise)
		put(o, "noise", json_incref(r->noise));
	else
		put_nothing(o, "noise", "this build does not look at the machine's noise");
	if (isfinite(r->floor_ns))
		put(o, "floor_ns", json_real(r->floor_ns));
	else
		put_nothing(o, "floor_ns", r->floor_reason ? r->floor_reason : "not measured");
	return o;
}

int record_append(int fd, const json_t *record)
{
	size_t size = json_dumpb(record, NULL, 0, JSON_COMPACT);
	char *line = malloc(size + 1);
	ssize_t wrote;
	int rc = 0;

	if (!line || !size) {
		free(line);
		return -ENOMEM;
	}
	json_dumpb(record, line, size, JSON_COMPACT);
	line[size] = '\n';
	wrote = write(fd, line, size + 1);
	if (wrote < 0)
		rc = -errno;
	else if ((size_t)wrote != size + 1)
		rc = -ENOSPC;
	else if (fsync(fd))
		rc = -errno;
	free(line);
	return rc;
}
