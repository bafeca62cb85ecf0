#include "dunnett.h"

#include <math.h>
#include <stdbool.h>

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_math.h>

#include "chi.h"
#include "quadrature.h"
#include "root.h"
#include "tdist.h"

/* From here on the tail is smaller than any double, and below here, of two comparisons or more, 1. */
#define DEVIATE_MAX 39.0
#define DEVIATE_MIN 1e-10

struct family {
	double t;
	const size_t *n;
	size_t m;
	double n_control;
};

/* The control's deviate z enters T_i by lambda[i], its own by the rest. */
static double square_of_lambda(const struct family *family, size_t i)
{
	return (double)family->n[i] / ((double)family->n[i] + family->n_control);
}

static double family_integrand(double z, const void *context)
{
	const struct family *family = context;
	double log_none = 0;

	for (size_t i = 0; i < family->m; i++) {
		double square = square_of_lambda(family, i), scale = M_SQRT1_2 / sqrt(1 - square);
		double at = sqrt(square) * z;

		log_none += log1p(-fmin(1, (erfc((family->t - at) * scale) + erfc((family->t + at) * scale)) / 2));
	}
	return exp(-z * z / 2) * -expm1(log_none);
}

/* P(max |T_i| > t * s) with the standard deviation known. */
static double family_tail(double s, const void *context)
{
	struct family scaled = *(const struct family *)context;
	double smallest = 1, largest = 0;

	scaled.t *= s;
	if (scaled.t > DEVIATE_MAX || scaled.t < DEVIATE_MIN)
		return scaled.t < DEVIATE_MIN;
	for (size_t i = 0; i < scaled.m; i++) {
		smallest = fmin(smallest, square_of_lambda(&scaled, i));
		largest = fmax(largest, square_of_lambda(&scaled, i));
	}
	/* Even in z. The mass lies about lambda * t for each treatment, no wider than a normal. */
	return M_SQRT2 / M_SQRTPI *
	       quadrature(family_integrand, &scaled, fmax(0, sqrt(smallest) * scaled.t - 9),
			  sqrt(largest) * scaled.t + 9, fmin(2, 3 * sqrt(1 - largest)));
}

static bool is_domain(const size_t *n, size_t m, size_t n_control, double df)
{
	for (size_t i = 0; i < m; i++) {
		if (n[i] == 0)
			return false;
	}
	return m > 0 && n_control > 0 && df >= 0.5;
}

double dunnett_tail(double t, const size_t *n, size_t m, size_t n_control, double df)
{
	const struct family family = {.t = t, .n = n, .m = m, .n_control = (double)n_control};

	if (isnan(t) || !is_domain(n, m, n_control, df))
		return NAN;
	if (t <= 0 || isinf(t))
		return t <= 0 ? 1 : 0;
	if (m == 1)
		return isinf(df) ? erfc(t * M_SQRT1_2) : 2 * student_t_tail(t, df);
	/* The logarithm of the largest of many values spreads over some 1 / log(m). */
	return isinf(df) ? family_tail(1, &family)
			 : fmin(1, chi_mean(family_tail, &family, df, 1 / t, 3 / log((double)m)));
}

struct wanted {
	double p, df;
	const size_t *n;
	size_t m, n_control;
};

static double excess(double log_t, const void *context)
{
	const struct wanted *wanted = context;

	return log(dunnett_tail(exp(log_t), wanted->n, wanted->m, wanted->n_control, wanted->df) / wanted->p);
}

static double one_treatment(double p, double df)
{
	return isinf(df) ? gsl_cdf_ugaussian_Qinv(p / 2) : student_t_critical(p / 2, df);
}

double dunnett_critical(double p, const size_t *n, size_t m, size_t n_control, double df)
{
	const struct wanted wanted = {.p = p, .df = df, .n = n, .m = m, .n_control = n_control};
	double low, high;

	if (!(p >= 0 && p <= 1) || !is_domain(n, m, n_control, df))
		return NAN;
	if (p == 0 || p == 1)
		return p == 0 ? INFINITY : 0;
	/* Between one comparison and all of them together (Bonferroni). */
	low = one_treatment(p, df);
	high = one_treatment(p / (double)m, df);
	if (m == 1 || isinf(high))
		return low;
	return exp(root(excess, &wanted, log(low), log(high), 1e-13));
}
