#include "check.h"

#include <glib.h>
#include <gsl/gsl_randist.h>

#include "../src/err.h"
#include "../src/plan.h"
#include "../src/outcome.h"
#include "../src/until.h"
#include "../workloads/workload.h"

/* One workload, whose primary metric is elapsed, and that many treatments of it. */
static struct plan *plan_of(guint treatments, guint repeat)
{
	static const char *const labels[] = {"a", "b", "c"};
	struct plan *plan = plan_new();

	g_ptr_array_add(plan->workloads, workload_config_parse("cmd:true", NULL));
	for (guint i = 0; i < treatments; i++)
		plan_add_label(plan, labels[i]);
	plan->order = ORDER_BLOCKED;
	plan->repeat = repeat;
	assert_true(plan_lay_out(plan, NULL));
	return plan;
}

static void add(struct until *until, guint index, double value, enum outcome outcome)
{
	until_add(until, index, outcome == OUTCOME_OK ? value : NAN);
}

static struct look last(const GArray *looks)
{
	return g_array_index(looks, struct look, looks->len - 1);
}

/* A percentage or the word; nothing else. */
static void test_parse(void **state)
{
	static const char *const wrong[] = {"", "0", "0%", "100%", "-1%", "nan", "DECIDED", "2 runs"};
	struct stopping_rule rule;

	assert_true(stopping_rule_parse("2.5%", &rule, NULL));
	assert_int_equal(rule.kind, UNTIL_WIDTH);
	assert_close(rule.width_pct, 2.5, 0);
	assert_true(stopping_rule_parse("decided", &rule, NULL));
	assert_int_equal(rule.kind, UNTIL_DECIDED);
	for (guint i = 0; i < G_N_ELEMENTS(wrong); i++) {
		g_autoptr(GError) error = NULL;

		assert_false(stopping_rule_parse(wrong[i], &rule, &error));
		assert_int_equal(err_exit_code(error), EXIT_USAGE);
	}
}

/* One treatment leaves nothing to decide: a usage error that says so. A width can be had of one. */
static void test_one_treatment(void **state)
{
	const struct stopping_rule decided = {UNTIL_DECIDED, 0, 0.95}, width = {UNTIL_WIDTH, 2, 0.95};
	g_autoptr(Plan) one = plan_of(1, 3), two = plan_of(2, 3);
	g_autoptr(GError) error = NULL;

	assert_false(stopping_rule_check(&decided, one, &error));
	assert_int_equal(err_exit_code(error), EXIT_USAGE);
	assert_non_null(strstr(error->message, "the plan has one treatment"));
	assert_true(stopping_rule_check(&decided, two, NULL));
	assert_true(stopping_rule_check(&width, one, NULL));
}

/* Half the interval over the mean, from the tenth value on. R: x <- c(100, 104, ...); 100 * qt(.975, n - 1) * sd(x) /
 * sqrt(n) / mean(x) is 1.758079282199993 for 9, 1.8470435889459 for 10, 1.656503408557906 for 11 values. Failed and
 * warm-up runs count for nothing. */
static void test_width(void **state)
{
	static const double x[] = {100, 104, 97, 101, 99, 103, 98, 102, 100, 96, 101};
	static const double want[] = {1.758079282199993, 1.8470435889459, 1.656503408557906};
	const struct stopping_rule rule = {UNTIL_WIDTH, 1.8, 0.95};
	g_autoptr(Plan) plan = plan_of(1, 13);
	struct until *until = until_new(&rule, plan);
	g_autoptr(GArray) looks = g_array_new(FALSE, FALSE, sizeof(struct look));
	guint at = 0;

	for (guint i = 0; i < 12; i++) {
		assert_false(until_is_done(until, 0));
		if (i == 4)
			add(until, i, 1e6, OUTCOME_FAILED);
		else
			add(until, i, x[at++], OUTCOME_OK);
		until_look(until, i + 1, looks);
		assert_int_equal(last(looks).n, at);
		assert_int_equal(last(looks).block, i + 1);
		assert_close(last(looks).threshold, 1.8, 0);
		if (at >= 9)
			assert_close(last(looks).statistic, want[at - 9], 1e-12);
		assert_int_equal(last(looks).is_decided, at == 11);
	}
	assert_true(until_is_done(until, 0));
	assert_int_equal(looks->len, 12);
	until_look(until, 13, looks);
	assert_int_equal(looks->len, 12);
	until_free(until);
}

/* log E of the block pairs, by the formula in Python (scipy 1.10: t = ttest_rel(log(y), log(x)), g = 1): decided at
 * E >= 20, which five pairs reach. A block without a pair is left out. */
static void test_decided(void **state)
{
	static const double x[] = {10.0, 10.4, 9.8, 10.1, 10.3}, y[] = {10.9, 11.5, 10.6, 11.3, 11.2};
	static const double want[] = {0.5376092374278555, 1.339378351606469, 2.269986463870366, 3.371145402936331};
	const struct stopping_rule rule = {UNTIL_DECIDED, 0, 0.95};
	g_autoptr(Plan) plan = plan_of(2, 10);
	struct until *until = until_new(&rule, plan);
	g_autoptr(GArray) looks = g_array_new(FALSE, FALSE, sizeof(struct look));
	guint n = 0;

	for (guint block = 0; block < 6; block++) {
		gboolean is_broken = block == 1;

		assert_false(until_is_done(until, 0));
		add(until, 2 * block, is_broken ? 77 : x[n], OUTCOME_OK);
		add(until, 2 * block + 1, y[n], is_broken ? OUTCOME_TIMED_OUT : OUTCOME_OK);
		n += !is_broken;
		until_look(until, block + 1, looks);
		assert_int_equal(last(looks).treatment, 1);
		assert_int_equal(last(looks).n, n);
		assert_close(last(looks).threshold, log(20), 1e-12);
		if (n >= 2)
			assert_close(last(looks).statistic, want[n - 2], 1e-10);
		else
			assert_true(isnan(last(looks).statistic));
		assert_int_equal(last(looks).is_decided, n == 5);
	}
	assert_true(until_is_done(until, 0));
	assert_int_equal(looks->len, 6);
	until_free(until);
}

/* Of three treatments two are told from the first: alpha is shared, E >= 40; the workload ends with the later one. */
static void test_three_treatments(void **state)
{
	const struct stopping_rule rule = {UNTIL_DECIDED, 0, 0.95};
	g_autoptr(Plan) plan = plan_of(3, 60);
	struct until *until = until_new(&rule, plan);
	g_autoptr(GArray) looks = g_array_new(FALSE, FALSE, sizeof(struct look));
	guint first = 0, block = 0;

	while (!until_is_done(until, 0) && block < 60) {
		/* alternating by 1 per cent and by 10: the second treatment is much clearer than the third */
		double sign = block % 2 ? 1 : -1;

		add(until, 3 * block, 100, OUTCOME_OK);
		add(until, 3 * block + 1, 130 + sign, OUTCOME_OK);
		add(until, 3 * block + 2, 110 + 10 * sign, OUTCOME_OK);
		until_look(until, ++block, looks);
		if (!first && g_array_index(looks, struct look, looks->len > 1 ? looks->len - 2 : 0).is_decided)
			first = block;
		assert_close(last(looks).threshold, log(40), 1e-12);
	}
	assert_true(first > 2 && block > first && block < 60);
	assert_int_equal(last(looks).treatment, 2);
	assert_true(last(looks).is_decided);
	until_free(until);
}

/* A look after each of 60 blocks tells treatments that differ in nothing apart at most 5 times in 100 (the formula's
 * own study: 2.2): 1000 plans, where 50 would be a share of 5%. */
static void test_false_alarms(void **state)
{
	const struct stopping_rule rule = {UNTIL_DECIDED, 0, 0.95};
	g_autoptr(Plan) plan = plan_of(2, 60);
	g_autoptr(GArray) looks = g_array_new(FALSE, FALSE, sizeof(struct look));
	gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
	guint decided = 0;

	gsl_rng_set(random, 20261130);
	for (guint repeat = 0; repeat < 1000; repeat++) {
		struct until *until = until_new(&rule, plan);

		for (guint block = 0; block < 60 && !until_is_done(until, 0); block++) {
			for (guint treatment = 0; treatment < 2; treatment++)
				add(until, 2 * block + treatment, exp(gsl_ran_gaussian(random, 0.1)), OUTCOME_OK);
			g_array_set_size(looks, 0);
			until_look(until, block + 1, looks);
		}
		decided += until_is_done(until, 0);
		until_free(until);
	}
	gsl_rng_free(random);
	print_message("%u of 1000 decided\n", decided);
	assert_true(decided <= 50);
	assert_true(decided > 5);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_parse),
	    cmocka_unit_test(test_one_treatment),
	    cmocka_unit_test(test_width),
	    cmocka_unit_test(test_decided),
	    cmocka_unit_test(test_three_treatments),
	    cmocka_unit_test(test_false_alarms),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
