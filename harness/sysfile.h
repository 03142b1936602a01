/* sysfile.h - the kernel's small text files under /proc and /sys. */
#ifndef HARNESS_SYSFILE_H
#define HARNESS_SYSFILE_H

#include <stddef.h>

/*
 * The file's beginning, up to size − 1 bytes and without its last newline,
 * always terminated. Its length, or -errno with buffer[0] = 0. format: as
 * printf, an absolute path.
 */
__attribute__((format(printf, 3, 4))) long sysfile_read(char *buffer, size_t size,
							const char *format, ...);

/* A file that holds one whole number: 0, or -errno and *value untouched. */
__attribute__((format(printf, 2, 3))) int sysfile_number(long long *value, const char *format, ...);

/* Tests: look under this folder instead of /; NULL: the real ones again. */
void sysfile_use_root(const char *folder);

#endif
