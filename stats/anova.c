#include "anova.h"

#include <math.h>

#include "fdist.h"
#include "moments.h"
#include "sides.h"
#include "sum.h"
#include "tdist.h"

/* Groups seen from a value of the data, divided by 2^exponent: no digits are lost to what all values have in common,
 * and no square over- or underflows. */
struct scale {
	double origin;
	double resolution; /* to which rounding is relative, not divided */
	int exponent;
};

static size_t total(const struct values *groups, size_t k)
{
	size_t n = 0;

	for (size_t i = 0; i < k; i++)
		n += groups[i].n;
	return n;
}

/* Flags of k groups of at least min_n values, one of them of at least two. */
static unsigned check(const struct values *groups, size_t k, size_t min_n, double unit, struct scale *scale)
{
	unsigned flags = k < 2 || total(groups, k) <= k ? EST_TOO_FEW : 0;
	double magnitude = 0;

	for (size_t i = 0; i < k; i++) {
		struct moments m = moments(groups[i].x, groups[i].n, unit);

		flags |= m.flags & EST_NOT_FINITE;
		if (groups[i].n < min_n)
			flags |= EST_TOO_FEW;
		magnitude = fmax(magnitude, m.magnitude);
	}
	if (flags)
		return flags;
	scale->origin = groups[0].x[0];
	scale->resolution = fmax(magnitude, unit);
	frexp(magnitude, &scale->exponent);
	return 0;
}

/* Mean of a group less the origin, scaled. */
static double mean_of(const struct values *group, const struct scale *scale)
{
	struct compensated sum = {0, 0};
	double origin = ldexp(scale->origin, -scale->exponent);

	for (size_t i = 0; i < group->n; i++)
		compensated_add(&sum, ldexp(group->x[i], -scale->exponent) - origin);
	return compensated_value(&sum) / (double)group->n;
}

/* Sum of squares within a group, scaled. */
static double within(const struct values *group, const struct scale *scale, double unit)
{
	double sd = group->n < 2 ? 0 : ldexp(moments(group->x, group->n, unit).sd, -scale->exponent);

	return sd * sd * ((double)group->n - 1);
}

static double pooled_within(const struct values *groups, size_t k, const struct scale *scale, double unit)
{
	struct compensated ss = {0, 0};

	for (size_t i = 0; i < k; i++)
		compensated_add(&ss, within(&groups[i], scale, unit));
	return compensated_value(&ss);
}

static double between(const struct values *groups, size_t k, const struct scale *scale)
{
	struct compensated sum = {0, 0}, ss = {0, 0};
	double centre;

	for (size_t i = 0; i < k; i++)
		compensated_add(&sum, (double)groups[i].n * mean_of(&groups[i], scale));
	centre = compensated_value(&sum) / (double)total(groups, k);
	for (size_t i = 0; i < k; i++) {
		double d = mean_of(&groups[i], scale) - centre;

		compensated_add(&ss, (double)groups[i].n * d * d);
	}
	return compensated_value(&ss);
}

struct one_way one_way(const struct values *groups, size_t k, double unit)
{
	struct one_way a = {.between = {NAN, NAN, NAN, NAN, NAN}, .within = {NAN, NAN, NAN, NAN, NAN}};
	struct scale scale;
	double spread;

	a.n = total(groups, k);
	a.flags = check(groups, k, 1, unit, &scale);
	if (a.flags)
		return a;
	a.between.df = (double)k - 1;
	a.within.df = (double)(a.n - k);
	a.between.ss = between(groups, k, &scale);
	a.within.ss = pooled_within(groups, k, &scale, unit);
	spread = ldexp(sqrt(a.between.ss), scale.exponent);
	if (a.within.ss > 0) {
		a.between.f = a.between.ss / a.between.df / (a.within.ss / a.within.df);
		a.between.p = f_tail(a.between.f, a.between.df, a.within.df);
	} else {
		a.flags |= EST_CONSTANT;
		if (is_rounding(spread, scale.resolution)) {
			a.between.ss = a.between.f = 0;
			a.between.p = 1;
		}
	}
	a.between.ss = ldexp(a.between.ss, 2 * scale.exponent);
	a.within.ss = ldexp(a.within.ss, 2 * scale.exponent);
	a.between.ms = a.between.ss / a.between.df;
	a.within.ms = a.within.ss / a.within.df;
	return a;
}

struct test anova(const struct values *groups, size_t k, double unit)
{
	struct one_way a = one_way(groups, k, unit);

	return (struct test){.statistic = a.between.f,
			     .df = a.between.df,
			     .df_error = a.within.df,
			     .p = a.between.p,
			     .n = a.n,
			     .flags = a.flags};
}

/* Precision of a group's mean, relative to that of the most precise: neither can overflow. */
static double weight(const struct values *group, const struct scale *scale, double least, double unit)
{
	return least / within(group, scale, unit) * (double)group->n * ((double)group->n - 1);
}

struct test welch_anova(const struct values *groups, size_t k, double unit)
{
	struct test test = anova(groups, k, unit);
	struct compensated weights = {0, 0}, sum = {0, 0}, ss = {0, 0}, lambda = {0, 0};
	struct scale scale;
	unsigned flags = check(groups, k, 2, unit, &scale);
	double least = INFINITY, w, centre;

	if (flags)
		return test_unanswered(test.n, flags);
	if (test.flags & EST_CONSTANT)
		return test;
	for (size_t i = 0; i < k; i++) {
		least = fmin(least, within(&groups[i], &scale, unit));
		flags |= moments(groups[i].x, groups[i].n, unit).flags;
	}
	if (!(least > 0))
		return test_unanswered(test.n, flags ? flags : EST_NOT_FINITE);
	for (size_t i = 0; i < k; i++) {
		compensated_add(&weights, weight(&groups[i], &scale, least, unit));
		compensated_add(&sum, weight(&groups[i], &scale, least, unit) * mean_of(&groups[i], &scale));
	}
	w = compensated_value(&weights);
	centre = compensated_value(&sum) / w;
	for (size_t i = 0; i < k; i++) {
		double share = weight(&groups[i], &scale, least, unit) / w, d = mean_of(&groups[i], &scale) - centre;

		compensated_add(&ss, share * d * d * w / least);
		compensated_add(&lambda, (1 - share) * (1 - share) / ((double)groups[i].n - 1));
	}
	test.df = (double)k - 1;
	test.df_error = (test.df * ((double)k + 1)) / (3 * compensated_value(&lambda));
	test.statistic = compensated_value(&ss) / test.df /
			 (1 + 2 * ((double)k - 2) * compensated_value(&lambda) / (test.df * ((double)k + 1)));
	test.p = f_tail(test.statistic, test.df, test.df_error);
	return test;
}

struct contrast pooled_contrast(const struct values *groups, size_t k, size_t base, size_t other, double unit)
{
	struct contrast c = {
	    .estimate = NAN, .se = NAN, .df = NAN, .t = NAN, .p = NAN, .nx = groups[base].n, .ny = groups[other].n};
	struct scale scale;
	double n = (double)total(groups, k), ss;

	c.flags = check(groups, k, 1, unit, &scale);
	if (c.flags)
		return c;
	c.df = n - (double)k;
	ss = pooled_within(groups, k, &scale, unit);
	c.se = ldexp(sqrt(ss / c.df * (1 / (double)c.nx + 1 / (double)c.ny)), scale.exponent);
	c.estimate = ldexp(mean_of(&groups[other], &scale) - mean_of(&groups[base], &scale), scale.exponent);
	if (c.se == 0 && is_rounding(c.estimate, scale.resolution))
		c.estimate = 0;
	contrast_test(&c);
	return c;
}

static void anova_compute(const struct statistic_input *in, union statistic_result *out)
{
	out->test = anova(in->samples, in->n_samples, 0);
}

static void welch_anova_compute(const struct statistic_input *in, union statistic_result *out)
{
	out->test = welch_anova(in->samples, in->n_samples, 0);
}

const struct statistic statistic_anova = {
    .name = "anova",
    .help = "whether the means of several samples differ, variances alike",
    .kind = STATISTIC_GROUPS,
    .min_n = 2,
    .compute = anova_compute,
};

const struct statistic statistic_welch_anova = {
    .name = "welch-anova",
    .help = "whether the means of several samples differ, whatever their variances",
    .kind = STATISTIC_GROUPS,
    .min_n = 2,
    .compute = welch_anova_compute,
};
