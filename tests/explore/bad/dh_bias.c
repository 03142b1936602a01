/* dh_bias.c - The sign of the waiting bias is lost in 32 bits. */
#define SUBJECT "dh_bias"
#define DH_BIAS
#include "dh.h"
