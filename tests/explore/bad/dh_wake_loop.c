/* dh_wake_loop.c - 2001: a wake loop without end while a slow path is delayed. */
#define SUBJECT "dh_wake_loop"
#define DH_WAKE_LOOP
#include "dh.h"
