/* events.c - see events.h. */
#include "events.h"

static struct lock_events nobodys;
_Thread_local struct lock_events *lock_events = &nobodys;

bool lock_event_is_maximum(enum lock_event event)
{
	switch (event) {
	case EVENT_LONGEST_WAIT:
	case EVENT_LONGEST_WAIT_WRITE:
	case EVENT_READER_BATCH_MAX:
	case EVENT_WAIT_LOCK_MAX:
	case EVENT_QUEUE_LENGTH_MAX:
		return true;
	default:
		return false;
	}
}

void lock_events_merge(uint64_t *sum, const uint64_t *count)
{
	for (unsigned e = 0; e < LOCK_EVENT_COUNT; e++)
		if (!lock_event_is_maximum((enum lock_event)e))
			sum[e] += count[e];
		else if (count[e] > sum[e])
			sum[e] = count[e];
}
