/* dh.c - The control of bad/dh_...: no fault switched on. */
#define SUBJECT "dh"
#include "../bad/dh.h"
