/*
 * memory.c - what an access finds: sequential consistency, and x86-TSO as SC
 * with a store buffer per thread. The C11 model has a file of its own.
 *
 * Under TSO a plain atomic store waits in the buffer until a flush, which is a
 * move of its own; loads look into their own buffer first; locked operations,
 * seq_cst stores and fences, and system calls need it empty.
 */
#include "machine.h"

#include <string.h>

uint64_t memory_read(uintptr_t addr, unsigned size)
{
	uint64_t value = 0;

	memcpy(&value, (const void *)addr, size); /* little-endian */
	return value;
}

void memory_write(uintptr_t addr, unsigned size, uint64_t value)
{
	memcpy((void *)addr, &value, size);
}

bool memory_modify(const struct op *op, uint64_t old, uint64_t *value)
{
	const uint64_t mask = op->size == 8 ? UINT64_MAX : (1ull << 8 * op->size) - 1;

	switch (op->kind) {
	case OP_ADD:
		*value = (old + op->a) & mask;
		return true;
	case OP_OR:
		*value = old | op->a;
		return true;
	case OP_AND:
		*value = old & op->a;
		return true;
	case OP_CAS:
		*value = op->b;
		return old == op->a;
	default:
		*value = op->a;
		return true;
	}
}

static bool needs_empty_buffer(const struct op *op)
{
	switch (op->kind) {
	case OP_XCHG:
	case OP_ADD:
	case OP_OR:
	case OP_AND:
	case OP_CAS:
	case OP_WAIT:
	case OP_WAKE:
		return true;
	case OP_STORE:
	case OP_FENCE:
		return op->order == memory_order_seq_cst;
	default:
		return false;
	}
}

unsigned memory_outcomes(const struct thread *t)
{
	if (explore.opt.model == MODEL_C11)
		return c11_outcomes(t);
	if (explore.opt.model == MODEL_SC)
		return 1;
	if (t->n_buffer && needs_empty_buffer(&t->op))
		return 0;
	return !(t->op.kind == OP_STORE && t->n_buffer == STORE_BUFFER);
}

uint64_t memory_access(struct thread *t, unsigned pick)
{
	const struct op *op = &t->op;
	uint64_t found, value;

	if (explore.opt.model == MODEL_C11)
		return c11_access(t, pick);
	if (explore.opt.model == MODEL_TSO && op->kind == OP_STORE &&
	    op->order != memory_order_seq_cst) {
		t->buffer[t->n_buffer++] = *op;
		return 0;
	}
	found = memory_read(op->addr, op->size);
	if (op->kind == OP_LOAD) {
		for (unsigned i = 0; i < t->n_buffer; i++) {
			if (t->buffer[i].addr == op->addr)
				found = t->buffer[i].a;
		}
		return found;
	}
	if (memory_modify(op, found, &value))
		memory_write(op->addr, op->size, value);
	return op->kind == OP_STORE ? 0 : found;
}

static void drop(struct thread *t, unsigned i)
{
	t->n_buffer--;
	memmove(&t->buffer[i], &t->buffer[i + 1], (t->n_buffer - i) * sizeof(t->buffer[0]));
}

void tso_flush(struct thread *t)
{
	const struct op store = t->buffer[0];

	drop(t, 0);
	if (stack_dead(store.addr)) {
		explore_fail("use of a frame after its return: a store of thread %d from %s:%d "
			     "arrives late",
			     (int)(t - machine.threads), store.file, store.line);
		return;
	}
	memory_write(store.addr, store.size, store.a);
}

/* A thread's late stores into frames that it left itself hurt nobody. */
void tso_tidy(void)
{
	for (unsigned i = 0; i < explore.opt.threads; i++) {
		struct thread *t = &machine.threads[i];

		for (unsigned k = 0; k < t->n_buffer; k++) {
			if (stack_owner(t->buffer[k].addr) == (int)i &&
			    stack_dead(t->buffer[k].addr))
				drop(t, k--);
		}
	}
}

/* The first store to a word goes past the buffer; what waits there for it is older. */
void tso_word_init(struct thread *t, uintptr_t addr, uint64_t value)
{
	for (unsigned i = 0; i < t->n_buffer; i++) {
		if (t->buffer[i].addr == addr)
			t->buffer[i].a = value;
	}
}
