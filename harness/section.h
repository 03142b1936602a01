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

/* Threads of the cell, seen from inside a read section; see section.c. */
void section_look(struct thread *t);

HOT void section_held(struct thread *t)
{
	store_rlx(&t->slot->progress, load_rlx(&t->slot->progress) | 1);
}

/*
 * Before the release, not after: a thread that acquires next must not find
 * this one still marked inside, or serialised readers would seem to overlap.
 */
HOT void section_left(struct thread *t)
{
	store_rlx(&t->slot->progress, load_rlx(&t->slot->progress) & ~1ull);
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
	lk->acquire_write(t->lock, t->ctx);
	if (sampled)
		section_wait_done(t, WAIT_WRITE, since);
	section_held(t);
	seen = load_rlx(&s->before);
	t->broken += seen != load_rlx(&s->after);
	t->handovers += (seen & 0xffff) != (uint16_t)t->id;
	t->writes++;
	store_rlx(&s->before, (seen & ~0xffffull) + 0x10000 + (uint16_t)t->id);
}

HOT void write_end(const struct lock_ops *lk, struct thread *t)
{
	struct section *s = t->section;

	store_rlx(&s->after, load_rlx(&s->before));
	section_left(t);
	lk->release_write(t->lock, t->ctx);
}

HOT void read_begin(const struct lock_ops *lk, struct thread *t, const bool sampled)
{
	struct section *s = t->section;
	uint64_t since = 0;

	if (sampled) {
		store_rlx(&t->slot->waiting_kind, 1 + WAIT_READ);
		since = clock_now();
	}
	lk->acquire_read(t->lock, t->ctx);
	if (sampled)
		section_wait_done(t, WAIT_READ, since);
	section_held(t);
	t->broken += load_rlx(&s->before) != load_rlx(&s->after);
	t->reads++;
	if (sampled)
		section_look(t);
}

HOT void read_end(const struct lock_ops *lk, struct thread *t)
{
	/* a writer that came in meanwhile is seen here */
	t->broken += load_rlx(&t->section->before) != load_rlx(&t->section->after);
	section_left(t);
	lk->release_read(t->lock, t->ctx);
}

/* A writer that goes on as a reader: write_begin, section_downgrade, read_end. */
HOT void section_downgrade(const struct lock_ops *lk, struct thread *t)
{
	struct section *s = t->section;

	store_rlx(&s->after, load_rlx(&s->before));
	lk->downgrade(t->lock, t->ctx);
	t->broken += load_rlx(&s->before) != load_rlx(&s->after);
}

#endif
