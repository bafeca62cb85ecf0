#include "effect_size.h"

#include <math.h>
#include <string.h>

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_sf_gamma.h>
#include <gsl/gsl_sort.h>

#include "moments.h"
#include "sides.h"
#include "statistic.h"

struct estimate hedges_g(const double *x, size_t nx, const double *y, size_t ny, double level)
{
	struct estimate e = {.value = NAN, .low = -INFINITY, .high = INFINITY, .level = level, .n = nx + ny};
	double n = (double)(nx + ny), v = n - 2, pooled, j, half;
	struct moments of_x, of_y;

	e.flags = sides_flags(x, nx, y, ny, 2);
	if (e.flags == EST_CONSTANT && sides_equal(x, nx, y, ny))
		e.value = e.low = e.high = 0;
	if (e.flags)
		return e;
	of_x = moments(x, nx, 0);
	of_y = moments(y, ny, 0);
	pooled = hypot(of_x.sd * sqrt(((double)nx - 1) / v), of_y.sd * sqrt(((double)ny - 1) / v));
	j = exp(gsl_sf_lngamma(v / 2) - gsl_sf_lngamma((v - 1) / 2)) / sqrt(v / 2);
	e.value = j * ((of_y.mean - of_x.mean) / pooled);
	half =
	    gsl_cdf_ugaussian_Qinv((1 - level) / 2) * sqrt(n / ((double)nx * (double)ny) + e.value * e.value / (2 * n));
	e.low = e.value - half;
	e.high = e.value + half;
	return e;
}

size_t cliff_delta_work_bytes(size_t nx, size_t ny)
{
	return 2 * (nx + ny) * sizeof(double);
}

/* Of each value of ascending a[na]: the share of ascending b[nb] below it less the share above. Returns the number of
 * pairs that are not tied. */
static double dominances(const double *a, size_t na, const double *b, size_t nb, double *d)
{
	size_t below = 0, up_to = 0;
	double untied = 0;

	for (size_t i = 0; i < na; i++) {
		while (below < nb && b[below] < a[i])
			below++;
		while (up_to < nb && b[up_to] <= a[i])
			up_to++;
		d[i] = ((double)below - (double)(nb - up_to)) / (double)nb;
		untied += (double)below + (double)(nb - up_to);
	}
	return untied;
}

static double squares_about(const double *d, size_t n, double centre)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += (d[i] - centre) * (d[i] - centre);
	return sum;
}

/* The interval of delta with standard error s.   source: Feng & Cliff 2004 */
static void asymmetric(struct estimate *e, double s, double z, double smaller_n)
{
	double d = e->value, square = d * d, half, below;

	if (square == 1) {
		double end = (smaller_n - z * z) / (smaller_n + z * z);

		e->low = d > 0 ? end : -1;
		e->high = d > 0 ? 1 : -end;
		return;
	}
	half = z * s * sqrt((1 - square) * (1 - square) + z * z * s * s);
	below = 1 - square + z * z * s * s;
	e->low = (d - d * square - half) / below;
	e->high = (d - d * square + half) / below;
}

struct estimate cliff_delta(const double *x, size_t nx, const double *y, size_t ny, double level, void *work)
{
	struct estimate e = {.value = NAN, .low = -INFINITY, .high = INFINITY, .level = level, .n = nx + ny};
	double *a = work, *b = a + nx, *of_x = b + ny, *of_y = of_x + nx, m = (double)nx, n = (double)ny, untied,
	       variance;

	e.flags = sides_flags(x, nx, y, ny, 2);
	if (nx == 0 || ny == 0 || e.flags & EST_NOT_FINITE)
		return e;
	memcpy(a, x, nx * sizeof *a);
	memcpy(b, y, ny * sizeof *b);
	gsl_sort(a, 1, nx);
	gsl_sort(b, 1, ny);
	untied = dominances(a, nx, b, ny, of_x);
	dominances(b, ny, a, nx, of_y);
	e.value = 0;
	for (size_t i = 0; i < ny; i++)
		e.value += of_y[i] / n;
	/* As whole numbers, for a side that is all above the other has exactly 1. */
	e.value = round(e.value * m * n) / (m * n);
	if (e.flags & EST_TOO_FEW)
		return e;
	variance = (n * n * squares_about(of_x, nx, -e.value) + m * m * squares_about(of_y, ny, e.value) -
		    (untied - m * n * e.value * e.value)) /
		   (m * n * (m - 1) * (n - 1));
	variance = fmax(variance, (1 - e.value * e.value) / (m * n - 1));
	asymmetric(&e, sqrt(variance), gsl_cdf_ugaussian_Qinv((1 - level) / 2), fmin(m, n));
	return e;
}

static void hedges_compute(const struct statistic_input *in, union statistic_result *out)
{
	const struct values *s = in->samples;

	out->estimate = hedges_g(s[0].x, s[0].n, s[1].x, s[1].n, in->level);
}

static size_t cliff_bytes(const struct statistic_input *in)
{
	return cliff_delta_work_bytes(in->samples[0].n, in->samples[1].n);
}

static void cliff_compute(const struct statistic_input *in, union statistic_result *out)
{
	const struct values *s = in->samples;

	out->estimate = cliff_delta(s[0].x, s[0].n, s[1].x, s[1].n, in->level, in->work);
}

const struct statistic statistic_hedges_g = {
    .name = "hedges-g",
    .help = "difference of means in standard deviations, corrected for bias",
    .kind = STATISTIC_SHIFT,
    .shift = SHIFT_EFFECT,
    .min_n = 2,
    .compute = hedges_compute,
};

const struct statistic statistic_cliff_delta = {
    .name = "cliff-delta",
    .help = "how much more often one side is the larger one (Cliff's delta)",
    .kind = STATISTIC_SHIFT,
    .shift = SHIFT_EFFECT,
    .min_n = 2,
    .work_bytes = cliff_bytes,
    .compute = cliff_compute,
};
