/* sysfile.c - reading the kernel's text files. */
#include "sysfile.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static const char *root = "";

void sysfile_use_root(const char *folder)
{
	root = folder ? folder : "";
}

static long read_at(char *buffer, size_t size, const char *format, va_list ap)
{
	char path[512];
	int used = snprintf(path, sizeof path, "%s", root);
	size_t got = 0;
	ssize_t n;
	int fd;

	*buffer = 0;
	vsnprintf(path + used, sizeof path - (size_t)used, format, ap);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	/* seq files come in pieces */
	while (got < size - 1 && (n = read(fd, buffer + got, size - 1 - got)) != 0) {
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0) {
			int error = errno;

			close(fd);
			*buffer = 0;
			return -error;
		}
		got += (size_t)n;
	}
	close(fd);
	if (got && buffer[got - 1] == '\n')
		got--;
	buffer[got] = 0;
	return (long)got;
}

long sysfile_read(char *buffer, size_t size, const char *format, ...)
{
	va_list ap;
	long n;

	va_start(ap, format);
	n = read_at(buffer, size, format, ap);
	va_end(ap);
	return n;
}

int sysfile_number(long long *value, const char *format, ...)
{
	char text[64], *end;
	long long v;
	va_list ap;
	long n;

	va_start(ap, format);
	n = read_at(text, sizeof text, format, ap);
	va_end(ap);
	if (n < 0)
		return (int)n;
	errno = 0;
	v = strtoll(text, &end, 10);
	if (end == text || *end || errno)
		return -EINVAL;
	*value = v;
	return 0;
}
