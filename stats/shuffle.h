#ifndef STATS_SHUFFLE_H
#define STATS_SHUFFLE_H

#include <stddef.h>

#include "stream.h"

/* Puts x[n] (n up to 2^32) in random order, each as likely.   source: Fisher & Yates; Durstenfeld 1964 */
static inline void shuffle(double *x, size_t n, struct stream *random)
{
	for (size_t i = n; i > 1; i--) {
		size_t j = stream_below(random, (uint32_t)(stream_bits(random) >> 32), i);
		double value = x[i - 1];

		x[i - 1] = x[j];
		x[j] = value;
	}
}

#endif
