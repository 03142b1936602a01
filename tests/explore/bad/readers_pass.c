/* readers_pass.c - 2f06f702925b: a stream of readers starves the sleepers. */
#define SUBJECT "readers_pass"
#define READERS_PASS
#include "queued.h"
