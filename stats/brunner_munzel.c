#include "brunner_munzel.h"

#include <math.h>

#include "permutation.h"
#include "rank.h"
#include "sides.h"
#include "splits.h"
#include "statistic.h"
#include "tdist.h"

/* The pooled sample in ascending order: whose ranks are equal is tied. */
struct ranked {
	const size_t *ranks, *order;
	size_t n;
};

struct brunner {
	double statistic, df;
};

/* Of the values of one side: how many of the other side are smaller, ties counted half, doubled. Mean and sum of
 * squared deviations are kept as they come, so that the latter is exactly 0 where all are alike. */
struct placements {
	double n, mean, squares;
};

static void placements_add(struct placements *p, double how_many, double doubled)
{
	double delta = doubled - p->mean;

	p->n += how_many;
	p->mean += how_many * delta / p->n;
	p->squares += how_many * delta * (doubled - p->mean);
}

static struct brunner brunner_of(const struct ranked *r, const unsigned char *in_y)
{
	struct placements x = {0}, y = {0};
	double variance_x, variance_y, variance, difference;

	for (size_t first = 0, last; first < r->n; first = last) {
		double of_x = 0, of_y = 0;

		for (last = first; last < r->n && r->ranks[r->order[last]] == r->ranks[r->order[first]]; last++)
			*(in_y[r->order[last]] ? &of_y : &of_x) += 1;
		if (of_x > 0)
			placements_add(&x, of_x, 2 * y.n + of_y);
		if (of_y > 0)
			placements_add(&y, of_y, 2 * (x.n - of_x) + of_x);
	}
	difference = y.mean / x.n - 1;
	variance_x = x.squares / (x.n - 1) / x.n / (y.n * y.n);
	variance_y = y.squares / (y.n - 1) / y.n / (x.n * x.n);
	variance = variance_x + variance_y;
	if (variance == 0)
		return (struct brunner){difference == 0 ? 0 : copysign(INFINITY, difference), NAN};
	return (struct brunner){difference / sqrt(variance),
				variance * variance /
				    (variance_x * variance_x / (x.n - 1) + variance_y * variance_y / (y.n - 1))};
}

static double statistic_of_split(const void *context, const unsigned char *in_y)
{
	return brunner_of(context, in_y).statistic;
}

size_t brunner_munzel_work_bytes(size_t nx, size_t ny)
{
	return (nx + ny) * (2 * sizeof(size_t) + sizeof(double) + sizeof(unsigned char));
}

/* permuted: NULL for p by Student's t. */
static struct test test_of(const double *x, size_t nx, const double *y, size_t ny, const struct splits *permuted,
			   void *work)
{
	size_t n = nx + ny, *ranks = work, *order = ranks + n;
	double *values = (double *)(void *)(order + n);
	unsigned char *in_y = (unsigned char *)(values + n);
	struct ranked ranked = {.ranks = ranks, .order = order, .n = n};
	struct brunner b;
	struct test t;

	if (sides_decide(x, nx, y, ny, sides_flags(x, nx, y, ny, 2), &t))
		return t;
	doubled_midranks(x, nx, y, ny, ranks, values, order);
	for (size_t i = 0; i < n; i++)
		in_y[i] = i >= nx;
	b = brunner_of(&ranked, in_y);
	t.statistic = b.statistic;
	if (permuted) {
		struct splits splits = *permuted;

		splits.context = &ranked;
		splits.in_y = in_y;
		t.p = splits_p(&splits);
	} else if (isfinite(b.statistic) && b.df > 0) {
		t.df = b.df;
		t.p = fmin(1, 2 * student_t_tail(fabs(b.statistic), b.df));
	} else {
		t.statistic = NAN;
		t.flags = EST_UNBOUNDED;
	}
	return t;
}

struct test brunner_munzel(const double *x, size_t nx, const double *y, size_t ny, void *work)
{
	return test_of(x, nx, y, ny, NULL, work);
}

struct test brunner_munzel_permuted(const double *x, size_t nx, const double *y, size_t ny, size_t resamples,
				    uint64_t seed, void *work)
{
	struct splits splits = {
	    .nx = nx, .ny = ny, .statistic = statistic_of_split, .resamples = resamples, .seed = seed};

	return test_of(x, nx, y, ny, &splits, work);
}

static size_t work_bytes(const struct statistic_input *in)
{
	return brunner_munzel_work_bytes(in->samples[0].n, in->samples[1].n);
}

static void compute(const struct statistic_input *in, union statistic_result *out)
{
	const struct values *s = in->samples;

	out->test = brunner_munzel(s[0].x, s[0].n, s[1].x, s[1].n, in->work);
}

static void permuted_compute(const struct statistic_input *in, union statistic_result *out)
{
	const struct values *s = in->samples;

	out->test = brunner_munzel_permuted(s[0].x, s[0].n, s[1].x, s[1].n, PERMUTATION_RESAMPLES, in->seed, in->work);
}

const struct statistic statistic_brunner_munzel = {
    .name = "brunner-munzel",
    .help = "whether one side tends to larger values, spreads being free (Brunner-Munzel)",
    .kind = STATISTIC_TEST,
    .min_n = 2,
    .work_bytes = work_bytes,
    .compute = compute,
};

const struct statistic statistic_brunner_munzel_permuted = {
    .name = "brunner-munzel-permuted",
    .help = "the same for few values, by all ways to split them",
    .kind = STATISTIC_TEST,
    .is_random = true,
    .min_n = 2,
    .work_bytes = work_bytes,
    .compute = permuted_compute,
};
