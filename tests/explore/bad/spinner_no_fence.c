/* spinner_no_fence.c - 9c29c31830a4: the look at the spinners moves before the wake. */
#define SUBJECT "spinner_no_fence"
#define SPINNER_NO_FENCE
#include "spinner.h"
