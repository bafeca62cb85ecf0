#include "describe.h"

#include <math.h>
#include <string.h>

#include "moments.h"
#include "select.h"
#include "statistic.h"
#include "tdist.h"

bool is_constant(const double *x, size_t n)
{
	double min = INFINITY, max = -INFINITY;

	for (size_t i = 0; i < n; i++) {
		if (!isfinite(x[i]))
			return false;
		min = x[i] < min ? x[i] : min;
		max = x[i] > max ? x[i] : max;
	}
	return n > 0 && is_rounding(max - min, fmax(fabs(min), fabs(max)));
}

double quantile_sorted(const double *sorted, size_t n, double p)
{
	double position = (double)(n - 1) * p, whole = floor(position), part = position - whole;
	size_t i = 0;

	if (n == 0 || !(p >= 0 && p <= 1))
		return NAN;
	i = (size_t)whole;
	/* Equal neighbours are not mixed: rounding would make a third value of them, and infinities a NaN. */
	if (part == 0 || sorted[i] == sorted[i + 1])
		return sorted[i];
	return (1 - part) * sorted[i] + part * sorted[i + 1];
}

struct description describe(const double *x, size_t n, double *work)
{
	struct moments m = moments(x, n, 0);
	struct description d = {.n = n,
				.mean = m.mean,
				.sd = m.sd,
				.cv = m.mean != 0 ? m.sd / fabs(m.mean) : NAN,
				.median = NAN,
				.mad = NAN,
				.min = m.min,
				.max = m.max,
				.flags = m.flags};

	if (n == 0 || m.flags & EST_NOT_FINITE)
		return d;
	memcpy(work, x, n * sizeof *x);
	d.median = quantile_select(work, n, 0.5);
	for (size_t i = 0; i < n; i++)
		work[i] = fabs(x[i] - d.median);
	d.mad = m.flags & EST_CONSTANT ? 0 : quantile_select(work, n, 0.5);
	return d;
}

static struct estimate interval_of(const struct moments *m, double level)
{
	struct estimate e = {
	    .value = m->mean, .low = -INFINITY, .high = INFINITY, .level = level, .n = m->n, .flags = m->flags};
	struct contrast c = {.estimate = m->mean, .se = m->sd / sqrt((double)m->n), .df = (double)m->n - 1};

	contrast_interval(&c, level, &e.low, &e.high);
	return e;
}

struct estimate mean_interval(const double *x, size_t n, double level)
{
	struct moments m = moments(x, n, 0);

	return interval_of(&m, level);
}

struct estimate geometric_interval(const double *x, size_t n, double level, double *work)
{
	struct estimate e = {.value = NAN, .low = -INFINITY, .high = INFINITY, .level = level, .n = n};
	struct moments m;

	e.flags = logarithms(x, n, work) | (n < 2 ? EST_TOO_FEW : 0);
	if (n == 0 || e.flags & (EST_NOT_FINITE | EST_NOT_POSITIVE))
		return e;
	m = moments(work, n, 1);
	e = interval_of(&m, level);
	e.value = exp(e.value);
	/* The unbounded interval stays unbounded on both sides: that is how it is told from an answer. */
	if (isfinite(e.low)) {
		e.low = exp(e.low);
		e.high = exp(e.high);
	}
	return e;
}

static size_t copy_bytes(const struct statistic_input *in)
{
	return in->samples[0].n * sizeof(double);
}

static void describe_compute(const struct statistic_input *in, union statistic_result *out)
{
	out->summary = describe(in->samples[0].x, in->samples[0].n, in->work);
}

static void mean_compute(const struct statistic_input *in, union statistic_result *out)
{
	out->estimate = mean_interval(in->samples[0].x, in->samples[0].n, in->level);
}

static void geometric_compute(const struct statistic_input *in, union statistic_result *out)
{
	out->estimate = geometric_interval(in->samples[0].x, in->samples[0].n, in->level, in->work);
}

const struct statistic statistic_describe = {
    .name = "describe",
    .help = "mean, standard deviation, median, median absolute deviation and range",
    .kind = STATISTIC_SUMMARY,
    .min_n = 2,
    .work_bytes = copy_bytes,
    .compute = describe_compute,
};

const struct statistic statistic_mean = {
    .name = "mean",
    .help = "mean with Student's t interval",
    .kind = STATISTIC_ESTIMATE,
    .min_n = 2,
    .compute = mean_compute,
};

const struct statistic statistic_geometric_mean = {
    .name = "geometric-mean",
    .help = "geometric mean with the t interval of the logarithms",
    .kind = STATISTIC_ESTIMATE,
    .domain = STATISTIC_POSITIVE,
    .min_n = 2,
    .work_bytes = copy_bytes,
    .compute = geometric_compute,
};
