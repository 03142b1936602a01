/*
 * machine.h - the machine that a lock is explored on: its threads (coroutines),
 * the one pending operation of each, its memory, its clock. All of it is plain
 * data, saved and loaded as a whole by state.c.
 *
 * Between two operations a thread runs undisturbed: code that touches shared
 * memory only through atomic.h cannot tell the difference.
 */
#ifndef EXPLORE_MACHINE_H
#define EXPLORE_MACHINE_H

#include "lock.h"

enum {
	MAX_THREADS = 6,
	STACK_SIZE = 16384,
	ARENA_SIZE = 1 << 16,
	MAX_WORDS = 40, /* atomic words that the C11 model can follow */
	MAX_PLAIN = 40,
	MAX_OLD = 5, /* values kept of one word, C11 model */
	STORE_BUFFER = 4,
	MAX_MOVES = MAX_THREADS * 12,
};

enum model {
	MODEL_SC,
	MODEL_TSO, /* a FIFO store buffer per thread, as on x86 */
	MODEL_C11, /* views: a load may find a value that was overwritten */
};

/* What a thread has seen: of each word a place in its history, of each plain datum (see c11.c). */
struct view {
	uint8_t at[MAX_WORDS];
	uint8_t plain[MAX_PLAIN];
};

struct message {
	uint64_t value;
	struct view view;
};

struct word {
	uintptr_t addr;
	uint32_t size, n;
	struct message m[MAX_OLD]; /* oldest first; the last is what memory holds */
};

struct op {
	const char *file;
	uintptr_t addr;
	uint64_t a, b;
	int32_t line;
	uint8_t kind, order, size, pad;
};

enum status { READY, BLOCKED, DONE };

struct thread {
	void *sp;
	struct op op; /* the operation it will do next, or sleeps in */
	uint64_t result;
	uint8_t status, letter, ops_left, n_buffer;
	uint8_t timed_out, pad[3]; /* a sleep of this lock operation did */
	/* state.c saves what stands above as it is */
	struct op buffer[STORE_BUFFER];
	struct view cur, acq, rel;
};

struct machine {
	uint64_t now; /* ns */
	uint32_t leaps;
	uint8_t n_words, n_plain, pad[2];
	struct view sc;
	uintptr_t plain[MAX_PLAIN];
	struct word words[MAX_WORDS];
	struct thread threads[MAX_THREADS];
};

enum move_kind { MOVE_OP, MOVE_FLUSH, MOVE_SPURIOUS, MOVE_TIMEOUT };

/* One way to go on: thread t does its operation with outcome `pick`, … */
struct move {
	uint8_t thread, kind, pick;
};

struct options {
	enum model model;
	unsigned threads;
	unsigned old;	/* values kept of a word, C11 */
	unsigned leaps; /* how often a clock read may find that much time went by */
	bool spurious;	/* sleeps may end for no reason */
	bool fifo;	/* nobody may be overtaken once it waits */
	unsigned
		steals; /* … or that often after it went back to sleep much later; 0: do not look */
	bool sorted;	/* threads are alike: leave out scripts that only swap them */
	const char *letters; /* any script of `ops` letters of these, or … */
	unsigned ops;
	const char *scripts[MAX_THREADS]; /* … these scripts, when letters is NULL */
};

struct explore {
	struct options opt;
	const struct lock_ops *ops;
	int running;	   /* the thread that runs now, or -1 */
	bool paused;	   /* the last step passed a pause or yield */
	bool fences;	   /* C11: the lock uses fences, so both kinds of views are kept */
	bool clock;	   /* the lock reads the clock, so time is part of the state */
	bool restart;	   /* …and one of these was noticed only now */
	uint64_t steps;	   /* ever; the watchdog looks at it */
	uint64_t result;   /* of the last operation, for the trace */
	char failure[320]; /* empty, or what went wrong */
	bool unsupported;  /* …and it is the explorer's limit, not the lock's fault */
};

extern struct machine machine;
extern struct explore explore;
extern char arena[ARENA_SIZE];
extern size_t arena_used;

/* Time moves only by leaps and by deadlines that pass. */
#define TIME_START 1000000000u
#define TIME_LEAP 1000000000u

/* Back to the start of the scripts, with a fresh lock. False: explore.failure says why not. */
bool machine_reset(void);
/* All ways to go on; *progress is false when only spurious wake-ups are left. */
unsigned machine_moves(struct move *moves, bool *progress);
void machine_apply(struct move m);
/* Keep the first failure. From within a lock it ends the thread. */
void explore_fail(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* All threads are stuck or done: true when this is a proper end. */
bool machine_ended(void);

/* coroutine.c */
void coroutine_init(unsigned t, void (*entry)(void));
void coroutine_run(unsigned t);
void coroutine_leave(void);
/* The thread on whose stack the address lies, or -1. */
int stack_owner(uintptr_t addr);
/* It lies in a stack, and below what is in use of it: a frame that returned. */
bool stack_dead(uintptr_t addr);
size_t stack_live(unsigned t);

/* memory.c: sequential consistency and x86-TSO; c11.c */
uint64_t memory_read(uintptr_t addr, unsigned size);
void memory_write(uintptr_t addr, unsigned size, uint64_t value);
/* What a read-modify-write makes of `old`; false: it does not store (a failed cas). */
bool memory_modify(const struct op *op, uint64_t old, uint64_t *value);
unsigned memory_outcomes(const struct thread *t);
uint64_t memory_access(struct thread *t, unsigned pick);
void tso_flush(struct thread *t);
void tso_tidy(void);
void tso_word_init(struct thread *t, uintptr_t addr, uint64_t value);
unsigned c11_outcomes(const struct thread *t);
uint64_t c11_access(struct thread *t, unsigned pick);
void c11_fence(struct thread *t);
void c11_word_init(uintptr_t addr, unsigned size);
/* NULL, or what races */
const char *c11_plain(struct thread *t, uintptr_t addr, bool write);
void c11_tidy(void);

/* state.c: the machine, the stacks and the arena as bytes; returns their number */
size_t state_save(char *to);
void state_load(const char *from);
struct hash {
	uint64_t a, b;
};
struct hash state_hash(const char *bytes, size_t n);

/* script.c */
void script_thread(void);	  /* entry of every coroutine */
bool script_setup(void);	  /* lays out the arena and initialises the lock */
const char *script_letters(void); /* those that the lock offers */
bool script_held(void);		  /* somebody is inside a critical section */
void script_waits(int t);	  /* t sleeps, or pauses in a lock that spins */
const char *script_name(uintptr_t addr, char *buffer, size_t size);

#endif
