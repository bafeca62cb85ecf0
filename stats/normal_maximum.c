#include "normal_maximum.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_randist.h>
#include <math.h>

#include "quadrature.h"

/* Beyond, even one in 10^6 values contributes nothing. */
#define REACH 12

/* The mean is the integral of 1 - F over the positive half less that of F over the negative one, where F is the
 * distribution of the maximum: no digits cancel in either. */
static double above(double x, const void *k)
{
	return -expm1(*(const double *)k * log1p(-gsl_cdf_ugaussian_Q(x)));
}

static double below(double x, const void *k)
{
	return exp(*(const double *)k * log(gsl_cdf_ugaussian_P(x)));
}

double normal_maximum(size_t k)
{
	double n = (double)k;

	if (k == 0)
		return NAN;
	if (k == 1)
		return 0;
	return quadrature(above, &n, 0, REACH, 0.25) - quadrature(below, &n, -REACH, 0, 0.25);
}
