#include "anytime.h"

#include <math.h>

/* log of (1 + a / (1 + n g)) / (1 + a), a = t^2 / v, which tends to -log(1 + n g). */
static double log_shrinkage(double t, double v, double spread)
{
	double a = t / sqrt(v) * (t / sqrt(v)), inverse = 1 / a;

	return a < 1 ? log1p(a / spread) - log1p(a) : log(inverse + 1 / spread) - log1p(inverse);
}

struct test anytime_t(const struct contrast *pairs, double g)
{
	double n = (double)pairs->nx, v = n - 1, spread = 1 + n * g;
	struct test e = {.statistic = NAN, .df = NAN, .df_error = NAN, .p = NAN, .n = pairs->nx, .flags = pairs->flags};

	if (isnan(pairs->t) || pairs->nx < 2 || !(g > 0))
		return e;
	e.df = v;
	e.statistic = -0.5 * log(spread) - (v + 1) / 2 * log_shrinkage(pairs->t, v, spread);
	e.p = fmin(1, exp(-e.statistic));
	return e;
}

double anytime_t_limit(size_t n, double g, double alpha)
{
	double v = (double)n - 1, spread = 1 + (double)n * g, ratio;

	if (n < 2 || !(g > 0) || !(alpha > 0 && alpha < 1))
		return INFINITY;
	/* E = 1 / alpha, solved for a: (1 + a / spread) / (1 + a) = ratio, which must be above 1 / spread. */
	ratio = exp(2 / (v + 1) * (log(alpha) - 0.5 * log(spread)));
	return ratio * spread > 1 ? sqrt(v * (1 - ratio) / (ratio - 1 / spread)) : INFINITY;
}
