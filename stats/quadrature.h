#ifndef STATS_QUADRATURE_H
#define STATS_QUADRATURE_H

/* Integral of f over [low, high] by the 16-point Gauss-Legendre rule on panels no wider than width; 0 where high <=
 * low. Exact to rounding where f is smooth on the scale of width. Needs no workspace, which GSL's integrators do. */
double quadrature(double (*f)(double x, const void *context), const void *context, double low, double high,
		  double width);

#endif
