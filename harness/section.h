/*
 * section.h - how a workload enters and leaves a critical section. Acquires,
 * checks exclusion, counts hand-overs and, in a sampled operation, times the
 * wait and looks whether readers overlap. All of it is checked in every
 * measured cell; what it costs is measured by `make bench`.
 *
 * A writer makes `before` differ from `after` for as long as it is inside:
 *
 *	before, after:  | writes so far, 48 bits | last writer, 16 bits |
 *
 * so whoever enters and finds them unequal has met a writer, and at the end of
 * the run the count must be the sum of all threads' writes: a write section
 * that overlapped another one loses an increment even where nobody looked.
 * The last writer's number makes a hand-over visible at no further load.
 *
 * Relaxed atomics: a broken lock must give a wrong number, not undefined
 * behaviour, and a sound lock orders them itself.
 */
#ifndef HARNESS_SECTION_H
#define HARNESS_SECTION_H

#define SECTION_LINES 64

struct section {
	LINE_ALIGNED _Atomic uint64_t before;
	_Atomic uint64_t after;
	/* lines for workloads that touch data: one word in each is used */
	struct {
		_Alignas(LINE_SIZE) _Atomic uint64_t word;
	} line[SECTION_LINES];
};

/*
 * The table to call through. An inlined cell names its lock's own; everybody
 * else uses the one that is handed down.
 */
#ifndef LOCK_OPS
#define LOCK_OPS(lk) (lk)
#endif

/*
 * The other threads of the cell, seen from inside a read section; see
 * section.c. Not given the struct thread: a pointer to it that leaves the loop
 * would force its fields out of registers.
 */
void section_look(const struct run *run, struct slot *slot, unsigned id);

/*
 * Readers mark that they are inside. A writer need not: `before` says so, and a
 * fourth store in each operation would cost a cycle.
 */
HOT void section_held(struct thread *t)
{
	store_rlx(&t->slot->progress, t->progress + 1);
}

/*
 * Before the release, not after: a thread that acquires next must not find
 * this one still marked inside, or serialised readers would seem to overlap.
 * Counts the operation as done, so that the loop need not.
 */
HOT void section_left(struct thread *t)
{
	store_rlx(&t->slot->progress, t->progress + 2);
}

/*
 * For a counter that seldom moves: adding 0 would be a store in each operation.
 * The empty asm keeps the compiler from making an addition of the branch.
 */
HOT void section_count_if(uint64_t *counter, bool condition)
{
	if (unlikely(condition)) {
		__asm__ volatile("");
		++*counter;
	}
}

HOT void section_unbroken(struct thread *t, uint64_t before)
{
	section_count_if(&t->broken, before != load_rlx(&t->section->after));
}

HOT void section_wait_done(struct thread *t, int kind, uint64_t since)
{
	uint64_t wait = clock_now() - since;

	if (t->run->sample_every)
		histogram_add(&t->slot->wait[kind], wait);
}

HOT void write_begin(const struct lock_ops *lk, struct thread *t, const bool sampled)
{
	struct section *s = t->section;
	uint64_t since = 0, seen;

	if (sampled) {
		store_rlx(&t->slot->waiting_kind, 1 + WAIT_WRITE);
		since = clock_now();
	}
	/* every earlier operation is done; in the section this store would cost a cycle */
	store_rlx(&t->slot->progress, t->progress);
	LOCK_OPS(lk)->acquire_write(t->lock, t->ctx);
	if (sampled)
		section_wait_done(t, WAIT_WRITE, since);
	/*
	 * The common case is this thread's own last mark: it left the pair whole,
	 * and nobody has begun to write since, so one word tells it all.
	 */
	seen = load_rlx(&s->before);
	if (unlikely(seen != t->mark)) {
		section_count_if(&t->broken, seen != load_rlx(&s->after));
		section_count_if(&t->handovers, (uint16_t)seen != (uint16_t)t->id);
		seen = (seen & ~0xffffull) | (uint16_t)t->id;
	}
	t->mark = seen + 0x10000;
	store_rlx(&s->before, t->mark);
}

HOT void write_end(const struct lock_ops *lk, struct thread *t)
{
	store_rlx(&t->section->after, t->mark);
	LOCK_OPS(lk)->release_write(t->lock, t->ctx);
	t->writes++;
}

HOT void read_begin(const struct lock_ops *lk, struct thread *t, const bool sampled)
{
	uint64_t since = 0;

	if (sampled) {
		store_rlx(&t->slot->waiting_kind, 1 + WAIT_READ);
		since = clock_now();
	}
	LOCK_OPS(lk)->acquire_read(t->lock, t->ctx);
	if (sampled)
		section_wait_done(t, WAIT_READ, since);
	section_held(t);
	section_unbroken(t, load_rlx(&t->section->before));
	t->reads++;
	if (sampled)
		section_look(t->run, t->slot, t->id);
}

HOT void read_end(const struct lock_ops *lk, struct thread *t)
{
	/* a writer that came in meanwhile is seen here */
	section_unbroken(t, load_rlx(&t->section->before));
	section_left(t);
	LOCK_OPS(lk)->release_read(t->lock, t->ctx);
}

/* A writer that goes on as a reader: write_begin, section_downgrade, read_end. */
HOT void section_downgrade(const struct lock_ops *lk, struct thread *t)
{
	store_rlx(&t->section->after, t->mark);
	section_held(t);
	LOCK_OPS(lk)->downgrade(t->lock, t->ctx);
	t->writes++;
	section_unbroken(t, load_rlx(&t->section->before));
}

#endif
