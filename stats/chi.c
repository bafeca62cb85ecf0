#include "chi.h"

#include <math.h>

#include <gsl/gsl_math.h>
#include <gsl/gsl_sf_gamma.h>

#include "quadrature.h"

/* exp() of less than minus this adds nothing to a sum of order 1. */
#define NEGLIGIBLE 40.0

struct mean {
	double (*f)(double s, const void *context);
	const void *context;
	double df;
};

/* exp(x) - 1 - x */
static double exp_minus_line(double x)
{
	double term = x * x / 2, sum = term;

	if (fabs(x) > 0.5)
		return expm1(x) - x;
	for (int k = 3; fabs(term) > GSL_DBL_EPSILON * sum; k++) {
		term *= x / k;
		sum += term;
	}
	return sum;
}

double chi_shape(double y, double df)
{
	return exp(-df / 2 * exp_minus_line(2 * y));
}

double chi_scale(double df)
{
	return sqrt(df / M_PI) / gsl_sf_gammastar(df / 2);
}

static double integrand(double y, const void *context)
{
	const struct mean *mean = context;
	double density = chi_shape(y, mean->df);

	return density > 0 ? density * mean->f(exp(y), mean->context) : 0;
}

double chi_mean(double (*f)(double s, const void *context), const void *context, double df, double reach, double smooth)
{
	const struct mean mean = {.f = f, .context = context, .df = df};
	double spread = sqrt(NEGLIGIBLE / df), width = fmin(fmin(1, smooth), 2 / sqrt(df));
	/* Below reach the integrand falls as s^df. */
	double low = fmin(-spread, log(reach)) - NEGLIGIBLE / df, high = log1p(2 * spread + 2 * spread * spread) / 2;

	return quadrature(integrand, &mean, low, high, width) * chi_scale(df);
}
