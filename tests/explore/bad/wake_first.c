/* wake_first.c - e158488be27b: woken before its word says so. */
#define SUBJECT "wake_first"
#define WAKE_FIRST
#include "queued.h"
