#include "calibration.h"

#include <math.h>

#include "moments.h"
#include "sum.h"
#include "tdist.h"

/* Differences beyond rounding only count: a calibration of alike values has none. */
struct squares {
	struct compensated sum;
	size_t pairs;
};

static double mean_of(const double *x, size_t n)
{
	return moments(x, n, 0).mean;
}

static void add_sitting(struct squares *s, const double *x, size_t n, size_t n1, size_t n2)
{
	size_t at = 0, size = n1, next = n2;
	double last = NAN, magnitude = moments(x, n, 0).magnitude;

	while (n - at >= size) {
		double mean = mean_of(x + at, size), difference = mean - last;
		size_t swap = size;

		if (at > 0) {
			if (!is_rounding(difference, magnitude))
				compensated_add(&s->sum, difference * difference);
			s->pairs++;
		}
		last = mean;
		at += size;
		size = next;
		next = swap;
	}
}

static struct squares adjacent_squares(const struct calibration *c, size_t n1, size_t n2)
{
	struct squares s = {{0, 0}, 0};

	for (size_t i = 0, at = 0; i < c->n_sittings && n1 > 0 && n2 > 0; at += c->sittings[i++])
		add_sitting(&s, c->values + at, c->sittings[i], n1, n2);
	return s;
}

static size_t calibration_n(const struct calibration *c)
{
	size_t n = 0;

	for (size_t i = 0; i < c->n_sittings; i++)
		n += c->sittings[i];
	return n;
}

/* Variance of the means of the sittings that have values; *count: how many. */
static double sitting_variance(const struct calibration *c, size_t *count)
{
	struct compensated sum = {0, 0}, squares = {0, 0};
	double mean;

	*count = 0;
	for (size_t i = 0, at = 0; i < c->n_sittings; at += c->sittings[i++]) {
		if (c->sittings[i] == 0)
			continue;
		compensated_add(&sum, mean_of(c->values + at, c->sittings[i]));
		++*count;
	}
	if (*count < 2)
		return NAN;
	mean = compensated_value(&sum) / (double)*count;
	for (size_t i = 0, at = 0; i < c->n_sittings; at += c->sittings[i++]) {
		double d = c->sittings[i] > 0 ? mean_of(c->values + at, c->sittings[i]) - mean : 0;

		compensated_add(&squares, d * d);
	}
	return compensated_value(&squares) / (double)(*count - 1);
}

struct spread calibration_spread(const struct calibration *c, size_t n1, size_t n2, bool across)
{
	struct spread s = {.variance = NAN, .df = NAN, .within = NAN, .between = NAN};
	struct moments all = moments(c->values, calibration_n(c), 0);
	struct squares adjacent;
	size_t sittings = 0;

	if (all.flags & EST_NOT_FINITE) {
		s.flags = EST_NOT_FINITE;
		return s;
	}
	adjacent = adjacent_squares(c, n1, n2);
	s.pairs = adjacent.pairs;
	if (s.pairs > 0)
		s.within = compensated_value(&adjacent.sum) / (double)s.pairs;
	s.between = across ? 2 * sitting_variance(c, &sittings) : 0;
	if (s.pairs == 0 || isnan(s.between)) {
		s.flags = EST_TOO_FEW;
		return s;
	}
	s.variance = s.within + s.between;
	s.df = (double)s.pairs;
	if (across)
		s.df = fmin(s.df, (double)(sittings - 1));
	if (all.flags & EST_CONSTANT) {
		s.variance = s.within = s.between = 0;
		s.flags = EST_CONSTANT;
	}
	return s;
}

double allan_deviation(const struct calibration *c, size_t n, size_t *pairs)
{
	struct spread s = calibration_spread(c, n, n, false);

	*pairs = s.pairs;
	return sqrt(s.variance / 2);
}

struct contrast calibrated(const struct contrast *c, const struct spread *spread, bool *is_calibrated)
{
	struct contrast wide = *c;
	double se = sqrt(spread->variance);
	bool is_wider = isfinite(c->estimate) && se > 0 && !(c->se >= se);

	if (is_wider) {
		wide.se = se;
		wide.df = spread->df;
		wide.t = wide.estimate / se;
		wide.p = fmin(1, 2 * student_t_tail(fabs(wide.t), wide.df));
		wide.flags &= ~(unsigned)EST_CONSTANT;
	}
	if (is_calibrated)
		*is_calibrated = is_wider;
	return wide;
}
