#include "fdist.h"

#include <math.h>

#include <gsl/gsl_math.h>
#include <gsl/gsl_sf_gamma.h>

/* It takes a few sqrt(max(a, b)). */
#define TERMS_MAX 1000000

/* I_x(a, b) as a continued fraction, 1 / (1 - odd(0) / (1 + even(1) / (1 - odd(1) / ...))); y = 1 - x. */
struct beta {
	double a, b, x, y;
};

static double odd(const struct beta *f, double m)
{
	return (f->a + m) * (f->a + f->b + m) * f->x / ((f->a + 2 * m) * (f->a + 2 * m + 1));
}

/* Where x is near 1 it has lost what y still has. */
static double one_less_odd(const struct beta *f, double m)
{
	double a = f->a, b = f->b, scale = (a + 2 * m) * (a + 2 * m + 1);

	if (f->x < 0.5)
		return 1 - odd(f, m);
	return ((a + m) * (1 - b) + m * (2 * a + 3 * m + 1) + (a + m) * (a + b + m) * f->y) / scale;
}

static double even(const struct beta *f, double m)
{
	return m * (f->b - m) * f->x / ((f->a + 2 * m - 1) * (f->a + 2 * m));
}

/* For x below the mean, two steps at a time.   source: the fraction's even part, evaluated as in Lentz 1976 */
static double beta_fraction(double a, double b, double x, double y)
{
	const struct beta f = {a, b, x, y};
	double c = one_less_odd(&f, 0), d = 0, inverse = c;

	for (unsigned m = 1; m < TERMS_MAX; m++) {
		double numerator = odd(&f, m - 1) * even(&f, m), denominator = even(&f, m) + one_less_odd(&f, m);

		d = 1 / (denominator + numerator * d);
		c = denominator + numerator / c;
		inverse *= c * d;
		if (fabs(c * d - 1) <= GSL_DBL_EPSILON)
			break;
	}
	return 1 / inverse;
}

/* log(1 + change), where ratio is 1 + change, computed otherwise: the one that has lost nothing. */
static double log_ratio(double change, double ratio)
{
	return fabs(change) < 0.5 ? log1p(change) : log(ratio);
}

double f_tail(double f, double df1, double df2)
{
	double a = df2 / 2, b = df1 / 2, x, y, t, front;

	if (isnan(f) || !(df1 > 0 && df2 > 0) || isinf(df1) || isinf(df2))
		return NAN;
	if (f <= 0 || isinf(f))
		return f <= 0 ? 1 : 0;
	x = df2 / (df2 + df1 * f);
	y = f / (f + df2 / df1);
	/* x b - y a, which is 0 at f = 1 */
	t = x * b * (1 - f);
	/* x^a y^b / B(a, b) as powers of what is near 1: no large logarithms cancel. */
	front = exp(a * log_ratio(t / a, x * (1 + b / a)) + b * log_ratio(-t / b, y * (1 + a / b)));
	front *= sqrt(a * (b / (a + b)) / (2 * M_PI)) * gsl_sf_gammastar(a + b) /
		 (gsl_sf_gammastar(a) * gsl_sf_gammastar(b));
	if (x < (a + 1) / (a + b + 2))
		return front / a * beta_fraction(a, b, x, y);
	return 1 - front / b * beta_fraction(b, a, y, x);
}
