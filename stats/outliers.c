#include "outliers.h"

#include <math.h>
#include <string.h>

#include <gsl/gsl_sort.h>

#include "describe.h"
#include "moments.h"
#include "series.h"
#include "statistic.h"
#include "tdist.h"

#define MIN_N 3
#define GESD_MAX 10
#define GESD_ALPHA 0.05

/* Quartile of the normal distribution, and its sd over its mean absolute deviation. */
#define MAD_TO_SD 0.6745
#define MEAN_DEVIATION_TO_SD 1.2533141373155003
#define MAD_LIMIT 3.5
#define FENCE 1.5

static double critical(size_t left, double alpha)
{
	double n = (double)left, t = student_t_critical(alpha / (2 * n), n - 2);

	return (n - 1) * t / sqrt((n - 2 + t * t) * n);
}

size_t gesd(const double *x, size_t n, size_t max, double alpha, struct gesd_step *steps, double *work, size_t *order)
{
	size_t low = 0, high = n, outliers = 0;
	double centre, magnitude;
	struct test t;

	for (size_t i = 0; i < max; i++)
		steps[i] = (struct gesd_step){.r = NAN, .lambda = NAN};
	if (!series_is_testable(x, n, MIN_N, &t))
		return 0;
	gsl_sort_index(order, x, 1, n);
	centre = x[order[n / 2]] / 2;
	magnitude = fmax(fabs(x[order[0]]), fabs(x[order[n - 1]]));
	/* Far from 0 the mean has few digits; halves, as the difference of two doubles may be none. */
	for (size_t i = 0; i < n; i++)
		work[i] = x[order[i]] / 2 - centre;
	for (size_t i = 0; i < max && high - low >= MIN_N; i++) {
		struct moments m = moments(work + low, high - low, 0);
		double below = m.mean - m.min, above = m.max - m.mean;

		if (m.sd == 0 || is_rounding(m.max - m.min, magnitude / 2))
			break;
		steps[i].lambda = critical(high - low, alpha);
		steps[i].r = fmax(below, above) / m.sd;
		steps[i].index = above >= below ? order[--high] : order[low++];
		if (steps[i].r > steps[i].lambda)
			outliers = i + 1;
	}
	return outliers;
}

/* Marks what is outside [low, high]. */
static size_t mark_outside(const double *x, size_t n, double low, double high, double *marks)
{
	size_t count = 0;

	for (size_t i = 0; i < n; i++) {
		marks[i] = x[i] < low || x[i] > high;
		count += marks[i] != 0;
	}
	return count;
}

/* False, with no marks, where nothing can stand out; else work is x in ascending order. */
static int sort_for_marks(const double *x, size_t n, double *marks, double *work)
{
	struct test t;

	for (size_t i = 0; i < n; i++)
		marks[i] = 0;
	if (!series_is_testable(x, n, MIN_N, &t))
		return 0;
	memcpy(work, x, n * sizeof *x);
	gsl_sort(work, 1, n);
	return 1;
}

size_t mad_outliers(const double *x, size_t n, double *marks, double *work)
{
	double median, mean_deviation = 0, sd;

	if (!sort_for_marks(x, n, marks, work))
		return 0;
	median = quantile_sorted(work, n, 0.5);
	for (size_t i = 0; i < n; i++) {
		work[i] = fabs(x[i] / 2 - median / 2);
		mean_deviation += work[i] / (double)n;
	}
	gsl_sort(work, 1, n);
	sd = quantile_sorted(work, n, 0.5) / MAD_TO_SD;
	if (is_rounding(sd, fabs(median) / 2))
		sd = mean_deviation * MEAN_DEVIATION_TO_SD;
	for (size_t i = 0; i < n; i++)
		work[i] = x[i] / 2 - median / 2;
	return mark_outside(work, n, -MAD_LIMIT * sd, MAD_LIMIT * sd, marks);
}

size_t fence_outliers(const double *x, size_t n, double *marks, double *work)
{
	double low, high, reach;

	if (!sort_for_marks(x, n, marks, work))
		return 0;
	low = quantile_sorted(work, n, 0.25);
	high = quantile_sorted(work, n, 0.75);
	reach = FENCE * (high - low);
	return mark_outside(x, n, low - reach, high + reach, marks);
}

static size_t gesd_bytes(const struct statistic_input *in)
{
	return in->samples[0].n * (sizeof(double) + sizeof(size_t));
}

static void gesd_compute(const struct statistic_input *in, union statistic_result *out)
{
	size_t n = in->samples[0].n, max = n / 4 < GESD_MAX ? n / 4 : GESD_MAX, outliers;
	struct gesd_step steps[GESD_MAX];
	double *work = in->work;

	(void)out;
	for (size_t i = 0; i < n; i++)
		in->values[i] = 0;
	outliers = gesd(in->samples[0].x, n, max > 0 ? max : 1, GESD_ALPHA, steps, work, (size_t *)(void *)(work + n));
	for (size_t i = 0; i < outliers; i++)
		in->values[steps[i].index] = 1;
}

static size_t copy_bytes(const struct statistic_input *in)
{
	return in->samples[0].n * sizeof(double);
}

static void mad_compute(const struct statistic_input *in, union statistic_result *out)
{
	(void)out;
	mad_outliers(in->samples[0].x, in->samples[0].n, in->values, in->work);
}

static void fences_compute(const struct statistic_input *in, union statistic_result *out)
{
	(void)out;
	fence_outliers(in->samples[0].x, in->samples[0].n, in->values, in->work);
}

const struct statistic statistic_gesd = {
    .name = "gesd",
    .help = "outliers by the generalised extreme studentised deviate, up to a quarter of the values and 10",
    .kind = STATISTIC_MARKS,
    .min_n = MIN_N,
    .work_bytes = gesd_bytes,
    .compute = gesd_compute,
};

const struct statistic statistic_mad_outliers = {
    .name = "mad-outliers",
    .help = "outliers by distance from the median in median absolute deviations",
    .kind = STATISTIC_MARKS,
    .min_n = MIN_N,
    .work_bytes = copy_bytes,
    .compute = mad_compute,
};

const struct statistic statistic_fences = {
    .name = "fences",
    .help = "outliers beyond the quartiles by 1.5 times their distance",
    .kind = STATISTIC_MARKS,
    .min_n = MIN_N,
    .work_bytes = copy_bytes,
    .compute = fences_compute,
};
