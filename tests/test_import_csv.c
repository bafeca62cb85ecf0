#include "check.h"

#include "../src/import_stamp.h"
#include "log_case.h"

/* Expectations are those of INDEX.tsv beside the public tables. */

struct sample {
	guint n;
	double mean, sd, min, max;
};

/* Of the rows whose column (NULL: all) has that level. */
static struct sample sample_of(const struct dataset *dataset, const char *metric, const char *column, const char *level,
			       const char *name)
{
	struct sample sample = {.min = INFINITY, .max = -INFINITY};
	double squares = 0;

	for (int pass = 0; pass < 2; pass++) {
		for (guint row = 0; row < dataset->n_runs; row++) {
			double value = value_of(dataset, metric, row);

			if (isnan(value) || (column && (!g_str_equal(level_of(dataset, column, row), level) ||
							!g_str_equal(level_of(dataset, "name", row), name))))
				continue;
			if (pass) {
				squares += pow(value - sample.mean, 2);
				continue;
			}
			sample.n++;
			sample.mean += value;
			sample.min = MIN(sample.min, value);
			sample.max = MAX(sample.max, value);
		}
		if (!pass)
			sample.mean /= sample.n;
	}
	sample.sd = sqrt(squares / (sample.n - 1));
	return sample;
}

static void assert_sample(struct sample got, struct sample want)
{
	assert_int_equal(got.n, want.n);
	assert_close(got.mean, want.mean, 1e-8);
	assert_close(got.sd, want.sd, 1e-8);
	assert_close(got.min, want.min, 1e-8);
	assert_close(got.max, want.max, 1e-8);
}

#define ALL(dataset, metric) sample_of((dataset), (metric), NULL, NULL, NULL)

/* A NaN among the values is a missing one, with a warning; times are no factor; outliers stay. */
static void test_missing_and_times(void **state)
{
	g_autoptr(Dataset) dataset = import_shared("logs/csv", "01-conbench-outlier_A.csv");

	assert_int_equal(dataset->n_runs, 37);
	assert_sample(ALL(dataset, "svs"), (struct sample){36, 138.2727139, 491.236858, 40.28754, 2995.526});
	assert_int_equal(dataset->factors->len, 1);
	assert_int_equal(dataset->warnings->len, 1);
	assert_non_null(strstr(g_ptr_array_index(dataset->warnings, 0), "outlier_A.csv:8: column 'svs': 'NaN' "));
	/* date -u -d '2023-04-07 00:55:33' +%s */
	assert_int_equal(dataset_started_us(dataset, 0), 1680828933422461);
}

/* Semicolons, and times with a zone. */
static void test_semicolons(void **state)
{
	g_autoptr(Dataset) dataset = import_shared("logs/csv", "06-hunter-semicolons.csv");

	assert_int_equal(dataset->n_runs, 10);
	assert_sample(ALL(dataset, "metric1"), (struct sample){10, 146993.1, 7154.205018, 132098, 155145});
	assert_sample(ALL(dataset, "metric2"), (struct sample){10, 9.939, 0.72932922, 9.03, 10.91});
	assert_int_equal(dataset->factors->len, 2);
	assert_level(level_of(dataset, "commit", 9), "aaa9");
}

/* Empty fields, blanks and signs in names, CRLF. */
static void test_ripgrep(void **state)
{
	g_autoptr(Dataset) dataset = import_shared("logs/csv", "13-ripgrep-2022.csv");
	g_autoptr(GHashTable) groups = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);

	assert_int_equal(dataset->n_runs, 399);
	for (guint row = 0; row < 399; row++) {
		g_hash_table_add(groups, g_strdup_printf("%s\n%s", level_of(dataset, "benchmark", row),
							 level_of(dataset, "name", row)));
		assert_false(isnan(value_of(dataset, "duration", row)));
	}
	assert_int_equal(g_hash_table_size(groups), 127);
	assert_sample(sample_of(dataset, "duration", "benchmark", "linux_literal_default", "rg"),
		      (struct sample){3, 0.08444635073, 0.002038336162, 0.08307123184, 0.08678817749});
	assert_sample(sample_of(dataset, "duration", "benchmark", "linux_literal_default", "git grep"),
		      (struct sample){3, 0.2248448531, 0.006596212488, 0.2189793587, 0.231985569});
}

/* Columns of numbers with comments, a tab behind a number, no variance. */
static void test_ministat(void **state)
{
	g_autoptr(Dataset) chameleon = import_shared("logs/ministat", "01-chameleon.txt");
	g_autoptr(Dataset) iguana = import_shared("logs/ministat", "02-iguana.txt");
	g_autoptr(Dataset) small = import_shared("logs/ministat", "03-netbenches-1024.pps");
	g_autoptr(Dataset) large = import_shared("logs/ministat", "04-netbenches-1518.pps");

	assert_sample(ALL(chameleon, "value"), (struct sample){5, 540, 299.0819286, 150, 930});
	assert_sample(ALL(iguana, "value"), (struct sample){7, 300, 238.0476143, 50, 750});
	assert_sample(ALL(small, "value"), (struct sample){3, 119730, 0, 119730, 119730});
	assert_sample(ALL(large, "value"), (struct sample){3, 81273, 0, 81273, 81273});
}

/* Words for no number are missing values among numbers, and levels among words; alone they make no column. */
static void test_missing(void **state)
{
	g_autoptr(Dataset) dataset =
	    import_text("a\tb\tc\td\nx\tnan\tnan\tNaN\ny\t2\tfast\t-inf\nz\t-Infinity\tn/a\tN/A\nx\tn/a\tfast\t\n");

	assert_int_equal(dataset->metrics->len, 1);
	assert_value(dataset, "b", 0, NAN);
	assert_value(dataset, "b", 1, 2);
	assert_value(dataset, "b", 2, NAN);
	assert_value(dataset, "b", 3, NAN);
	assert_level(level_of(dataset, "c", 0), "nan");
	assert_level(level_of(dataset, "c", 2), "n/a");
	assert_int_equal(dataset->warnings->len, 1);
	assert_non_null(strstr(g_ptr_array_index(dataset->warnings, 0),
			       "table.tsv:2: column 'b': 'nan' is taken for a missing value (and 2 more)"));
}

/* A missing value among many, read by the path for long columns of numbers. */
static void test_missing_among_many(void **state)
{
	g_autoptr(GString) text = g_string_new(NULL);

	for (int i = 0; i < 5000; i++)
		g_string_append(text, i == 3000 ? "NaN\n" : i == 4000 ? "7\t\n" : "1\n");
	g_autoptr(Dataset) dataset = import_text(text->str);

	assert_int_equal(dataset->n_runs, 5000);
	assert_value(dataset, "value", 3000, NAN);
	assert_close(sum_of(dataset, "value"), 4998 + 7, 0);
}

/* Times of day with a date, in the forms that files have them: seconds by date -u +%s. */
static void test_stamps(void **state)
{
	static const struct {
		const char *text;
		gint64 us;
	} stamps[] = {
	    {"2023-04-07 00:55:33.422461033+00:00", 1680828933422461},
	    {"2021.01.01 3:00:00 +0100", 1609466400000000},
	    {"2022-12-16T08:00Z", 1671177600000000},
	    {"1970/1/1 00:00:01", 1000000},
	    {"2000-02-29 23:59:59,5 -05", 951886799500000},
	    {"1969-12-31 23:59:59 UTC", -1000000},
	};
	static const char *const none[] = {"",
					   "2023-04-07",
					   "12:00",
					   "2023-13-01 00:00",
					   "2023-02-29 00:00",
					   "2023-04-07 24:00",
					   "2023-04/07 00:00",
					   "2023-04-07 00:00 MEZ",
					   "2023-04-07 1:2",
					   "2023-04-07 00:00 +1",
					   "2023-04-07 00:00:00.",
					   "20230407 00:00"};
	gint64 us;

	for (gsize i = 0; i < G_N_ELEMENTS(stamps); i++) {
		assert_true(stamp_parse(stamps[i].text, &us));
		assert_int_equal(us, stamps[i].us);
	}
	for (gsize i = 0; i < G_N_ELEMENTS(none); i++)
		if (stamp_parse(none[i], &us))
			fail_msg("'%s' is a time", none[i]);
}

/* A column of times and one other text is a factor; of two columns of times the first one counts. */
static void test_time_columns(void **state)
{
	g_autoptr(Dataset) mixed = import_text("when\tv\n2023-01-01 00:00\t1\nlater\t2\n");
	g_autoptr(Dataset) two =
	    import_text("begin\tend\tv\n1970-01-01 00:00:01\t1970-01-01 00:00:09\t1\n-\t1970-01-01 00:00:10\t2\n");

	assert_level(level_of(mixed, "when", 0), "2023-01-01 00:00");
	assert_null(mixed->started_us);
	assert_int_equal(two->factors->len, 1);
	assert_int_equal(dataset_started_us(two, 0), 1000000);
	assert_int_equal(dataset_started_us(two, 1), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_missing_and_times),
	    cmocka_unit_test(test_semicolons),
	    cmocka_unit_test(test_ripgrep),
	    cmocka_unit_test(test_ministat),
	    cmocka_unit_test(test_missing),
	    cmocka_unit_test(test_missing_among_many),
	    cmocka_unit_test(test_stamps),
	    cmocka_unit_test(test_time_columns),
	};

	return cmocka_run_group_tests_name("import of public tables", tests, make_directory, remove_directory);
}
