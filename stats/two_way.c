#include "two_way.h"

#include <math.h>

#include "fdist.h"
#include "moments.h"
#include "sides.h"
#include "sum.h"

/* What remains of a column of products after the additive model, relative to it, when it is rounding only. */
#define PRODUCT_LEAST 1e-20

size_t two_way_work(size_t levels_a, size_t levels_b)
{
	return additive_work(levels_a, levels_b);
}

static struct anova_term nothing(void)
{
	return (struct anova_term){NAN, NAN, NAN, NAN, NAN};
}

/* sum of count (x - y)^2 over the cells */
static double squares(const struct additive *m, const double *x, const double *y)
{
	struct compensated ss = {0, 0};

	for (size_t cell = 0; cell < m->data->levels_a * m->data->levels_b; cell++) {
		if (m->count[cell] > 0)
			compensated_add(&ss, m->count[cell] * (x[cell] - y[cell]) * (x[cell] - y[cell]));
	}
	return compensated_value(&ss);
}

/* Into each cell of out the mean of values over the cells of its level of a, of b, or of all. */
enum margin { MARGIN_A, MARGIN_B, MARGIN_ALL };

static void margin_means(const struct additive *m, const double *values, enum margin margin, double *out)
{
	size_t kb = m->data->levels_b, n_cells = m->data->levels_a * kb;
	size_t levels = margin == MARGIN_ALL ? 1 : margin == MARGIN_A ? m->data->levels_a : kb;

	for (size_t level = 0; level < levels; level++) {
		struct compensated sum = {0, 0};
		size_t first = margin == MARGIN_A ? level * kb : margin == MARGIN_B ? level : 0;
		size_t step = margin == MARGIN_B ? kb : 1, end = margin == MARGIN_A ? first + kb : n_cells;
		double count = 0;

		for (size_t cell = first; cell < end; cell += step) {
			if (m->count[cell] > 0)
				compensated_add(&sum, m->count[cell] * values[cell]);
			count += m->count[cell];
		}
		for (size_t cell = first; cell < end; cell += step)
			out[cell] = compensated_value(&sum) / count;
	}
}

static struct anova_term term(double ss, size_t df)
{
	return (struct anova_term){ss, (double)df, df > 0 ? ss / (double)df : NAN, NAN, NAN};
}

static void test_term(struct anova_term *t, const struct anova_term *error, unsigned flags)
{
	if (flags || t->df == 0)
		return;
	t->f = t->ms / error->ms;
	t->p = f_tail(t->f, t->df, error->df);
}

static void unscale(struct anova_term *t, int exponent)
{
	t->ss = ldexp(t->ss, 2 * exponent);
	t->ms = ldexp(t->ms, 2 * exponent);
}

static bool is_exact(const struct additive *m, double ms)
{
	return is_rounding(ldexp(sqrt(ms), m->exponent), m->resolution);
}

/* The additive fit of products of its own effects: what is left of them is the direction in which to look. */
static struct test nonadditivity(const struct additive *m, double ss_left, size_t df_left)
{
	struct test test = test_unanswered(m->data->n, df_left < 2 ? EST_TOO_FEW : 0);
	size_t kb = m->data->levels_b, n_cells = m->data->levels_a * kb;
	struct compensated cross = {0, 0}, left = {0, 0}, all = {0, 0};
	double ss, spread;

	if (test.flags)
		return test;
	margin_means(m, m->fit, MARGIN_ALL, m->rest);
	spread = squares(m, m->fit, m->rest);
	for (size_t cell = 0; cell < n_cells; cell++)
		m->product[cell] = (m->effect_a[cell / kb] - m->effect_a[0]) *
				   (m->fit[cell] - m->effect_a[cell / kb] + m->effect_a[0] - m->rest[cell]);
	additive_project(m, m->product, m->rest);
	for (size_t cell = 0; cell < n_cells; cell++) {
		double d = m->product[cell] - m->rest[cell];

		if (m->count[cell] == 0)
			continue;
		compensated_add(&cross, m->count[cell] * d * (m->mean[cell] - m->fit[cell]));
		compensated_add(&left, m->count[cell] * d * d);
		compensated_add(&all, m->count[cell] * m->product[cell] * m->product[cell]);
	}
	if (compensated_value(&left) <= PRODUCT_LEAST * compensated_value(&all) ||
	    is_exact(m, compensated_value(&left) / spread)) {
		test.flags = EST_CONSTANT;
		return test;
	}
	ss = compensated_value(&cross) / compensated_value(&left) * compensated_value(&cross);
	test.df = 1;
	test.df_error = (double)df_left - 1;
	ss_left = (ss_left - ss) / test.df_error;
	if (is_exact(m, fmax(ss_left, 0))) {
		test.flags = EST_CONSTANT;
		return test;
	}
	test.statistic = ss / ss_left;
	test.p = f_tail(test.statistic, test.df, test.df_error);
	return test;
}

struct two_way two_way(const struct crossed *data, bool with_interaction, double *work)
{
	struct additive m = additive_fit(data, work);
	struct two_way t = {.a = nothing(), .b = nothing(), .a_given_b = nothing(), .interaction = nothing()};
	double ss_left, *mean = m.product;

	t.error = nothing();
	t.nonadditivity = test_unanswered(data->n, m.flags);
	t.n = data->n;
	t.cells = m.cells;
	t.flags = m.flags;
	if (t.flags)
		return t;
	margin_means(&m, m.mean, MARGIN_A, m.rest);
	margin_means(&m, m.mean, MARGIN_ALL, mean);
	t.a = term(squares(&m, m.rest, mean), m.used_a - 1);
	t.b = term(squares(&m, m.fit, m.rest), m.rank - m.used_a);
	margin_means(&m, m.mean, MARGIN_B, m.rest);
	t.a_given_b = term(squares(&m, m.fit, m.rest), m.rank - m.used_b);
	ss_left = squares(&m, m.mean, m.fit);
	if (with_interaction && data->n > m.cells) {
		t.interaction = term(ss_left, m.cells - m.rank);
		t.error = term(m.ss_within, data->n - m.cells);
	} else {
		t.interaction.df = 0;
		t.error = term(ss_left + m.ss_within, data->n - m.rank);
	}
	if (t.error.df == 0 || m.used_a < 2 || m.used_b < 2)
		t.flags |= EST_TOO_FEW;
	else if (is_exact(&m, t.error.ms))
		t.flags |= EST_CONSTANT;
	test_term(&t.a, &t.error, t.flags);
	test_term(&t.b, &t.error, t.flags);
	test_term(&t.a_given_b, &t.error, t.flags);
	test_term(&t.interaction, &t.error, t.flags);
	t.nonadditivity = nonadditivity(&m, ss_left + m.ss_within, data->n - m.rank);
	unscale(&t.a, m.exponent);
	unscale(&t.b, m.exponent);
	unscale(&t.a_given_b, m.exponent);
	unscale(&t.interaction, m.exponent);
	unscale(&t.error, m.exponent);
	return t;
}

struct contrast block_contrast(const struct crossed *data, size_t base, size_t other, double *work)
{
	struct additive m = additive_fit(data, work);
	struct contrast c = {.estimate = NAN, .se = NAN, .df = NAN, .t = NAN, .p = NAN, .flags = m.flags};
	double df = (double)data->n - (double)m.rank, ms, variance;

	for (size_t i = 0; i < data->n; i++) {
		c.nx += data->a[i] == base;
		c.ny += data->a[i] == other;
	}
	if (c.flags)
		return c;
	variance = additive_variance(&m, base, other);
	c.estimate = ldexp(m.effect_a[other] - m.effect_a[base], m.exponent);
	if (isnan(variance))
		c.estimate = NAN;
	if (isnan(variance) || df == 0) {
		c.flags = EST_TOO_FEW;
		return c;
	}
	ms = (squares(&m, m.mean, m.fit) + m.ss_within) / df;
	c.df = df;
	c.se = is_exact(&m, ms) ? 0 : ldexp(sqrt(ms * variance), m.exponent);
	if (c.se == 0 && is_rounding(c.estimate, m.resolution))
		c.estimate = 0;
	contrast_test(&c);
	return c;
}
