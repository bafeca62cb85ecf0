#include "change_between.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "estimate.h"
#include "moments.h"
#include "shuffle.h"

/* apart[g * n_groups + h]: sum of the distances of all pairs of values in groups g to h. */
struct area {
	double *values, *apart;
	const size_t *starts;
	size_t n, n_groups, min_length;
};

size_t change_between_bytes(size_t n, size_t n_groups)
{
	return (n + n_groups * n_groups) * sizeof(double);
}

static size_t start_of(const struct area *area, size_t group)
{
	return group < area->n_groups ? area->starts[group] : area->n;
}

static double distances(const struct area *area, size_t g, size_t h)
{
	double sum = 0;

	for (size_t i = start_of(area, g); i < start_of(area, g + 1); i++)
		for (size_t j = g == h ? i + 1 : start_of(area, h); j < start_of(area, h + 1); j++)
			sum += fabs(area->values[i] - area->values[j]);
	return sum;
}

/* Among the groups from low up to high. */
static void fill_apart(const struct area *area, size_t low, size_t high)
{
	size_t k = area->n_groups;
	double *apart = area->apart;

	for (size_t g = high; g-- > low;) {
		double row = 0;

		for (size_t h = g; h < high; h++) {
			row += distances(area, g, h);
			apart[g * k + h] = row + (h > g ? apart[(g + 1) * k + h] : 0);
		}
	}
}

static double mean_distance(double sum, double count)
{
	return 2 * sum / (count * (count - 1));
}

/* The best split of the groups from low up to high; index counts values, and is n where there is none. */
static struct change split_of(const struct area *area, size_t low, size_t high)
{
	struct change best = {.index = area->n, .gain = -INFINITY, .p = NAN};
	size_t k = area->n_groups;

	fill_apart(area, low, high);
	for (size_t split = low + 1; split < high; split++) {
		size_t a = start_of(area, split) - start_of(area, low);
		double left = area->apart[low * k + split - 1];

		for (size_t end = split + 1; a >= area->min_length && end <= high; end++) {
			size_t b = start_of(area, end) - start_of(area, split);
			double na = (double)a, nb = (double)b, right = area->apart[split * k + end - 1];
			double between = area->apart[low * k + end - 1] - left - right;
			double q =
			    (2 * between - na * nb * (mean_distance(left, na) + mean_distance(right, nb))) / (na + nb);

			if (b >= area->min_length && q > best.gain) {
				best.gain = q;
				best.index = start_of(area, split);
			}
		}
	}
	return best;
}

static size_t group_at(const struct area *area, size_t index)
{
	size_t group = 0;

	while (start_of(area, group) < index)
		group++;
	return group;
}

static struct change best_of_segments(const struct area *area, const struct change *changes, size_t count)
{
	struct change best = {.index = area->n, .gain = -INFINITY, .p = NAN};

	for (size_t i = 0; i <= count; i++) {
		size_t low = i > 0 ? group_at(area, changes[i - 1].index) : 0;
		size_t high = i < count ? group_at(area, changes[i].index) : area->n_groups;
		struct change c = split_of(area, low, high);

		if (c.gain > best.gain)
			best = c;
	}
	return best;
}

static bool fill_values(const struct area *area, const double *x, int *exponent)
{
	struct moments m = moments(x, area->n, 0);

	if (area->n == 0 || m.flags & (EST_NOT_FINITE | EST_CONSTANT))
		return false;
	frexp(m.magnitude, exponent);
	for (size_t i = 0; i < area->n; i++)
		area->values[i] = ldexp(x[i], -*exponent);
	return true;
}

/* p of a best split, or 1 as soon as it cannot be alpha or less. */
static double permutation_p(const struct area *area, const struct change *changes, size_t count, double q,
			    const struct change_settings *settings)
{
	size_t m = settings->permutations, as_good = 0;

	for (size_t k = 0; k < m; k++) {
		struct stream random = stream_init(settings->seed + count, k);

		for (size_t i = 0; i <= count; i++) {
			size_t from = i > 0 ? changes[i - 1].index : 0, to = i < count ? changes[i].index : area->n;

			shuffle(area->values + from, to - from, &random);
		}
		/* Equal but for rounding is as good: discrete values have many equal splits. */
		as_good += best_of_segments(area, changes, count).gain >= q * (1 - 1e-11);
		if ((double)(as_good + 1) > settings->alpha * (double)(m + 1))
			return 1;
	}
	return (double)(as_good + 1) / (double)(m + 1);
}

size_t change_between(const double *x, size_t n, const size_t *starts, size_t n_groups,
		      const struct change_settings *settings, struct change *changes, size_t max, void *work)
{
	struct area area = {.values = work, .starts = starts, .n = n, .n_groups = n_groups};
	size_t count = 0;
	int exponent;

	area.apart = area.values + n;
	area.min_length = settings->min_length < 2 ? 2 : settings->min_length;
	while (count < max && fill_values(&area, x, &exponent)) {
		struct change best = best_of_segments(&area, changes, count);
		size_t at = count;

		if (best.index == n)
			break;
		best.p = permutation_p(&area, changes, count, best.gain, settings);
		if (best.p > settings->alpha)
			break;
		for (; at > 0 && changes[at - 1].index > best.index; at--)
			changes[at] = changes[at - 1];
		changes[at] = best;
		changes[at].gain = ldexp(best.gain, exponent);
		count++;
	}
	return count;
}
