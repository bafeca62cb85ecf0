#include "check.h"

#include <sqlite3.h>

#include "../src/analyse.h"
#include "../src/exec.h"
#include "../src/flag.h"
#include "../src/sitting.h"
#include "store_case.h"

/* A plan that ends before its last block, run for real into a store. */

static const char *const no_workloads[] = {NULL};

static int set_up(void **state)
{
	*state = store_case_new();
	return 0;
}

static int tear_down(void **state)
{
	store_case_free(*state);
	return 0;
}

static void warn(const char *format, ...) G_GNUC_PRINTF(1, 2);
static void warn(const char *format, ...)
{
}

static void execute(const struct store_case *fixture, const struct sitting_options *options, enum plan_purpose purpose,
		    struct runner_summary *summary, GString *end)
{
	g_autoptr(GError) error = NULL;
	struct store *store = NULL;
	struct sitting sitting;

	if (!sitting_init(&sitting, options, purpose, no_workloads, &error))
		fail_msg("%s", error->message);
	sitting.store_path = fixture->path;
	sitting.warn = warn;
	if (!sitting_execute(&sitting, summary, &store, &error))
		fail_msg("%s", error->message);
	store_close(store);
	sitting_describe_end(&sitting, summary, end);
	sitting_clear(&sitting);
}

/* What a query counts, asked without the program's own code. */
static int count(const struct store_case *fixture, const char *query)
{
	sqlite3_stmt *statement = NULL;
	sqlite3 *db = NULL;
	int found;

	assert_int_equal(sqlite3_open_v2(fixture->path, &db, SQLITE_OPEN_READONLY, NULL), SQLITE_OK);
	assert_int_equal(sqlite3_prepare_v2(db, query, -1, &statement, NULL), SQLITE_OK);
	assert_int_equal(sqlite3_step(statement), SQLITE_ROW);
	found = sqlite3_column_int(statement, 0);
	sqlite3_finalize(statement);
	sqlite3_close(db);
	return found;
}

/* A rule that any ten runs meet ends the workload after ten: the other runs are skipped, which is no failure; each look
 * is stored; the estimate says stopped-early. The other workload, whose runs all fail, goes on to the end. */
static void test_until_width(void **state)
{
	const struct store_case *fixture = *state;
	char *workloads[] = {shared("cmd:sleep 0.01"), shared("cmd:false"), NULL};
	const struct sitting_options options = {.workloads = workloads,
						.repeat = shared("14"),
						.dir = fixture->directory,
						.reset = shared("none"),
						.until = shared("99%"),
						.quiet = TRUE,
						.label = shared("a")};
	const struct analyse_options analyse = {.level = 0.95, .margin_pct = 5, .primary_only = TRUE};
	g_autoptr(GString) end = g_string_new(NULL);
	g_autoptr(GArray) rows = g_array_new(FALSE, FALSE, sizeof(guint));
	struct runner_summary summary;

	execute(fixture, &options, PURPOSE_RUN, &summary, end);
	assert_int_equal(summary.done, 10 + 14);
	assert_int_equal(summary.failed, 14);
	assert_int_equal(summary.skipped, 4);
	assert_int_equal(summary.decisions->len, 1);
	assert_non_null(strstr(end->str, "% after 10 runs\n4 runs were not needed"));
	runner_summary_clear(&summary);
	assert_int_equal(count(fixture,
			       "SELECT count(*) FROM run WHERE outcome = 'skipped' AND message = 'stopped early: "
			       "decided' AND block > 10"),
			 4);
	assert_int_equal(count(fixture, "SELECT count(*) FROM run WHERE outcome IS NULL"), 0);
	assert_int_equal(count(fixture, "SELECT count(*) FROM look"), 10 + 14);
	assert_int_equal(count(fixture, "SELECT count(*) FROM look WHERE decided AND after_block = 10 AND n = 10 AND "
					"statistic <= threshold AND threshold = 99"),
			 1);

	g_autoptr(Dataset) dataset = read_store(fixture->path);
	for (guint row = 0; row < dataset->n_runs; row++)
		g_array_append_val(rows, row);
	g_autoptr(Analysis) analysis = analyse_show(dataset, rows, &analyse, NULL);
	const struct estimate_row *sleeping = g_ptr_array_index(analysis->estimates, 0);
	const struct estimate_row *failing = g_ptr_array_index(analysis->estimates, 1);
	assert_int_equal(sleeping->n, 10);
	assert_int_equal(sleeping->failed, 0);
	assert_int_equal(sleeping->flags & (FLAG_STOPPED_EARLY | FLAG_FAILURES), FLAG_STOPPED_EARLY);
	assert_int_equal(failing->failed, 14);
	assert_int_equal(failing->flags & (FLAG_STOPPED_EARLY | FLAG_FAILURES), FLAG_FAILURES);
}

/* Two treatments that are the same command: each block's pair is looked at, nothing is decided, nothing is skipped. */
static void test_until_decided(void **state)
{
	const struct store_case *fixture = *state;
	char *workloads[] = {shared("cmd:true"), NULL}, *factors[] = {shared("label=a,b"), NULL};
	const struct sitting_options options = {.workloads = workloads,
						.factors = factors,
						.repeat = shared("3"),
						.warmup = shared("1"),
						.dir = fixture->directory,
						.reset = shared("none"),
						.until = shared("decided"),
						.quiet = TRUE};
	g_autoptr(GString) end = g_string_new(NULL);
	struct runner_summary summary;

	execute(fixture, &options, PURPOSE_RUN, &summary, end);
	assert_int_equal(summary.done, 8);
	assert_int_equal(summary.skipped, 0);
	runner_summary_clear(&summary);
	/* b against a, after each of the three blocks, none after the warm-up */
	assert_int_equal(count(fixture,
			       "SELECT count(*) FROM look JOIN treatment_level USING (treatment) WHERE level = 'b' "
			       "AND n = after_block AND NOT decided"),
			 3);
	assert_int_equal(count(fixture, "SELECT count(*) FROM look"), 3);
}

/* No block begins that would end too late; what is left is pending, and said. */
static void test_max_time(void **state)
{
	const struct store_case *fixture = *state;
	char *workloads[] = {shared("cmd:sleep 0.2"), NULL};
	const struct sitting_options options = {.workloads = workloads,
						.repeat = shared("50"),
						.dir = fixture->directory,
						.reset = shared("none"),
						.max_time = shared("0.7"),
						.quiet = TRUE};
	g_autoptr(GString) end = g_string_new(NULL);
	struct runner_summary summary;

	execute(fixture, &options, PURPOSE_RUN, &summary, end);
	assert_true(summary.out_of_time);
	/* three fit into 0.7 s, a slow machine makes fewer */
	assert_true(summary.done >= 1 && summary.done <= 3);
	assert_int_equal(count(fixture, "SELECT count(*) FROM run WHERE outcome IS NULL"), 50 - (int)summary.done);
	assert_non_null(strstr(end->str, "time is up (--max-time)"));
	assert_non_null(strstr(end->str, "left pending"));
}

/* Calibration runs are in no other dataset than that of calibrations, and the other way round. */
static void test_calibration_apart(void **state)
{
	const struct store_case *fixture = *state;
	char *workloads[] = {shared("cmd:true"), NULL};
	struct sitting_options options = {.workloads = workloads,
					  .repeat = shared("3"),
					  .dir = fixture->directory,
					  .reset = shared("none"),
					  .quiet = TRUE};
	g_autoptr(GString) end = g_string_new(NULL);
	struct runner_summary summary;

	execute(fixture, &options, PURPOSE_CALIBRATE, &summary, end);
	execute(fixture, &options, PURPOSE_CALIBRATE, &summary, end);
	options.repeat = shared("2");
	execute(fixture, &options, PURPOSE_RUN, &summary, end);
	assert_string_equal(end->str, "");
	g_autoptr(Store) store = open_store(fixture->path, STORE_READ);
	g_autoptr(Dataset) runs = store_load(store, FALSE, NULL);
	g_autoptr(Dataset) calibration = store_load_calibration(store, NULL);
	assert_int_equal(runs->n_runs, 2);
	assert_int_equal(calibration->n_runs, 6);
	assert_string_not_equal(column_get(calibration->sitting, 0), column_get(calibration->sitting, 5));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test_setup_teardown(test_until_width, set_up, tear_down),
	    cmocka_unit_test_setup_teardown(test_until_decided, set_up, tear_down),
	    cmocka_unit_test_setup_teardown(test_max_time, set_up, tear_down),
	    cmocka_unit_test_setup_teardown(test_calibration_apart, set_up, tear_down),
	};

	exec_init();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
