#include "dip.h"

#include <math.h>
#include <string.h>

#include <gsl/gsl_sort.h>

#include "series.h"
#include "statistic.h"
#include "stream.h"

#define MIN_N 4
#define SIMULATED_UP_TO 1000
#define ROW_SIMULATIONS 999

/* The distinct values in ascending order with the number of values below and up to each: foot and top of the steps of
 * the distribution function times n; and the knots of its two envelopes over the interval of the mode. */
struct steps {
	size_t n; /* distinct */
	double *x, *below, *upto;
	size_t *minorant, *majorant;
};

struct mode {
	size_t low, high; /* the interval that holds the mode, as indices of distinct values */
};

size_t dip_bytes(size_t n)
{
	return n * (3 * sizeof(double) + 2 * sizeof(size_t));
}

static struct steps steps_of(const double *sorted, size_t n, void *work)
{
	double *numbers = work;
	size_t *knots = (size_t *)(void *)(numbers + 3 * n);
	struct steps s = {0, numbers, numbers + n, numbers + 2 * n, knots, knots + n};

	for (size_t i = 0; i < n; i++) {
		if (i == 0 || sorted[i] != sorted[i - 1]) {
			s.x[s.n] = sorted[i];
			s.below[s.n++] = (double)i;
		}
		s.upto[s.n - 1] = (double)(i + 1);
	}
	return s;
}

/* Knots of the greatest convex minorant (sign 1) or the least concave majorant (sign -1) of (x, y) over the interval,
 * ascending; returns how many. */
static size_t envelope(const double *x, const double *y, struct mode m, double sign, size_t *knots)
{
	size_t count = 0;

	for (size_t i = m.low; i <= m.high; i++) {
		while (count >= 2) {
			size_t a = knots[count - 2], b = knots[count - 1];
			double before = (y[b] - y[a]) * (x[i] - x[b]), after = (y[i] - y[b]) * (x[b] - x[a]);

			if (sign * (after - before) > 0)
				break;
			count--;
		}
		knots[count++] = i;
	}
	return count;
}

static double line_at(const double *x, const double *y, size_t from, size_t to, size_t i)
{
	return from == to ? y[from] : y[from] + (y[to] - y[from]) * ((x[i] - x[from]) / (x[to] - x[from]));
}

/* Largest distance between the envelopes; *narrower is from the minorant's knot before it to the majorant's after it.
 */
static double largest_gap(const struct steps *s, struct mode m, size_t n_minorant, size_t n_majorant,
			  struct mode *narrower)
{
	double gap = -1;
	size_t g = 0, l = 0;

	for (size_t i = m.low; i <= m.high; i++) {
		size_t g_next, l_from;
		double distance;

		while (g + 1 < n_minorant && s->minorant[g + 1] <= i)
			g++;
		while (l + 1 < n_majorant && s->majorant[l] < i)
			l++;
		if (s->minorant[g] != i && s->majorant[l] != i)
			continue;
		g_next = g + 1 < n_minorant ? g + 1 : g;
		l_from = s->majorant[l] == i || l == 0 ? l : l - 1;
		distance = line_at(s->x, s->upto, s->majorant[l_from], s->majorant[l], i) -
			   line_at(s->x, s->below, s->minorant[g], s->minorant[g_next], i);
		if (distance > gap) {
			gap = distance;
			*narrower = (struct mode){s->minorant[g], s->majorant[l]};
		}
	}
	return gap;
}

/* How far the steps rise above the minorant before the mode, or fall below the majorant after it. */
static double misfit(const struct steps *s, struct mode m, struct mode narrower, size_t n_minorant, size_t n_majorant)
{
	double worst = 0;

	for (size_t i = m.low, g = 0; i < narrower.low; i++) {
		while (g + 1 < n_minorant && s->minorant[g + 1] <= i)
			g++;
		worst = fmax(worst, s->upto[i] - line_at(s->x, s->below, s->minorant[g], s->minorant[g + 1], i));
	}
	for (size_t i = narrower.high + 1, l = 0; i <= m.high; i++) {
		while (l + 1 < n_majorant && s->majorant[l] < i)
			l++;
		worst = fmax(worst, line_at(s->x, s->upto, s->majorant[l - 1], s->majorant[l], i) - s->below[i]);
	}
	return worst;
}

double dip_sorted(const double *sorted, size_t n, void *work)
{
	struct steps s = steps_of(sorted, n, work);
	struct mode m = {0, s.n - 1};
	double dip = 1;

	if (n == 0)
		return NAN;
	for (;;) {
		size_t n_minorant = envelope(s.x, s.below, m, 1, s.minorant);
		size_t n_majorant = envelope(s.x, s.upto, m, -1, s.majorant);
		struct mode narrower = m;

		if (largest_gap(&s, m, n_minorant, n_majorant, &narrower) <= dip)
			break;
		dip = fmax(dip, misfit(&s, m, narrower, n_minorant, n_majorant));
		if (narrower.low == m.low && narrower.high == m.high)
			break;
		m = narrower;
	}
	return dip / (2 * (double)n);
}

size_t dip_test_bytes(size_t n)
{
	return n * sizeof(double) + dip_bytes(n);
}

/* An ascending sample of the uniform distribution, on any scale: sums of exponential spacings. */
static void draw_uniform(struct stream *random, double *sorted, size_t n)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		sorted[i] = sum -= log(((double)(stream_bits(random) >> 11) + 0.5) * 0x1p-53);
}

struct test dip_test(const double *x, size_t n, size_t simulations, unsigned long seed, void *work)
{
	size_t size = n < SIMULATED_UP_TO ? n : SIMULATED_UP_TO, larger = 0;
	double *sorted = work, limit;
	struct test t;

	if (!series_is_testable(x, n, MIN_N, &t))
		return t;
	memcpy(sorted, x, n * sizeof *x);
	gsl_sort(sorted, 1, n);
	t.statistic = dip_sorted(sorted, n, sorted + n);
	limit = t.statistic * sqrt((double)n / (double)size) * (1 - 1e-12);
	for (size_t i = 0; i < simulations; i++) {
		struct stream random = stream_init(seed, i);

		draw_uniform(&random, sorted, size);
		larger += dip_sorted(sorted, size, sorted + size) >= limit;
	}
	t.p = ((double)larger + 1) / ((double)simulations + 1);
	return t;
}

static size_t row_bytes(const struct statistic_input *in)
{
	return dip_test_bytes(in->samples[0].n);
}

static void dip_compute(const struct statistic_input *in, union statistic_result *out)
{
	out->test = dip_test(in->samples[0].x, in->samples[0].n, ROW_SIMULATIONS, in->seed, in->work);
}

const struct statistic statistic_dip = {
    .name = "dip",
    .help = "whether there is more than one mode, by Hartigan's dip",
    .kind = STATISTIC_SERIES,
    .is_random = true,
    .min_n = MIN_N,
    .work_bytes = row_bytes,
    .compute = dip_compute,
};
