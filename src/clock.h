#ifndef CLOCK_H
#define CLOCK_H

#include <sys/time.h>
#include <time.h>

/* Seconds of CLOCK_MONOTONIC. */
static inline double clock_monotonic_s(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static inline double timeval_s(const struct timeval *time)
{
	return (double)time->tv_sec + (double)time->tv_usec / 1e6;
}

#endif
