#include "tdist.h"

#include <math.h>

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_math.h>
#include <gsl/gsl_sf_gamma.h>

#include "chi.h"
#include "quadrature.h"

/* exp() of less than minus this adds nothing to a sum of order 1. */
#define NEGLIGIBLE 45.0

/* With t = sqrt(df) sinh(y) the density of y is constant(df) / cosh(y)^df: smooth, and the tail beyond y0 is
 * constant / cosh(y0)^df times the integral over u > 0 of (cosh(y0 + u) / cosh(y0))^-df, in which nothing cancels. */
struct tail {
	double df, slope; /* slope: tanh(y0) */
};

static double tail_integrand(double u, const void *context)
{
	const struct tail *tail = context;
	double half = sinh(u / 2);

	/* 2 sinh(u/2) cosh(u/2) is sinh(u) */
	return exp(-tail->df * log1p(2 * half * (half + tail->slope * sqrt(1 + half * half))));
}

/* The part of the tail that neither underflows nor cancels: integral of tail_integrand() over u > 0. */
static double tail_integral(double df, double slope)
{
	const struct tail tail = {.df = df, .slope = slope};
	double reach = expm1(NEGLIGIBLE / df), width = fmin(1, fmin(2 / sqrt(df), 2 / (df * slope)));
	/* Where 2 sinh(u/2)^2 + slope sinh(u) >= u^2 / 2 + slope u has surely reached; log(2 cosh) bounds it for small
	 * df. */
	double end = 2 * reach / (slope + sqrt(slope * slope + 2 * reach));

	return quadrature(tail_integrand, &tail, 0, fmin(end, NEGLIGIBLE / df + M_LN2), width);
}

/* gamma((df + 1) / 2) / (sqrt(pi) gamma(df / 2)) without the cancellation of two large logarithms. */
static double density_constant(double df)
{
	double a = df / 2;

	return sqrt(a / M_PI) * exp(a * log1p(0.5 / a) - 0.5) * gsl_sf_gammastar(a + 0.5) / gsl_sf_gammastar(a);
}

/* log(1 + r^2) where r^2 may overflow. */
static double log1p_square(double r)
{
	return r < 1e8 ? log1p(r * r) : 2 * log(r);
}

double student_t_tail(double t, double df)
{
	double r = fabs(t) / sqrt(df), upper = 0;

	if (isnan(t) || !(df >= 0.5) || isinf(df))
		return NAN;
	if (isfinite(r))
		upper = density_constant(df) * tail_integral(df, r / hypot(1, r)) * exp(-df / 2 * log1p_square(r));
	return t >= 0 ? upper : 1 - upper;
}

/* Near the middle, by Newton's method on P(0 < T < t), from the left: the density falls, so no step goes too far. */
static double critical_in_the_middle(double p, double df)
{
	const struct tail middle = {.df = df, .slope = 0};
	double constant = density_constant(df), y = 0, step;

	for (int i = 0; i < 100; i++) {
		double part = constant * quadrature(tail_integrand, &middle, 0, y, fmin(1, 2 / sqrt(df)));

		step = (0.5 - p - part) / (constant * tail_integrand(y, &middle));
		y += step;
		if (fabs(step) <= 4 * GSL_DBL_EPSILON * y)
			break;
	}
	return sqrt(df) * sinh(y);
}

/* GSL's, where it has one, spares most of the steps below. */
static double first_guess(double p, double df)
{
	double t = p > 1e-8 ? gsl_cdf_tdist_Qinv(p, df) : NAN;

	return isfinite(t) && t > 0 ? t : gsl_cdf_ugaussian_Qinv(p);
}

/* In the tail, by Newton's method on log P(T > t) as a function of log t: concave, so it converges from anywhere. Each
 * step squares the error: that behind one of 1e-8 is rounding. */
static double critical_in_the_tail(double p, double df)
{
	double log_constant = log(density_constant(df)), t = first_guess(p, df);

	for (int i = 0; i < 100 && isfinite(t); i++) {
		double r = t / sqrt(df), slope = r / hypot(1, r), integral = tail_integral(df, slope);
		double excess = log_constant + log(integral) - df / 2 * log1p_square(r) - log(p);
		double step = excess * integral / slope;

		t *= exp(step);
		if (fabs(step) <= 1e-8)
			break;
	}
	return t;
}

double student_t_critical(double p, double df)
{
	if (!(p >= 0 && p <= 1) || !(df >= 0.5) || isinf(df))
		return NAN;
	if (p == 0 || p == 1)
		return p == 0 ? INFINITY : -INFINITY;
	if (p > 0.5)
		return -student_t_critical(1 - p, df);
	return p > 0.25 ? critical_in_the_middle(p, df) : critical_in_the_tail(p, df);
}

/* Integrated over y = log(chi / sqrt(df)). */
struct noncentral {
	double t, df, noncentrality;
};

static double noncentral_integrand(double y, const void *context)
{
	const struct noncentral *nc = context;
	double bound = nc->t * exp(y);
	double tails = erfc((bound - nc->noncentrality) * M_SQRT1_2) + erfc((bound + nc->noncentrality) * M_SQRT1_2);

	return chi_shape(y, nc->df) * tails / 2;
}

double noncentral_t_tails(double t, double df, double noncentrality)
{
	const struct noncentral nc = {.t = t, .df = df, .noncentrality = fabs(noncentrality)};
	double spread = sqrt(4 * NEGLIGIBLE / df), width = fmin(1, 1 / sqrt(df));
	double low = -spread / 2 - NEGLIGIBLE / df, high = log1p(spread + spread * spread / 2) / 2;
	/* Ten standard deviations about the noncentrality the normal tail is 0 or 1; the step needs finer panels. */
	double step_low = log(fmax(nc.noncentrality - 10, 0.5) / t), step_high = log((nc.noncentrality + 10) / t);
	double step_width = fmin(width, 2.5 / (nc.noncentrality + 10)), sum;

	if (!(t >= 0) || !(df >= 0.5) || isinf(df) || isnan(noncentrality))
		return NAN;
	if (t == 0 || isinf(noncentrality))
		return isinf(t) ? NAN : 1;
	sum = quadrature(noncentral_integrand, &nc, low, fmin(high, step_low), width) +
	      quadrature(noncentral_integrand, &nc, fmax(low, step_low), fmin(high, step_high), step_width);
	return fmin(1, sum * chi_scale(df));
}
