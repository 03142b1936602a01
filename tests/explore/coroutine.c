/*
 * coroutine.c - each thread of a script is a coroutine on a small stack of its
 * own, at a fixed address: a saved stack can be put back where it was.
 *
 * The switch is written for x86-64. Another architecture needs its own
 * coroutine_switch (push the callee-saved registers, swap stack pointers, pop)
 * and the matching first frame in coroutine_init; on arm64 those are x19–x30
 * and d8–d15. Nothing else here depends on the machine.
 */
#include "machine.h"

#include <stdlib.h>
#include <string.h>

static char stacks[MAX_THREADS][STACK_SIZE] __attribute__((aligned(4096)));
static void *scheduler_sp;

enum { GARBAGE = 1024 };

#if defined __x86_64__
enum { SAVED_REGISTERS = 6 };
void coroutine_switch(void **save, void *load);
__asm__(".text\n"
	".globl coroutine_switch\n"
	".type coroutine_switch, @function\n"
	"coroutine_switch:\n"
	"	push %rbp\n"
	"	push %rbx\n"
	"	push %r12\n"
	"	push %r13\n"
	"	push %r14\n"
	"	push %r15\n"
	"	mov %rsp, (%rdi)\n"
	"	mov %rsi, %rsp\n"
	"	pop %r15\n"
	"	pop %r14\n"
	"	pop %r13\n"
	"	pop %r12\n"
	"	pop %rbx\n"
	"	pop %rbp\n"
	"	ret\n"
	".size coroutine_switch, .-coroutine_switch\n");
#else
#error "the explorer needs a coroutine_switch for this architecture, see above"
#endif

void coroutine_init(unsigned t, void (*entry)(void))
{
	uint64_t *sp = (uint64_t *)(stacks[t] + STACK_SIZE);

	memset(stacks[t], 0, STACK_SIZE);
	*--sp = 0; /* entry finds the stack as after a call */
	*--sp = (uint64_t)(uintptr_t)entry;
	for (int i = 0; i < SAVED_REGISTERS; i++)
		*--sp = 0;
	machine.threads[t].sp = sp;
}

void coroutine_run(unsigned t)
{
	char *sp = machine.threads[t].sp;

	/* what earlier calls left below would show up in new frames and split states */
	memset(sp - GARBAGE, 0, GARBAGE);
	explore.steps++;
	explore.running = (int)t;
	coroutine_switch(&scheduler_sp, machine.threads[t].sp);
	explore.running = -1;
}

void coroutine_leave(void)
{
	coroutine_switch(&machine.threads[explore.running].sp, scheduler_sp);
}

int stack_owner(uintptr_t addr)
{
	const uintptr_t first = (uintptr_t)stacks;

	if (addr < first || addr >= first + sizeof(stacks))
		return -1;
	return (int)((addr - first) / STACK_SIZE);
}

bool stack_dead(uintptr_t addr)
{
	const int owner = stack_owner(addr);

	/* a thread knows its own frames, and its sp was saved before them */
	if (owner < 0 || owner == explore.running)
		return false;
	return machine.threads[owner].status == DONE || addr < (uintptr_t)machine.threads[owner].sp;
}

size_t stack_live(unsigned t)
{
	if (machine.threads[t].status == DONE)
		return 0;
	return (size_t)(stacks[t] + STACK_SIZE - (char *)machine.threads[t].sp);
}
