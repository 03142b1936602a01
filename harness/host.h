/* host.h - the machine, the kernel and the build, for host.json. */
#ifndef HARNESS_HOST_H
#define HARNESS_HOST_H

#include <jansson.h>

/*
 * A new object; what could not be read is null with a sibling `…_reason`.
 * Keys: see docs/machine.md. NULL only without memory. Some milliseconds.
 */
json_t *host_describe(void);

#endif
