/* list_kept.c - aa46031af467: a wake list used again without a reset. */
#define SUBJECT "list_kept"
#define LIST_KEPT
#include "queued.h"
