/* interrupted_writer.c - 2016: a writer that gives up leaves readers asleep. */
#define SUBJECT "interrupted_writer"
#define INTERRUPTED_WRITER
#include "queued.h"
