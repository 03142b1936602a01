/* subject.c - the lock file under test, unmodified, with the explorer's atomic.h. */
#include LOCK_FILE
#include "machine.h"

const struct lock_ops *subject(void);

const struct lock_ops *subject(void)
{
	return &lock_ops;
}
