/* no_acquire.c - e1b98fa31664: no acquire on the slow path of a woken thread. */
#define SUBJECT "no_acquire"
#define NO_ACQUIRE
#include "queued.h"
