#include "check.h"

#include <string.h>

#include <gsl/gsl_errno.h>

#include "../stats/autocorrelation.h"
#include "../stats/mann_kendall.h"
#include "../stats/wald_wolfowitz.h"
#include "reference/table.h"

static struct test run(const char *test, const double *x, size_t n, size_t lags, double *work)
{
	if (g_str_equal(test, "lag-1"))
		return lag_one(x, n);
	if (g_str_equal(test, "ljung-box"))
		return ljung_box(x, n, lags);
	if (g_str_equal(test, "mann-kendall"))
		return mann_kendall(x, n, work);
	assert_string_equal(test, "stretches");
	return wald_wolfowitz(x, n, work);
}

/* Statistics and p values are R's. */
static void test_is_r(void **state)
{
	struct table *table = table_read("series.tsv");
	double worst = 0;

	for (guint i = 0; i < table->rows->len; i++) {
		size_t n;
		g_autofree double *x = table_numbers(table, i, "x", &n);
		g_autofree double *work = g_new(double, 2 * n);
		size_t lags = (size_t)table_number(table, i, "lags");
		struct test t = run(table_text(table, i, "test"), x, n, lags, work);

		assert_int_equal(t.flags, 0);
		assert_int_equal(t.n, n);
		table_check(table, i, "statistic", t.statistic, 1e-10, &worst);
		table_check(table, i, "p", t.p, 1e-9, &worst);
	}
	table_report(table, "series.tsv", worst);
	table_free(table);
}

/* Both tails of the number of stretches, where all orders were listed or counted in whole numbers. */
static void test_stretches_are_counted(void **state)
{
	struct table *table = table_read("stretches.tsv");
	double worst = 0;

	for (guint i = 0; i < table->rows->len; i++) {
		double at_most, at_least;

		stretches_tails((size_t)table_number(table, i, "above"), (size_t)table_number(table, i, "below"),
				(size_t)table_number(table, i, "stretches"), &at_most, &at_least);
		table_check(table, i, "at_most", at_most, 1e-11, &worst);
		table_check(table, i, "at_least", at_least, 1e-11, &worst);
	}
	table_report(table, "stretches.tsv", worst);
	table_free(table);
}

/* Right digits, as NIST counts them: at most 15. */
static double digits(double got, double certified)
{
	return got == certified ? 15 : fmin(15, -log10(fabs((got - certified) / certified)));
}

/* The values after the "Data:" line of a NIST file, which a dashed line may follow. NULL: no such file. */
static GArray *read_nist(const char *name)
{
	const char *shared = g_getenv("VMSTAT_BENCH_SHARED");
	g_autofree char *path = g_strdup_printf("%s/nist/%s.dat", shared ? shared : "../shared", name);
	g_autofree char *text = NULL;
	GArray *values;
	char *data, *end;

	if (!g_file_get_contents(path, &text, NULL, NULL))
		return NULL;
	data = strstr(text, "\nData: Y");
	if (!data)
		data = strstr(text, "\nData:Y");
	assert_non_null(data);
	data = strchr(data + 1, '\n');
	if (g_str_has_prefix(data, "\n-"))
		data = strchr(data + 1, '\n');
	values = g_array_new(FALSE, FALSE, sizeof(double));
	for (double value = g_ascii_strtod(data, &end); end != data; value = g_ascii_strtod(data, &end)) {
		g_array_append_val(values, value);
		data = end;
	}
	return values;
}

/* r(1) of NIST's univariate sets to 13 digits; the certified values are those in the files' heads. The doubles nearest
 * to the decimals of NumAcc3 have 12.2: their r(1), in exact fractions (Python's), is -0.9989999999994185. */
static void test_nist(void **state)
{
	const struct {
		const char *name;
		double r, digits;
	} sets[] = {{"Lew", -0.307304800605679, 13},
		    {"Lottery", -0.120948622967393, 13},
		    {"NumAcc1", -0.5, 13},
		    {"NumAcc2", -0.999, 13},
		    {"NumAcc3", -0.999, 12}};

	for (size_t i = 0; i < sizeof sets / sizeof sets[0]; i++) {
		g_autoptr(GArray) values = read_nist(sets[i].name);
		const double *x;
		double r;

		if (!values) {
			print_message("the shared folder with NIST's files is not there\n");
			skip();
		}
		x = (const double *)(const void *)values->data;
		r = autocorrelation(x, values->len, 1);
		print_message("%s: digits of r(1) %.1f\n", sets[i].name, digits(r, sets[i].r));
		assert_true(digits(r, sets[i].r) >= sets[i].digits);
		if (g_str_equal(sets[i].name, "NumAcc3"))
			assert_close(r, -0.9989999999994185, 1e-15);
		assert_close(lag_one(x, values->len).statistic, r, 0);
	}
}

/* NIST's constructed sets by their formula: an alternating series of n values about its first has r(1) = -(n-2)/(n-1).
 */
static void test_nist_constructed(void **state)
{
	const double centres[] = {1.2, 1000000.2, 10000000.2};
	double x[1001];

	for (size_t s = 0; s < 3; s++) {
		x[0] = centres[s];
		for (size_t i = 1; i < 1001; i++)
			x[i] = centres[s] + (i % 2 ? -0.1 : 0.1);
		print_message("NumAcc%zu: digits of r(1) %.1f\n", s + 2, digits(autocorrelation(x, 1001, 1), -0.999));
		assert_true(digits(autocorrelation(x, 1001, 1), -0.999) >= 13);
	}
}

/* By hand: S of 1 3 2 is 1 with p 1; of 1 2 3 4 it is 6 and 2 of 24 orders are as extreme; with the median left out,
 * 1 9 5 2 8 is below above below above, 4 stretches of at most 4: 2 of 6 orders, so p = 2/3. */
static void test_by_hand(void **state)
{
	const double three[] = {1, 3, 2}, rising[] = {1, 2, 3, 4}, zigzag[] = {1, 9, 5, 2, 8},
		     one_sided[] = {5, 5, 5, 2};
	double work[10];

	assert_close(mann_kendall(three, 3, work).statistic, 1, 0);
	assert_close(mann_kendall(three, 3, work).p, 1, 0);
	assert_close(mann_kendall(rising, 4, work).statistic, 6, 0);
	assert_close(mann_kendall(rising, 4, work).p, 2. / 24, 1e-14);
	assert_close(wald_wolfowitz(zigzag, 5, work).statistic, 4, 0);
	assert_close(wald_wolfowitz(zigzag, 5, work).p, 2. / 3, 1e-14);
	assert_close(wald_wolfowitz(one_sided, 4, work).statistic, 1, 0);
	assert_close(wald_wolfowitz(one_sided, 4, work).p, 1, 0);
	assert_close(autocorrelation(rising, 4, 1), 0.25, 1e-15);
	assert_close(autocorrelation(rising, 4, 3), -0.45, 1e-15);
	assert_close(autocorrelation(rising, 4, 4), NAN, 0);
}

/* Where GSL gives NaN without a word there is NaN with a flag: a constant, rounding noise, too few, not finite. */
static void test_no_answer(void **state)
{
	const double constant[] = {3, 3, 3, 3}, rounding[] = {0.1 + 0.2, 0.3, 0.3, 0.3}, nan[] = {1, NAN, 2, 3};
	double work[8];

	assert_int_equal(lag_one(constant, 4).flags, EST_CONSTANT);
	assert_close(lag_one(constant, 4).statistic, NAN, 0);
	assert_close(lag_one(constant, 4).p, NAN, 0);
	assert_int_equal(lag_one(rounding, 4).flags, EST_CONSTANT);
	assert_int_equal(mann_kendall(rounding, 4, work).flags, EST_CONSTANT);
	assert_close(wald_wolfowitz(constant, 4, work).statistic, NAN, 0);
	assert_int_equal(ljung_box(nan, 4, 1).flags, EST_NOT_FINITE);
	assert_int_equal(ljung_box(constant, 4, 4).flags, EST_TOO_FEW);
	assert_int_equal(lag_one(constant, 2).flags, EST_TOO_FEW);
	assert_close(ljung_box(nan + 2, 2, 0).statistic, NAN, 0);
	assert_close(autocorrelation(constant, 4, 1), NAN, 0);
	assert_close(autocorrelation(nan, 4, 1), NAN, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_is_r),    cmocka_unit_test(test_stretches_are_counted),
	    cmocka_unit_test(test_nist),    cmocka_unit_test(test_nist_constructed),
	    cmocka_unit_test(test_by_hand), cmocka_unit_test(test_no_answer),
	};

	gsl_set_error_handler_off();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
