/* handoff.c - The control of bad/handoff_...: no fault switched on. */
#define SUBJECT "handoff"
#include "../bad/handoff.h"
