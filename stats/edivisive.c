#include "edivisive.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "estimate.h"
#include "moments.h"
#include "shuffle.h"

/* Sums of distances of pairs: before[k] of the first k values, after[k] of the values from the split up to k. */
struct area {
	double *values, *before, *after, *inverse;
};

static struct area area_of(size_t n, void *work)
{
	double *numbers = work;

	return (struct area){numbers, numbers + n, numbers + 2 * n + 1, numbers + 3 * n + 2};
}

size_t edivisive_bytes(size_t n)
{
	return (4 * n + 3) * sizeof(double);
}

/* Adds the distances of x[at] from x[at..k) to sums[k] for each k. */
static void add_distances(const double *x, size_t n, size_t at, double *sums)
{
	double value = x[at], distances = 0;

	for (size_t i = at + 1; i < n; i++) {
		distances += fabs(value - x[i]);
		sums[i + 1] += distances;
	}
}

static struct change split_of(const double *x, size_t n, size_t min_length, const struct area *area)
{
	struct change best = {.index = n, .gain = -INFINITY, .p = NAN};
	const double *inverse = area->inverse;

	if (n < 2 * min_length)
		return best;
	memset(area->before, 0, (n + 1) * sizeof(double));
	memset(area->after, 0, (n + 1) * sizeof(double));
	for (size_t i = n; i-- > 0;)
		add_distances(x, n, i, area->before);
	for (size_t split = n; split-- > min_length;) {
		double left = area->before[split], a = (double)split;
		double mean_left = 2 * left * inverse[split] * inverse[split - 1];

		add_distances(x, n, split, area->after);
		for (size_t end = split + min_length; end <= n; end++) {
			size_t b = end - split;
			double right = area->after[end], between = area->before[end] - left - right;
			double mean_right = 2 * right * inverse[b] * inverse[b - 1];
			double q = inverse[end] * (2 * between - a * (double)b * (mean_left + mean_right));

			if (q > best.gain) {
				best.gain = q;
				best.index = split;
			}
		}
	}
	return best;
}

/* Copies x, divided by 2^*exponent so that no sum overflows. */
static bool area_fill(const struct area *area, const double *x, size_t n, int *exponent)
{
	struct moments m = moments(x, n, 0);

	if (n == 0 || m.flags & (EST_NOT_FINITE | EST_CONSTANT))
		return false;
	frexp(m.magnitude, exponent);
	for (size_t i = 0; i < n; i++) {
		area->values[i] = ldexp(x[i], -*exponent);
		area->inverse[i] = i > 0 ? 1 / (double)i : 0;
	}
	area->inverse[n] = 1 / (double)n;
	return true;
}

struct change best_split(const double *x, size_t n, size_t min_length, void *work)
{
	struct area area = area_of(n, work);
	struct change best = {.index = n, .gain = NAN, .p = NAN};
	int exponent;

	if (min_length < 2)
		min_length = 2;
	if (n < 2 * min_length || !area_fill(&area, x, n, &exponent))
		return best;
	best = split_of(area.values, n, min_length, &area);
	best.gain = ldexp(best.gain, exponent);
	return best;
}

/* The best of the best splits of the segments between changes, which are ascending. */
static struct change best_of_segments(size_t n, const struct change *changes, size_t count, size_t min_length,
				      const struct area *area)
{
	struct change best = {.index = n, .gain = -INFINITY, .p = NAN};

	for (size_t i = 0; i <= count; i++) {
		size_t from = i > 0 ? changes[i - 1].index : 0, to = i < count ? changes[i].index : n;
		struct change c = split_of(area->values + from, to - from, min_length, area);

		if (c.gain > best.gain) {
			best = c;
			best.index += from;
		}
	}
	return best;
}

/* p of a best split, or 1 as soon as it cannot be alpha or less. Leaves the values shuffled within segments: what a
 * later permutation shuffles again is as random. */
static double permutation_p(size_t n, const struct change *changes, size_t count, double q,
			    const struct change_settings *settings, const struct area *area)
{
	size_t m = settings->permutations, as_good = 0;

	for (size_t k = 0; k < m; k++) {
		struct stream random = stream_init(settings->seed + count, k);

		for (size_t i = 0; i <= count; i++) {
			size_t from = i > 0 ? changes[i - 1].index : 0, to = i < count ? changes[i].index : n;

			shuffle(area->values + from, to - from, &random);
		}
		/* Equal but for rounding is as good: discrete values have many equal splits. */
		as_good += best_of_segments(n, changes, count, settings->min_length, area).gain >= q * (1 - 1e-12);
		if ((double)(as_good + 1) > settings->alpha * (double)(m + 1))
			return 1;
	}
	return (double)(as_good + 1) / (double)(m + 1);
}

size_t edivisive(const double *x, size_t n, const struct change_settings *settings, struct change *changes, size_t max,
		 void *work)
{
	struct change_settings s = *settings;
	struct area area = area_of(n, work);
	size_t count = 0;
	int exponent;

	if (s.min_length < 2)
		s.min_length = 2;
	while (count < max && area_fill(&area, x, n, &exponent)) {
		struct change best = best_of_segments(n, changes, count, s.min_length, &area);
		size_t at = count;

		if (best.index == n)
			break;
		best.p = permutation_p(n, changes, count, best.gain, &s, &area);
		if (best.p > s.alpha)
			break;
		for (; at > 0 && changes[at - 1].index > best.index; at--)
			changes[at] = changes[at - 1];
		changes[at] = best;
		changes[at].gain = ldexp(best.gain, exponent);
		count++;
	}
	return count;
}
