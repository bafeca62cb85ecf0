#include "check.h"

#include "sample_data.h"

/* What counts as a replicate, which replicates belong together, and the caveats that follow from how runs were made.
 * Expected numbers are R's; the call stands beside each. */

/* Three boots of three runs a side: means of logarithms are the sample. */
static const double a9[] = {10, 11, 12, 13, 12, 14, 9, 10, 11}, b9[] = {15, 14, 16, 13, 15, 14, 17, 16, 18};

static void add_groups(struct dataset *dataset, struct column **column, const char *name, gboolean is_shared)
{
	add_runs(dataset, "A", a9, 9);
	add_runs(dataset, "B", b9, 9);
	for (guint row = 0; row < 18; row++)
		set_number(column, name, row, is_shared ? row % 9 / 3 : row / 3);
}

static void check_independent(const struct comparison *c)
{
	/* x and y: sapply(..., function(v) mean(log(v))) over the groups; t.test(y, x) */
	assert_close(c->ratio.estimate, 1.3582722923417021, 1e-12);
	assert_close(c->ratio.low, 1.0313043855354764, 1e-9);
	assert_close(c->ratio.high, 1.7889031075779502, 1e-9);
	assert_close(c->p, 0.037149392805604156, 1e-9);
	assert_string_equal(c->design, "independent");
	assert_int_equal(c->baseline.n, 9);
	assert_int_equal(c->baseline.n_units, 3);
}

/* Three boots a side: their means are the sample, and no caveat about boots remains. */
static void test_boots(void **state)
{
	g_autoptr(Dataset) dataset = dataset_new();
	g_autoptr(Analysis) analysis = NULL;

	add_groups(dataset, &dataset->boot, "boot", FALSE);
	analysis = COMPARE(dataset, "A", "B");
	check_independent(nth(analysis, 0));
	assert_string_equal(nth(analysis, 0)->unit_of_replication, "boot");
	assert_int_equal(nth(analysis, 0)->flags, FLAG_ORDER_CONFOUNDED);
}

/* Boots unknown and three sittings a side: the sittings' means are the sample. */
static void test_sittings(void **state)
{
	g_autoptr(Dataset) dataset = dataset_new();
	g_autoptr(Analysis) analysis = NULL;

	add_groups(dataset, &dataset->sitting, "sitting", FALSE);
	analysis = COMPARE(dataset, "A", "B");
	check_independent(nth(analysis, 0));
	assert_string_equal(nth(analysis, 0)->unit_of_replication, "sitting");
	assert_false(nth(analysis, 0)->flags & FLAG_CROSS_SITTING);
}

/* Boots in which both sides ran are pairs. */
static void test_shared_boots(void **state)
{
	g_autoptr(Dataset) dataset = dataset_new();
	g_autoptr(Analysis) analysis = NULL;

	add_groups(dataset, &dataset->boot, "boot", TRUE);
	analysis = COMPARE(dataset, "A", "B");
	/* t.test(y, x, paired = TRUE) */
	assert_close(nth(analysis, 0)->ratio.low, 0.76850087045804905, 1e-9);
	assert_close(nth(analysis, 0)->ratio.high, 2.4006526095976501, 1e-9);
	assert_close(nth(analysis, 0)->p, 0.14679754754909902, 1e-9);
	assert_string_equal(nth(analysis, 0)->ratio.method, "paired-log");
}

/* One boot a side, two boots a side, boots unknown. */
static void test_boot_flags(void **state)
{
	static const flag_set expected[] = {FLAG_ONE_BOOT, FLAG_FEW_BOOTS, 0};

	for (guint i = 0; i < 3; i++) {
		g_autoptr(Dataset) dataset = dataset_new();
		g_autoptr(Analysis) analysis = NULL;

		add_runs(dataset, "A", a9, 9);
		add_runs(dataset, "B", b9, 9);
		for (guint row = 0; row < 18 && i < 2; row++)
			set_number(&dataset->boot, "boot", row, row / 9 * 2 + (i ? row % 2 : 0));
		analysis = COMPARE(dataset, "A", "B");
		assert_int_equal(nth(analysis, 0)->flags & (FLAG_ONE_BOOT | FLAG_FEW_BOOTS), expected[i]);
		assert_string_equal(nth(analysis, 0)->unit_of_replication, "run");
		assert_int_equal(nth(analysis, 0)->baseline.n_units, 9);
	}
}

/* Sides of different sittings are flagged, sides of the same ones are not. */
static void test_cross_sitting(void **state)
{
	for (guint i = 0; i < 2; i++) {
		g_autoptr(Dataset) dataset = dataset_new();
		g_autoptr(Analysis) analysis = NULL;

		add_runs(dataset, "A", a9, 9);
		add_runs(dataset, "B", b9, 9);
		for (guint row = 0; row < 18; row++)
			set_number(&dataset->sitting, "sitting", row, i ? row / 9 : row % 2);
		analysis = COMPARE(dataset, "A", "B");
		assert_int_equal(nth(analysis, 0)->flags & FLAG_CROSS_SITTING, i ? FLAG_CROSS_SITTING : 0);
	}
}

/* A block without a complete run of one side is left out, and said. */
static void test_broken_blocks(void **state)
{
	const double x[] = {100, 104, 98, 103, 107, 101, 99, 105, 500},
		     y[] = {103, 108, 100, 108, 109, 106, 101, 110, 1};
	g_autoptr(Dataset) dataset = dataset_new();
	g_autoptr(Analysis) analysis = NULL;
	const struct comparison *c;

	add_blocks(dataset, x, y, 9);
	for (guint row = 16; row < 18; row++)
		if (values_get(dataset_find_metric(dataset, "rate"), row) == 1)
			set_level(&dataset->outcome, "outcome", row, "failed");
	analysis = COMPARE(dataset, "A", "B");
	c = nth(analysis, 0);
	/* t.test(log(y[1:8]), log(x[1:8]), paired = TRUE) */
	assert_close(c->ratio.estimate, 1.0341013596027107, 1e-12);
	assert_close(c->p, 0.00017054449541261521, 1e-8);
	assert_int_equal(c->baseline.n, 9);
	assert_int_equal(c->baseline.n_units, 8);
	/* the 500 of the broken block is the outlier that it looks like */
	assert_int_equal(c->flags, FLAG_BROKEN_BLOCKS | FLAG_FAILURES | FLAG_OUTLIERS);
}

/* Several runs of a side in a block count as their mean, once. */
static void test_repeats_in_blocks(void **state)
{
	const double x[] = {100, 104, 98, 103, 107, 101, 99, 105}, y[] = {103, 108, 100, 108, 109, 106, 101, 110};
	g_autoptr(Dataset) dataset = dataset_new();
	g_autoptr(Analysis) analysis = NULL;

	add_blocks(dataset, x, y, 8);
	for (guint i = 0; i < 8; i++)
		set_number(&dataset->block, "block", add_run(dataset, "A", x[i]), i + 1);
	analysis = COMPARE(dataset, "A", "B");
	/* as test_broken_blocks: the mean of two equal logarithms is either */
	assert_close(nth(analysis, 0)->p, 0.00017054449541261521, 1e-8);
	assert_string_equal(nth(analysis, 0)->unit_of_replication, "block");
	assert_int_equal(nth(analysis, 0)->baseline.n, 16);
	assert_int_equal(nth(analysis, 0)->baseline.n_units, 8);
}

/* All of one side before all of the other is flagged with who was first; a mixed order is not. */
static void test_order(void **state)
{
	g_autoptr(Dataset) mixed = dataset_new(), sorted = dataset_new();
	g_autoptr(Analysis) of_mixed = NULL, forward = NULL, backward = NULL;

	for (guint i = 0; i < 4; i++) {
		add_run(mixed, i % 2 ? "A" : "B", a9[i]);
		add_run(mixed, i % 2 ? "B" : "A", b9[i]);
	}
	add_runs(sorted, "A", a9, 4);
	add_runs(sorted, "B", b9, 4);
	of_mixed = COMPARE(mixed, "A", "B");
	forward = COMPARE(sorted, "A", "B");
	backward = COMPARE(sorted, "B", "A");
	assert_int_equal(nth(of_mixed, 0)->flags & FLAG_ORDER_CONFOUNDED, 0);
	assert_int_equal(nth(forward, 0)->flags & FLAG_ORDER_CONFOUNDED, FLAG_ORDER_CONFOUNDED);
	assert_string_equal(nth(forward, 0)->ran_first, "A");
	assert_string_equal(nth(backward, 0)->ran_first, "A");
}

static void add_facts(struct dataset *dataset, const char *name, const char *label, const char *kernel)
{
	GHashTable *facts = g_hash_table_new(g_str_hash, g_str_equal);

	g_hash_table_insert(facts, (gpointer)(guintptr) "kernel", (gpointer)(guintptr)kernel);
	g_hash_table_insert(facts, (gpointer)(guintptr) "cpu", (gpointer)(guintptr) "P3");
	g_hash_table_insert(facts, (gpointer)(guintptr) "label", (gpointer)(guintptr)name);
	g_hash_table_insert(dataset->fact_sets, (gpointer)(guintptr)name, facts);
	for (guint i = 0; i < 3; i++)
		set_level(&dataset->facts, "facts", add_run(dataset, label, a9[i]), name);
}

/* A fact that differs between the sides is reported with its values; what is equal, or is compared, is not. */
static void test_facts_differ(void **state)
{
	g_autoptr(Dataset) dataset = dataset_new();
	g_autoptr(Analysis) analysis = NULL;
	const struct fact_difference *difference;

	add_facts(dataset, "one", "A", "6.1");
	add_facts(dataset, "two", "B", "6.12");
	add_facts(dataset, "three", "B", "6.13");
	add_facts(dataset, "four", "C", "6.1");
	analysis = COMPARE(dataset, "A", "B", "C");
	assert_true(nth(analysis, 0)->flags & FLAG_FACTS_DIFFER);
	assert_int_equal(nth(analysis, 0)->facts_differ->len, 1);
	difference = g_ptr_array_index(nth(analysis, 0)->facts_differ, 0);
	assert_string_equal(difference->key, "kernel");
	assert_string_equal(g_ptr_array_index(difference->baseline, 0), "6.1");
	assert_int_equal(difference->other->len, 2);
	assert_string_equal(g_ptr_array_index(difference->other, 1), "6.13");
	assert_false(nth(analysis, 1)->flags & FLAG_FACTS_DIFFER);
}

/* A side that mixes levels of another factor says which. */
static void test_mixed_levels(void **state)
{
	g_autoptr(Dataset) dataset = dataset_new();
	g_autoptr(Analysis) analysis = NULL;

	add_runs(dataset, "A", a9, 4);
	add_runs(dataset, "B", b9, 4);
	for (guint row = 0; row < 8; row++)
		column_set(dataset_factor(dataset, "swap"), row, row == 6 ? "400" : "200");
	analysis = COMPARE(dataset, "A", "B");
	assert_true(nth(analysis, 0)->flags & FLAG_MIXED_LEVELS);
	assert_string_equal(g_ptr_array_index(nth(analysis, 0)->mixed, 0), "swap");
	assert_int_equal(nth(analysis, 0)->mixed->len, 1);
}

/* Flags of the runs that enter a sample reach the comparison. */
static void test_run_flags(void **state)
{
	g_autoptr(Dataset) dataset = dataset_new();
	g_autoptr(Analysis) analysis = NULL;
	flag_set flag = FLAG_CACHE_NOT_DROPPED;

	add_runs(dataset, "A", a9, 4);
	add_runs(dataset, "B", b9, 4);
	dataset->flags = g_array_new(FALSE, TRUE, sizeof(flag_set));
	g_array_set_size(dataset->flags, 5);
	g_array_append_val(dataset->flags, flag);
	analysis = COMPARE(dataset, "A", "B");
	assert_true(nth(analysis, 0)->flags & FLAG_CACHE_NOT_DROPPED);
}

/* Runs of different workloads never enter one sample. */
static void test_workloads(void **state)
{
	g_autoptr(Dataset) dataset = dataset_new();
	g_autoptr(Analysis) analysis = NULL;

	add_runs(dataset, "A", a9, 8);
	add_runs(dataset, "B", b9, 8);
	for (guint row = 0; row < 16; row++)
		set_level(&dataset->workload, "workload", row, row % 2 ? "dd1" : "qsbench");
	analysis = COMPARE(dataset, "A", "B");
	assert_int_equal(analysis->comparisons->len, 2);
	assert_string_equal(nth(analysis, 0)->workload, "qsbench");
	/* mean(c(10, 12, 12, 9)), mean(c(11, 13, 14, 10)) */
	assert_close(nth(analysis, 0)->baseline.mean, 10.75, 1e-14);
	assert_close(nth(analysis, 1)->baseline.mean, 12, 1e-14);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_boots),
	    cmocka_unit_test(test_sittings),
	    cmocka_unit_test(test_shared_boots),
	    cmocka_unit_test(test_boot_flags),
	    cmocka_unit_test(test_cross_sitting),
	    cmocka_unit_test(test_broken_blocks),
	    cmocka_unit_test(test_repeats_in_blocks),
	    cmocka_unit_test(test_order),
	    cmocka_unit_test(test_facts_differ),
	    cmocka_unit_test(test_mixed_levels),
	    cmocka_unit_test(test_run_flags),
	    cmocka_unit_test(test_workloads),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
