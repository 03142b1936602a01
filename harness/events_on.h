/*
 * events_on.h - events.h with -DLOCK_EVENTS: what the calls do.
 */
#ifndef HARNESS_EVENTS_ON_H
#define HARNESS_EVENTS_ON_H

/* the clock is read in one hold of a wait lock in 16 */
#define EVENT_HOLD_MASK 15

/* something happened */
static inline void lock_event(enum lock_event event)
{
	lock_events->count[event]++;
}

static inline void lock_event_if(bool condition, enum lock_event event)
{
	if (condition)
		lock_events->count[event]++;
}

static inline void lock_event_max(enum lock_event event, uint64_t value)
{
	if (value > lock_events->count[event])
		lock_events->count[event] = value;
}

/* an acquisition succeeded at once; inside of a blocked one it is a part of that */
static inline void lock_event_fast(unsigned side)
{
	if (!lock_events->blocked)
		lock_events->count[EVENT_FAST + side]++;
}

/* an acquisition enters its slow path; a second one inside of it is a part of it */
static inline void lock_event_blocked(unsigned side)
{
	struct lock_events *e = lock_events;

	if (e->blocked)
		return;
	e->blocked = true;
	e->named = false;
	e->side = (uint8_t)side;
	e->sleeps = e->parks = 0;
	e->since = clock_now();
	e->count[EVENT_SLOW + side]++;
}

/* who is in its way: once in each blocked acquisition */
static inline void lock_event_blocker(enum lock_blocker by)
{
	struct lock_events *e = lock_events;

	if (!e->blocked || e->named)
		return;
	e->named = true;
	e->count[EVENT_BLOCKED_BY_READER + 2 * by + e->side]++;
}

/* it has the lock, or has given up: one class each */
static inline void lock_event_ended(enum lock_ending how)
{
	struct lock_events *e = lock_events;
	enum lock_event class = EVENT_STEAL;

	if (!e->blocked)
		return;
	e->blocked = false;
	if (how == ENDED_GAVE_UP)
		class = EVENT_GAVE_UP;
	else if (e->sleeps)
		class = e->sleeps == 1 ? EVENT_ACQUIRED_1_SLEEP : EVENT_ACQUIRED_MANY_SLEEPS;
	else if (how == ENDED_SPINNING)
		class = EVENT_SPIN;
	else if (e->parks)
		class = EVENT_ACQUIRED_NO_SLEEP;
	e->count[class + e->side]++;
	lock_event_max(EVENT_LONGEST_WAIT + e->side, clock_now() - e->since);
}

/* a queued thread is about to sleep until it is told, if it has not been already */
static inline void lock_event_park(void)
{
	lock_events->parks++;
	lock_events->asleep = false;
	lock_events->awaited = NULL;
}

/*
 * A futex call has returned. A second sleep of the same park means that the
 * first one was ended by nobody.
 */
static inline enum futex_result lock_event_slept(enum futex_result ended)
{
	struct lock_events *e = lock_events;
	bool mutex = e->awaited && e->awaited == e->mutex;

	if (ended == FUTEX_CHANGED)
		return ended;
	if (e->awaited && !mutex) {
		e->count[EVENT_WAIT_LOCK_SLEEP]++;
	} else if (e->asleep && !mutex) {
		e->count[EVENT_WAKE_SPURIOUS]++;
	} else {
		e->count[EVENT_SLEEP + e->side]++;
		if (e->sleeps++)
			e->count[EVENT_SLEEP_AGAIN]++;
		e->asleep = true;
	}
	return ended;
}
#define futex_wait(word, value, deadline) lock_event_slept(futex_wait(word, value, deadline))

/* a sleeper is woken, granted or poked */
static inline void lock_event_wake(unsigned side)
{
	struct lock_events *e = lock_events;

	e->count[EVENT_WAKE + side]++;
	e->count[e->held ? EVENT_WAKE_IN_LOCK : EVENT_WAKE_OUTSIDE_LOCK]++;
	e->batch += side == SIDE_READ;
}

/* all that were gathered have been woken */
static inline void lock_event_woken_all(void)
{
	struct lock_events *e = lock_events;

	if (e->batch)
		e->count[EVENT_READER_BATCH]++;
	lock_event_max(EVENT_READER_BATCH_MAX, e->batch);
	e->batch = 0;
}

static inline void lock_event_wait_lock_waits(const void *lock)
{
	lock_events->awaited = lock;
}

static inline void lock_event_wait_lock_taken(const void *lock)
{
	struct lock_events *e = lock_events;

	e->awaited = NULL;
	e->held = lock;
	e->held_since = ++e->holds & EVENT_HOLD_MASK ? 0 : clock_now();
}

static inline void lock_event_wait_lock_free(const void *lock)
{
	struct lock_events *e = lock_events;
	uint64_t held;

	if (e->held != lock)
		return;
	e->held = NULL;
	if (!e->held_since)
		return;
	held = clock_now() - e->held_since;
	e->count[EVENT_WAIT_LOCK_SAMPLES]++;
	e->count[EVENT_WAIT_LOCK_NS] += held;
	lock_event_max(EVENT_WAIT_LOCK_MAX, held);
}

/* this one is no wait lock: whoever sleeps on it waits for the lock itself */
static inline void lock_event_mutex(const void *lock)
{
	lock_events->mutex = lock;
}

/* a member of a struct that only counting needs */
#define lock_event_field(declaration) declaration

/* Under the wait lock. Atomic as spinners look at it without. */
static inline void lock_event_queued(_Atomic uint32_t *length)
{
	uint32_t n = load_rlx(length) + 1;

	store_rlx(length, n);
	lock_events->count[EVENT_QUEUED]++;
	lock_events->count[EVENT_QUEUE_LENGTH_SUM] += n;
	lock_event_max(EVENT_QUEUE_LENGTH_MAX, n);
}

static inline void lock_event_unqueued(_Atomic uint32_t *length)
{
	store_rlx(length, load_rlx(length) - 1);
}

#endif
