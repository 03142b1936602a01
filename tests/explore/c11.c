/*
 * c11.c - the C11 model by views. Each word keeps its last few values, and with
 * each the view that its writer gave away. A thread's view says how far into
 * each history it has seen: a load may find anything from there on, an acquire
 * load takes over the view found with the value, a release store gives its own
 * away, a read-modify-write finds the newest value and carries the view it
 * found on (a release sequence), fences work on the side views acq and rel.
 * A seq_cst access also obeys, and advances, one view common to all.
 *
 * Plain data: bit 0 of a view's byte says that its last write has been seen,
 * bit 1 + t that the last read by thread t has. A write needs all of them, a
 * read needs bit 0; otherwise it is a race.
 *
 * Bounds: `old` values a word; no load is moved before an earlier operation
 * (no load buffering).
 */
#include "machine.h"

#include <string.h>

typedef void view_fn(struct view *v, unsigned i);

static void for_views(view_fn *f, unsigned x)
{
	for (unsigned i = 0; i < explore.opt.threads; i++) {
		f(&machine.threads[i].cur, x);
		f(&machine.threads[i].acq, x);
		f(&machine.threads[i].rel, x);
	}
	f(&machine.sc, x);
	for (unsigned i = 0; i < machine.n_words; i++) {
		for (unsigned k = 0; k < machine.words[i].n; k++)
			f(&machine.words[i].m[k].view, x);
	}
}

static void join(struct view *to, const struct view *from)
{
	for (unsigned i = 0; i < machine.n_words; i++) {
		if (from->at[i] > to->at[i])
			to->at[i] = from->at[i];
	}
	for (unsigned i = 0; i < machine.n_plain; i++)
		to->plain[i] |= from->plain[i];
}

static void at_insert(struct view *v, unsigned i)
{
	memmove(v->at + i + 1, v->at + i, MAX_WORDS - 1 - i);
	v->at[i] = 0;
}

static void at_remove(struct view *v, unsigned i)
{
	memmove(v->at + i, v->at + i + 1, MAX_WORDS - 1 - i);
}

static void at_zero(struct view *v, unsigned i)
{
	v->at[i] = 0;
}

static void at_forget_oldest(struct view *v, unsigned i)
{
	if (v->at[i])
		v->at[i]--;
}

static void plain_insert(struct view *v, unsigned i)
{
	memmove(v->plain + i + 1, v->plain + i, MAX_PLAIN - 1 - i);
	v->plain[i] = 0;
}

static void plain_remove(struct view *v, unsigned i)
{
	memmove(v->plain + i, v->plain + i + 1, MAX_PLAIN - 1 - i);
}

static void too_many(const char *what, int limit)
{
	explore_fail("more than %d %s: too many for the C11 model", limit, what);
	explore.unsupported = true;
}

/* Sorted by address, so that the same words make the same state. */
static unsigned word_index(uintptr_t addr, unsigned size)
{
	unsigned i = 0;
	struct word *w;

	while (i < machine.n_words && machine.words[i].addr < addr)
		i++;
	w = &machine.words[i];
	if (i < machine.n_words && w->addr == addr)
		return i;
	if (machine.n_words == MAX_WORDS) {
		too_many("atomic words", MAX_WORDS);
		return 0;
	}
	memmove(w + 1, w, (machine.n_words - i) * sizeof(*w));
	memset(w, 0, sizeof(*w));
	w->addr = addr;
	w->size = size;
	w->n = 1;
	w->m[0].value = memory_read(addr, size);
	machine.n_words++;
	for_views(at_insert, i);
	return i;
}

static void forget_oldest(unsigned i)
{
	struct word *w = &machine.words[i];

	w->n--;
	memmove(w->m, w->m + 1, w->n * sizeof(w->m[0]));
	for_views(at_forget_oldest, i);
}

static bool acquires(int order)
{
	return order == memory_order_acquire || order == memory_order_acq_rel ||
	       order == memory_order_seq_cst;
}

static bool releases(int order)
{
	return order == memory_order_release || order == memory_order_acq_rel ||
	       order == memory_order_seq_cst;
}

static unsigned oldest_visible(const struct thread *t, unsigned i)
{
	unsigned first = t->cur.at[i];

	if (t->op.order == memory_order_seq_cst && machine.sc.at[i] > first)
		first = machine.sc.at[i];
	return first;
}

/*
 * Outcome 0 is the newest value, the next ones go back in time. A cas may fail
 * on an old value, but succeeds on the newest only.
 */
unsigned c11_outcomes(const struct thread *t)
{
	unsigned i;

	if (t->op.kind != OP_LOAD && t->op.kind != OP_CAS)
		return 1;
	if (stack_dead(t->op.addr))
		return 1;
	i = word_index(t->op.addr, t->op.size);
	return machine.words[i].n - oldest_visible(t, i);
}

static void see(struct thread *t, unsigned i, unsigned at, bool acquire)
{
	const struct message *m = &machine.words[i].m[at];

	t->cur.at[i] = (uint8_t)at;
	if (acquire)
		join(&t->cur, &m->view);
	if (t->acq.at[i] < at)
		t->acq.at[i] = (uint8_t)at;
	if (explore.fences)
		join(&t->acq, &m->view);
}

static void append(struct thread *t, unsigned i, uint64_t value, const struct view *carried)
{
	struct word *w = &machine.words[i];
	struct view v = *carried;
	const int order = t->op.order;
	unsigned at;

	join(&v, releases(order) ? &t->cur : &t->rel);
	if (w->n == explore.opt.old) {
		forget_oldest(i);
		at_forget_oldest(&v, i);
	}
	at = w->n++;
	v.at[i] = (uint8_t)at;
	w->m[at].value = value;
	w->m[at].view = v;
	t->cur.at[i] = t->acq.at[i] = (uint8_t)at;
	if (order == memory_order_seq_cst)
		machine.sc.at[i] = (uint8_t)at;
	memory_write(w->addr, w->size, value);
}

uint64_t c11_access(struct thread *t, unsigned pick)
{
	const struct op *op = &t->op;
	const unsigned i = word_index(op->addr, op->size);
	struct word *w = &machine.words[i];
	const unsigned at = w->n - 1 - pick;
	const uint64_t found = w->m[at].value;
	static const struct view nothing;
	struct view carried = nothing;
	uint64_t value;

	if (op->kind == OP_LOAD) {
		see(t, i, at, acquires(op->order));
		return found;
	}
	if (op->kind == OP_STORE) {
		append(t, i, op->a, &nothing);
		return 0;
	}
	if (!memory_modify(op, found, &value)) {
		see(t, i, at, false); /* a failed cas is a relaxed load */
		return found;
	}
	if (pick) {
		/* it would succeed on a value that is gone: not an outcome; take the newest */
		return c11_access(t, 0);
	}
	carried = w->m[at].view;
	see(t, i, at, acquires(op->order));
	append(t, i, value, &carried);
	return found;
}

void c11_fence(struct thread *t)
{
	const int order = t->op.order;

	if (!explore.fences) {
		explore.fences = explore.restart = true;
		return;
	}
	if (acquires(order))
		join(&t->cur, &t->acq);
	if (order == memory_order_seq_cst) {
		join(&t->cur, &machine.sc);
		join(&t->acq, &t->cur);
		join(&machine.sc, &t->cur);
	}
	if (releases(order))
		t->rel = t->cur;
}

void c11_word_init(uintptr_t addr, unsigned size)
{
	const unsigned i = word_index(addr, size);
	struct word *w = &machine.words[i];

	memset(w->m, 0, sizeof(w->m));
	w->n = 1;
	w->m[0].value = memory_read(addr, size);
	for_views(at_zero, i);
}

static unsigned plain_index(uintptr_t addr)
{
	unsigned i = 0;

	while (i < machine.n_plain && machine.plain[i] < addr)
		i++;
	if (i < machine.n_plain && machine.plain[i] == addr)
		return i;
	if (machine.n_plain == MAX_PLAIN) {
		too_many("plain data", MAX_PLAIN);
		return 0;
	}
	memmove(&machine.plain[i + 1], &machine.plain[i],
		(machine.n_plain - i) * sizeof(machine.plain[0]));
	machine.plain[i] = addr;
	machine.n_plain++;
	for_views(plain_insert, i);
	for (unsigned k = 0; k < explore.opt.threads; k++)
		machine.threads[k].cur.plain[i] = machine.threads[k].acq.plain[i] = 0xff;
	return i;
}

static void plain_written(struct view *v, unsigned i)
{
	v->plain[i] = 0xfe; /* whoever sees the write also sees the reads before it */
}

static void plain_read_by_running(struct view *v, unsigned i)
{
	v->plain[i] &= (uint8_t) ~(2u << explore.running);
}

const char *c11_plain(struct thread *t, uintptr_t addr, bool write)
{
	const unsigned i = plain_index(addr);
	const unsigned seen = t->cur.plain[i];
	const char *race = NULL;

	if (!(seen & 1))
		race = write ? "writes over a write" : "reads past a write";
	else if (write && seen != 0xff)
		race = "writes under a read";
	if (write)
		for_views(plain_written, i);
	else
		for_views(plain_read_by_running, i);
	t->cur.plain[i] |= (uint8_t)(write ? 0xff : 2u << explore.running);
	t->acq.plain[i] |= t->cur.plain[i];
	return race;
}

/*
 * Forget dead frames, and values that no thread can find any more; know the
 * words of all pending operations. So the same state always looks the same.
 */
void c11_tidy(void)
{
	for (unsigned i = machine.n_words; i--;) {
		if (!stack_dead(machine.words[i].addr))
			continue;
		for_views(at_remove, i);
		machine.n_words--;
		memmove(&machine.words[i], &machine.words[i + 1],
			(machine.n_words - i) * sizeof(machine.words[0]));
	}
	for (unsigned i = machine.n_plain; i--;) {
		if (!stack_dead(machine.plain[i]))
			continue;
		for_views(plain_remove, i);
		machine.n_plain--;
		memmove(&machine.plain[i], &machine.plain[i + 1],
			(machine.n_plain - i) * sizeof(machine.plain[0]));
	}
	for (unsigned i = 0; i < machine.n_words; i++) {
		unsigned first = machine.words[i].n - 1;

		for (unsigned k = 0; k < explore.opt.threads; k++) {
			const struct thread *t = &machine.threads[k];

			if (t->status != DONE && t->cur.at[i] < first)
				first = t->cur.at[i];
		}
		while (first--)
			forget_oldest(i);
	}
	for (unsigned k = 0; k < explore.opt.threads; k++) {
		const struct thread *t = &machine.threads[k];

		if (t->status == READY && t->op.kind >= OP_LOAD && t->op.kind <= OP_CAS &&
		    !stack_dead(t->op.addr))
			word_index(t->op.addr, t->op.size);
	}
}
