/* handoff_left.c - d257cc8cb8d5: the hand-off bit outlives the one it was for. */
#define SUBJECT "handoff_left"
#define HANDOFF_LEFT
#include "handoff.h"
