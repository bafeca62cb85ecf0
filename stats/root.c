#include "root.h"

#include <math.h>

double root(double (*f)(double x, const void *context), const void *context, double low, double high, double tolerance)
{
	/* a: the newest point, b: the one across the zero, c: the one before */
	double a = high, b = low, c, fa = f(a, context), fb = f(b, context), fc, part = 0.5;

	while (fa != 0 && fb != 0 && (fa < 0) != (fb < 0) && fabs(b - a) > tolerance) {
		double x = a + part * (b - a), fx, xi, phi, margin;

		if (x == a || x == b)
			break;
		fx = f(x, context);
		if ((fx < 0) == (fa < 0)) {
			c = a;
			fc = fa;
		} else {
			c = b;
			fc = fb;
			b = a;
			fb = fa;
		}
		a = x;
		fa = fx;
		xi = (a - b) / (c - b);
		phi = (fa - fb) / (fc - fb);
		part = 0.5;
		/* Where an inverse quadratic through the three points is monotone. */
		if (phi * phi < xi && (1 - phi) * (1 - phi) < 1 - xi)
			part = fa / (fb - fa) * fc / (fb - fc) + (c - a) / (b - a) * fa / (fc - fa) * fb / (fc - fb);
		margin = 0.5 * tolerance / fabs(b - a);
		part = fmin(fmax(part, margin), 1 - margin);
		if (!(part > 0 && part < 1))
			part = 0.5;
	}
	return fabs(fa) <= fabs(fb) ? a : b;
}
