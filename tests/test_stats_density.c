#include "check.h"

#include "../stats/density.h"
#include "reference/table.h"

/* What pictures of one sample draw, against R. */

static void check_list(const struct table *table, guint row, const char *column, const double *got, size_t n)
{
	size_t n_want;
	g_autofree double *want = table_numbers(table, row, column, &n_want);

	assert_int_equal(n, n_want);
	for (size_t i = 0; i < n; i++) {
		g_autofree char *what = g_strdup_printf("row %u, %s %zu", row + 1, column, i);

		/* scores in the middle are 0 but for rounding */
		if (fabs(want[i]) > 1e-12 || fabs(want[i]) < 1e-290)
			check_close(got[i], want[i], 1e-12, what, __FILE__, __LINE__);
		else
			assert_true(fabs(got[i]) < 1e-12);
	}
}

/* bw.nrd0(), dnorm(), nclass.Sturges(), qqnorm() and qqline(). */
static void test_against_r(void **state)
{
	struct table *table = table_read("density.tsv");
	double worst = 0;

	for (guint i = 0; i < table->rows->len; i++) {
		size_t n, n_at;
		g_autofree double *x = table_numbers(table, i, "x", &n), *at = table_numbers(table, i, "at", &n_at);
		g_autofree double *scores = g_new(double, n), *density = g_new(double, n_at);
		double bandwidth = bandwidth_nrd0(x, n), intercept, slope;

		for (size_t j = 0; j < n; j++)
			scores[j] = normal_score(j, n);
		for (size_t j = 0; j < n_at; j++)
			density[j] = density_at(x, n, table_number(table, i, "bandwidth"), at[j]);
		normal_line(x, n, &intercept, &slope);
		table_check(table, i, "bandwidth", bandwidth, 1e-12, &worst);
		table_check(table, i, "bins", (double)histogram_bins(x, n), 0, &worst);
		table_check(table, i, "intercept", intercept, 1e-12, &worst);
		table_check(table, i, "slope", slope, 1e-12, &worst);
		check_list(table, i, "scores", scores, n);
		check_list(table, i, "density", density, n_at);
	}
	table_report(table, "density.tsv", worst);
	table_free(table);
}

/* Values alike have no width and one bin, one value has no bandwidth; a stray value makes no more than 200 bins; far
 * from all values there is no density. */
static void test_edges(void **state)
{
	const double alike[] = {5, 5, 5}, stray[] = {1, 2, 3, 4, 5, 6, 7, 1e9};
	double intercept, slope;

	assert_close(bandwidth_nrd0(alike, 3), 0, 0);
	assert_close(bandwidth_nrd0(alike, 1), NAN, 0);
	assert_int_equal(histogram_bins(alike, 3), 1);
	assert_int_equal(histogram_bins(alike, 1), 1);
	assert_int_equal(histogram_bins(stray, 8), 200);
	assert_close(density_at(stray, 8, 1, 1e6), 0, 0);
	normal_line(alike, 3, &intercept, &slope);
	assert_close(intercept, 5, 0);
	assert_close(slope, 0, 0);
	assert_close(normal_score(0, 1), 0, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_against_r),
	    cmocka_unit_test(test_edges),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
