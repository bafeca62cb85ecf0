#include "check.h"

#include "../src/analyse.h"
#include "../src/dataset.h"
#include "../src/operand.h"
#include "../src/sides.h"

/* Figures that people posted, and the answers of R 4.2: x and y are a column of the file for the baseline and the
 * other, t <- t.test(log(y), log(x)); exp(mean(log(y)) - mean(log(x))), exp(t$conf.int), t$p.value, p.adjust(). */

static char *thread_path(const char *name)
{
	const char *shared = g_getenv("VMSTAT_BENCH_SHARED");

	return g_build_filename(shared ? shared : "../shared", "threads", name, NULL);
}

/* Compares as "compare FILE [FILTER] --by FACTOR --baseline LEVEL --metric METRIC". */
static struct analysis *compare(const char *file, const char *filter, const char *factor, const char *baseline,
				const char *metric)
{
	g_autofree char *path = thread_path(file), *condition = g_strdup(filter), *name = g_strdup(metric);
	const struct analyse_options options = {.level = 0.95, .margin_pct = 5, .metrics = (char *[]){name, NULL}};
	g_autoptr(Operands) operands = operands_load((char *[]){path, condition, NULL}, "", NULL);
	g_autoptr(GPtrArray) sides = operands ? sides_by_factor(operands, factor, baseline, NULL) : NULL;
	g_autoptr(GPtrArray) others = g_ptr_array_new();

	assert_non_null(sides);
	for (guint i = 1; i < sides->len; i++)
		g_ptr_array_add(others, g_ptr_array_index(sides, i));
	return analyse_compare(operands->dataset, g_ptr_array_index(sides, 0), others, &options, NULL);
}

static const struct comparison *against(const struct analysis *analysis, const char *other)
{
	for (guint i = 0; i < analysis->comparisons->len; i++) {
		const struct comparison *c = g_ptr_array_index(analysis->comparisons, i);

		if (g_str_equal(c->other.name, other))
			return c;
	}
	fail_msg("no comparison with '%s'", other);
	return NULL;
}

/* Is 2.4.8-pre8 slower than 2.4.7-ac10 and 2.4.7? Both are slower than 2.4.7; of one boot each. */
static void test_dbench32(void **state)
{
	g_autoptr(Analysis) analysis = compare("dbench32-kernels.tsv", NULL, "kernel", "2.4.7", "throughput");
	const struct comparison *c = against(analysis, "2.4.7-ac10");

	assert_close(c->ratio.estimate, 0.772792552537881, 1e-12);
	assert_close(c->ratio.low, 0.752357062011436, 1e-10);
	assert_close(c->ratio.high, 0.793783110989044, 1e-10);
	assert_close(c->ratio.level, 0.95, 1e-12);
	assert_close(c->p, 1.18417557354012e-05, 1e-9);
	assert_close(c->p_adjusted, 1.18417557354012e-05, 1e-9);
	assert_int_equal(c->verdict, VERDICT_WORSE);
	assert_int_equal(c->material, MATERIAL_YES);
	assert_true(c->flags & FLAG_ONE_BOOT);
	c = against(analysis, "2.4.8-pre8");
	assert_close(c->ratio.estimate, 0.585012213210185, 1e-12);
	assert_close(c->ratio.low, 0.567483048477128, 1e-10);
	assert_close(c->ratio.high, 0.603082841898973, 1e-10);
	assert_close(c->ratio.level, 0.975, 1e-12);
	assert_close(c->p, 8.17286184094255e-07, 1e-9);
	assert_close(c->p_adjusted, 2 * 8.17286184094255e-07, 1e-9);
	assert_int_equal(c->verdict, VERDICT_WORSE);
	assert_int_equal(c->material, MATERIAL_YES);
}

/* Did the change matter, or was it a fluctuation? Two sittings a side: runs are the sample, and it cannot be
 * told. */
static void test_swapfull(void **state)
{
	g_autoptr(Analysis) small = compare("qsbench-swapfull.tsv", "swap_MB=200", "variant", "default", "elapsed");
	g_autoptr(Analysis) large = compare("qsbench-swapfull.tsv", "swap_MB=400", "variant", "default", "elapsed");
	const struct comparison *c = against(small, "vm_swap_full=1 everywhere");

	assert_int_equal(small->comparisons->len, 3);
	assert_close(c->ratio.estimate, 1.07214235, 1e-8);
	assert_close(c->p, 0.04858759, 1e-6);
	assert_close(c->p_adjusted, 0.1457628, 1e-6);
	assert_int_equal(c->verdict, VERDICT_UNDECIDED);
	/* power.t.test(delta = log(1.05), sd = sqrt((var(log(x)) + var(log(y))) / 2), power = .8,
	 * sig.level = .05 / 3, strict = TRUE)$n is 15.96 */
	assert_close(c->runs_needed, 16, 0);
	assert_true(c->flags & FLAG_CROSS_SITTING);
	c = against(large, "vm_swap_full=1 everywhere");
	assert_close(c->ratio.estimate, 0.9408844, 1e-7);
	assert_close(c->p, 0.1721371, 1e-6);
	assert_int_equal(c->verdict, VERDICT_UNDECIDED);
}

/* Runs that the kernel killed look fast; they are counted as failed and in no mean. */
static void test_oom_kills(void **state)
{
	static const char *const killed[] = {"2.4.14-pre7", "2.4.14-pre6"};
	g_autoptr(Analysis) analysis =
	    compare("qsbench-kernels.tsv", "swap_MB=200", "kernel", "2.4.14-pre5", "elapsed");

	for (guint i = 0; i < G_N_ELEMENTS(killed); i++) {
		const struct comparison *c = against(analysis, killed[i]);

		assert_int_equal(c->other.n, 0);
		assert_int_equal(c->other.failed, 3);
		assert_close(c->other.mean, NAN, 0);
		assert_int_equal(c->verdict, VERDICT_UNTESTABLE);
	}
	/* (133.62 + 135.48 + 134.66) / 3 */
	assert_close(against(analysis, "2.4.13")->baseline.mean, 134.58666666666667, 1e-14);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_dbench32),
	    cmocka_unit_test(test_swapfull),
	    cmocka_unit_test(test_oom_kills),
	};
	g_autofree char *path = thread_path("dbench32-kernels.tsv");

	if (!g_file_test(path, G_FILE_TEST_EXISTS)) {
		print_message("skipped: no '%s'\n", path);
		return EXIT_SKIPPED;
	}
	return cmocka_run_group_tests(tests, NULL, NULL);
}
