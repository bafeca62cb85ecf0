#include "autocorrelation.h"

#include <math.h>

#include <gsl/gsl_cdf.h>

#include "describe.h"
#include "moments.h"
#include "series.h"
#include "statistic.h"
#include "sum.h"

/* Lags of the row of the table: R's usual min(10, n / 5), at least one. */
#define LAGS_MAX 10

/* The series as deviations from its mean, divided by a power of two so that no product over- or underflows. */
struct deviations {
	const double *x;
	size_t n;
	double mean, rest; /* rest: what rounding leaves of the mean */
	double scale;
};

static double deviation(const struct deviations *d, size_t i)
{
	return d->x[i] * d->scale - d->mean - d->rest;
}

static struct deviations deviations_of(const double *x, size_t n)
{
	struct moments m = moments(x, n, 0);
	struct deviations d = {.x = x, .n = n};
	struct compensated sum = {0, 0};
	int exponent;

	frexp(m.magnitude, &exponent);
	/* Of subnormal values alone the reciprocal would be too large. */
	d.scale = ldexp(1, exponent < -1000 ? 1000 : -exponent);
	d.mean = m.mean * d.scale;
	for (size_t i = 0; i < n; i++)
		compensated_add(&sum, deviation(&d, i));
	d.rest = compensated_value(&sum) / (double)n;
	return d;
}

static double product_sum(const struct deviations *d, size_t lag)
{
	struct compensated sum = {0, 0};

	for (size_t i = 0; i + lag < d->n; i++)
		compensated_add(&sum, deviation(d, i) * deviation(d, i + lag));
	return compensated_value(&sum);
}

double autocorrelation(const double *x, size_t n, size_t lag)
{
	struct test t;
	struct deviations d;

	if (lag >= n || !series_is_testable(x, n, 2, &t))
		return NAN;
	d = deviations_of(x, n);
	return product_sum(&d, lag) / product_sum(&d, 0);
}

struct test lag_one(const double *x, size_t n)
{
	double size = (double)n;
	struct test t;

	if (!series_is_testable(x, n, 3, &t))
		return t;
	t.statistic = autocorrelation(x, n, 1);
	t.p = 2 * gsl_cdf_ugaussian_Q(fabs(t.statistic + 1 / size) * size * sqrt(size - 1) / (size - 2));
	return t;
}

struct test ljung_box(const double *x, size_t n, size_t lags)
{
	double size = (double)n, squares, sum = 0;
	struct deviations d;
	struct test t;

	if (!series_is_testable(x, n, lags + 1 > 3 ? lags + 1 : 3, &t) || lags == 0)
		return t;
	d = deviations_of(x, n);
	squares = product_sum(&d, 0);
	for (size_t lag = 1; lag <= lags; lag++) {
		double r = product_sum(&d, lag) / squares;

		sum += r * r / (double)(n - lag);
	}
	t.statistic = size * (size + 2) * sum;
	t.df = (double)lags;
	t.p = gsl_cdf_chisq_Q(t.statistic, t.df);
	return t;
}

static void lag_one_compute(const struct statistic_input *in, union statistic_result *out)
{
	out->test = lag_one(in->samples[0].x, in->samples[0].n);
}

static void ljung_box_compute(const struct statistic_input *in, union statistic_result *out)
{
	size_t n = in->samples[0].n, lags = n / 5 < LAGS_MAX ? n / 5 : LAGS_MAX;

	out->test = ljung_box(in->samples[0].x, n, lags > 0 ? lags : 1);
}

const struct statistic statistic_lag_one = {
    .name = "lag-1",
    .help = "autocorrelation of neighbours in time",
    .kind = STATISTIC_SERIES,
    .min_n = 3,
    .compute = lag_one_compute,
};

const struct statistic statistic_ljung_box = {
    .name = "ljung-box",
    .help = "autocorrelation at the first lags together",
    .kind = STATISTIC_SERIES,
    .min_n = 3,
    .compute = ljung_box_compute,
};
