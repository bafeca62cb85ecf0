#ifndef ANALYSE_DISTRIBUTION_H
#define ANALYSE_DISTRIBUTION_H

#include <glib.h>

struct estimate_row;

/* How the values of one treatment are distributed, for charts: everything but them is of the logarithms where these are
 * asked for, and turned back. */

struct density_point {
	double at, density;
};

struct distribution {
	GArray *values;   /* double: ascending */
	GArray *scores;   /* double, parallel: normal quantiles where they would be expected; R's qqnorm */
	double line[2];   /* of R's qqline, at the first and the last score */
	double bin_width; /* from the least value on; 0 where they are alike, or one, or none */
	GArray *bins;     /* double: density of each, so that their areas add up to 1 */
	double bandwidth; /* of the density, which is Gaussian; 0 where there is none */
	GArray *density;  /* struct density_point: ascending, close where values are; empty as bins */
};
void distribution_free(struct distribution *distribution);

/* A usage error where a logarithm is asked of what has none. Bins and density only of the values themselves. */
struct distribution *distribution_of(const struct estimate_row *row, gboolean is_log, GError **error);

#endif
