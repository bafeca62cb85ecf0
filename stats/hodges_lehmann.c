#include "hodges_lehmann.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#include <gsl/gsl_sort.h>

#include "mann_whitney.h"
#include "moments.h"
#include "sides.h"
#include "signed_rank.h"
#include "statistic.h"

/* Sums a[i] + b[j] of two ascending samples, all of them, or those with i <= j of one. They are not listed: how many
 * are no larger than a number takes one walk, for rounding keeps their order. */
struct sums {
	const double *a, *b;
	size_t na, nb;
	bool is_walsh; /* a is b, i <= j only */
};

static size_t sums_n(const struct sums *s)
{
	return s->is_walsh ? s->na * (s->na + 1) / 2 : s->na * s->nb;
}

static size_t count_up_to(const struct sums *s, double limit)
{
	size_t count = 0, j = s->nb;

	for (size_t i = 0; i < s->na; i++) {
		while (j > 0 && s->a[i] + s->b[j - 1] > limit)
			j--;
		if (!s->is_walsh)
			count += j;
		else if (j > i)
			count += j - i;
	}
	return count;
}

/* Doubles in their order as whole numbers, so that halving an interval ends after 64 steps at the very sum. */
static int64_t key_of(double x)
{
	int64_t bits;

	memcpy(&bits, &x, sizeof bits);
	return bits < 0 ? INT64_MIN - bits : bits;
}

static double of_key(int64_t key)
{
	int64_t bits = key < 0 ? INT64_MIN - key : key;
	double x;

	memcpy(&x, &bits, sizeof x);
	return x;
}

/* The k-th smallest sum, k from 1. */
static double sums_select(const struct sums *s, size_t k)
{
	int64_t low = key_of(s->a[0] + s->b[0]), high = key_of(s->a[s->na - 1] + s->b[s->nb - 1]);

	while (low < high) {
		int64_t middle = (low & high) + ((low ^ high) >> 1);

		if (count_up_to(s, of_key(middle)) >= k)
			high = middle;
		else
			low = middle + 1;
	}
	return of_key(low);
}

static double sums_median(const struct sums *s)
{
	size_t n = sums_n(s);
	double upper = sums_select(s, n / 2 + 1);

	return n % 2 ? upper : sums_select(s, n / 2) / 2 + upper / 2;
}

static void fill(struct estimate *e, const struct sums *s, size_t k)
{
	e->value = sums_median(s);
	if (k == 0) {
		e->flags |= EST_TOO_FEW;
		return;
	}
	e->low = sums_select(s, k);
	e->high = sums_select(s, sums_n(s) + 1 - k);
}

size_t hodges_lehmann_work_bytes(size_t nx, size_t ny)
{
	return (nx + ny) * sizeof(double) + mann_whitney_work_bytes(nx, ny);
}

struct estimate hodges_lehmann(const double *x, size_t nx, const double *y, size_t ny, double level, void *work)
{
	struct estimate e = {.value = NAN, .low = -INFINITY, .high = INFINITY, .level = level, .n = nx + ny};
	double *a = work, *b = a + nx, reached = level;
	struct sums sums = {.a = a, .b = b, .na = nx, .nb = ny};
	size_t k;

	e.flags = sides_flags(x, nx, y, ny, 1);
	if (e.flags & ~(unsigned)EST_CONSTANT) {
		e.flags |= nx == 0 || ny == 0 || mann_whitney_critical(nx, ny, 1 - level, &reached, b + ny) == 0
			       ? EST_TOO_FEW
			       : 0;
		return e;
	}
	for (size_t i = 0; i < nx; i++)
		a[i] = -x[i];
	memcpy(b, y, ny * sizeof *b);
	gsl_sort(a, 1, nx);
	gsl_sort(b, 1, ny);
	k = mann_whitney_critical(nx, ny, 1 - level, &reached, b + ny);
	fill(&e, &sums, k);
	if (e.flags & EST_TOO_FEW)
		e.flags &= ~(unsigned)EST_CONSTANT;
	else
		e.level = reached;
	return e;
}

size_t hodges_lehmann_paired_work_bytes(size_t n)
{
	return n * sizeof(double) + signed_rank_work_bytes(n);
}

struct estimate hodges_lehmann_paired(const double *x, const double *y, size_t n, double level, void *work)
{
	size_t values = x ? 2 * n : n, k;
	struct estimate e = {.value = NAN, .low = -INFINITY, .high = INFINITY, .level = level, .n = values};
	struct moments m = x ? moments_of_differences(x, y, n, 0) : moments(y, n, 0);
	double *halves = work, reached = level;
	struct sums sums = {.a = halves, .b = halves, .na = n, .nb = n, .is_walsh = true};

	e.flags = m.flags & ~(unsigned)EST_TOO_FEW;
	k = n > 0 ? signed_rank_critical(n, 1 - level, &reached, halves + n) : 0;
	if (n == 0 || e.flags & EST_NOT_FINITE) {
		e.flags |= k == 0 ? EST_TOO_FEW : 0;
		return e;
	}
	for (size_t i = 0; i < n; i++)
		halves[i] = x ? y[i] / 2 - x[i] / 2 : y[i] / 2;
	gsl_sort(halves, 1, n);
	fill(&e, &sums, k);
	if (e.flags & EST_TOO_FEW)
		e.flags &= ~(unsigned)EST_CONSTANT;
	else
		e.level = reached;
	return e;
}

static size_t work_bytes(const struct statistic_input *in)
{
	return hodges_lehmann_work_bytes(in->samples[0].n, in->samples[1].n);
}

static void compute(const struct statistic_input *in, union statistic_result *out)
{
	const struct values *s = in->samples;

	out->estimate = hodges_lehmann(s[0].x, s[0].n, s[1].x, s[1].n, in->level, in->work);
}

static size_t paired_work_bytes(const struct statistic_input *in)
{
	return hodges_lehmann_paired_work_bytes(in->samples[0].n);
}

static void paired_compute(const struct statistic_input *in, union statistic_result *out)
{
	const struct values *s = in->samples;

	out->estimate = hodges_lehmann_paired(s[0].x, s[1].x, s[0].n, in->level, in->work);
}

const struct statistic statistic_hodges_lehmann = {
    .name = "hodges-lehmann",
    .help = "shift between two sides: the median of all differences, with its exact interval",
    .kind = STATISTIC_SHIFT,
    .min_n = 4,
    .work_bytes = work_bytes,
    .compute = compute,
};

const struct statistic statistic_hodges_lehmann_paired = {
    .name = "hodges-lehmann-paired",
    .help = "shift within pairs: the median of all averages of two differences, with its exact interval",
    .kind = STATISTIC_SHIFT,
    .is_paired = true,
    .min_n = 6,
    .work_bytes = paired_work_bytes,
    .compute = paired_compute,
};
