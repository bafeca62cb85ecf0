#ifndef PROFILE_H
#define PROFILE_H

#include <glib.h>

#include "../stats/estimate.h"
#include "flag.h"
#include "metric.h"

struct analyse_options;
struct analysis;
struct dataset;

/* How the noise of a workload behaves on one machine while nothing is changed. Everything but the mean is of
 * logarithms: relative. */

/* Allan deviation of batches: what the mean of so many runs differs by from that of the next ones, over sqrt(2). */
struct allan_point {
	guint size;
	double deviation;
	guint pairs;           /* of adjacent batches that it rests on */
	double sequential_pct; /* difference that two such batches, one after the other, find when calibrated */
};

/* So many pairs of blocks find a difference with a power of 80% at a level of 5%. */
struct advice {
	double pct, pairs;
};

struct profile {
	const char *workload; /* "" where the data names none */
	struct metric metric;
	char *instrument; /* machine and options, for people; NULL where the data does not say */
	guint n, failed;
	guint n_sittings;
	double mean, cv;     /* of the values themselves */
	struct test lag_one; /* about the mean of each sitting */
	struct test drift;   /* Mann-Kendall of the sitting with the clearest one, its p times the number of sittings */
	double tau;          /* of that sitting */
	struct test modes;   /* dip, about the mean of each sitting */
	GArray *allan;       /* struct allan_point, ascending size */
	double sitting_sd;   /* of the sittings' means; NaN for one sitting */
	double block_sd;     /* of the difference of a pair of blocks of block_size runs */
	guint block_size;    /* runs of one treatment before the next one's, interleaved: the cheapest */
	GArray *advice;      /* struct advice: for 10, 5, 2 and 1% */
	guint sequential_size; /* batch with the smallest sequential_pct; 0: none */
	double sitting_pct;    /* that of such batches in two sittings; NaN for fewer than three calibrated */
	flag_set flags;
};

/* The profiles of all workloads and machines in these rows (NULL: all) of a calibration, as analysis->profiles: of
 * primary metrics where the options name none. A usage error where there is nothing to profile.
 * like: only those that hold for one of its runs, which may be none; NULL: all. */
struct analysis *analyse_profile(const struct dataset *calibration, const GArray *rows, const struct dataset *like,
				 const struct analyse_options *options, GError **error);

/* Pairs of blocks for a difference of pct. */
double profile_pairs(const struct profile *profile, double pct);
/* Smallest difference found with n runs a side or fewer, in percent: one side after the other and calibrated, or in
 * interleaved blocks. NaN where the profile does not reach so far. */
double profile_sequential_pct(const struct profile *profile, guint n);
double profile_interleaved_pct(const struct profile *profile, guint n);

#endif
