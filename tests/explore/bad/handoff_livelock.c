/* handoff_livelock.c - b613c7f31476: a waiter that is not first goes round. */
#define SUBJECT "handoff_livelock"
#define HANDOFF_LIVELOCK
#include "handoff.h"
