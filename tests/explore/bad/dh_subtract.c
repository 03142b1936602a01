/* dh_subtract.c - 2001: release write changes the count while a waker works. */
#define SUBJECT "dh_subtract"
#define DH_SUBTRACT
#include "dh.h"
