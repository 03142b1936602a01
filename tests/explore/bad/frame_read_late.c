/* frame_read_late.c - 2001: the waiter's frame is read after it was let go. */
#define SUBJECT "frame_read_late"
#define FRAME_READ_LATE
#include "queued.h"
