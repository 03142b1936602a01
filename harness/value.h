/*
 * value.h - values as users write them: "100ns", "0.3s", "64K", "95", or the
 * name of a choice, to and from the int64_t that a cell reads.
 */
#ifndef HARNESS_VALUE_H
#define HARNESS_VALUE_H

#include <stddef.h>

#include "params.h"

#define VALUE_SIZE 48 /* enough for value_print */

/*
 * Times need a unit (ns, us, ms, s, min, h), but for 0; sizes may have one (K,
 * M, G: powers of 1024; also as KiB). Both may have decimals. 0, or -EINVAL
 * with the reason in why: "'5' has no unit; …", "'101' is out of range; …".
 */
int value_parse(const struct param *p, const char *text, int64_t *value, char *why, size_t size);

/* In the largest unit that shows it whole; value_parse reads it back. */
void value_print(const struct param *p, int64_t value, char *out, size_t size);

#endif
