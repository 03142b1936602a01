/* events_json.c - see events_json.h. */
#include "events_json.h"

#include "cells.h"

static const struct {
	const char *name;
	enum lock_event first;
	unsigned sides; /* 2: this one and the next are added up */
	unsigned needs;
} names[] = {
#define PAIR(id, read, write, needs_read, needs_write) \
	{ read, EVENT_##id, 1, needs_read }, { write, EVENT_##id##_WRITE, 1, needs_write },
#define BOTH(id, name, needs) { name, EVENT_##id, 2, needs },
#define ONE(id, name, needs) { name, EVENT_##id, 1, needs },
	LOCK_EVENT_LIST(PAIR, BOTH, ONE)
};

const char *events_missing(const struct cell_spec *spec)
{
	const struct cell *counting;

	if (!spec->events)
		return "not asked for: events = off";
	if (!spec->lock_ops->events)
		return "this lock counts no events";
	counting = cells_find_events(spec->lock_ops->name, spec->workload_ops->name);
	if (!counting || counting->lock != spec->lock_ops)
		return "this build has no counting cell of this lock and workload";
	return NULL;
}

/* Of reads and writes: their sum, or the larger one of two maxima. */
static uint64_t both(const uint64_t *count, enum lock_event read)
{
	uint64_t write = count[read + 1];

	if (!lock_event_is_maximum(read))
		return count[read] + write;
	return count[read] > write ? count[read] : write;
}

static json_t *whole(uint64_t n)
{
	return json_integer((json_int_t)n);
}

json_t *events_json(const struct lock_ops *lock_ops, const struct sample *sample)
{
	uint64_t sum[LOCK_EVENT_COUNT] = { 0 };
	json_t *o = json_object();

	for (unsigned i = 0; i < sample->threads; i++)
		lock_events_merge(sum, sample->slots[i].events.count);
	for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
		bool two = names[k].sides == 2;
		enum lock_event e = names[k].first;
		json_t *one, *each;

		if (!(lock_ops->events & names[k].needs))
			continue;
		one = json_object();
		each = json_array();
		json_object_set_new(one, "value", whole(two ? both(sum, e) : sum[e]));
		if (two && lock_ops->events & COUNTS_READS) {
			json_object_set_new(one, "read", whole(sum[e]));
			json_object_set_new(one, "write", whole(sum[e + 1]));
		}
		for (unsigned i = 0; i < sample->threads; i++) {
			const uint64_t *count = sample->slots[i].events.count;

			json_array_append_new(each, whole(two ? both(count, e) : count[e]));
		}
		json_object_set_new(one, "per_thread", each);
		json_object_set_new(o, names[k].name, one);
	}
	return o;
}
