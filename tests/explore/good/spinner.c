/* spinner.c - The control of bad/spinner_...: no fault switched on. */
#define SUBJECT "spinner"
#include "../bad/spinner.h"
