#include "permutation.h"

#include <math.h>

#include "moments.h"
#include "sides.h"
#include "splits.h"
#include "statistic.h"
#include "stream.h"
#include "ttest.h"

/* Deviations from the mean of all, divided by the largest of them: sums of squares neither overflow nor cancel. */
struct pooled {
	const double *values;
	size_t n;
};

static double studentised(const void *context, const unsigned char *in_y)
{
	const struct pooled *p = context;
	double n[2] = {0, 0}, mean[2] = {0, 0}, squares[2] = {0, 0}, difference, variance;

	for (size_t i = 0; i < p->n; i++) {
		n[in_y[i]]++;
		mean[in_y[i]] += p->values[i];
	}
	mean[0] /= n[0];
	mean[1] /= n[1];
	for (size_t i = 0; i < p->n; i++) {
		double d = p->values[i] - mean[in_y[i]];

		squares[in_y[i]] += d * d;
	}
	difference = mean[1] - mean[0];
	variance = squares[0] / (n[0] * (n[0] - 1)) + squares[1] / (n[1] * (n[1] - 1));
	/* Of two sides without variation only the sign of the difference counts. */
	if (variance < 1e-26)
		return fabs(difference) < 1e-13 ? 0 : copysign(INFINITY, difference);
	return difference / sqrt(variance);
}

size_t permutation_work_bytes(size_t nx, size_t ny)
{
	return (nx + ny) * (sizeof(double) + sizeof(unsigned char));
}

double permutation_least_p(size_t nx, size_t ny, size_t resamples)
{
	return splits_least_p(nx, ny, resamples);
}

/* x and y, centred and scaled, into values. */
static void pool(const double *x, size_t nx, const double *y, size_t ny, double *values)
{
	double n = (double)(nx + ny), mean = 0, largest = 0;

	for (size_t i = 0; i < nx + ny; i++) {
		values[i] = i < nx ? x[i] : y[i - nx];
		mean += values[i] / n;
	}
	for (size_t i = 0; i < nx + ny; i++) {
		values[i] = values[i] / 2 - mean / 2;
		largest = fmax(largest, fabs(values[i]));
	}
	for (size_t i = 0; i < nx + ny; i++)
		values[i] /= largest;
}

struct test permutation(const double *x, size_t nx, const double *y, size_t ny, size_t resamples, uint64_t seed,
			void *work)
{
	double *values = work;
	struct pooled pooled = {.values = values, .n = nx + ny};
	struct splits splits = {.nx = nx,
				.ny = ny,
				.statistic = studentised,
				.context = &pooled,
				.in_y = (unsigned char *)(values + nx + ny),
				.resamples = resamples,
				.seed = seed};
	struct test t;

	if (sides_decide(x, nx, y, ny, sides_flags(x, nx, y, ny, 2), &t))
		return t;
	pool(x, nx, y, ny, values);
	t.statistic = welch(x, nx, y, ny).t;
	t.p = splits_p(&splits);
	return t;
}

double permutation_paired_least_p(size_t n, size_t resamples)
{
	return fmin(1, n <= PERMUTATION_PAIRED_EXACT ? ldexp(1, 1 - (int)n) : 2 / ((double)resamples + 1));
}

static double turned_sum(const double *d, size_t n, struct stream *stream, uint64_t turns)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++) {
		if (stream && i % 64 == 0)
			turns = stream_bits(stream);
		sum += turns >> i % 64 & 1 ? -d[i] : d[i];
	}
	return sum;
}

/* Tails are alike, so that one is counted, and doubled: sums as large as the observed one but for rounding. */
static double turned_p(const double *d, size_t n, size_t resamples, uint64_t seed)
{
	double observed = fabs(turned_sum(d, n, NULL, 0)) - 1e-12 * (double)n, count = 0, below = 0;

	if (n <= PERMUTATION_PAIRED_EXACT) {
		for (uint64_t turns = 0; turns >> n == 0; turns++)
			count += turned_sum(d, n, NULL, turns) >= observed;
		return fmin(1, ldexp(count, 1 - (int)n));
	}
	for (size_t r = 0; r < resamples; r++) {
		struct stream stream = stream_init(seed, r);
		double sum = turned_sum(d, n, &stream, 0);

		count += sum >= observed;
		below += sum <= -observed;
	}
	return fmin(1, 2 * (fmin(count, below) + 1) / ((double)resamples + 1));
}

struct test permutation_paired(const double *x, const double *y, size_t n, size_t resamples, uint64_t seed,
			       double *work)
{
	struct moments m = moments_of_differences(x, y, n, 0);
	struct test t = test_unanswered(2 * n, m.flags);

	if (m.flags == EST_CONSTANT && m.mean == 0) {
		t.statistic = 0;
		t.p = 1;
	}
	if (m.flags)
		return t;
	for (size_t i = 0; i < n; i++)
		work[i] = (y[i] / 2 - x[i] / 2) / fmax(fabs(m.min), fabs(m.max));
	t.statistic = m.mean / (m.sd / sqrt((double)n));
	t.p = turned_p(work, n, resamples, seed);
	return t;
}

static size_t work_bytes(const struct statistic_input *in)
{
	return permutation_work_bytes(in->samples[0].n, in->samples[1].n);
}

static void compute(const struct statistic_input *in, union statistic_result *out)
{
	const struct values *s = in->samples;

	out->test = permutation(s[0].x, s[0].n, s[1].x, s[1].n, PERMUTATION_RESAMPLES, in->seed, in->work);
}

static size_t paired_work_bytes(const struct statistic_input *in)
{
	return in->samples[0].n * sizeof(double);
}

static void paired_compute(const struct statistic_input *in, union statistic_result *out)
{
	const struct values *s = in->samples;

	out->test = permutation_paired(s[0].x, s[1].x, s[0].n, PERMUTATION_RESAMPLES, in->seed, in->work);
}

const struct statistic statistic_permutation = {
    .name = "permutation",
    .help = "whether means differ, by all ways to split the values (studentised permutation test)",
    .kind = STATISTIC_TEST,
    .is_random = true,
    .min_n = 2,
    .work_bytes = work_bytes,
    .compute = compute,
};

const struct statistic statistic_permutation_paired = {
    .name = "permutation-paired",
    .help = "whether pairs differ, by all ways to turn their signs (permutation test)",
    .kind = STATISTIC_TEST,
    .is_paired = true,
    .is_random = true,
    .min_n = 2,
    .work_bytes = paired_work_bytes,
    .compute = paired_compute,
};
