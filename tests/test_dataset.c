#include "check.h"

#include <malloc.h>
#include <string.h>

#include "../src/dataset.h"
#include "../src/dataset_rows.h"
#include "../src/outcome.h"
#include "../src/shared.h"

static const struct metric rate = {"rate", "MB/s", BETTER_HIGHER, NULL};
static const struct metric swap = {"swap", "MB", BETTER_NONE, NULL};

static const char *level_of(const struct dataset *dataset, const char *factor, guint row)
{
	return column_get(dataset_find_factor(dataset, factor), row);
}

static double value_of(const struct dataset *dataset, const char *metric, guint row)
{
	return values_get(dataset_find_metric(dataset, metric), row);
}

/* Cells that were never set are absent, before, between and after those that were. */
static void test_absent_cells(void **state)
{
	g_autoptr(Dataset) dataset = dataset_new();

	for (guint i = 0; i < 5; i++)
		assert_int_equal(dataset_add_run(dataset), i);
	column_set(dataset_factor(dataset, "kernel"), 2, "6.1");
	values_set(dataset_metric(dataset, &rate), 3, 12.5);
	for (guint row = 0; row < 6; row++) {
		if (row == 2)
			assert_string_equal(level_of(dataset, "kernel", row), "6.1");
		else
			assert_null(level_of(dataset, "kernel", row));
		assert_close(value_of(dataset, "rate", row), row == 3 ? 12.5 : NAN, 0);
	}
	column_set(dataset_factor(dataset, "kernel"), 2, NULL);
	assert_null(level_of(dataset, "kernel", 2));
	assert_null(column_get(NULL, 0));
	assert_null(dataset_find_factor(dataset, "label"));
	assert_null(dataset_find_metric(dataset, "no"));
}

/* A metric is found by its name, and by its name with its unit as a table writes it; another unit is another metric. */
static void test_find_metric(void **state)
{
	g_autoptr(Dataset) dataset = dataset_new();
	const struct metric seconds = {"elapsed", "s", BETTER_LOWER, NULL}, ms = {"elapsed", "ms", BETTER_LOWER, NULL};
	struct values *first = dataset_metric(dataset, &seconds), *second = dataset_metric(dataset, &ms);

	assert_ptr_not_equal(first, second);
	assert_ptr_equal(dataset_metric(dataset, &seconds), first);
	assert_ptr_equal(dataset_find_metric(dataset, "elapsed"), first);
	assert_ptr_equal(dataset_find_metric(dataset, "elapsed_s"), first);
	assert_ptr_equal(dataset_find_metric(dataset, "elapsed_ms"), second);
	assert_null(dataset_find_metric(dataset, "elapsed_us"));
}

/* Only "ok" and an absent outcome are complete runs. */
static void test_ok(void **state)
{
	g_autoptr(Dataset) dataset = dataset_new();

	for (guint i = 0; i <= OUTCOMES; i++)
		dataset_add_run(dataset);
	assert_true(dataset_ok(dataset, 0));
	dataset->outcome = column_new("outcome");
	for (int i = 0; i < OUTCOMES; i++)
		column_set(dataset->outcome, (guint)i, outcome_name((enum outcome)i));
	for (int i = 0; i < OUTCOMES; i++)
		assert_int_equal(dataset_ok(dataset, (guint)i), i == OUTCOME_OK);
	assert_true(dataset_ok(dataset, OUTCOMES));
}

static GHashTable *facts_of(const char *kernel)
{
	GHashTable *facts = g_hash_table_new(g_str_hash, g_str_equal);

	g_hash_table_insert(facts, shared("kernel"), shared(kernel));
	return facts;
}

static void add_facts(struct dataset *dataset, char *name, GHashTable *facts)
{
	g_hash_table_insert(dataset->fact_sets, name, facts);
}

/* Appending keeps each row's cells, whichever columns either side has, and flags and outcomes stay with their rows. */
static void test_append(void **state)
{
	g_autoptr(Dataset) dataset = dataset_new(), other = dataset_new();
	static char set_one[] = "one", workload[] = "", primary[] = "rate", other_primary[] = "swap";
	GHashTable *facts = facts_of("6.1"), *same = facts_of("6.12");

	dataset_add_run(dataset);
	dataset_add_run(dataset);
	column_set(dataset_factor(dataset, "label"), 0, "A");
	values_set(dataset_metric(dataset, &rate), 0, 1);
	add_facts(dataset, set_one, facts);
	g_hash_table_insert(dataset->primary, workload, primary);

	dataset_add_run(other);
	dataset_add_run(other);
	dataset_add_run(other);
	column_set(dataset_factor(other, "label"), 0, "B");
	column_set(dataset_factor(other, "label"), 1, "A");
	column_set(dataset_factor(other, "disk"), 2, "sda");
	values_set(dataset_metric(other, &swap), 0, 200);
	values_set(dataset_metric(other, &rate), 2, 3);
	other->outcome = column_new("outcome");
	column_set(other->outcome, 1, "failed");
	other->flags = g_array_new(FALSE, TRUE, sizeof(flag_set));
	g_array_set_size(other->flags, 3);
	g_array_index(other->flags, flag_set, 2) = 4;
	add_facts(other, set_one, same);
	g_hash_table_insert(other->primary, workload, other_primary);

	dataset_append(dataset, other);
	assert_int_equal(dataset->n_runs, 5);
	assert_string_equal(level_of(dataset, "label", 0), "A");
	assert_null(level_of(dataset, "label", 1));
	assert_string_equal(level_of(dataset, "label", 2), "B");
	assert_string_equal(level_of(dataset, "label", 3), "A");
	assert_int_equal(dataset_find_factor(dataset, "label")->level->len, 2);
	assert_null(level_of(dataset, "disk", 3));
	assert_string_equal(level_of(dataset, "disk", 4), "sda");
	assert_close(value_of(dataset, "rate", 0), 1, 0);
	assert_close(value_of(dataset, "rate", 1), NAN, 0);
	assert_close(value_of(dataset, "rate", 4), 3, 0);
	assert_close(value_of(dataset, "swap", 2), 200, 0);
	assert_close(value_of(dataset, "swap", 4), NAN, 0);
	assert_true(dataset_ok(dataset, 2));
	assert_false(dataset_ok(dataset, 3));
	assert_int_equal(dataset->flags->len, 5);
	assert_int_equal(g_array_index(dataset->flags, flag_set, 1), 0);
	assert_int_equal(g_array_index(dataset->flags, flag_set, 4), 4);
	assert_ptr_equal(g_hash_table_lookup(dataset->fact_sets, "one"), facts);
	assert_string_equal(g_hash_table_lookup(dataset->primary, ""), "rate");
}

/* A table appended twice holds each row twice, and the first rows are as before. */
static void test_append_twice(void **state)
{
	g_autoptr(Dataset) dataset = dataset_new(), other = dataset_new();

	for (guint i = 0; i < 100; i++) {
		dataset_add_run(other);
		column_set(dataset_factor(other, "n"), i, i % 2 ? "odd" : "even");
		values_set(dataset_metric(other, &rate), i, i);
	}
	dataset_append(dataset, other);
	dataset_append(dataset, other);
	assert_int_equal(dataset->n_runs, 200);
	for (guint i = 0; i < 200; i++) {
		assert_string_equal(level_of(dataset, "n", i), i % 2 ? "odd" : "even");
		assert_close(value_of(dataset, "rate", i), i % 100, 0);
	}
}

/* A metric becomes a factor under the name asked for, its numbers as people write them; the primary metric moves on. */
static void test_metric_to_factor(void **state)
{
	static const char *const names[] = {"swap", "swap_MB"};
	static char workload[] = "", primary[] = "swap";

	for (gsize i = 0; i < G_N_ELEMENTS(names); i++) {
		g_autoptr(Dataset) dataset = dataset_new();

		for (guint row = 0; row < 4; row++)
			dataset_add_run(dataset);
		values_set(dataset_metric(dataset, &swap), 0, 200);
		values_set(dataset_metric(dataset, &swap), 1, 0.1);
		values_set(dataset_metric(dataset, &swap), 3, 200.0);
		values_set(dataset_metric(dataset, &rate), 0, 1);
		g_hash_table_insert(dataset->primary, workload, primary);
		assert_true(dataset_metric_to_factor(dataset, names[i]));
		assert_null(dataset_find_metric(dataset, "swap"));
		assert_string_equal(level_of(dataset, names[i], 0), "200");
		assert_string_equal(level_of(dataset, names[i], 1), "0.1");
		assert_null(level_of(dataset, names[i], 2));
		assert_string_equal(level_of(dataset, names[i], 3), "200");
		assert_string_equal(g_hash_table_lookup(dataset->primary, ""), "rate");
		assert_false(dataset_metric_to_factor(dataset, names[i]));
		assert_true(dataset_metric_to_factor(dataset, "rate_MBps"));
		assert_null(g_hash_table_lookup(dataset->primary, ""));
	}
}

/* A prefix makes levels of two files differ and leaves every row with its own. */
static void test_prefix(void **state)
{
	struct column *column = column_new("boot");

	column_set(column, 0, "1");
	column_set(column, 1, "2");
	column_set(column, 2, "1");
	column_prefix(column, "a.tsv/");
	assert_string_equal(column_get(column, 0), "a.tsv/1");
	assert_string_equal(column_get(column, 1), "a.tsv/2");
	assert_string_equal(column_get(column, 2), "a.tsv/1");
	column_set(column, 3, "a.tsv/1");
	assert_int_equal(column->level->len, 2);
	column_free(column);
}

/* A million runs with one metric and no factor take little more than the 8 bytes of a double each. */
static void test_memory(void **state)
{
	g_autoptr(Dataset) dataset = dataset_new();
	struct values *values = dataset_metric(dataset, &rate);
	gsize bytes;

	for (guint i = 0; i < 1000000; i++)
		values_set(values, dataset_add_run(dataset), i);
	bytes = malloc_usable_size(values->value->data);
	if (bytes)
		assert_true(bytes < 9 * 1000000);
	assert_null(dataset->outcome);
	assert_null(dataset->flags);
	assert_close(values_get(values, 999999), 999999, 0);
}

/* A level a run, every third run absent, past 2^8 and 2^16 levels: codes and texts stay those that were set, also when
 * the column is appended to a short one and overwritten. */
static void test_many_levels(void **state)
{
	const guint n = 100000;
	struct column *many = column_new("block"), *few = column_new("block");

	for (guint row = 0; row < n; row++) {
		g_autofree char *level = g_strdup_printf("%u", row);

		if (row % 3)
			column_set(many, row, level);
	}
	column_set(few, 0, "first");
	column_set(few, 1, "7");
	column_append(few, many, 2);
	assert_int_equal(column_code(few, 0), 0);
	assert_string_equal(column_get(few, 1), "7");
	for (guint row = 0; row < n; row++) {
		g_autofree char *level = g_strdup_printf("%u", row);

		if (row % 3 == 0) {
			assert_null(column_get(many, row));
			assert_int_equal(column_code(few, row + 2), DATASET_ABSENT);
			continue;
		}
		assert_string_equal(column_get(many, row), level);
		assert_string_equal(column_get(few, row + 2), level);
		assert_int_equal(column_code(many, row), row - row / 3 - 1);
	}
	column_fill(few, 5, n, "first");
	assert_string_equal(column_get(few, 4), "2");
	assert_int_equal(column_code(few, 5), 0);
	assert_int_equal(column_code(few, n + 4), 0);
	assert_null(column_get(few, n + 5));
	column_set(few, 5, NULL);
	assert_null(column_get(few, 5));
	column_free(many);
	column_free(few);
}

/* Six runs of number 1 to 6: the first of warm-up, the fourth of calibration with a metric and a factor of its own, the
 * sixth both. The second has a message from the kernel. */
static struct dataset *mixed_runs(void)
{
	struct dataset *dataset = dataset_new();

	dataset->started_us = g_array_new(FALSE, TRUE, sizeof(gint64));
	for (gint64 i = 1; i <= 6; i++) {
		guint row = dataset_add_run(dataset);

		values_set(dataset_metric(dataset, &rate), row, (double)i);
		g_array_append_val(dataset->started_us, i);
	}
	column_set(dataset_factor(dataset, "kernel"), 2, "6.1");
	column_set(dataset_factor(dataset, "disk"), 3, "sda");
	values_set(dataset_metric(dataset, &swap), 3, 7);
	dataset_detail(dataset, 0)->is_warmup = TRUE;
	dataset_detail(dataset, 3)->is_calibration = TRUE;
	dataset_detail(dataset, 5)->is_warmup = dataset_detail(dataset, 5)->is_calibration = TRUE;
	run_detail_add_message(dataset_detail(dataset, 1), "Call trace:");
	return dataset;
}

/* Without runs of warm-up and calibration the others keep their order and all that is theirs; what only those had goes. */
static void test_keep_samples(void **state)
{
	g_autoptr(Dataset) dataset = mixed_runs(), whole = dataset_new();

	dataset_add_run(whole);
	dataset_append(whole, dataset);
	assert_true(dataset_in_sample(whole, 0));
	assert_false(dataset_in_sample(whole, 1));
	dataset_keep_samples(dataset);
	assert_int_equal(dataset->n_runs, 3);
	assert_close(value_of(dataset, "rate", 0), 2, 0);
	assert_close(value_of(dataset, "rate", 1), 3, 0);
	assert_close(value_of(dataset, "rate", 2), 5, 0);
	assert_int_equal(dataset_started_us(dataset, 2), 5);
	assert_string_equal(dataset_find_detail(dataset, 0)->seen.messages->pdata[0], "Call trace:");
	assert_null(dataset_find_detail(dataset, 1));
	assert_string_equal(level_of(dataset, "kernel", 1), "6.1");
	assert_null(dataset_find_factor(dataset, "disk"));
	assert_null(dataset_find_metric(dataset, "swap"));
	/* appended, they share what the kernel said */
	assert_string_equal(dataset_find_detail(whole, 2)->seen.messages->pdata[0], "Call trace:");
}

/* Of calibration, that of warm-up does not count; without any, the samples stay. */
static void test_keep_calibration(void **state)
{
	g_autoptr(Dataset) dataset = mixed_runs();

	dataset_keep_calibration(dataset);
	assert_int_equal(dataset->n_runs, 1);
	assert_close(value_of(dataset, "swap", 0), 7, 0);
	dataset_detail(dataset, 0)->is_calibration = FALSE;
	dataset_keep_calibration(dataset);
	assert_int_equal(dataset->n_runs, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_many_levels),      cmocka_unit_test(test_absent_cells),
	    cmocka_unit_test(test_find_metric),      cmocka_unit_test(test_ok),
	    cmocka_unit_test(test_append),           cmocka_unit_test(test_append_twice),
	    cmocka_unit_test(test_metric_to_factor), cmocka_unit_test(test_prefix),
	    cmocka_unit_test(test_memory),         cmocka_unit_test(test_keep_samples),
	    cmocka_unit_test(test_keep_calibration),
	};

	return cmocka_run_group_tests_name("dataset", tests, NULL, NULL);
}
