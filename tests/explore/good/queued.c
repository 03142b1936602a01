/* queued.c - The control of bad/ on queued.h: no fault switched on. */
#define SUBJECT "queued"
#include "../bad/queued.h"
