#ifndef STATS_CALIBRATION_H
#define STATS_CALIBRATION_H

#include <stdbool.h>
#include <stddef.h>

#include "estimate.h"

/* Many runs of one treatment, from which to learn how far apart two batches of runs are that differ in nothing. */
struct calibration {
	const double *values;   /* in run order, sitting after sitting; logarithms where ratios are wanted */
	const size_t *sittings; /* number of values of each sitting; together all values */
	size_t n_sittings;
};

/* How the difference of two batch means varies where nothing differs. Unit: that of the values, squared. */
struct spread {
	double variance; /* of the difference: within + between */
	double df;       /* of that variance */
	double within;   /* part of adjacent batches in one sitting */
	double between;  /* part of two sittings: twice the variance of sitting means; 0 unless asked for */
	size_t pairs;    /* of adjacent batches that within rests on */
	unsigned flags;
};

/* Spread of the difference of means of n1 and n2 runs, one batch after the other. within: mean square difference of
 * the means of adjacent batches when each sitting is cut into batches of n1, n2, n1, n2 ... (twice the Allan variance
 * where n1 == n2), with as many degrees of freedom as pairs. across: the batches are of two sittings; that takes two
 * sittings or more, better three, and leaves the degrees of freedom of the weaker part, at most n_sittings - 1, as
 * Satterthwaite's are too many (7 to 9% false alarms at 5% for three sittings).
 * flags:  TOO_FEW: no pair, or no second sitting: variance and df NaN; NOT_FINITE: all NaN; CONSTANT: variance 0
 * source: Allan 1966 */
struct spread calibration_spread(const struct calibration *c, size_t n1, size_t n2, bool across);

/* Allan deviation at batches of n: square root of half the mean square difference; *pairs is what it rests on. NaN for
 * none. Falls as 1 / sqrt(n) in white noise, flattens in drift: a larger n no longer helps. */
double allan_deviation(const struct calibration *c, size_t n, size_t *pairs);

/* The contrast with the standard error and degrees of freedom of a calibration where that is the larger error, else as
 * it is: so an interval gets wider, or stays. Where the calibration has no answer (see flags) c is as it was.
 * *is_calibrated says which; may be NULL. c: of means of the sizes and in the unit that the spread is for. */
struct contrast calibrated(const struct contrast *c, const struct spread *spread, bool *is_calibrated);

#endif
