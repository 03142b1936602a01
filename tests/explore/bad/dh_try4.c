/* dh_try4.c - 2001, fourth try as posted: the undo tests the whole count. */
#define SUBJECT "dh_try4"
#define DH_TRY4
#include "dh.h"
