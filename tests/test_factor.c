#include "check.h"

#include <string.h>

#include "../src/err.h"
#include "../src/factor.h"
#include "../src/plan.h"
#include "../workloads/workload.h"

static struct plan *plan_of(const char *const *specs, const char *const *factors, const char *const *sets)
{
	struct plan *plan = plan_new();

	for (; *specs; specs++)
		g_ptr_array_add(plan->workloads, workload_config_parse(*specs, NULL));
	for (; factors && *factors; factors++) {
		g_ptr_array_add(plan->factors, factor_parse(*factors, FALSE, NULL));
		assert_non_null(plan->factors->pdata[plan->factors->len - 1]);
	}
	for (; sets && *sets; sets++) {
		g_ptr_array_add(plan->factors, factor_parse(*sets, TRUE, NULL));
		assert_non_null(plan->factors->pdata[plan->factors->len - 1]);
	}
	plan_add_label(plan, "A");
	plan->repeat = 3;
	plan->order = ORDER_RANDOM;
	return plan;
}

static const struct plan_cell *cell_at(const struct plan *plan, guint i)
{
	return &g_array_index(plan->cells, struct plan_cell, i);
}

/* "factor=level factor=level" of a treatment. */
static char *text_of(const struct plan *plan, guint treatment)
{
	const struct treatment *t = plan->treatments->pdata[treatment];
	GString *text = g_string_new(NULL);

	for (guint i = 0; i < t->factor->len; i++)
		g_string_append_printf(text, "%s%s=%s", i ? " " : "", (char *)t->factor->pdata[i], (char *)t->level->pdata[i]);
	return g_string_free(text, FALSE);
}

/* Two factors of two levels are four treatments, the last factor's levels changing fastest, each behind the label. */
static void test_cross_product(void **state)
{
	static const char *const specs[] = {"dd3", NULL};
	static const char *const factors[] = {"sysctl:vm.dirty_background_ratio=5,50", "sysctl:vm.dirty_ratio=60,90", NULL};
	static const char *const expected[] = {
	    "label=A sysctl:vm.dirty_background_ratio=5 sysctl:vm.dirty_ratio=60",
	    "label=A sysctl:vm.dirty_background_ratio=5 sysctl:vm.dirty_ratio=90",
	    "label=A sysctl:vm.dirty_background_ratio=50 sysctl:vm.dirty_ratio=60",
	    "label=A sysctl:vm.dirty_background_ratio=50 sysctl:vm.dirty_ratio=90",
	};
	g_autoptr(Plan) plan = plan_of(specs, factors, NULL);

	assert_true(plan_cross(plan, NULL));
	assert_int_equal(plan->treatments->len, 4);
	for (guint i = 0; i < 4; i++) {
		g_autofree char *text = text_of(plan, i);

		assert_string_equal(text, expected[i]);
	}
	assert_true(plan_lay_out(plan, NULL));
	assert_int_equal(plan->runs->len, 12);
}

/* Every block has each cell once, whatever the seed put first; the baseline's runs begin each block. */
static void test_blocks(void **state)
{
	static const char *const specs[] = {"dd1", "qsbench", NULL};
	static const char *const factors[] = {"label=A,B,C", NULL};
	g_autoptr(Plan) plan = plan_of(specs, factors, NULL);

	plan->baseline = 1;
	plan->seed = 5;
	assert_true(plan_cross(plan, NULL) && plan_lay_out(plan, NULL));
	assert_int_equal(plan->runs->len, 18);
	for (guint block = 0; block < 3; block++) {
		guint seen = 0;

		for (guint i = 0; i < 6; i++) {
			const struct planned_run *run = &g_array_index(plan->runs, struct planned_run, 6 * block + i);

			assert_int_equal(run->block, block + 1);
			assert_int_equal(run->workload, i < 3 ? 1 : 0);
			assert_int_equal(run->workload, cell_at(plan, run->cell)->workload);
			assert_int_equal(run->treatment, cell_at(plan, run->cell)->treatment);
			seen |= 1u << run->cell;
		}
		assert_int_equal(seen, 63);
	}
}

/* An option is varied for its own workload only: the other one runs once, and says nothing of it. */
static void test_option_of_one_workload(void **state)
{
	static const char *const specs[] = {"dd1", "qsbench", NULL};
	static const char *const factors[] = {"dd1.size=1M,2M", NULL};
	g_autoptr(Plan) plan = plan_of(specs, factors, NULL);
	guint sizes = 0;

	assert_true(plan_cross(plan, NULL));
	assert_int_equal(plan->cells->len, 3);
	for (guint i = 0; i < 3; i++) {
		const struct plan_cell *cell = cell_at(plan, i);
		const struct treatment *treatment = plan->treatments->pdata[cell->treatment];
		const char *level = treatment_level(treatment, "dd1.size");

		assert_string_equal(treatment_level(treatment, "label"), "A");
		if (cell->workload == 1) {
			assert_null(level);
			continue;
		}
		assert_non_null(level);
		assert_int_equal(workload_option_value(cell->config, "size")->number, level[0] == '1' ? 1 << 20 : 2 << 20);
		sizes++;
	}
	assert_int_equal(sizes, 2);
}

/* What is fixed makes no treatments; a fixed option is set for all of them. */
static void test_fixed(void **state)
{
	static const char *const specs[] = {"dd1", NULL};
	static const char *const sets[] = {"dd1.size=3M", "sysctl:vm.swappiness=10", NULL};
	g_autoptr(Plan) plan = plan_of(specs, NULL, sets);

	assert_true(plan_cross(plan, NULL));
	assert_int_equal(plan->cells->len, 1);
	assert_int_equal(workload_option_value(cell_at(plan, 0)->config, "size")->number, 3 << 20);
	g_autofree char *text = text_of(plan, 0);
	assert_string_equal(text, "label=A");
}

/* A fixed level may hold a comma; levels of a factor are parted at it. */
static void test_commas(void **state)
{
	struct factor *fixed = factor_parse("sysctl:kernel.core_pattern=|a,b", TRUE, NULL);
	struct factor *varied = factor_parse("label=a,b", FALSE, NULL);

	assert_int_equal(fixed->levels->len, 1);
	assert_string_equal(fixed->levels->pdata[0], "|a,b");
	assert_int_equal(varied->levels->len, 2);
	factor_free(fixed);
	factor_free(varied);
}

/* Each mistake is a usage error that names what is wrong. */
static void test_mistakes(void **state)
{
	static const struct {
		const char *text, *said;
	} rows[] = {
	    {"", "is not NAME=LEVEL"},
	    {"label", "is not NAME=LEVEL"},
	    {"=a", "is not NAME=LEVEL"},
	    {"label=", "empty level"},
	    {"label=a,,b", "empty level"},
	    {"label=a,b,a", "the level 'a' twice"},
	    {"nonsense=1", "no factor 'nonsense'"},
	    {"thp=sometimes", "sometimes"},
	    {"mem=lots", "lots"},
	    {"fs=ntfs", "ntfs"},
	    {"\xff=1", "is not NAME=LEVEL"},
	};

	for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
		g_autoptr(GError) error = NULL;

		assert_null(factor_parse(rows[i].text, FALSE, &error));
		assert_int_equal(err_exit_code(error), EXIT_USAGE);
		if (!strstr(error->message, rows[i].said))
			fail_msg("'%s': %s", rows[i].text, error->message);
	}
}

/* Options that no workload of the plan has, levels that it does not take, and one thing said twice. */
static void test_mistakes_of_plans(void **state)
{
	static const char *const specs[] = {"dd1:size=1M", "qsbench", NULL};
	static const struct {
		const char *factors[3];
		const char *said;
	} rows[] = {
	    {{"dd9.size=1M"}, "no workload 'dd9'"},
	    {{"qsbench.colour=red"}, "no option 'colour'"},
	    {{"qsbench.procs=none"}, "none"},
	    {{"dd1.size=2M,3M"}, "has settled that option"},
	    {{"label=a,b", "label=c"}, "given twice"},
	};

	for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
		g_autoptr(Plan) plan = plan_of(specs, rows[i].factors, NULL);
		g_autoptr(GError) error = NULL;

		assert_false(plan_cross(plan, &error));
		assert_int_equal(err_exit_code(error), EXIT_USAGE);
		if (!strstr(error->message, rows[i].said))
			fail_msg("'%s': %s", rows[i].factors[0], error->message);
	}
}

/* More combinations than a plan may have runs are refused, not made. */
static void test_too_many(void **state)
{
	static const char *const specs[] = {"dd1", NULL};
	g_autoptr(GString) levels = g_string_new("label=0");
	g_autoptr(Plan) plan = plan_of(specs, NULL, NULL);
	g_autoptr(GError) error = NULL;

	for (int i = 1; i < 1100; i++)
		g_string_append_printf(levels, ",%d", i);
	g_ptr_array_add(plan->factors, factor_parse(levels->str, FALSE, NULL));
	g_string_overwrite(levels, 0, "dd1.size=");
	g_string_truncate(levels, 9);
	for (int i = 1; i < 1100; i++)
		g_string_append_printf(levels, "%s%d", i > 1 ? "," : "", i);
	g_ptr_array_add(plan->factors, factor_parse(levels->str, FALSE, NULL));
	assert_false(plan_cross(plan, &error));
	assert_int_equal(err_exit_code(error), EXIT_USAGE);
	assert_non_null(strstr(error->message, "1000000"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_cross_product),   cmocka_unit_test(test_blocks),
	    cmocka_unit_test(test_option_of_one_workload), cmocka_unit_test(test_fixed),
	    cmocka_unit_test(test_commas),          cmocka_unit_test(test_mistakes),
	    cmocka_unit_test(test_mistakes_of_plans), cmocka_unit_test(test_too_many),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
