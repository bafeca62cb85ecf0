#ifndef CLOCK_H
#define CLOCK_H

#include <time.h>

/* Seconds of CLOCK_MONOTONIC. */
static inline double clock_monotonic_s(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

#endif
