#include "fdist.h"

#include <math.h>

#include <gsl/gsl_math.h>
#include <gsl/gsl_sf_gamma.h>

/* It takes a few sqrt(max(a, b)). */
#define TERMS_MAX 1e6

/* The continued fraction of I_x(a, b), for x below the mean, two steps of it at a time: so y = 1 - x comes in by itself
 * and is not lost where x is near 1.   source: its even part; evaluated as in Lentz 1976 */
static double beta_fraction(double a, double b, double x, double y)
{
	double c = 1, d = 0, inverse = 1, even = 0, numerator = 0;

	for (double m = 0; m < TERMS_MAX; m++) {
		double scale = (a + 2 * m) * (a + 2 * m + 1), odd = (a + m) * (a + b + m) * x / scale;
		double rest = (a + m) * (1 - b) + m * (2 * a + 3 * m + 1) + (a + m) * (a + b + m) * y;
		double denominator = even + (x < 0.5 ? 1 - odd : rest / scale);

		d = 1 / (denominator + numerator * d);
		c = denominator + numerator / c;
		inverse *= m == 0 ? c : c * d;
		if (m > 0 && fabs(c * d - 1) <= GSL_DBL_EPSILON)
			break;
		d = m == 0 ? 0 : d;
		even = (m + 1) * (b - m - 1) * x / ((a + 2 * m + 1) * (a + 2 * m + 2));
		numerator = odd * even;
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
