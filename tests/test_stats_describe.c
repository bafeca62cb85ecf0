#include "check.h"

#include <string.h>

#include <gsl/gsl_errno.h>
#include <gsl/gsl_sort.h>

#include "../stats/describe.h"
#include "reference/table.h"

/* Right digits, as NIST counts them: at most 15. */
static double digits(double got, double certified)
{
	return got == certified ? 15 : fmin(15, -log10(fabs((got - certified) / certified)));
}

static void check_digits(const char *name, const double *x, size_t n, double mean, double sd, double sd_digits)
{
	g_autofree double *work = g_new(double, n);
	struct description d = describe(x, n, work);
	struct estimate e = mean_interval(x, n, 0.95);

	print_message("%s: digits of the mean %.1f, of the sd %.1f\n", name, digits(d.mean, mean), digits(d.sd, sd));
	assert_int_equal(d.flags, 0);
	assert_true(digits(d.mean, mean) >= 13);
	assert_true(digits(d.sd, sd) >= sd_digits);
	assert_close(e.value, mean, 1e-13);
}

/* NIST's constructed sets, by their formula: mean and sd are exact by construction. Digits asked: what doubles can
 * hold. */
static void test_nist_constructed(void **state)
{
	const struct {
		const char *name;
		size_t n;
		double first, low, high, mean, sd, sd_digits;
	} sets[] = {
	    {"NumAcc1", 3, 10000002, 10000001, 10000003, 10000002, 1, 15},
	    {"NumAcc2", 1001, 1.2, 1.1, 1.3, 1.2, 0.1, 13},
	    {"NumAcc3", 1001, 1000000.2, 1000000.1, 1000000.3, 1000000.2, 0.1, 9},
	    {"NumAcc4", 1001, 10000000.2, 10000000.1, 10000000.3, 10000000.2, 0.1, 8},
	};

	for (size_t s = 0; s < sizeof sets / sizeof sets[0]; s++) {
		g_autofree double *x = g_new(double, sets[s].n);

		for (size_t i = 0; i < sets[s].n; i++)
			x[i] = i == 0 ? sets[s].first : i % 2 == 1 ? sets[s].low : sets[s].high;
		check_digits(sets[s].name, x, sets[s].n, sets[s].mean, sets[s].sd, sets[s].sd_digits);
	}
}

/* The values after the "Data:" line of a NIST file, which a dashed line may follow. NULL: no such file. */
static GArray *read_nist(const char *name)
{
	const char *shared = g_getenv("VMSTAT_BENCH_SHARED");
	g_autofree char *path = g_strdup_printf("%s/nist/%s.dat", shared ? shared : "../shared", name);
	g_autofree char *text = NULL;
	GArray *values = g_array_new(FALSE, FALSE, sizeof(double));
	char *data, *end;

	if (!g_file_get_contents(path, &text, NULL, NULL)) {
		g_array_unref(values);
		return NULL;
	}
	data = strstr(text, "\nData: Y");
	if (!data)
		data = strstr(text, "\nData:Y");
	assert_non_null(data);
	data = strchr(data + 1, '\n');
	if (g_str_has_prefix(data, "\n-"))
		data = strchr(data + 1, '\n');
	for (;;) {
		double value = g_ascii_strtod(data, &end);

		if (end == data)
			break;
		g_array_append_val(values, value);
		data = end;
	}
	return values;
}

/* NIST's univariate sets to 13 digits or what doubles can hold; the certified values are those in the files' heads. */
static void test_nist_files(void **state)
{
	const struct {
		const char *name;
		size_t n;
		double mean, sd, sd_digits;
	} sets[] = {
	    {"Lew", 200, -177.435000000000, 277.332168044316, 13},
	    {"Lottery", 218, 518.958715596330, 291.699727470969, 13},
	    {"NumAcc1", 3, 10000002, 1, 13},
	    {"NumAcc2", 1001, 1.2, 0.1, 13},
	    {"NumAcc3", 1001, 1000000.2, 0.1, 9},
	};

	for (size_t s = 0; s < sizeof sets / sizeof sets[0]; s++) {
		g_autoptr(GArray) x = read_nist(sets[s].name);

		if (!x) {
			print_message("the shared folder with NIST's files is not there\n");
			skip();
		}
		assert_int_equal(x->len, sets[s].n);
		check_digits(sets[s].name, (const double *)(const void *)x->data, x->len, sets[s].mean, sets[s].sd,
			     sets[s].sd_digits);
	}
}

/* Everything that describe(), the quantiles and the two intervals say is what R says. */
static void test_is_r(void **state)
{
	struct table *table = table_read("describe.tsv");
	const struct {
		const char *name;
		double p;
	} quantiles[] = {{"q10", 0.1},  {"q25", 0.25}, {"median", 0.5}, {"q75", 0.75},
			 {"q99", 0.99}, {"min", 0},    {"max", 1}};
	double worst = 0;

	for (guint i = 0; i < table->rows->len; i++) {
		size_t n;
		g_autofree double *x = table_numbers(table, i, "x", &n);
		g_autofree double *work = g_new(double, n);
		double level = table_number(table, i, "level");
		struct description d = describe(x, n, work);
		struct estimate mean = mean_interval(x, n, level), geometric = geometric_interval(x, n, level, work);

		assert_int_equal(d.n, n);
		assert_int_equal(d.flags | mean.flags, 0);
		assert_close(d.cv, d.sd / fabs(d.mean), 1e-15);
		table_check(table, i, "mean", d.mean, 1e-14, &worst);
		table_check(table, i, "sd", d.sd, 1e-13, &worst);
		table_check(table, i, "median", d.median, 1e-15, &worst);
		table_check(table, i, "mad", d.mad, 1e-15, &worst);
		table_check(table, i, "min", d.min, 0, &worst);
		table_check(table, i, "max", d.max, 0, &worst);
		table_check(table, i, "mean", mean.value, 1e-14, &worst);
		table_check(table, i, "low", mean.low, 1e-11, &worst);
		table_check(table, i, "high", mean.high, 1e-11, &worst);
		table_check(table, i, "geometric", geometric.value, 1e-12, &worst);
		table_check(table, i, "geometric_low", geometric.low, 1e-10, &worst);
		table_check(table, i, "geometric_high", geometric.high, 1e-10, &worst);
		gsl_sort(x, 1, n);
		for (size_t q = 0; q < sizeof quantiles / sizeof quantiles[0]; q++)
			table_check(table, i, quantiles[q].name, quantile_sorted(x, n, quantiles[q].p), 1e-14, &worst);
	}
	table_report(table, "describe.tsv", worst);
	table_free(table);
}

/* What differs by rounding only is constant; what is small but differs is not. By hand. */
static void test_constant_is_relative(void **state)
{
	const double rounding[] = {0.1 + 0.2, 0.3, 0.3}, nano[] = {1e-9, 1.001e-9}, zeros[] = {0, 0, -0.0};
	const double about_zero[] = {-1e-300, 1e-300}, numacc4[] = {10000000.2, 10000000.1}, one[] = {4};
	const double signs[] = {-5, 5}, with_nan[] = {1, NAN}, with_infinity[] = {INFINITY, INFINITY};
	const double edge[] = {1, 1 + 64 * 0x1p-52}, beyond[] = {1, 1 + 66 * 0x1p-52};

	assert_true(rounding[0] != rounding[1]);
	assert_true(is_constant(rounding, 3));
	assert_true(is_constant(zeros, 3));
	assert_true(is_constant(one, 1));
	assert_true(is_constant(edge, 2));
	assert_false(is_constant(beyond, 2));
	assert_false(is_constant(nano, 2));
	assert_false(is_constant(about_zero, 2));
	assert_false(is_constant(numacc4, 2));
	assert_false(is_constant(signs, 2));
	assert_false(is_constant(with_nan, 2));
	assert_false(is_constant(with_infinity, 2));
	assert_false(is_constant(NULL, 0));
}

/* Constant values have an sd of 0 and a zero-width interval, with a flag, whatever their rounding. */
static void test_constant(void **state)
{
	const double x[] = {0.1 + 0.2, 0.3, 0.3, 0.3}, zeros[] = {0, 0, 0};
	double work[4];
	struct description d = describe(x, 4, work);
	struct estimate mean = mean_interval(x, 4, 0.95), geometric = geometric_interval(x, 4, 0.95, work);

	assert_int_equal(d.flags, EST_CONSTANT);
	assert_int_equal(mean.flags, EST_CONSTANT);
	assert_int_equal(geometric.flags, EST_CONSTANT);
	assert_close(d.sd, 0, 0);
	assert_close(d.cv, 0, 0);
	assert_close(d.mad, 0, 0);
	assert_close(mean.low, 0.3, 1e-15);
	assert_close(mean.high, mean.low, 0);
	assert_close(geometric.low, 0.3, 1e-15);
	assert_close(geometric.high, geometric.low, 0);
	d = describe(zeros, 3, work);
	assert_close(d.mean, 0, 0);
	assert_close(d.cv, NAN, 0);
}

/* None and one value: NaN, never 0; one value has no spread but a median absolute deviation of 0. */
static void test_too_few(void **state)
{
	const double x[] = {42};
	double work[1];
	struct description none = describe(NULL, 0, NULL), one = describe(x, 1, work);
	struct estimate mean = mean_interval(x, 1, 0.95), geometric = geometric_interval(x, 1, 0.95, work);

	assert_int_equal(none.flags, EST_TOO_FEW);
	assert_close(none.mean, NAN, 0);
	assert_close(none.sd, NAN, 0);
	assert_close(none.cv, NAN, 0);
	assert_close(none.median, NAN, 0);
	assert_close(none.mad, NAN, 0);
	assert_close(none.min, NAN, 0);
	assert_close(none.max, NAN, 0);
	assert_int_equal(one.flags, EST_TOO_FEW);
	assert_close(one.mean, 42, 0);
	assert_close(one.sd, NAN, 0);
	assert_close(one.cv, NAN, 0);
	assert_close(one.median, 42, 0);
	assert_close(one.mad, 0, 0);
	assert_close(mean.value, 42, 0);
	assert_close(mean.low, -INFINITY, 0);
	assert_close(mean.high, INFINITY, 0);
	assert_close(geometric.value, 42, 1e-15);
	assert_close(geometric.high, INFINITY, 0);
	assert_int_equal(geometric.flags, EST_TOO_FEW);
	assert_close(mean_interval(NULL, 0, 0.95).value, NAN, 0);
	assert_close(quantile_sorted(NULL, 0, 0.5), NAN, 0);
}

/* A logarithm of 0 or less is refused with a flag; a quantile outside [0,1] and a level outside (0,1) get no answer. */
static void test_domain(void **state)
{
	const double zero[] = {1, 2, 0}, negative[] = {1, -2, 3}, x[] = {1, 2, 3};
	double work[3];
	struct estimate e = geometric_interval(zero, 3, 0.95, work);

	assert_int_equal(e.flags, EST_NOT_POSITIVE);
	assert_close(e.value, NAN, 0);
	assert_close(e.low, -INFINITY, 0);
	assert_int_equal(geometric_interval(negative, 3, 0.95, work).flags, EST_NOT_POSITIVE);
	assert_close(quantile_sorted(x, 3, -0.01), NAN, 0);
	assert_close(quantile_sorted(x, 3, 1.01), NAN, 0);
	assert_close(quantile_sorted(x, 3, NAN), NAN, 0);
	assert_close(mean_interval(x, 3, 1).high, INFINITY, 0);
	assert_close(mean_interval(x, 3, 0).high, INFINITY, 0);
	assert_close(mean_interval(x, 3, NAN).low, -INFINITY, 0);
}

/* Sums of the largest doubles do not overflow and squares of the smallest do not vanish. Scaled by powers of 2: exact.
 */
static void test_scale(void **state)
{
	const double unit[] = {1, 1.5, 1.25, 1.75, 1.875};
	double work[5];
	struct description want = describe(unit, 5, work);

	for (int exponent = -960; exponent <= 1023; exponent += 61) {
		double x[5];
		struct description d;

		for (int i = 0; i < 5; i++)
			x[i] = ldexp(unit[i], exponent);
		d = describe(x, 5, work);
		assert_close(d.mean, ldexp(want.mean, exponent), 0);
		assert_close(d.sd, ldexp(want.sd, exponent), 0);
		assert_close(d.cv, want.cv, 1e-15);
		assert_close(d.mad, ldexp(want.mad, exponent), 0);
	}
}

/* A spread of 71 units in the last place, whose mean no double can hold: sd is 71 / sqrt(2) of them. By arithmetic. */
static void test_spread_near_rounding(void **state)
{
	const double x[] = {1, 1 + 71 * 0x1p-52};
	double work[2];

	assert_close(describe(x, 2, work).sd, 71 * M_SQRT1_2 * 0x1p-52, 1e-14);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_nist_constructed),
	    cmocka_unit_test(test_nist_files),
	    cmocka_unit_test(test_is_r),
	    cmocka_unit_test(test_constant_is_relative),
	    cmocka_unit_test(test_constant),
	    cmocka_unit_test(test_too_few),
	    cmocka_unit_test(test_domain),
	    cmocka_unit_test(test_scale),
	    cmocka_unit_test(test_spread_near_rounding),
	};

	gsl_set_error_handler_off();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
