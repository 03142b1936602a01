/*
 * machine.c - which moves there are, and what each does.
 *
 * A thread that only has to begin, to choose its next lock operation, or to go
 * on after a sleep touches nothing shared on the way to its next operation, so
 * this is done at once and is no point where others could come between.
 */
#include "machine.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

struct machine machine;
struct explore explore = { .running = -1 };
char arena[ARENA_SIZE] __attribute__((aligned(4096)));
size_t arena_used;

bool machine_reset(void)
{
	memset(&machine, 0, sizeof(machine));
	machine.now = TIME_START;
	explore.failure[0] = 0;
	explore.unsupported = false;
	explore.running = -1;
	if (!script_setup())
		return false;
	for (unsigned i = 0; i < explore.opt.threads; i++) {
		coroutine_init(i, script_thread);
		machine.threads[i].ops_left = (uint8_t)(explore.opt.letters
								? explore.opt.ops
								: strlen(explore.opt.scripts[i]));
	}
	return true;
}

void explore_fail(const char *format, ...)
{
	va_list args;

	if (!explore.failure[0]) {
		va_start(args, format);
		vsnprintf(explore.failure, sizeof(explore.failure), format, args);
		va_end(args);
	}
	if (explore.running < 0)
		return;
	machine.threads[explore.running].status = DONE;
	coroutine_leave();
}

void explore_bug(const char *file, int line, const char *what)
{
	explore_fail("broken invariant at %s:%d: %s", file, line, what);
}

static const char *outside(uintptr_t addr)
{
	if (addr >= (uintptr_t)arena && addr < (uintptr_t)arena + arena_used)
		return NULL;
	if (stack_owner(addr) >= 0)
		return NULL;
	return addr < 4096 ? "a null pointer" : "memory that is not the lock's";
}

/* Before the threads start and after they end: no one to schedule. */
static uint64_t do_now(const struct op *op)
{
	uint64_t found, value;

	if (op->kind == OP_CLOCK)
		return machine.now;
	if (op->kind < OP_LOAD || op->kind > OP_CAS)
		return 0;
	found = memory_read(op->addr, op->size);
	if (op->kind != OP_LOAD && memory_modify(op, found, &value))
		memory_write(op->addr, op->size, value);
	return found;
}

uint64_t explore_op(enum op_kind kind, volatile void *p, size_t size, uint64_t a, uint64_t b,
		    int order, const char *file, int line)
{
	const uint64_t mask = size == 0 || size == 8 ? UINT64_MAX : (1ull << 8 * size) - 1;
	const struct op op = {
		.file = file,
		.addr = (uintptr_t)p,
		.a = a & mask,
		.b = kind == OP_WAIT ? b : b & mask,
		.line = line,
		.kind = (uint8_t)kind,
		.order = (uint8_t)order,
		.size = (uint8_t)size,
	};
	struct thread *t;

	if (explore.running < 0)
		return do_now(&op);
	/* nothing to order where everything is, or stores wait in one queue anyway */
	if (kind == OP_FENCE && (explore.opt.model == MODEL_SC ||
				 (explore.opt.model == MODEL_TSO && order != memory_order_seq_cst)))
		return 0;
	if (p && outside(op.addr)) {
		if (kind != OP_WAKE && op.addr >= 4096)
			explore.unsupported = true;
		explore_fail("%s:%d: uses %s", file, line, outside(op.addr));
	}
	t = &machine.threads[explore.running];
	t->op = op;
	coroutine_leave();
	return machine.threads[explore.running].result;
}

void explore_plain(volatile void *p, bool write, const char *file, int line)
{
	const char *race;

	if (explore.running < 0)
		return;
	if (outside((uintptr_t)p))
		explore_fail("%s:%d: uses %s", file, line, outside((uintptr_t)p));
	if (stack_dead((uintptr_t)p))
		explore_fail("use of a frame after its return: %s:%d", file, line);
	if (explore.opt.model != MODEL_C11)
		return;
	race = c11_plain(&machine.threads[explore.running], (uintptr_t)p, write);
	if (race)
		explore_fail("data race: %s:%d %s that is not ordered before it", file, line, race);
}

void explore_word_init(volatile void *p, size_t size)
{
	if (explore.running < 0)
		return;
	if (explore.opt.model == MODEL_TSO)
		tso_word_init(&machine.threads[explore.running], (uintptr_t)p,
			      memory_read((uintptr_t)p, (unsigned)size));
	if (explore.opt.model == MODEL_C11)
		c11_word_init((uintptr_t)p, (unsigned)size);
}

void explore_pause(void)
{
	if (explore.running < 0)
		return;
	explore.paused = true;
	if (explore.ops->caps & LOCK_SPINS)
		script_waits(explore.running);
}

static unsigned sleepers(uintptr_t addr)
{
	unsigned n = 0;

	for (unsigned i = 0; i < explore.opt.threads; i++) {
		const struct thread *t = &machine.threads[i];

		n += t->status == BLOCKED && t->op.addr == addr;
	}
	return n;
}

static unsigned outcomes(unsigned i)
{
	const struct thread *t = &machine.threads[i];

	switch (t->op.kind) {
	case OP_CHOOSE:
		return explore.opt.letters && t->ops_left
			       ? 1 + (unsigned)strlen(explore.opt.letters)
			       : 1;
	case OP_CLOCK:
		return machine.leaps < explore.opt.leaps ? 2 : 1;
	case OP_WAKE:
		if (memory_outcomes(t) == 0)
			return 0;
		return t->op.a == 1 && sleepers(t->op.addr) > 1 ? sleepers(t->op.addr) : 1;
	case OP_START:
	case OP_STEP:
		return 1;
	default:
		return memory_outcomes(t);
	}
}

/* Threads that are alike choose their first operation in order, see options.sorted. */
static unsigned first_choice(unsigned i)
{
	const char *letter;

	if (!explore.opt.sorted || !explore.opt.letters || i == 0 ||
	    machine.threads[i].ops_left < explore.opt.ops || !machine.threads[i - 1].letter)
		return 0;
	letter = strchr(explore.opt.letters, machine.threads[i - 1].letter);
	return letter ? 1 + (unsigned)(letter - explore.opt.letters) : 0;
}

unsigned machine_moves(struct move *moves, bool *progress)
{
	unsigned n = 0;

	*progress = true;
	for (unsigned i = 0; i < explore.opt.threads; i++) {
		const struct thread *t = &machine.threads[i];

		if (t->status != READY || t->op.kind > OP_CHOOSE)
			continue;
		for (unsigned k = t->op.kind == OP_CHOOSE ? first_choice(i) : 0; k < outcomes(i);
		     k++)
			moves[n++] = (struct move){ (uint8_t)i, MOVE_OP, (uint8_t)k };
		return n;
	}
	*progress = false;
	for (unsigned i = 0; i < explore.opt.threads; i++) {
		const struct thread *t = &machine.threads[i];

		for (unsigned k = 0; t->status == READY && k < outcomes(i); k++)
			moves[n++] = (struct move){ (uint8_t)i, MOVE_OP, (uint8_t)k };
		if (t->n_buffer)
			moves[n++] = (struct move){ (uint8_t)i, MOVE_FLUSH, 0 };
		*progress |= n > 0;
	}
	for (unsigned i = 0; i < explore.opt.threads; i++) {
		const struct thread *t = &machine.threads[i];

		if (t->status != BLOCKED)
			continue;
		if (t->op.b != NO_DEADLINE) {
			moves[n++] = (struct move){ (uint8_t)i, MOVE_TIMEOUT, 0 };
			/* a free lock must not need a deadline to be noticed */
			*progress |= script_held();
		}
		if (explore.opt.spurious) {
			moves[n++] = (struct move){ (uint8_t)i, MOVE_SPURIOUS, 0 };
			moves[n++] = (struct move){ (uint8_t)i, MOVE_SPURIOUS, 1 };
		}
	}
	return n;
}

bool machine_ended(void)
{
	char who[200] = "";
	const char *wrong;

	for (unsigned i = 0; i < explore.opt.threads; i++) {
		const struct thread *t = &machine.threads[i];
		const size_t used = strlen(who);

		if (t->status == BLOCKED)
			snprintf(who + used, sizeof(who) - used, "%s thread %u at %s:%d",
				 used ? "," : "", i, t->op.file, t->op.line);
	}
	if (who[0]) {
		explore_fail("lost wakeup: nobody can go on; asleep:%s", who);
		return false;
	}
	wrong = explore.ops->check_idle ? explore.ops->check_idle(arena) : NULL;
	if (wrong) {
		explore_fail("final state: %s", wrong);
		return false;
	}
	return true;
}

static void wake(struct thread *t, enum futex_result result)
{
	t->status = READY;
	t->op.kind = OP_START;
	t->op.addr = 0;
	t->result = result;
}

static void wake_sleepers(const struct op *op, unsigned pick)
{
	unsigned skip = op->a == 1 ? pick : 0;
	uint64_t left = op->a;

	for (unsigned i = 0; i < explore.opt.threads && left; i++) {
		struct thread *t = &machine.threads[i];

		if (t->status != BLOCKED || t->op.addr != op->addr)
			continue;
		if (skip) {
			skip--;
			continue;
		}
		wake(t, FUTEX_WOKEN);
		left--;
	}
}

/* False: the thread sleeps, or must not run. */
static bool perform(struct thread *t, unsigned pick)
{
	const struct op *op = &t->op;

	if (op->addr && op->kind != OP_WAKE && stack_dead(op->addr)) {
		explore_fail("use of a frame after its return: thread %d, %s:%d",
			     (int)(t - machine.threads), op->file, op->line);
		return false;
	}
	t->result = 0;
	switch (op->kind) {
	case OP_START:
		break;
	case OP_CHOOSE:
		t->result = pick;
		break;
	case OP_STEP:
		break;
	case OP_CLOCK:
		explore.restart |= !explore.clock;
		explore.clock = true;
		if (pick) {
			machine.leaps++;
			machine.now += TIME_LEAP;
		}
		t->result = machine.now;
		break;
	case OP_FENCE:
		if (explore.opt.model == MODEL_C11)
			c11_fence(t);
		break;
	case OP_WAIT:
		if (memory_read(op->addr, op->size) == op->a) {
			t->status = BLOCKED;
			/* on a word of its own it is queued; on the lock's it may be on its way */
			if (stack_owner(op->addr) >= 0 || explore.ops->caps & LOCK_SPINS)
				script_waits((int)(t - machine.threads));
			return false;
		}
		t->result = FUTEX_CHANGED;
		break;
	case OP_WAKE:
		wake_sleepers(op, pick);
		break;
	default:
		t->result = memory_access(t, pick);
	}
	explore.result = t->result;
	return true;
}

void machine_apply(struct move m)
{
	struct thread *t = &machine.threads[m.thread];
	const bool woken = m.kind == MOVE_OP && t->op.kind == OP_START;
	const uint64_t result = t->result;

	explore.paused = false;
	switch (m.kind) {
	case MOVE_FLUSH:
		tso_flush(t);
		break;
	case MOVE_SPURIOUS:
		wake(t, m.pick ? FUTEX_INTERRUPTED : FUTEX_WOKEN);
		break;
	case MOVE_TIMEOUT:
		t->timed_out = 1;
		if (explore.clock && machine.now < t->op.b)
			machine.now = t->op.b;
		wake(t, FUTEX_TIMEDOUT);
		break;
	default:
		if (!perform(t, m.pick))
			break;
		if (woken)
			t->result = result;
		coroutine_run(m.thread);
		if (t->status == DONE)
			memset(t, 0, offsetof(struct thread, status));
		t->result = 0;
	}
	if (explore.opt.model == MODEL_TSO)
		tso_tidy();
	if (explore.opt.model == MODEL_C11)
		c11_tidy();
}
