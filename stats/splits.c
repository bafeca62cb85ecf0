#include "splits.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "stream.h"

/* Statistics that differ by less, relative to the observed one or to 1, are the same one summed in another order. */
#define TIE 1e-10

struct tails {
	double observed, tolerance;
	double below, above, all;
};

static void tails_add(struct tails *t, double value)
{
	t->below += value <= t->observed + t->tolerance;
	t->above += value >= t->observed - t->tolerance;
	t->all++;
}

double splits_count(size_t nx, size_t ny)
{
	double count = 1;
	size_t m = nx < ny ? nx : ny;

	/* Each product is a binomial coefficient, so that every step is exact as long as it fits. */
	for (size_t i = 1; i <= m && isfinite(count); i++)
		count = count * (double)(nx + ny - m + i) / (double)i;
	return count;
}

double splits_least_p(size_t nx, size_t ny, size_t resamples)
{
	double count = splits_count(nx, ny);

	return fmin(1, 2 / (count <= SPLITS_EXACT ? count : (double)resamples + 1));
}

/* The next split in lexicographic order; false after the last, which is x x .. y y turned round. */
static bool next_split(unsigned char *in_y, size_t n)
{
	size_t ones = 0, i = n - 1;

	while (i > 0 && !(in_y[i - 1] == 0 && in_y[i] == 1)) {
		ones += in_y[i];
		i--;
	}
	if (i == 0)
		return false;
	in_y[i - 1] = 1;
	memset(in_y + i, 0, n - i);
	memset(in_y + n - ones, 1, ones);
	return true;
}

static void try_all(const struct splits *s, struct tails *t)
{
	size_t n = s->nx + s->ny;

	/* Of equal sides the first value may stay in x: the other splits are these turned round. */
	do {
		double value = s->statistic(s->context, s->in_y);

		tails_add(t, value);
		if (s->nx == s->ny)
			tails_add(t, -value);
	} while (next_split(s->in_y, n) && (s->nx != s->ny || s->in_y[0] == 0));
}

static void draw_some(const struct splits *s, struct tails *t)
{
	size_t n = s->nx + s->ny;

	for (size_t r = 0; r < s->resamples; r++) {
		struct stream stream = stream_init(s->seed, r);

		for (size_t i = n - 1; i > 0; i--) {
			size_t j = stream_below(&stream, (uint32_t)(stream_bits(&stream) >> 32), i + 1);
			unsigned char swap = s->in_y[i];

			s->in_y[i] = s->in_y[j];
			s->in_y[j] = swap;
		}
		tails_add(t, s->statistic(s->context, s->in_y));
	}
	t->below++;
	t->above++;
	t->all++;
}

double splits_p(const struct splits *s)
{
	struct tails t = {0};

	memset(s->in_y, 0, s->nx);
	memset(s->in_y + s->nx, 1, s->ny);
	t.observed = s->statistic(s->context, s->in_y);
	t.tolerance = isfinite(t.observed) ? TIE * fmax(1, fabs(t.observed)) : 0;
	if (splits_count(s->nx, s->ny) <= SPLITS_EXACT)
		try_all(s, &t);
	else
		draw_some(s, &t);
	return fmin(1, 2 * fmin(t.below, t.above) / t.all);
}
