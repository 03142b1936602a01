/*
 * state.c - everything that decides what can happen next, as a run of bytes.
 * One function goes both ways, so nothing can be saved and not loaded; and the
 * bytes that are hashed are the very bytes that are loaded.
 */
#include "machine.h"

#include <string.h>

struct cursor {
	char *at;
	bool saving;
};

static void transfer(struct cursor *c, void *data, size_t n)
{
	if (c->saving)
		memcpy(c->at, data, n);
	else
		memcpy(data, c->at, n);
	c->at += n;
}

static void transfer_view(struct cursor *c, struct view *v)
{
	transfer(c, v->at, machine.n_words);
	transfer(c, v->plain, machine.n_plain);
}

static void transfer_thread(struct cursor *c, unsigned i)
{
	struct thread *t = &machine.threads[i];

	transfer(c, t, offsetof(struct thread, buffer));
	transfer(c, t->buffer, t->n_buffer * sizeof(t->buffer[0]));
	if (t->status == DONE)
		return;
	transfer(c, t->sp, stack_live(i));
	if (explore.opt.model != MODEL_C11)
		return;
	transfer_view(c, &t->cur);
	if (explore.fences) {
		transfer_view(c, &t->acq);
		transfer_view(c, &t->rel);
	}
}

static void transfer_words(struct cursor *c)
{
	transfer(c, machine.plain, machine.n_plain * sizeof(machine.plain[0]));
	transfer_view(c, &machine.sc);
	for (unsigned i = 0; i < machine.n_words; i++) {
		struct word *w = &machine.words[i];

		transfer(c, w, offsetof(struct word, m));
		for (unsigned k = 0; k < w->n; k++) {
			transfer(c, &w->m[k].value, sizeof(w->m[k].value));
			transfer_view(c, &w->m[k].view);
		}
	}
}

static size_t transfer_all(char *bytes, bool saving)
{
	struct cursor c = { bytes, saving };

	transfer(&c, &machine, offsetof(struct machine, sc));
	transfer(&c, arena, arena_used);
	if (explore.opt.model == MODEL_C11)
		transfer_words(&c);
	for (unsigned i = 0; i < explore.opt.threads; i++)
		transfer_thread(&c, i);
	return (size_t)(c.at - bytes);
}

size_t state_save(char *to)
{
	const size_t n = transfer_all(to, true);

	memset(to + n, 0, 32); /* the hash reads whole blocks */
	return n;
}

void state_load(const char *from)
{
	transfer_all((char *)(uintptr_t)from, false);
}

static uint64_t mix(uint64_t x, uint64_t y)
{
	const unsigned __int128 product = (unsigned __int128)x * y;

	return (uint64_t)product ^ (uint64_t)(product >> 64);
}

/*
 * 128 bits: with 10^7 states the chance that any two collide, and one is
 * wrongly left out, is below 10^-24.
 */
struct hash state_hash(const char *bytes, size_t n)
{
	uint64_t lane[4] = { 0x9e3779b97f4a7c15u, 0xc2b2ae3d27d4eb4fu, 0x165667b19e3779f9u, n };

	/* four lanes, so that no multiplication waits for the one before */
	for (size_t i = 0; i < n; i += 32) {
		uint64_t w[4];

		memcpy(w, bytes + i, sizeof(w));
		lane[0] = mix(lane[0] ^ w[0], 0xd6e8feb86659fd93u) + w[1];
		lane[1] = mix(lane[1] ^ w[1], 0xa0761d6478bd642fu) + w[2];
		lane[2] = mix(lane[2] ^ w[2], 0xe7037ed1a0b428dbu) + w[3];
		lane[3] = mix(lane[3] ^ w[3], 0x8ebc6af09c88c6e3u) + w[0];
	}
	return (struct hash){ mix(lane[0] ^ lane[2], 0x589965cc75374cc3u) + mix(lane[1], lane[3]),
			      mix(lane[1] ^ lane[3], 0x1d8e4e27c47d124fu) ^
				      mix(lane[0], lane[2] | 1) };
}
