#include "stats_contract.h"

#include <gsl/gsl_errno.h>

/* Walks the table of statistics: what every one of them must do with data that is scarce, alike, broken, huge or tiny.
 */

static int is_unbounded(double low, double high)
{
	return low == -INFINITY && high == INFINITY;
}

/* The flags that a case must get, no more and no fewer; constancy is asked of none that cannot use the values anyhow.
 */
static unsigned flags_wanted(const struct statistic *statistic, const struct data *data)
{
	unsigned flags = 0;

	if (data->n < statistic->min_n)
		flags |= EST_TOO_FEW;
	if (data->traits & HOLDS_NONFINITE)
		flags |= EST_NOT_FINITE;
	if (data->traits & HOLDS_NONPOSITIVE && statistic->domain == STATISTIC_POSITIVE)
		flags |= EST_NOT_POSITIVE;
	return flags ? flags : data->traits & IS_CONSTANT ? EST_CONSTANT : 0;
}

static void check_flags(const struct statistic *statistic, const struct data *data, unsigned flags)
{
	unsigned want = flags_wanted(statistic, data);

	/* A ratio's interval may have no end: the data decide, not how many they are. */
	if (statistic->kind == STATISTIC_SHIFT && statistic->shift == SHIFT_RATIO)
		flags &= ~(unsigned)EST_UNBOUNDED;
	/* What holds -infinity or a NaN may also be called not positive. */
	if (want & EST_NOT_FINITE)
		flags &= ~(unsigned)EST_NOT_POSITIVE;
	if (flags != want)
		fail_msg("%s of '%s' has flags %u, not %u", statistic->name, data->name, flags, want);
}

static void check_summary(const struct statistic *statistic, const struct data *data, const struct description *d)
{
	unsigned want = flags_wanted(statistic, data);

	check_flags(statistic, data, d->flags);
	assert_int_equal(d->n, data->n);
	if (data->n == 0 || want & EST_NOT_FINITE) {
		assert_true(isnan(d->mean) && isnan(d->sd) && isnan(d->cv) && isnan(d->median) && isnan(d->mad));
		assert_true(isnan(d->min) && isnan(d->max));
		return;
	}
	assert_true(d->min <= d->mean && d->mean <= d->max && d->min <= d->median && d->median <= d->max);
	assert_true(d->mad >= 0 && isfinite(d->mad));
	assert_int_equal(isnan(d->sd), data->n < 2);
	assert_true(isnan(d->sd) || (isfinite(d->sd) && (d->sd == 0) == !!(want & EST_CONSTANT)));
	assert_int_equal(isnan(d->cv), data->n < 2 || d->mean == 0);
}

static void check_estimate(const struct statistic *statistic, const struct data *data, const struct estimate *e)
{
	unsigned want = flags_wanted(statistic, data);

	check_flags(statistic, data, e->flags);
	assert_int_equal(e->n, data->n);
	assert_true(e->level >= 0.95 && e->level < 1);
	if (want & ~(unsigned)EST_CONSTANT)
		assert_true(is_unbounded(e->low, e->high));
	if (data->n == 0 || want & (EST_NOT_FINITE | EST_NOT_POSITIVE))
		assert_true(isnan(e->value));
	if (want & ~(unsigned)EST_CONSTANT)
		return;
	assert_true(isfinite(e->value));
	/* Numbers spread over 600 decades have an interval that ends beyond the last double. */
	if (strcmp(data->name, "huge and tiny") != 0)
		assert_true(isfinite(e->low) && isfinite(e->high));
	assert_true(e->low <= e->value && e->value <= e->high);
	assert_int_equal(e->low == e->high, !!(want & EST_CONSTANT));
}

static void check_contrast(const struct statistic *statistic, const struct data *data, const struct contrast *c)
{
	unsigned want = flags_wanted(statistic, data);
	double low, high;

	check_flags(statistic, data, c->flags);
	assert_true(c->nx == data->n && c->ny == data->n);
	contrast_interval(c, 0.95, &low, &high);
	if (want & ~(unsigned)EST_CONSTANT) {
		assert_true(isnan(c->se) && isnan(c->df) && isnan(c->t) && isnan(c->p));
		assert_true(is_unbounded(low, high));
		assert_true(isnan(contrast_tost_p(c, -1, 1)));
		if (data->n == 0 || want & (EST_NOT_FINITE | EST_NOT_POSITIVE))
			assert_true(isnan(c->estimate));
		return;
	}
	assert_true(isfinite(c->estimate) && isfinite(c->se));
	assert_true(isfinite(low) && isfinite(high) && low <= c->estimate && c->estimate <= high);
	if (want & EST_CONSTANT) {
		assert_true(c->se == 0 && low == high);
		assert_close(c->p, c->estimate == 0 ? 1 : NAN, 0);
	} else {
		assert_true(c->se > 0 && c->df > 0 && isfinite(c->df) && isfinite(c->t));
		assert_true(c->p > 0 && c->p <= 1);
		if (c->p == 1)
			return;
		/* The interval at the level 1 - p ends at no difference. */
		contrast_interval(c, 1 - c->p, &low, &high);
		assert_true(fabs(c->estimate < 0 ? high : low) <= 1e-6 * c->se * (1 + fabs(c->t)));
	}
}

/* A shift is an estimate of two samples; tied values may leave its interval no width. */
static void check_shift(const struct statistic *statistic, const struct data *data, const struct estimate *e)
{
	unsigned want = flags_wanted(statistic, data);

	check_flags(statistic, data, e->flags);
	assert_int_equal(e->n, 2 * data->n);
	assert_true(e->level >= 0.95 && e->level < 1);
	if (data->n == 0 || want & (EST_NOT_FINITE | EST_NOT_POSITIVE))
		assert_true(isnan(e->value));
	if (want & ~(unsigned)EST_CONSTANT) {
		assert_true(is_unbounded(e->low, e->high));
		return;
	}
	assert_int_equal(is_unbounded(e->low, e->high), !!(e->flags & EST_UNBOUNDED) || isnan(e->value));
	if (isnan(e->value))
		assert_true(e->flags & (EST_CONSTANT | EST_UNBOUNDED));
	else
		assert_true(e->low <= e->value && e->value <= e->high);
}

/* p is a probability, or NaN with the flag that says why; statistic and p go together. */
static void check_test(const struct statistic *statistic, const struct data *data, size_t n_samples,
		       const struct test *t)
{
	unsigned want = flags_wanted(statistic, data);

	check_flags(statistic, data, t->flags);
	assert_int_equal(t->n, n_samples * data->n);
	if (want & ~(unsigned)EST_CONSTANT)
		assert_true(isnan(t->statistic) && isnan(t->p));
	else if (isnan(t->p))
		assert_int_equal(want, EST_CONSTANT);
	else
		assert_true(t->p >= 0 && t->p <= 1 && !isnan(t->statistic));
	assert_true(isnan(t->df) || t->df > 0);
	assert_true(isnan(t->df_error) || t->df_error > 0);
}

/* Marked or not; nothing stands out of values that are scarce or alike. */
static void check_marks(const struct statistic *statistic, const struct data *data, const double *values)
{
	for (size_t i = 0; i < data->n; i++) {
		assert_true(values[i] == 0 || values[i] == 1);
		if (data->n < statistic->min_n || data->traits & IS_CONSTANT)
			assert_true(values[i] == 0);
	}
}

static void check_adjustment(const struct data *data, const double *values)
{
	for (size_t i = 0; i < data->n; i++) {
		if (data->x[i] >= 0 && data->x[i] <= 1)
			assert_true(values[i] >= data->x[i] && values[i] <= 1);
		else
			assert_true(isnan(values[i]));
	}
}

/* Every statistic answers every case as its kind promises, leaves its inputs alone, keeps within its work area and
 * raises no GSL error. */
static void test_every_statistic_on_every_case(void **state)
{
	for (size_t s = 0; statistic_table[s]; s++) {
		for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
			double values[N_MAX];
			union statistic_result result = compute(statistic_table[s], &cases[i], values);

			switch (statistic_table[s]->kind) {
			case STATISTIC_SUMMARY:
				check_summary(statistic_table[s], &cases[i], &result.summary);
				break;
			case STATISTIC_ESTIMATE:
				check_estimate(statistic_table[s], &cases[i], &result.estimate);
				break;
			case STATISTIC_CONTRAST:
			case STATISTIC_PAIRED:
				check_contrast(statistic_table[s], &cases[i], &result.contrast);
				break;
			case STATISTIC_ADJUSTMENT:
				check_adjustment(&cases[i], values);
				break;
			case STATISTIC_SHIFT:
				check_shift(statistic_table[s], &cases[i], &result.estimate);
				break;
			case STATISTIC_GROUPS:
				check_test(statistic_table[s], &cases[i], 2, &result.test);
				result = compute_of(statistic_table[s], &cases[i], 3, values);
				check_test(statistic_table[s], &cases[i], 3, &result.test);
				break;
			case STATISTIC_TEST:
			case STATISTIC_SERIES:
				check_test(statistic_table[s], &cases[i], statistic_samples(statistic_table[s]),
					   &result.test);
				break;
			case STATISTIC_MARKS:
				check_marks(statistic_table[s], &cases[i], values);
				break;
			}
		}
	}
}

/* Names are unique, lower case words with dashes, found by name; help is one line and no sentence. */
static void test_names_and_help(void **state)
{
	assert_non_null(statistic_table[0]);
	for (size_t i = 0; statistic_table[i]; i++) {
		const struct statistic *statistic = statistic_table[i];
		size_t length = strlen(statistic->name);

		assert_true(length > 0);
		assert_int_equal(strspn(statistic->name, "abcdefghijklmnopqrstuvwxyz0123456789-"), length);
		assert_ptr_equal(statistic_find(statistic->name), statistic);
		assert_true(strlen(statistic->help) > 10);
		assert_null(strchr(statistic->help, '\n'));
		assert_int_not_equal(statistic->help[strlen(statistic->help) - 1], '.');
		assert_true(statistic->min_n >= 1);
		assert_non_null(statistic->compute);
	}
	assert_null(statistic_find("no-such-statistic"));
	assert_null(statistic_find(""));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_every_statistic_on_every_case),
	    cmocka_unit_test(test_names_and_help),
	};

	gsl_set_error_handler(count_gsl_error);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
