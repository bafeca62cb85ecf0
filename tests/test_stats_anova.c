#include "check.h"

#include <string.h>

#include <gsl/gsl_errno.h>

#include "../stats/anova.h"
#include "../stats/fdist.h"
#include "../stats/kruskal_wallis.h"
#include "reference/table.h"

#define GROUPS_MAX 12

/* Cuts y[] into groups; returns how many. */
static size_t cut(const double *y, const double *sizes, size_t k, struct values *groups)
{
	assert_true(k <= GROUPS_MAX);
	for (size_t i = 0; i < k; i++) {
		groups[i] = (struct values){y, (size_t)sizes[i]};
		y += groups[i].n;
	}
	return k;
}

static struct test run(const char *test, const struct values *groups, size_t k)
{
	g_autofree void *work = g_malloc(kruskal_wallis_bytes(groups, k));

	if (g_str_equal(test, "anova"))
		return anova(groups, k, 0);
	if (g_str_equal(test, "welch-anova"))
		return welch_anova(groups, k, 0);
	assert_string_equal(test, "kruskal-wallis");
	return kruskal_wallis(groups, k, work);
}

/* F and H, degrees of freedom and p of the three tests are R's. */
static void test_is_r(void **state)
{
	struct table *table = table_read("anova.tsv");
	double worst = 0;

	for (guint i = 0; i < table->rows->len; i++) {
		size_t k, n;
		struct values groups[GROUPS_MAX];
		g_autofree double *sizes = table_numbers(table, i, "sizes", &k);
		g_autofree double *y = table_numbers(table, i, "y", &n);
		struct test t = run(table_text(table, i, "test"), groups, cut(y, sizes, k, groups));

		assert_int_equal(t.flags, 0);
		assert_int_equal(t.n, n);
		table_check(table, i, "statistic", t.statistic, 1e-9, &worst);
		table_check(table, i, "df", t.df, 0, &worst);
		table_check(table, i, "df_error", t.df_error, 1e-9, &worst);
		table_check(table, i, "p", t.p, 1e-9, &worst);
	}
	table_report(table, "anova.tsv", worst);
	table_free(table);
}

/* The tail of F is R's pf() from 1 to 1e6 degrees of freedom, where GSL's is 0 or has no digit right. */
static void test_f_tail_is_r(void **state)
{
	struct table *table = table_read("fdist.tsv");
	double worst = 0;

	for (guint i = 0; i < table->rows->len; i++)
		table_check(
		    table, i, "p",
		    f_tail(table_number(table, i, "f"), table_number(table, i, "df1"), table_number(table, i, "df2")),
		    1e-11, &worst);
	table_report(table, "fdist.tsv", worst);
	table_free(table);
}

/* Right digits, as NIST counts them: at most 15. */
static double digits(double got, double certified)
{
	return got == certified ? 15 : fmin(15, -log10(fabs((got - certified) / certified)));
}

/* Simon and Lesage's sets by their formula: nine treatments about .4, .3, .5, .3, .5 ..., each the centre and then .1
 * below and above in turn, behind 1, 7 or 13 leading digits. F is the number of replicates: by arithmetic the mean
 * squares are .01 times that, and .01. NIST certifies the same. Digits asked: what doubles of that size can hold. */
static void test_nist_constructed(void **state)
{
	const double origins[] = {1, 1e6, 1e12}, digits_wanted[] = {14, 9, 3};
	const size_t replicates[] = {21, 201, 2001};

	for (size_t set = 0; set < 9; set++) {
		size_t n = replicates[set % 3];
		g_autofree double *y = g_new(double, 9 * n);
		struct values groups[9];
		struct one_way a;

		for (size_t i = 0; i < 9 * n; i++) {
			int centre = i / n == 0 ? 4 : i / n % 2 == 1 ? 3 : 5;
			int tenths = i % n == 0 ? centre : i % n % 2 == 1 ? centre - 1 : centre + 1;

			/* In whole tenths, so that the division rounds once, as reading the number would. */
			y[i] = (origins[set / 3] * 10 + tenths) / 10;
			groups[i / n] = (struct values){y + i / n * n, n};
		}
		a = one_way(groups, 9, 0);
		print_message("SmLs%02zu: digits of F %.1f\n", set + 1, digits(a.between.f, (double)n));
		assert_int_equal(a.flags, 0);
		assert_true(digits(a.between.f, (double)n) >= digits_wanted[set / 3]);
		assert_true(digits(a.within.ms, 0.01) >= digits_wanted[set / 3]);
		assert_close(a.between.df, 8, 0);
		assert_close(a.within.df, 9 * (double)n - 9, 0);
	}
}

/* The data of a NIST file of one factor: treatment and response from line 61. NULL: no such file. */
static GArray *read_nist(const char *name, size_t *sizes, size_t *k)
{
	const char *shared = g_getenv("VMSTAT_BENCH_SHARED");
	g_autofree char *path = g_strdup_printf("%s/nist/%s.dat", shared ? shared : "../shared", name);
	g_autofree char *text = NULL;
	g_auto(GStrv) lines = NULL;
	GArray *y;

	if (!g_file_get_contents(path, &text, NULL, NULL))
		return NULL;
	lines = g_strsplit(text, "\n", -1);
	assert_true(g_strv_length(lines) > 60);
	y = g_array_new(FALSE, FALSE, sizeof(double));
	*k = 0;
	for (char **line = lines + 60; *line; line++) {
		char *end;
		guint64 treatment = g_ascii_strtoull(*line, &end, 10);
		double value;

		if (treatment == 0)
			continue;
		value = g_ascii_strtod(end, NULL);
		assert_true(treatment <= GROUPS_MAX && treatment >= *k);
		while (*k < treatment)
			sizes[(*k)++] = 0;
		sizes[treatment - 1]++;
		g_array_append_val(y, value);
	}
	return y;
}

/* F of NIST's files; the certified values are those in the files' heads. */
static void test_nist_files(void **state)
{
	const struct {
		const char *name;
		double f, digits;
	} sets[] = {
	    {"SiRstv", 1.18046237440255, 12},
	    {"SmLs01", 21, 14},
	    {"SmLs02", 201, 14},
	    {"SmLs03", 2001, 14},
	    {"SmLs04", 21, 9},
	    {"SmLs05", 201, 9},
	};

	for (size_t s = 0; s < sizeof sets / sizeof sets[0]; s++) {
		size_t sizes[GROUPS_MAX], k = 0, first = 0;
		g_autoptr(GArray) y = read_nist(sets[s].name, sizes, &k);
		struct values groups[GROUPS_MAX];
		struct test t;

		if (!y) {
			print_message("the shared folder with NIST's files is not there\n");
			skip();
		}
		for (size_t i = 0; i < k; first += sizes[i++])
			groups[i] = (struct values){&g_array_index(y, double, first), sizes[i]};
		t = anova(groups, k, 0);
		print_message("%s: digits of F %.1f\n", sets[s].name, digits(t.statistic, sets[s].f));
		assert_true(digits(t.statistic, sets[s].f) >= sets[s].digits);
	}
}

/* qsbench's elapsed seconds with 200 MB swap, runs that ended well, three under each of six kernels. */
static const double qsbench[] = {153.29, 152.29, 149.29, 133.62, 135.48, 134.66, 140.68, 138.78, 139.50,
				 140.74, 141.51, 141.01, 165.25, 165.16, 165.20, 184.15, 193.90, 183.54};

/* Logarithms by kernel: F 225.6 on 5 and 12, p 1.97e-11; Kruskal-Wallis 16.579, p .00537. Digits given, from R. */
static void test_kernels(void **state)
{
	double logs[18];
	struct values groups[6];
	struct one_way a;
	struct test h;
	g_autofree void *work = NULL;

	for (size_t i = 0; i < 18; i++) {
		logs[i] = log(qsbench[i]);
		groups[i / 3] = (struct values){logs + i / 3 * 3, 3};
	}
	a = one_way(groups, 6, 1);
	assert_close(a.between.f, 225.6, 3e-4);
	assert_close(a.between.p, 1.97e-11, 3e-3);
	assert_true(a.between.df == 5 && a.within.df == 12);
	work = g_malloc(kruskal_wallis_bytes(groups, 6));
	h = kruskal_wallis(groups, 6, work);
	assert_close(h.statistic, 16.579, 3e-5);
	assert_close(h.p, 0.00537, 1e-3);
}

/* Two groups: F is the square of the pooled t, and Welch's F that of Welch's t with its degrees of freedom. The pooled
 * contrast by hand: variances 2.5 and 1, 4 and 2 degrees of freedom; difference 3. */
static void test_two_groups(void **state)
{
	const double x[] = {1, 2, 3, 4, 5}, y[] = {5, 6, 7}, z[] = {6, 9, 12, 1};
	const struct values groups[] = {{x, 5}, {y, 3}, {z, 4}};
	struct contrast c = pooled_contrast(groups, 2, 0, 1, 0);
	struct test f = anova(groups, 2, 0), w = welch_anova(groups, 2, 0);

	assert_close(c.estimate, 3, 1e-15);
	assert_close(c.df, 6, 0);
	assert_close(c.se, sqrt(12.0 / 6 * (1.0 / 5 + 1.0 / 3)), 1e-15);
	assert_true(c.nx == 5 && c.ny == 3 && c.flags == 0);
	assert_close(f.statistic, c.t * c.t, 1e-14);
	assert_close(f.p, c.p, 1e-13);
	assert_close(w.statistic, 9 / (2.5 / 5 + 1.0 / 3), 1e-14);
	assert_close(w.df_error, pow(0.5 + 1.0 / 3, 2) / (0.25 / 4 + 1.0 / 9 / 2), 1e-14);
	/* A third group adds its own variance (22, 3 degrees of freedom) and nothing else. */
	c = pooled_contrast(groups, 3, 1, 0, 0);
	assert_close(c.estimate, -3, 1e-15);
	assert_close(c.df, 9, 0);
	assert_close(c.se, sqrt((12.0 + 66) / 9 * (1.0 / 5 + 1.0 / 3)), 1e-15);
}

/* What cannot be tested says why: no group, one group, an empty one, all of one value, a NaN, no variation. */
static void test_unanswerable(void **state)
{
	const double x[] = {1, 2, 4}, same[] = {3, 3, 3}, nan[] = {1, NAN};
	double work[32];
	const struct {
		struct values groups[2];
		size_t k;
		unsigned flags;
		double p;
	} sets[] = {
	    {{{x, 3}, {x, 3}}, 0, EST_TOO_FEW, NAN},      {{{x, 3}, {x, 3}}, 1, EST_TOO_FEW, NAN},
	    {{{x, 3}, {x, 0}}, 2, EST_TOO_FEW, NAN},      {{{x, 1}, {x, 1}}, 2, EST_TOO_FEW, NAN},
	    {{{x, 3}, {nan, 2}}, 2, EST_NOT_FINITE, NAN}, {{{same, 3}, {same, 3}}, 2, EST_CONSTANT, 1},
	    {{{same, 3}, {same, 1}}, 2, EST_CONSTANT, 1},
	};

	for (size_t s = 0; s < sizeof sets / sizeof sets[0]; s++) {
		struct test f = anova(sets[s].groups, sets[s].k, 0),
			    h = kruskal_wallis(sets[s].groups, sets[s].k, work);

		assert_int_equal(f.flags, sets[s].flags);
		assert_int_equal(h.flags, sets[s].flags);
		assert_close(f.p, sets[s].p, 0);
		assert_close(h.p, sets[s].p, 0);
	}
	/* One constant group has an infinite weight; a group of one value no variance. */
	assert_int_equal(welch_anova((struct values[]){{x, 3}, {same, 3}}, 2, 0).flags, EST_CONSTANT);
	assert_int_equal(welch_anova((struct values[]){{x, 3}, {same, 1}}, 2, 0).flags, EST_TOO_FEW);
	/* Two levels without spread are no test of means, but one of ranks: R: kruskal.test(list(c(3,3,3), c(1,1))) */
	assert_close(anova((struct values[]){{same, 3}, {(double[]){1, 1}, 2}}, 2, 0).p, NAN, 0);
	assert_close(kruskal_wallis((struct values[]){{same, 3}, {(double[]){1, 1}, 2}}, 2, work).p,
		     0.04550026389635842, 1e-12);
}

/* Outside the domain of the F tail the answer is NaN, at its ends the limit. Two degrees of freedom by hand:
 * (1 + 2 f / v)^(-v / 2). */
static void test_f_tail_domain(void **state)
{
	assert_close(f_tail(NAN, 2, 3), NAN, 0);
	assert_close(f_tail(1, 0, 3), NAN, 0);
	assert_close(f_tail(1, 2, -1), NAN, 0);
	assert_close(f_tail(1, 2, INFINITY), NAN, 0);
	assert_close(f_tail(-1, 2, 3), 1, 0);
	assert_close(f_tail(0, 2, 3), 1, 0);
	assert_close(f_tail(INFINITY, 2, 3), 0, 0);
	for (double v = 0.5; v < 1e7; v *= 7) {
		for (double f = 1e-3; f < 1e9; f *= 11) {
			double want = exp(-v / 2 * log1p(2 * f / v));

			if (want > 1e-300)
				assert_close(f_tail(f, 2, v), want, 1e-11);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_is_r),
	    cmocka_unit_test(test_f_tail_is_r),
	    cmocka_unit_test(test_nist_constructed),
	    cmocka_unit_test(test_nist_files),
	    cmocka_unit_test(test_kernels),
	    cmocka_unit_test(test_two_groups),
	    cmocka_unit_test(test_unanswerable),
	    cmocka_unit_test(test_f_tail_domain),
	};

	gsl_set_error_handler_off();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
