#ifndef STATS_SPLITS_H
#define STATS_SPLITS_H

#include <stddef.h>
#include <stdint.h>

/* All splits are tried where there are no more of them than this (10 against 10: 184,756); else some are drawn. */
#define SPLITS_EXACT 200000

/* A permutation test over the splits of nx + ny values into two sides of those sizes. */
struct splits {
	size_t nx, ny;
	/* What is compared; may be infinite. It changes its sign and nothing else when the sides change places. Values
	 * i with in_y[i] not 0 make side y. */
	double (*statistic)(const void *context, const unsigned char *in_y);
	const void *context;
	unsigned char *in_y; /* nx + ny, work area */
	size_t resamples;    /* how many to draw where not all are tried */
	uint64_t seed;
};

/* nx + ny choose nx; infinity where that is beyond a double. */
double splits_count(size_t nx, size_t ny);

/* Twice the smaller tail, at most 1: the share of splits whose statistic is as large (or as small, but for rounding) as
 * that of the first nx against the rest; of a drawn sample (b + 1) / (m + 1), so never 0.
 * source: Phipson & Smyth 2010; scipy permutation_test */
double splits_p(const struct splits *splits);

/* The least p that can come out: 2 / count, or 2 / (resamples + 1). */
double splits_least_p(size_t nx, size_t ny, size_t resamples);

#endif
