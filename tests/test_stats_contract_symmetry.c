#include "stats_contract.h"

#include <gsl/gsl_errno.h>

/* Walks the table of statistics: what must stay, and what must turn round, when the question is asked in another way.
 */

/* Bytes of a result without the padding behind its last field. */
static size_t result_bytes(enum statistic_kind kind)
{
	switch (kind) {
	case STATISTIC_SUMMARY:
		return offsetof(struct description, flags) + sizeof(unsigned);
	case STATISTIC_ESTIMATE:
	case STATISTIC_SHIFT:
		return offsetof(struct estimate, flags) + sizeof(unsigned);
	case STATISTIC_TEST:
	case STATISTIC_GROUPS:
	case STATISTIC_SERIES:
		return offsetof(struct test, flags) + sizeof(unsigned);
	case STATISTIC_CONTRAST:
	case STATISTIC_PAIRED:
		return offsetof(struct contrast, flags) + sizeof(unsigned);
	case STATISTIC_ADJUSTMENT:
	case STATISTIC_MARKS:
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

/* Two sides swapped: a difference changes its sign, a ratio becomes its reciprocal, the p value stays. */
static void check_mirrored(const struct statistic *statistic, const struct estimate *a, const struct estimate *b)
{
	int is_ratio = statistic->shift == SHIFT_RATIO;

	/* Which of two means may be zero depends on which one divides. */
	assert_int_equal(a->flags & ~(is_ratio ? EST_UNBOUNDED : 0u), b->flags & ~(is_ratio ? EST_UNBOUNDED : 0u));
	if (isnan(a->value) || isnan(b->value))
		return;
	assert_close(b->value, is_ratio ? 1 / a->value : -a->value, 1e-12);
	if (statistic->is_random)
		return;
	if (is_ratio && (a->low <= 0 || isinf(a->high) || b->low <= 0 || isinf(b->high)))
		return;
	assert_close(b->low, is_ratio ? 1 / a->high : -a->high, 1e-10);
	assert_close(b->high, is_ratio ? 1 / a->low : -a->low, 1e-10);
}

/* Which side is the baseline decides the sign of a difference and nothing else; so does the order of groups. */
static void test_sides_swapped(void **state)
{
	for (size_t s = 0; statistic_table[s]; s++) {
		for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
			const struct statistic *statistic = statistic_table[s];
			struct data swapped = cases[i];
			double values[N_MAX];
			union statistic_result a, b;

			if (statistic_samples(statistic) != 2)
				continue;
			memcpy(swapped.x, cases[i].y, sizeof swapped.x);
			memcpy(swapped.y, cases[i].x, sizeof swapped.y);
			a = compute(statistic, &cases[i], values);
			b = compute(statistic, &swapped, values);
			if (is_test(statistic)) {
				assert_close(b.test.p, a.test.p, 1e-10);
				assert_int_equal(a.test.flags, b.test.flags);
			} else if (statistic->kind == STATISTIC_SHIFT) {
				check_mirrored(statistic, &a.estimate, &b.estimate);
			} else {
				assert_close(b.contrast.estimate, -a.contrast.estimate, 1e-15);
				assert_close(b.contrast.p, a.contrast.p, 1e-13);
				assert_int_equal(a.contrast.flags, b.contrast.flags);
			}
		}
	}
}

/* A test of a series looks for what depends on the order, and not on which end comes first. */
static void test_series_reversed(void **state)
{
	for (size_t s = 0; statistic_table[s]; s++) {
		for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
			struct data reversed = cases[i];
			double values[N_MAX];
			union statistic_result a, b;

			if (statistic_table[s]->kind != STATISTIC_SERIES || statistic_table[s]->is_random)
				continue;
			for (size_t j = 0; j < reversed.n; j++)
				reversed.x[j] = cases[i].x[cases[i].n - 1 - j];
			a = compute(statistic_table[s], &cases[i], values);
			b = compute(statistic_table[s], &reversed, values);
			assert_close(b.test.p, a.test.p, 1e-10);
			assert_int_equal(a.test.flags, b.test.flags);
		}
	}
}

static double scaled(double value, enum statistic_shift shift, double scale)
{
	return shift == SHIFT_DIFFERENCE ? scale * value : value;
}

/* In another unit the values are the same: a quarter or four times as much of it changes no test and no mark, and of a
 * shift only what has the unit of the data. */
static void test_another_unit(void **state)
{
	const double scales[] = {0.25, 4};

	for (size_t s = 0; statistic_table[s]; s++) {
		const struct statistic *statistic = statistic_table[s];

		for (size_t i = 0; i < 2 * (sizeof cases / sizeof cases[0]); i++) {
			struct data data = cases[i / 2];
			double scale = scales[i % 2], first[N_MAX] = {0}, second[N_MAX] = {0};
			union statistic_result a, b;

			for (size_t j = 0; j < data.n; j++) {
				data.x[j] *= scale;
				data.y[j] *= scale;
			}
			a = compute(statistic, &cases[i / 2], first);
			b = compute(statistic, &data, second);
			if (is_test(statistic)) {
				assert_close(b.test.p, a.test.p, 1e-10);
				assert_int_equal(a.test.flags, b.test.flags);
			} else if (statistic->kind == STATISTIC_MARKS) {
				assert_memory_equal(first, second, sizeof first);
			} else if (statistic->kind == STATISTIC_SHIFT) {
				assert_close(b.estimate.value, scaled(a.estimate.value, statistic->shift, scale),
					     1e-12);
				assert_close(b.estimate.low, scaled(a.estimate.low, statistic->shift, scale), 1e-10);
				assert_close(b.estimate.high, scaled(a.estimate.high, statistic->shift, scale), 1e-10);
			}
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_repeatable),
	    cmocka_unit_test(test_sides_swapped),
	    cmocka_unit_test(test_series_reversed),
	    cmocka_unit_test(test_another_unit),
	};

	gsl_set_error_handler(count_gsl_error);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
