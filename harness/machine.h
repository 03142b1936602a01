/* machine.h - what in this machine will disturb a measurement. Reads only. */
#ifndef HARNESS_MACHINE_H
#define HARNESS_MACHINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/*
 * Prints a line for each thing found, with the command that mends it. Returns
 * how many of them make `--strict` refuse: those that move figures by more
 * than the usual spread and can be mended. Takes a fifth of a second, to see
 * who else is running. to may be NULL to count alone.
 */
unsigned machine_check(FILE *to);

/* True in a virtual machine, as far as the CPU tells. */
bool machine_is_virtual(void);

/*
 * The tightest CPU limit of this process's cgroup and those above it, in CPUs;
 * negative: none. where gets the file that says it.
 */
double machine_cpu_quota(char *where, size_t size);

/* "on", "off", or NULL where the kernel does not say. */
const char *machine_turbo(void);

/* The word in brackets of a file like "always [madvise] never". NULL without one. */
char *machine_chosen(char *text);

/* `list machine`: the CPUs and nodes as a plan sees them. */
void machine_list(FILE *to);

/* `list counters`: events tried here by known work, and whether each counts. */
void counters_list(FILE *to);

#endif
