#include "check.h"

#include <stdlib.h>
#include <string.h>

#include <gsl/gsl_errno.h>

#include "../stats/statistic.h"

/* Walks the table of statistics: what every one of them must do with data that is scarce, alike, broken, huge or tiny.
 */

#define N_MAX 12
#define GUARD 0x5a

static int gsl_errors;

static void count_gsl_error(const char *reason, const char *file, int line, int code)
{
	gsl_errors++;
	print_error("GSL: %s:%d: %s (%d)\n", file, line, reason, code);
}

enum trait { HOLDS_NONFINITE = 1, HOLDS_NONPOSITIVE = 2, IS_CONSTANT = 4, IS_SCARCE = 8 };

struct data {
	const char *name;
	size_t n;
	double x[N_MAX], y[N_MAX]; /* y: the second side, where there are two */
	unsigned traits;
};

static const struct data cases[] = {
    {"none", 0, {0}, {0}, IS_SCARCE},
    {"one", 1, {3.5}, {4.5}, IS_SCARCE},
    {"one zero", 1, {0}, {0}, IS_SCARCE | HOLDS_NONPOSITIVE},
    {"one NaN", 1, {NAN}, {1}, IS_SCARCE | HOLDS_NONFINITE},
    {"two", 2, {0.25, 0.5}, {0.5, 0.625}, 0},
    {"plain", 6, {0.5, 0.25, 0.75, 0.125, 0.625, 0.375}, {0.5, 0.5, 0.25, 0.875, 0.125, 1}, 0},
    {"ties", 5, {0.5, 0.5, 0.5, 0.25, 0.25}, {0.75, 0.25, 0.25, 0.75, 0.75}, 0},
    {"two alike", 2, {0.5, 0.5}, {0.25, 0.25}, IS_CONSTANT},
    {"alike", 4, {0.5, 0.5, 0.5, 0.5}, {0.5, 0.5, 0.5, 0.5}, IS_CONSTANT},
    {"alike but for rounding", 3, {0.1 + 0.2, 0.3, 0.3}, {0.6, 0.6, 0.6}, IS_CONSTANT},
    {"zeros", 3, {0, 0, -0.0}, {0, 0, 0}, IS_CONSTANT | HOLDS_NONPOSITIVE},
    {"negative", 4, {-1, -2, -4, -3}, {-2, -1, -1.5, -7}, HOLDS_NONPOSITIVE},
    {"signs", 4, {-1, 1, -2, 2}, {3, -1, 1, -3}, HOLDS_NONPOSITIVE},
    {"a zero", 3, {0, 0.5, 0.25}, {0.5, 0, 0.125}, HOLDS_NONPOSITIVE},
    {"a NaN", 3, {0.5, NAN, 0.25}, {0.5, 0.75, 0.125}, HOLDS_NONFINITE},
    {"NaN first", 4, {NAN, 0.5, 0.25, 0.5}, {NAN, 0.5, 0.75, 0.125}, HOLDS_NONFINITE},
    {"all NaN", 3, {NAN, NAN, NAN}, {NAN, NAN, NAN}, HOLDS_NONFINITE},
    {"an infinity", 3, {0.5, INFINITY, 0.25}, {0.5, 0.75, 0.125}, HOLDS_NONFINITE},
    {"infinities", 4, {INFINITY, -INFINITY, 0.5, 0.25}, {INFINITY, 1, 0.5, 0.25}, HOLDS_NONFINITE},
    {"all infinite", 2, {INFINITY, INFINITY}, {INFINITY, INFINITY}, HOLDS_NONFINITE},
    {"huge", 4, {1e300, 1.5e300, 1.25e300, 2e300}, {2e300, 2.5e300, 1e300, 3e300}, 0},
    {"tiny", 4, {1e-300, 1.5e-300, 1.25e-300, 2e-300}, {2e-300, 2.5e-300, 1e-300, 3e-300}, 0},
    {"huge and tiny", 4, {1e-300, 1e300, 1e-300, 1e150}, {1e150, 1e-150, 1e300, 1}, 0},
    {"nano spread", 4, {1, 1 + 1e-9, 1 - 1e-9, 1}, {1, 1, 1 + 2e-9, 1 - 1e-9}, 0},
    {"giga", 4, {1e9, 1e9 + 0.5, 1e9 + 0.25, 1e9 + 1}, {1e9 + 2, 1e9, 1e9 - 1, 1e9 + 0.125}, 0},
};

/* Runs a statistic on a case; checks that inputs and the guards behind work and values stay, and that GSL is content.
 */
static union statistic_result compute(const struct statistic *statistic, const struct data *data, double values[N_MAX])
{
	struct data copy = *data;
	struct values samples[2] = {{copy.x, copy.n}, {copy.y, copy.n}};
	struct statistic_input in = {.samples = samples, .level = 0.95};
	size_t bytes = statistic_work_bytes(statistic, &in), values_bytes = data->n * sizeof(double);
	unsigned char *work = malloc(bytes + sizeof(double)), *out = malloc(values_bytes + sizeof(double));
	union statistic_result result;

	assert_non_null(work);
	assert_non_null(out);
	memset(&result, 0, sizeof result);
	memset(work, GUARD, bytes + sizeof(double));
	memset(out, GUARD, values_bytes + sizeof(double));
	in.work = work;
	in.values = (double *)(void *)out;
	gsl_errors = 0;
	statistic->compute(&in, &result);
	assert_int_equal(gsl_errors, 0);
	assert_memory_equal(copy.x, data->x, sizeof copy.x);
	assert_memory_equal(copy.y, data->y, sizeof copy.y);
	for (size_t i = 0; i < sizeof(double); i++) {
		assert_int_equal(work[bytes + i], GUARD);
		assert_int_equal(out[values_bytes + i], GUARD);
	}
	memcpy(values, out, values_bytes);
	free(work);
	free(out);
	return result;
}

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
	assert_close(e->level, 0.95, 0);
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
			}
		}
	}
}

/* Bytes of a result without the padding behind its last field. */
static size_t result_bytes(enum statistic_kind kind)
{
	switch (kind) {
	case STATISTIC_SUMMARY:
		return offsetof(struct description, flags) + sizeof(unsigned);
	case STATISTIC_ESTIMATE:
		return offsetof(struct estimate, flags) + sizeof(unsigned);
	case STATISTIC_CONTRAST:
	case STATISTIC_PAIRED:
		return offsetof(struct contrast, flags) + sizeof(unsigned);
	case STATISTIC_ADJUSTMENT:
		break;
	}
	return 0;
}

/* The same input twice gives the same bits. */
static void test_repeatable(void **state)
{
	for (size_t s = 0; statistic_table[s]; s++) {
		for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
			double first[N_MAX] = {0}, second[N_MAX] = {0};
			union statistic_result a = compute(statistic_table[s], &cases[i], first);
			union statistic_result b = compute(statistic_table[s], &cases[i], second);

			assert_int_equal(memcmp(&a, &b, result_bytes(statistic_table[s]->kind)), 0);
			assert_memory_equal(first, second, sizeof first);
		}
	}
}

/* Two sides swapped: the difference changes its sign, and the p value nothing. */
static void test_sides_swapped(void **state)
{
	for (size_t s = 0; statistic_table[s]; s++) {
		for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
			struct data swapped = cases[i];
			double values[N_MAX];
			union statistic_result a, b;

			if (statistic_samples(statistic_table[s]) != 2)
				continue;
			memcpy(swapped.x, cases[i].y, sizeof swapped.x);
			memcpy(swapped.y, cases[i].x, sizeof swapped.y);
			a = compute(statistic_table[s], &cases[i], values);
			b = compute(statistic_table[s], &swapped, values);
			assert_close(b.contrast.estimate, -a.contrast.estimate, 1e-15);
			assert_close(b.contrast.p, a.contrast.p, 1e-13);
			assert_int_equal(a.contrast.flags, b.contrast.flags);
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
	    cmocka_unit_test(test_repeatable),
	    cmocka_unit_test(test_sides_swapped),
	    cmocka_unit_test(test_names_and_help),
	};

	gsl_set_error_handler(count_gsl_error);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
