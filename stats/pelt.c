#include "pelt.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include <gsl/gsl_sort.h>

#include "describe.h"
#include "moments.h"
#include "shuffle.h"

/* values: standardised; sum[i], squares[i]: of the first i; best[i]: smallest cost of those; last[i]: where the last
 * segment of that begins; candidates: beginnings of a last segment that may still be best, each with the end from
 * which it cannot be, or n + 1. */
struct segmenter {
	size_t n;
	double floor; /* of a variance */
	double *values, *sum, *squares, *best;
	size_t *last, *candidates, *expires, *found;
};

double pelt_penalty(size_t n)
{
	return 15 * log((double)n);
}

size_t pelt_bytes(size_t n)
{
	return (n + 1) * (4 * sizeof(double) + 4 * sizeof(size_t));
}

/* Smallest distance of distinct values of ascending sorted[n], which are not all alike. */
static double resolution(const double *sorted, size_t n)
{
	double smallest = sorted[n - 1] - sorted[0], magnitude = fmax(fabs(sorted[0]), fabs(sorted[n - 1]));

	for (size_t i = 1; i < n; i++) {
		double gap = sorted[i] - sorted[i - 1];

		if (gap < smallest && !is_rounding(gap, magnitude))
			smallest = gap;
	}
	return smallest;
}

/* Sums from a value on; what was before is 0. */
static void accumulate(const struct segmenter *s, size_t from, size_t to)
{
	s->sum[from] = s->squares[from] = 0;
	for (size_t i = from; i < to; i++) {
		s->sum[i + 1] = s->sum[i] + s->values[i];
		s->squares[i + 1] = s->squares[i] + s->values[i] * s->values[i];
	}
}

static void segmenter_place(struct segmenter *s, size_t n, void *work)
{
	s->n = n;
	s->values = work;
	s->sum = s->values + n + 1;
	s->squares = s->sum + n + 1;
	s->best = s->squares + n + 1;
	s->last = (size_t *)(void *)(s->best + n + 1);
	s->candidates = s->last + n + 1;
	s->expires = s->candidates + n + 1;
	s->found = s->expires + n + 1;
}

/* False where there is no variation, or a value is not finite. */
static bool segmenter_init(struct segmenter *s, const double *x, size_t n, void *work)
{
	struct moments m = moments(x, n, 0);
	int exponent;
	double mean, sd, gap;

	segmenter_place(s, n, work);
	if (n < 2 || m.flags & (EST_NOT_FINITE | EST_CONSTANT))
		return false;
	frexp(m.magnitude, &exponent);
	mean = ldexp(m.mean, -exponent);
	sd = ldexp(m.sd, -exponent);
	for (size_t i = 0; i < n; i++)
		s->values[i] = s->best[i] = (ldexp(x[i], -exponent) - mean) / sd;
	accumulate(s, 0, n);
	gsl_sort(s->best, 1, n);
	gap = resolution(s->best, n);
	s->floor = gap * gap / 12;
	return true;
}

static double cost(const struct segmenter *s, size_t from, size_t to)
{
	double m = (double)(to - from), mean = (s->sum[to] - s->sum[from]) / m;
	double variance = fmax(0, (s->squares[to] - s->squares[from]) / m - mean * mean);
	double v = fmax(variance, s->floor);

	return m * (log(v) + variance / v);
}

/* One step: the best last segment that ends at to, and which beginnings that leaves. A beginning that costs more than
 * what is best here, even without a penalty, is beaten by a change here wherever a segment from here can end. */
static size_t step(struct segmenter *s, size_t to, size_t count, double penalty, size_t min_length)
{
	size_t kept = 0;

	s->best[to] = INFINITY;
	for (size_t i = 0; i < count; i++) {
		size_t from = s->candidates[i];
		double sum;

		if (to - from < min_length)
			continue;
		sum = s->best[from] + cost(s, from, to) + penalty;
		if (sum < s->best[to]) {
			s->best[to] = sum;
			s->last[to] = from;
		}
	}
	for (size_t i = 0; i < count; i++) {
		size_t from = s->candidates[i];

		if (to - from >= min_length && s->expires[i] > s->n && s->best[from] + cost(s, from, to) > s->best[to])
			s->expires[i] = to + min_length;
		if (s->expires[i] > to + 1) {
			s->candidates[kept] = from;
			s->expires[kept++] = s->expires[i];
		}
	}
	return kept;
}

size_t pelt(const double *x, size_t n, double penalty, size_t min_length, size_t *changes, void *work)
{
	struct segmenter s;
	size_t count = 1, found = 0;

	if (min_length < 2)
		min_length = 2;
	if (n < 2 * min_length || !segmenter_init(&s, x, n, work))
		return 0;
	s.best[0] = -penalty;
	s.candidates[0] = 0;
	s.expires[0] = n + 1;
	for (size_t to = min_length; to <= n; to++) {
		count = step(&s, to, count, penalty, min_length);
		s.candidates[count] = to;
		s.expires[count++] = n + 1;
	}
	for (size_t to = n; s.last[to] > 0; to = s.last[to])
		found++;
	for (size_t to = n, i = found; s.last[to] > 0; to = s.last[to])
		changes[--i] = s.last[to];
	return found;
}

double pelt_cost(const double *x, size_t n, double penalty, const size_t *changes, size_t n_changes, void *work)
{
	struct segmenter s;
	double sum = 0;

	if (!segmenter_init(&s, x, n, work))
		return NAN;
	for (size_t i = 0; i <= n_changes; i++)
		sum += cost(&s, i > 0 ? changes[i - 1] : 0, i < n_changes ? changes[i] : n) + (i > 0 ? penalty : 0);
	return sum;
}

/* The cost that the best split of a stretch saves. */
static double best_gain(const struct segmenter *s, size_t from, size_t to, size_t min_length)
{
	double least = INFINITY;

	accumulate(s, from, to);
	for (size_t split = from + min_length; split + min_length <= to; split++)
		least = fmin(least, cost(s, from, split) + cost(s, split, to));
	return cost(s, from, to) - least;
}

/* gain and p of a change between two others; p is 1 as soon as it cannot be alpha or less. Shuffles the values. */
static struct change confirm(const struct segmenter *s, size_t from, size_t at, size_t to,
			     const struct change_settings *settings)
{
	size_t m = settings->permutations, as_good = 0;
	struct change c = {.index = at, .gain = best_gain(s, from, to, settings->min_length), .p = 1};

	for (size_t k = 0; k < m; k++) {
		struct stream random = stream_init(settings->seed + at, k);

		shuffle(s->values + from, to - from, &random);
		as_good += best_gain(s, from, to, settings->min_length) >= c.gain * (1 - 1e-12);
		if ((double)(as_good + 1) > settings->alpha * (double)(m + 1))
			return c;
	}
	c.p = (double)(as_good + 1) / (double)(m + 1);
	return c;
}

size_t pelt_confirmed(const double *x, size_t n, const struct change_settings *settings, struct change *changes,
		      size_t max, void *work)
{
	struct change_settings usual = *settings;
	struct segmenter s;
	size_t found, count = 0;

	if (usual.min_length < 2)
		usual.min_length = 2;
	if (n < 2 * usual.min_length)
		return 0;
	segmenter_place(&s, n, work);
	found = pelt(x, n, pelt_penalty(n), usual.min_length, s.found, work);
	for (size_t i = 0; i < found && count < max; i++) {
		size_t from = count > 0 ? changes[count - 1].index : 0, to = i + 1 < found ? s.found[i + 1] : n;
		struct change c;

		/* The values of the change before were shuffled across this one's side. */
		if (!segmenter_init(&s, x, n, work))
			break;
		c = confirm(&s, from, s.found[i], to, &usual);
		if (c.p <= usual.alpha)
			changes[count++] = c;
	}
	return count;
}
