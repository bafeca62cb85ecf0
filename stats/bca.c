#include "bca.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include <gsl/gsl_cdf.h>

#include "describe.h"
#include "moments.h"
#include "select.h"
#include "sides.h"
#include "sort.h"
#include "statistic.h"
#include "stream.h"

/* Median of sorted[n] without its i-th value. */
static double median_without(const double *sorted, size_t n, size_t i)
{
	size_t lower = (n - 2) / 2, upper = (n - 1) / 2;

	return sorted[lower + (lower >= i)] / 2 + sorted[upper + (upper >= i)] / 2;
}

/* How far the statistic moves when the i-th value of x (or y) is left out, in a unit that keeps cubes within a double:
 * of a mean or median the spread of the sample, of a ratio the ratio. */
static double moved(const struct bca *b, bool of_y, size_t i, double spread)
{
	const double *x = of_y ? b->y : b->x;
	double rest = (double)(of_y ? b->ny : b->nx) - 1;

	switch (b->statistic) {
	case BCA_MEAN:
		return -x[i] / spread / rest;
	case BCA_MEDIAN:
		return (median_without(x, b->nx, i) - b->centre) / spread;
	case BCA_MEAN_RATIO:
		return of_y ? (1 - x[i]) / rest : rest / (rest + 1 - x[i]) - 1;
	case BCA_GEOMETRIC_RATIO:
		return expm1((of_y ? -x[i] : x[i]) / rest);
	}
	return NAN;
}

/* (1/6) sum(sum U^3 / n^3) / (sum(sum U^2 / n^2))^1.5 over the sides; of one side it is the book's 14.15. */
static double acceleration(const struct bca *b)
{
	double squares = 0, cubes = 0, spread = 0, a;

	for (size_t i = 0; i < b->nx; i++)
		spread = fmax(spread, fabs(b->x[i] - (b->statistic == BCA_MEDIAN ? b->centre : 0)));
	for (int of_y = 0; of_y < 2; of_y++) {
		double n = (double)(of_y ? b->ny : b->nx), mean = 0;

		for (size_t i = 0; i < (of_y ? b->ny : b->nx); i++)
			mean += moved(b, of_y, i, spread) / n;
		for (size_t i = 0; i < (of_y ? b->ny : b->nx); i++) {
			double u = (n - 1) * (mean - moved(b, of_y, i, spread)) / n;

			squares += u * u;
			cubes += u * u * u;
		}
	}
	a = cubes / (6 * squares * sqrt(squares));
	return squares > DBL_EPSILON * DBL_EPSILON && isfinite(a) ? a : 0;
}

static unsigned flags_of(enum bca_statistic statistic, const double *x, size_t nx, const double *y, size_t ny)
{
	bool is_ratio = statistic == BCA_MEAN_RATIO || statistic == BCA_GEOMETRIC_RATIO;
	unsigned flags = is_ratio ? sides_flags(x, nx, y, ny, 2) : sides_flags(x, nx, x, nx, 2);

	for (size_t i = 0; is_ratio && i < nx + ny; i++) {
		if ((i < nx ? x[i] : y[i - nx]) <= 0)
			flags = (flags & ~(unsigned)EST_CONSTANT) | EST_NOT_POSITIVE;
	}
	return flags;
}

static void prepare_one(struct bca *b, const double *x, size_t n, double *work)
{
	if (b->statistic == BCA_MEDIAN) {
		memcpy(work, x, n * sizeof *x);
		sort_values(work, n);
		b->value = quantile_sorted(work, n, 0.5);
	} else {
		b->value = moments(x, n, 0).mean;
		for (size_t i = 0; i < n; i++)
			work[i] = x[i] - b->value;
	}
	b->centre = b->value;
	b->rounding = b->statistic == BCA_MEAN ? 4 * DBL_EPSILON * fabs(b->centre) : 0;
}

static double prepare_side(const struct bca *b, const double *x, size_t n, double *work)
{
	double mean;

	if (b->statistic == BCA_MEAN_RATIO) {
		mean = moments(x, n, 0).mean;
		for (size_t i = 0; i < n; i++)
			work[i] = x[i] / mean;
		return log(mean);
	}
	logarithms(x, n, work);
	mean = moments(work, n, 1).mean;
	for (size_t i = 0; i < n; i++)
		work[i] -= mean;
	return mean;
}

struct bca bca_prepare(enum bca_statistic statistic, const double *x, size_t nx, const double *y, size_t ny,
		       uint64_t seed, double *work)
{
	struct bca b = {.statistic = statistic, .seed = seed, .x = work, .y = work + nx, .nx = nx, .ny = ny};

	b.value = b.centre = NAN;
	b.flags = flags_of(statistic, x, nx, y, ny);
	if (nx == 0 || b.flags & (EST_NOT_FINITE | EST_NOT_POSITIVE))
		return b;
	if (statistic == BCA_MEAN || statistic == BCA_MEDIAN) {
		prepare_one(&b, x, nx, work);
	} else if (ny > 0) {
		double log_x = prepare_side(&b, x, nx, work), log_y = prepare_side(&b, y, ny, work + nx);

		b.centre = log_y - log_x;
		b.rounding = 4 * DBL_EPSILON * (fabs(log_x) + fabs(log_y));
		b.value = statistic == BCA_MEAN_RATIO ? moments(y, ny, 0).mean / moments(x, nx, 0).mean : exp(b.centre);
	}
	if (!b.flags && !isfinite(b.value))
		b.flags = EST_NOT_FINITE;
	if (!b.flags)
		b.acceleration = acceleration(&b);
	return b;
}

/* Sum of n values drawn from x[n]: four at a time, for a processor that can add more than one number at once; the rest,
 * and those of a large sample, by twos. */
static double drawn_sum(struct stream *s, const double *x, size_t n)
{
	double sum[4] = {0, 0, 0, 0};
	uint64_t drawn[4];
	size_t i = 0;

	while (i + 4 <= n && n <= STREAM_FOUR_BELOW) {
		if (!stream_four_below(s, n, drawn))
			continue;
		sum[0] += x[drawn[0]];
		sum[1] += x[drawn[1]];
		sum[2] += x[drawn[2]];
		sum[3] += x[drawn[3]];
		i += 4;
	}
	for (; i < n; i += 2) {
		uint64_t bits = stream_bits(s);

		sum[0] += x[stream_below(s, (uint32_t)bits, n)];
		if (i + 1 < n)
			sum[1] += x[stream_below(s, (uint32_t)(bits >> 32), n)];
	}
	return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

/* Median of n values drawn from sorted[n]: how often each was drawn, counted up to the middle. */
static double drawn_median(struct stream *s, const double *sorted, size_t n, uint32_t *counts)
{
	size_t below = 0, lower;

	memset(counts, 0, n * sizeof *counts);
	for (size_t i = 0; i < n; i += 2) {
		uint64_t bits = stream_bits(s);

		counts[stream_below(s, (uint32_t)bits, n)]++;
		if (i + 1 < n)
			counts[stream_below(s, (uint32_t)(bits >> 32), n)]++;
	}
	for (lower = 0; below + counts[lower] <= (n - 1) / 2; lower++)
		below += counts[lower];
	below += counts[lower];
	for (size_t upper = lower;; below += counts[++upper]) {
		if (below > n / 2)
			return upper == lower ? sorted[lower] : sorted[lower] / 2 + sorted[upper] / 2;
	}
}

static double drawn_log_mean(struct stream *s, const double *x, size_t n)
{
	return log(fmax(DBL_MIN, drawn_sum(s, x, n) / (double)n));
}

void bca_resample(const struct bca *b, size_t first, size_t last, double *replicates, uint32_t *counts)
{
	double nx = (double)b->nx, ny = (double)b->ny;

	for (size_t r = first; r < last && !b->flags; r++) {
		struct stream s = stream_init(b->seed, r);

		switch (b->statistic) {
		case BCA_MEAN:
			replicates[r] = b->centre + drawn_sum(&s, b->x, b->nx) / nx;
			break;
		case BCA_MEDIAN:
			replicates[r] = drawn_median(&s, b->x, b->nx, counts);
			break;
		case BCA_MEAN_RATIO:
			replicates[r] = b->centre - drawn_log_mean(&s, b->x, b->nx);
			replicates[r] += drawn_log_mean(&s, b->y, b->ny);
			break;
		case BCA_GEOMETRIC_RATIO:
			replicates[r] = b->centre - drawn_sum(&s, b->x, b->nx) / nx;
			replicates[r] += drawn_sum(&s, b->y, b->ny) / ny;
			break;
		}
	}
}

double bca_bias(const double *replicates, size_t m, double value, double rounding)
{
	double low = INFINITY, high = -INFINITY;
	size_t below = 0, above = 0;

	for (size_t i = 0; i < m; i++) {
		low = replicates[i] < low ? replicates[i] : low;
		high = replicates[i] > high ? replicates[i] : high;
	}
	rounding += 1e-12 * (high / 2 - low / 2);
	for (size_t i = 0; i < m; i++) {
		below += replicates[i] < value - rounding;
		above += replicates[i] > value + rounding;
	}
	return gsl_cdf_ugaussian_Pinv((double)(m + below - above) / 2 / (double)m);
}

/* The share of replicates to be cut off below for one that is tail of a normal, 14.10. */
static double adjusted(double bias, double a, double tail)
{
	double z = bias + gsl_cdf_ugaussian_Pinv(tail), stretched = 1 - a * z;

	if (stretched <= 0)
		return z < 0 ? 0 : 1;
	return gsl_cdf_ugaussian_P(bias + z / stretched);
}

struct estimate bca_interval(const struct bca *b, double *replicates, size_t m, double level)
{
	bool is_ratio = b->statistic == BCA_MEAN_RATIO || b->statistic == BCA_GEOMETRIC_RATIO;
	struct estimate e = {.value = b->value, .low = -INFINITY, .high = INFINITY, .level = level, .n = b->nx + b->ny};
	double bias;

	e.flags = b->flags;
	if (e.flags == EST_CONSTANT)
		e.low = e.high = e.value;
	if (e.flags)
		return e;
	bias = m > 0 ? bca_bias(replicates, m, b->centre, b->rounding) : NAN;
	if (!isfinite(bias)) {
		e.flags = EST_TOO_FEW;
		return e;
	}
	e.low = quantile_select(replicates, m, adjusted(bias, b->acceleration, (1 - level) / 2));
	e.high = quantile_select(replicates, m, adjusted(bias, b->acceleration, (1 + level) / 2));
	if (is_ratio) {
		e.low = exp(e.low);
		e.high = exp(e.high);
	}
	return e;
}
