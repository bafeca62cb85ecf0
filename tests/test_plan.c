#include "check.h"

#include <gsl/gsl_errno.h>

#include "../src/plan.h"
#include "../workloads/workload.h"

static struct plan *make_plan(guint workloads, guint repeat, guint warmup, enum plan_order order, guint64 seed)
{
	static const char *const specs[] = {"dd1", "dd2", "dd3", "qsbench"};
	struct plan *plan = plan_new();

	for (guint i = 0; i < workloads; i++)
		g_ptr_array_add(plan->workloads, workload_config_parse(specs[i], NULL));
	plan_add_label(plan, "A");
	plan->repeat = repeat;
	plan->warmup = warmup;
	plan->order = order;
	plan->seed = seed;
	assert_true(plan_lay_out(plan, NULL));
	return plan;
}

static const struct planned_run *run_at(const struct plan *plan, guint i)
{
	return &g_array_index(plan->runs, struct planned_run, i);
}

/* Every block holds every workload exactly once, positions count from 1, warm-up runs come first in block 0. */
static void test_blocks_are_complete(void **state)
{
	for (int order = ORDER_RANDOM; order <= ORDER_ABBA; order++) {
		g_autoptr(Plan) plan = make_plan(4, 25, 2, (enum plan_order)order, 7);

		assert_int_equal(plan->runs->len, 4 * 27);
		for (guint i = 0; i < plan->runs->len; i += 4) {
			guint seen = 0;

			for (guint j = i; j < i + 4; j++) {
				assert_int_equal(run_at(plan, j)->position, j + 1);
				assert_int_equal(run_at(plan, j)->warmup, i < 8);
				assert_int_equal(run_at(plan, j)->block, i < 8 ? 0 : i / 4 - 1);
				seen |= 1u << run_at(plan, j)->workload;
			}
			assert_int_equal(seen, 15);
		}
	}
}

/* The same seed gives the same order, another seed another one. */
static void test_seed_makes_the_order(void **state)
{
	g_autoptr(Plan) a = make_plan(4, 20, 0, ORDER_RANDOM, 1);
	g_autoptr(Plan) b = make_plan(4, 20, 0, ORDER_RANDOM, 1);
	g_autoptr(Plan) c = make_plan(4, 20, 0, ORDER_RANDOM, 2);

	assert_memory_equal(a->runs->data, b->runs->data, a->runs->len * sizeof(struct planned_run));
	assert_memory_not_equal(a->runs->data, c->runs->data, a->runs->len * sizeof(struct planned_run));
}

/* Over many blocks each of the 6 orders of three workloads comes about equally often: chi-square with 5 degrees of freedom
 * below 20.52, its .999 quantile (R: qchisq(.999, 5)). */
static void test_orders_are_uniform(void **state)
{
	g_autoptr(Plan) plan = make_plan(3, 6000, 0, ORDER_RANDOM, 12345);
	guint count[27] = {0};
	double chi2 = 0;

	for (guint i = 0; i < plan->runs->len; i += 3)
		count[run_at(plan, i)->workload * 9 + run_at(plan, i + 1)->workload * 3 + run_at(plan, i + 2)->workload]++;
	for (guint i = 0; i < 27; i++)
		if (count[i])
			chi2 += (count[i] - 1000.) * (count[i] - 1000.) / 1000;
	assert_true(chi2 < 20.52);
}

/* blocked keeps the order given; abba reverses it in every second block. */
static void test_fixed_orders(void **state)
{
	g_autoptr(Plan) blocked = make_plan(2, 4, 0, ORDER_BLOCKED, 0);
	g_autoptr(Plan) abba = make_plan(2, 4, 0, ORDER_ABBA, 0);
	const guint want_blocked[] = {0, 1, 0, 1, 0, 1, 0, 1}, want_abba[] = {0, 1, 1, 0, 0, 1, 1, 0};

	for (guint i = 0; i < 8; i++) {
		assert_int_equal(run_at(blocked, i)->workload, want_blocked[i]);
		assert_int_equal(run_at(abba, i)->workload, want_abba[i]);
	}
}

/* A plan of more runs than the limit is refused with a usage error, also where the product overflows 32 bits. */
static void test_too_many_runs(void **state)
{
	g_autoptr(Plan) plan = make_plan(4, 1, 0, ORDER_RANDOM, 0);
	g_autoptr(GError) error = NULL;

	plan->repeat = PLAN_RUNS_MAX;
	plan->warmup = G_MAXUINT;
	assert_false(plan_lay_out(plan, &error));
	assert_non_null(error);
}

/* With boots each cell has a boot in every block: a warm-up run and then the runs that count, next to each other. By hand: 2
 * cells x 3 blocks x (1 + 2) runs. */
static void test_runs_of_a_boot_are_together(void **state)
{
	g_autoptr(Plan) plan = plan_new();

	for (guint i = 0; i < 2; i++)
		g_ptr_array_add(plan->workloads, workload_config_parse(i ? "dd2" : "dd1", NULL));
	plan_add_label(plan, "A");
	plan->repeat = 3;
	plan->warmup = 1;
	plan->runs_per_boot = 2;
	plan->seed = 5;
	assert_true(plan_lay_out(plan, NULL));
	assert_int_equal(plan->runs->len, 18);
	for (guint i = 0; i < 18; i++) {
		assert_int_equal(run_at(plan, i)->position, i + 1);
		assert_int_equal(run_at(plan, i)->block, i / 6 + 1);
		assert_int_equal(run_at(plan, i)->warmup, i % 3 == 0);
		assert_int_equal(run_at(plan, i)->cell, run_at(plan, i / 3 * 3)->cell);
		assert_int_equal(plan_continues_boot(plan, i), i % 3 != 0);
	}
	for (guint i = 0; i < 18; i += 6)
		assert_int_not_equal(run_at(plan, i)->cell, run_at(plan, i + 3)->cell);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_blocks_are_complete), cmocka_unit_test(test_seed_makes_the_order),
	    cmocka_unit_test(test_orders_are_uniform),  cmocka_unit_test(test_fixed_orders),
	    cmocka_unit_test(test_too_many_runs),       cmocka_unit_test(test_runs_of_a_boot_are_together),
	};

	gsl_set_error_handler_off();
	return cmocka_run_group_tests_name("plan", tests, NULL, NULL);
}
