#include "kruskal_wallis.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include <gsl/gsl_cdf.h>

#include "describe.h"
#include "rank.h"
#include "sides.h"

static size_t total(const struct values *groups, size_t k)
{
	size_t n = 0;

	for (size_t i = 0; i < k; i++)
		n += groups[i].n;
	return n;
}

static unsigned check(const struct values *groups, size_t k)
{
	unsigned flags = k < 2 || total(groups, k) <= k ? EST_TOO_FEW : 0;
	bool is_alike = true;

	for (size_t i = 0; i < k; i++) {
		if (groups[i].n == 0)
			flags |= EST_TOO_FEW;
		for (size_t j = 0; j < groups[i].n; j++) {
			if (!isfinite(groups[i].x[j]))
				flags |= EST_NOT_FINITE;
		}
		is_alike = is_alike && is_constant(groups[i].x, groups[i].n);
	}
	return flags ? flags : is_alike ? EST_CONSTANT : 0;
}

struct test kruskal_wallis(const struct values *groups, size_t k, void *work)
{
	size_t n = total(groups, k), first = 0;
	struct test test = test_unanswered(n, check(groups, k));
	double *all = work, *values = all + n, count = (double)n, ties, ss = 0;
	size_t *ranks = (void *)(values + n), *order = ranks + n;

	if (test.flags & ~(unsigned)EST_CONSTANT)
		return test;
	for (size_t i = 0; i < k; first += groups[i++].n)
		memcpy(all + first, groups[i].x, groups[i].n * sizeof *all);
	ties = doubled_midranks(all, n, NULL, 0, ranks, values, order) / (count * count * count - count);
	first = 0;
	for (size_t i = 0; i < k; first += groups[i++].n) {
		double size = (double)groups[i].n, sum = 0, d;

		for (size_t j = 0; j < groups[i].n; j++)
			sum += (double)ranks[first + j];
		/* Ranks are doubled; n + 1 is twice their mean. */
		d = (sum / size - (count + 1)) / 2;
		ss += size * d * d;
	}
	test.df = (double)k - 1;
	test.statistic = ties < 1 ? 12 / (count * (count + 1)) * ss / (1 - ties) : 0;
	test.p = gsl_cdf_chisq_Q(test.statistic, test.df);
	return test;
}

size_t kruskal_wallis_bytes(const struct values *groups, size_t k)
{
	return total(groups, k) * (2 * sizeof(double) + 2 * sizeof(size_t));
}

static size_t kruskal_wallis_work_bytes(const struct statistic_input *in)
{
	return kruskal_wallis_bytes(in->samples, in->n_samples);
}

static void kruskal_wallis_compute(const struct statistic_input *in, union statistic_result *out)
{
	out->test = kruskal_wallis(in->samples, in->n_samples, in->work);
}

const struct statistic statistic_kruskal_wallis = {
    .name = "kruskal-wallis",
    .help = "whether several samples have one location, by ranks",
    .kind = STATISTIC_GROUPS,
    .min_n = 2,
    .work_bytes = kruskal_wallis_work_bytes,
    .compute = kruskal_wallis_compute,
};
