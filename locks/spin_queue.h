/*
 * spin_queue.h - a queue of threads that spin, of which only the first looks
 * at the lock's word: the others spin each on a flag of its own, so the word's
 * line is not torn between them. A spinner may leave at any time.
 *
 * After the kernel's spinner queue (P. Zijlstra 2014, from the MCS lock of
 * Mellor-Crummey and Scott 1991), in its three steps of leaving: take our link
 * out of the one before us, then learn who is behind us, then join the two.
 *
 * A node must outlive its use, as a neighbour may look at it once more: it is
 * part of a thread's context, never of its stack. A node is used again at once,
 * which is safe: a neighbour changes our link only by a compare-and-swap that
 * expects itself there.
 *
 * The head of the queue and a neighbour in the middle of a step may be
 * preempted. Waiting for our turn has a cap; waiting for a neighbour's step
 * has none and yields.
 */
#ifndef LOCKS_SPIN_QUEUE_H
#define LOCKS_SPIN_QUEUE_H

#include "lock.h"
#include "spin_cap.h"

struct spin_node {
	LINE_ALIGNED _Atomic uintptr_t next; /* the node behind us, or 0 */
	_Atomic uintptr_t prev;
	_Atomic uint32_t first; /* we are the head */
};

struct spin_queue {
	_Atomic uintptr_t tail; /* 0: nobody spins */
};

HOT struct spin_node *spin_node(uintptr_t node)
{
	return (struct spin_node *)node;
}

/*
 * Who is behind us, cut off from us; 0 if nobody, and then the tail is `before`
 * (the node before us, or 0). One that has announced itself at the tail but
 * not yet at our link is waited for.
 */
static inline uintptr_t spin_queue_cut(struct spin_queue *q, struct spin_node *node,
				       uintptr_t before)
{
	uintptr_t self = (uintptr_t)node, next;

	for (;;) {
		uintptr_t tail = self;

		if (load_rlx(&q->tail) == self && cas_acq_rel(&q->tail, &tail, before))
			return 0;
		/*
		 * By exchange, as the one behind us may be taking its link out of us
		 * at this moment: then we get 0, and wait for whoever comes next.
		 */
		if (load_rlx(&node->next)) {
			next = xchg_acq_rel(&node->next, 0);
			if (next)
				return next;
		}
		cpu_pause();
		cpu_yield();
	}
}

/* The steps of leaving. True: we have become the head meanwhile, and stay. */
static inline bool spin_queue_leave(struct spin_queue *q, struct spin_node *node)
{
	uintptr_t self = (uintptr_t)node, prev, next;

	for (;;) {
		uintptr_t link = self;

		/* pairs with the release below: the one before us may have left and named another */
		prev = load_acq(&node->prev);
		if (cas_acq_rel(&spin_node(prev)->next, &link, 0))
			break;
		/* it is leaving too, or hands over to us */
		if (load_acq(&node->first))
			return true;
		cpu_pause();
		cpu_yield();
	}
	next = spin_queue_cut(q, node, prev);
	if (next) {
		store_rel(&spin_node(next)->prev, prev);
		store_rel(&spin_node(prev)->next, next);
	}
	return false;
}

/* True: we are the head, and must call spin_queue_release. */
static inline bool spin_queue_acquire(struct spin_queue *q, struct spin_node *node)
{
	uintptr_t prev;

	store_rlx(&node->next, 0);
	store_rlx(&node->first, 0);
	/* release: whoever finds us at the tail must see the two stores */
	prev = xchg_acq_rel(&q->tail, (uintptr_t)node);
	if (!prev)
		return true;
	store_rlx(&node->prev, prev);
	/* release: whoever finds our link must see `prev` and the two stores */
	store_rel(&spin_node(prev)->next, (uintptr_t)node);
	for (int i = 0; i < SPIN_CAP(SPIN_PAUSES); i++) {
		/* pairs with the release in spin_queue_release */
		if (load_acq(&node->first))
			return true;
		cpu_pause();
	}
	return spin_queue_leave(q, node);
}

static inline void spin_queue_release(struct spin_queue *q, struct spin_node *node)
{
	uintptr_t next = spin_queue_cut(q, node, 0);

	/* pairs with the acquires of `first`: the queue's steps so far come before its next ones */
	if (next)
		store_rel(&spin_node(next)->first, 1);
}

HOT bool spin_queue_idle(const struct spin_queue *q)
{
	return !load_rlx(&((struct spin_queue *)q)->tail);
}

#endif
