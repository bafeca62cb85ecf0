#ifndef STATS_ADDITIVE_H
#define STATS_ADDITIVE_H

#include <stdbool.h>
#include <stddef.h>

/* n values, each at one level of two factors: value i at a[i] and b[i], which count from 0 and are below levels_a and
 * levels_b. Any number in a cell, also none. unit: 0, or 1 where the values are logarithms, as in moments.h. */
struct crossed {
	const double *y;
	const size_t *a, *b;
	size_t n, levels_a, levels_b;
	double unit;
};

/* The cells of a crossed layout and their additive model "mean + a + b", fitted by least squares: normal equations of a
 * alone, refined until the residuals have no part of them left. All values are less an origin from the data and divided
 * by 2^exponent. Arrays of cells are levels_b long for each level of a. What two_way() and block_contrast() share. */
struct additive {
	const struct crossed *data;
	double *count, *mean, *fit; /* cells; mean is NaN in an empty one */
	double *product, *rest;     /* cells, free for the user's second fit */
	double *factor;             /* Cholesky's, levels_a squared */
	double *effect_a, *effect_b, *count_a, *count_b;
	double *solution;  /* levels_a */
	size_t *component; /* of each level of a: levels that no block connects cannot be compared */
	double ss_within, origin, resolution;
	int exponent;
	size_t cells, rank;    /* not empty; degrees of freedom of the model, the mean's included */
	size_t used_a, used_b; /* levels with values */
	unsigned flags;        /* NOT_FINITE, TOO_FEW for n = 0: then nothing else holds */
};

/* Size of the work area in doubles. */
size_t additive_work(size_t levels_a, size_t levels_b);

/* Fits the means: fit, effect_a, effect_b. Time: n + levels_a^2 (levels_a + levels_b) */
struct additive additive_fit(const struct crossed *data, double *work);

/* The model's fit to any values[] of the cells, into fit[] and the effects. fit may not be values. */
void additive_project(const struct additive *m, const double *values, double *fit);

/* Variance of effect_a[y] - effect_a[x], relative to that of one value; NaN where they cannot be compared. */
double additive_variance(const struct additive *m, size_t x, size_t y);

#endif
