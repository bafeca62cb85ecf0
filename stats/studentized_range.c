#include "studentized_range.h"

#include <math.h>
#include <stdbool.h>

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_math.h>

#include "chi.h"
#include "quadrature.h"
#include "root.h"
#include "tdist.h"

/* From here on the tail of a range is smaller than any double. */
#define RANGE_MAX 55.0

/* exp() of less than minus this is lost beside 1. */
#define NEGLIGIBLE 40.0

struct range {
	double q, k;
};

static double normal_cdf(double z)
{
	return erfc(-z * M_SQRT1_2) / 2;
}

/* Density of the largest value at z times the chance that another is more than q below it. */
static double range_integrand(double z, const void *context)
{
	const struct range *range = context;
	double below = normal_cdf(z), ratio = fmin(1, normal_cdf(z - range->q) / below);
	double any = -expm1((range->k - 1) * log1p(-ratio));

	return exp(-z * z / 2 + (range->k - 1) * log(below)) * any;
}

/* P(range <= q) is at most k (2 Phi(q/2) - 1)^(k-1): wherever the largest value is, each other is in a span of q. */
static bool is_certain(const struct range *range)
{
	return log(range->k) + (range->k - 1) * log(erf(range->q / 2 * M_SQRT1_2)) < -NEGLIGIBLE;
}

/* P(range > q * s) of k standard normal values. */
static double range_tail(double s, const void *context)
{
	const struct range *range = context;
	const struct range scaled = {.q = range->q * s, .k = range->k};
	double middle = scaled.q / 2, low;

	if (scaled.q > RANGE_MAX)
		return 0;
	if (is_certain(&scaled))
		return 1;
	/* the largest of many is never below, while of few the middle decides */
	low = fmax(middle - 7.5, gsl_cdf_ugaussian_Pinv(exp(-NEGLIGIBLE / (scaled.k - 1))));
	return scaled.k / (M_SQRT2 * M_SQRTPI) *
	       quadrature(range_integrand, &scaled, low, fmax(middle + 7.5, 9.5), fmin(2, 7 / log(scaled.k)));
}

static bool is_domain(size_t k, double df)
{
	return k >= 2 && df >= 0.5;
}

double studentized_range_tail(double q, size_t k, double df)
{
	const struct range range = {.q = q, .k = (double)k};

	if (isnan(q) || !is_domain(k, df))
		return NAN;
	if (q <= 0 || isinf(q))
		return q <= 0 ? 1 : 0;
	if (k == 2)
		return isinf(df) ? erfc(q / 2) : 2 * student_t_tail(q * M_SQRT1_2, df);
	/* The logarithm of the largest of many values spreads over some 1 / log(k). */
	return isinf(df) ? range_tail(1, &range) : fmin(1, chi_mean(range_tail, &range, df, 2 / q, 3 / log(range.k)));
}

struct wanted {
	double p, df;
	size_t k;
};

static double excess(double log_q, const void *context)
{
	const struct wanted *wanted = context;

	return log(studentized_range_tail(exp(log_q), wanted->k, wanted->df) / wanted->p);
}

static double two_values(double p, double df)
{
	return M_SQRT2 * (isinf(df) ? gsl_cdf_ugaussian_Qinv(p / 2) : student_t_critical(p / 2, df));
}

double studentized_range_critical(double p, size_t k, double df)
{
	const struct wanted wanted = {.p = p, .k = k, .df = df};
	double pairs = (double)k * ((double)k - 1) / 2, low, high;

	if (!(p >= 0 && p <= 1) || !is_domain(k, df))
		return NAN;
	if (p == 0 || p == 1)
		return p == 0 ? INFINITY : 0;
	/* The range is at least the difference of two values, and above q as often as all pairs together at most. */
	low = two_values(p, df);
	high = two_values(p / pairs, df);
	if (k == 2 || isinf(high))
		return low;
	return exp(root(excess, &wanted, log(low), log(high), 1e-13));
}

double tukey_p(const struct contrast *c, size_t k)
{
	/* What has no standard error has been answered by the contrast. */
	return c->se > 0 ? studentized_range_tail(M_SQRT2 * fabs(c->t), k, c->df) : c->p;
}

void tukey_interval(const struct contrast *c, double critical, double *low, double *high)
{
	double half = c->se == 0 ? 0 : critical * M_SQRT1_2 * c->se;
	bool is_known = isfinite(half) && isfinite(c->estimate);

	*low = is_known ? c->estimate - half : -INFINITY;
	*high = is_known ? c->estimate + half : INFINITY;
}
