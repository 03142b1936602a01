/*
 * script.c - what the threads do: one letter is one lock operation with the
 * checks inside its critical section.
 *
 *   w r   write, read section              t y   try to write, to read
 *   k q   write, read with a deadline      d     write, downgrade, read
 *   H     read, and stay until an R is in  D     the same after a downgrade
 *   R     read, and let H and D go         A     alone: what try must answer
 */
#include "order.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct section {
	uint32_t writers, readers; /* inside now */
	uint64_t data;		   /* plain, protected by the lock */
	_Atomic uint32_t arrived;  /* an R was inside */
	struct order order;
};

static struct section *section;
static char *contexts;
static size_t context_size;

static size_t round_up(size_t n, size_t to)
{
	return (n + to - 1) / to * to;
}

static void *context(int t)
{
	return contexts + (size_t)t * context_size;
}

static int self(void)
{
	return explore.running;
}

static void step(void)
{
	explore_op(OP_STEP, NULL, 0, 0, 0, 0, "section", 0);
}

void script_waits(int t)
{
	order_waits(&section->order, t);
}

/* ---- critical sections ---- */

static void enter_write(void)
{
	if (section->writers || section->readers)
		explore_fail("exclusion: a writer enters, inside are %u writers and %u readers",
			     section->writers, section->readers);
	section->writers++;
	plain_write(&section->data);
	step();
}

static void leave_write(void)
{
	plain_write(&section->data);
	section->writers--;
}

static void enter_read(void)
{
	if (section->writers)
		explore_fail("exclusion: a reader enters, inside are %u writers", section->writers);
	section->readers++;
	plain_read(&section->data);
	step();
}

static void leave_read(void)
{
	plain_read(&section->data);
	section->readers--;
}

bool script_held(void)
{
	return section->writers || section->readers;
}

static void acquire_write(void *lock, void *ctx)
{
	order_arrive(&section->order, self(), true);
	explore.ops->acquire_write(lock, ctx);
	order_acquired(&section->order, self());
}

static void acquire_read(void *lock, void *ctx)
{
	order_arrive(&section->order, self(), false);
	explore.ops->acquire_read(lock, ctx);
	order_acquired(&section->order, self());
}

static void finish_write(void *lock, void *ctx)
{
	enter_write();
	leave_write();
	explore.ops->release_write(lock, ctx);
}

static void finish_read(void *lock, void *ctx)
{
	enter_read();
	leave_read();
	explore.ops->release_read(lock, ctx);
}

static void downgrade(void *lock, void *ctx)
{
	/* the readers that it lets in may enter before it returns */
	section->writers--;
	section->readers++;
	explore.ops->downgrade(lock, ctx);
	plain_read(&section->data);
	step();
}

static void wait_for_another(void)
{
	while (!load_acq(&section->arrived))
		futex_wait(&section->arrived, 0, NO_DEADLINE);
}

static uint64_t some_deadline(void)
{
	return machine.now + TIME_LEAP / 2;
}

static void check_gave_up(uint64_t deadline)
{
	if (machine.now < deadline && !machine.threads[self()].timed_out)
		explore_fail("deadline: gave up before it passed");
}

static void alone(const struct lock_ops *ops, void *lock, void *ctx)
{
	if (ops->try_write && !ops->try_write(lock, ctx))
		explore_fail("try: write fails on a free lock");
	if (!ops->try_write)
		ops->acquire_write(lock, ctx);
	ops->release_write(lock, ctx);
	if (ops->try_read && !ops->try_read(lock, ctx))
		explore_fail("try: read fails on a free lock");
	if (!ops->try_read)
		ops->acquire_read(lock, ctx);
	ops->release_read(lock, ctx);
	if (ops->acquire_write_until) {
		if (!ops->acquire_write_until(lock, ctx, some_deadline()))
			explore_fail("deadline: write gives up on a free lock");
		ops->release_write(lock, ctx);
	}
	if (ops->acquire_read_until) {
		if (!ops->acquire_read_until(lock, ctx, some_deadline()))
			explore_fail("deadline: read gives up on a free lock");
		ops->release_read(lock, ctx);
	}
}

static void run_letter(char letter, void *lock, void *ctx)
{
	const struct lock_ops *ops = explore.ops;
	const uint64_t deadline = some_deadline();

	machine.threads[self()].timed_out = 0;
	switch (letter) {
	case 'w':
		acquire_write(lock, ctx);
		finish_write(lock, ctx);
		break;
	case 'r':
		acquire_read(lock, ctx);
		finish_read(lock, ctx);
		break;
	case 't':
		if (ops->try_write(lock, ctx))
			finish_write(lock, ctx);
		break;
	case 'y':
		if (ops->try_read(lock, ctx))
			finish_read(lock, ctx);
		break;
	case 'k':
		if (ops->acquire_write_until(lock, ctx, deadline))
			finish_write(lock, ctx);
		else
			check_gave_up(deadline);
		break;
	case 'q':
		if (ops->acquire_read_until(lock, ctx, deadline))
			finish_read(lock, ctx);
		else
			check_gave_up(deadline);
		break;
	case 'd':
		acquire_write(lock, ctx);
		enter_write();
		downgrade(lock, ctx);
		leave_read();
		ops->release_read(lock, ctx);
		break;
	case 'D':
		acquire_write(lock, ctx);
		enter_write();
		downgrade(lock, ctx);
		wait_for_another();
		leave_read();
		ops->release_read(lock, ctx);
		break;
	case 'H':
		acquire_read(lock, ctx);
		enter_read();
		wait_for_another();
		leave_read();
		ops->release_read(lock, ctx);
		break;
	case 'R':
		acquire_read(lock, ctx);
		enter_read();
		store_rel(&section->arrived, 1);
		futex_wake(&section->arrived, MAX_THREADS);
		leave_read();
		ops->release_read(lock, ctx);
		break;
	case 'A':
		alone(ops, lock, ctx);
		break;
	}
}

/* 0 at the end of the script */
static char next_letter(struct thread *t)
{
	const char *script = explore.opt.scripts[self()];
	const uint64_t pick = explore_op(OP_CHOOSE, NULL, 0, 0, 0, 0, "script", 0);

	if (!t->ops_left)
		return 0;
	if (explore.opt.letters) {
		t->ops_left--;
		return pick ? explore.opt.letters[pick - 1] : 0;
	}
	return script[strlen(script) - t->ops_left--];
}

void script_thread(void)
{
	struct thread *t = &machine.threads[self()];

	while ((t->letter = (uint8_t)next_letter(t)))
		run_letter((char)t->letter, arena, context(self()));
	t->ops_left = 0;
	t->status = DONE;
	coroutine_leave();
}

/* A parameter's default as written for users: a number with a unit, or a choice. */
static int64_t default_value(const struct param *p)
{
	char *unit;
	double value;

	if (p->kind == PARAM_CHOICE) {
		for (int i = 0; p->choices && p->choices[i]; i++) {
			if (!strcmp(p->choices[i], p->def))
				return i;
		}
		return 0;
	}
	value = strtod(p->def, &unit);
	/* every turn of a bounded spin is a state of its own: two show all there is */
	if (p->kind == PARAM_COUNT && strstr(p->name, "spin"))
		return p->min > 2 ? p->min : 2;
	if (!strcmp(unit, "us"))
		value *= 1e3;
	else if (!strcmp(unit, "ms"))
		value *= 1e6;
	else if (!strcmp(unit, "s"))
		value *= 1e9;
	else if (*unit == 'K')
		value *= 1024;
	else if (*unit == 'M')
		value *= 1024 * 1024;
	return (int64_t)value;
}

bool script_setup(void)
{
	const struct lock_ops *ops = explore.ops;
	const unsigned n = explore.opt.threads;
	int64_t values[MAX_PARAMS] = { 0 };
	const struct lock_env env = { .threads = n, .nodes = n > 1 ? 2 : 1, .params = values };
	size_t size;
	int error = 0;

	for (int i = 0; ops->params && i < MAX_PARAMS && ops->params[i].name; i++)
		values[i] = default_value(&ops->params[i]);
	size = round_up(ops->size_for ? ops->size_for(&env) : ops->size, 128);
	context_size = round_up(ops->ctx_size, 128);
	arena_used = size + n * context_size + round_up(sizeof(struct section), 8);
	if (arena_used > ARENA_SIZE) {
		explore.unsupported = true;
		explore_fail("the lock takes %zu bytes, more than %d", size, ARENA_SIZE);
		return false;
	}
	memset(arena, 0, arena_used);
	contexts = arena + size;
	section = (struct section *)(contexts + n * context_size);
	if (ops->init)
		error = ops->init(arena, &env);
	if (error) {
		explore.unsupported = true;
		explore_fail("init: %s", strerror(-error));
		return false;
	}
	for (unsigned i = 0; i < n && ops->ctx_init; i++) {
		const struct lock_thread who = {
			.id = i, .threads = n, .cpu = i, .node = i % env.nodes, .nodes = env.nodes
		};

		ops->ctx_init(arena, context((int)i), &who);
	}
	return true;
}

const char *script_letters(void)
{
	const struct lock_ops *ops = explore.ops;
	static char letters[12];
	size_t n = 0;

	letters[n++] = 'w';
	if (ops->acquire_read != ops->acquire_write || ops->release_read != ops->release_write)
		letters[n++] = 'r';
	if (ops->try_write)
		letters[n++] = 't';
	if (ops->try_read && ops->try_read != ops->try_write)
		letters[n++] = 'y';
	if (ops->acquire_write_until)
		letters[n++] = 'k';
	if (ops->acquire_read_until && ops->acquire_read_until != ops->acquire_write_until)
		letters[n++] = 'q';
	if (ops->downgrade)
		letters[n++] = 'd';
	letters[n] = 0;
	return letters;
}

const char *script_name(uintptr_t addr, char *buffer, size_t size)
{
	const size_t at = addr - (uintptr_t)arena;
	const size_t first = (size_t)(contexts - arena);
	const int owner = stack_owner(addr);

	if (owner >= 0)
		snprintf(buffer, size, "T%d's frame+%zu", owner, (size_t)addr % STACK_SIZE);
	else if (addr == (uintptr_t)&section->arrived)
		snprintf(buffer, size, "arrived");
	else if (at < first)
		snprintf(buffer, size, "lock+%zu", at);
	else if (at < arena_used && context_size)
		snprintf(buffer, size, "T%zu's ctx+%zu", (at - first) / context_size,
			 (at - first) % context_size);
	else
		snprintf(buffer, size, "%#zx", (size_t)addr);
	return buffer;
}
