/* pingpong.c - two threads hand one line to and fro. */
#include "pingpong.h"

double pingpong(const int32_t *cpus, size_t count, const char **why)
{
	(void)cpus;
	(void)count;
	*why = "not in this build";
	return -1;
}
