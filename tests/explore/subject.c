/* subject.c - the lock file under test, unmodified, with the explorer's atomic.h. */
#include "lock.h"
#include "machine.h"

/* a frame that is gone cannot tell two states apart: so the fast paths get frames too */
#undef HOT
#define HOT static __attribute__((noinline, unused))

#include LOCK_FILE

const struct lock_ops *subject(void);

const struct lock_ops *subject(void)
{
	return &lock_ops;
}
