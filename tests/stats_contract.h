#ifndef STATS_CONTRACT_H
#define STATS_CONTRACT_H

/* Data on which the contract tests try every row of the table of statistics: scarce, alike, broken, huge or tiny. */

#include "check.h"

#include <stdlib.h>
#include <string.h>

#include "../stats/statistic.h"

#define N_MAX 12
#define GUARD 0x5a

static int gsl_errors;

static inline void count_gsl_error(const char *reason, const char *file, int line, int code)
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
static inline union statistic_result compute_of(const struct statistic *statistic, const struct data *data,
						size_t n_samples, double values[N_MAX])
{
	struct data copy = *data;
	struct values samples[] = {{copy.x, copy.n}, {copy.y, copy.n}, {copy.x, copy.n}};
	struct statistic_input in = {.samples = samples, .n_samples = n_samples, .level = 0.95, .seed = 7};
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

static inline union statistic_result compute(const struct statistic *statistic, const struct data *data,
					     double values[N_MAX])
{
	return compute_of(statistic, data, statistic_samples(statistic), values);
}

/* Whether the result is a struct test. */
static inline int is_test(const struct statistic *statistic)
{
	return statistic->kind == STATISTIC_TEST || statistic->kind == STATISTIC_GROUPS ||
	       statistic->kind == STATISTIC_SERIES;
}

#endif
