#include "check.h"

#include <string.h>

#include "../src/flag.h"
#include "../src/metric.h"
#include "../src/outcome.h"

/* A column's ending names the unit, and the unit the direction; the longest ending wins. */
static void test_columns(void **state)
{
	static const struct {
		const char *column, *name, *unit;
		enum better better;
	} columns[] = {
	    {"throughput_MBps", "throughput", "MB/s", BETTER_HIGHER},
	    {"rate_MiBps", "rate", "MiB/s", BETTER_HIGHER},
	    {"rate_KBps", "rate", "kB/s", BETTER_HIGHER},
	    {"rate_Bps", "rate", "B/s", BETTER_HIGHER},
	    {"elapsed_s", "elapsed", "s", BETTER_LOWER},
	    {"latency_us", "latency", "us", BETTER_LOWER},
	    {"latency_ms", "latency", "ms", BETTER_LOWER},
	    {"read_iops", "read", "/s", BETTER_HIGHER},
	    {"entries_per_s", "entries", "/s", BETTER_HIGHER},
	    {"cpu_pct", "cpu", "%", BETTER_NONE},
	    {"swap_MB", "swap", "MB", BETTER_NONE},
	    {"size_MiB", "size", "MiB", BETTER_NONE},
	    {"major_faults", "major_faults", "", BETTER_NONE},
	    {"s", "s", "", BETTER_NONE},
	    {"_s", "_s", "", BETTER_NONE},
	    {"MBps_per_stream", "MBps_per_stream", "", BETTER_NONE},
	};

	for (gsize i = 0; i < G_N_ELEMENTS(columns); i++) {
		struct metric metric = metric_of_column(columns[i].column);

		assert_string_equal(metric.name, columns[i].name);
		assert_string_equal(metric.unit, columns[i].unit);
		assert_int_equal(metric.better, columns[i].better);
	}
}

/* Rates up, times down, everything else neither: also for units that only other programs print. */
static void test_directions(void **state)
{
	static const char *const up[] = {"MB/s", "/s", "iterations/s", "Mbit/s", "ops/min"};
	static const char *const down[] = {"s", "ms", "us", "µs", "ns", "min", "h", "ns/op"};
	static const char *const neither[] = {"", "%", "MB", "B/op", "km", "C", "bits", "sm"};

	for (gsize i = 0; i < G_N_ELEMENTS(up); i++)
		assert_int_equal(better_of_unit(up[i]), BETTER_HIGHER);
	for (gsize i = 0; i < G_N_ELEMENTS(down); i++)
		assert_int_equal(better_of_unit(down[i]), BETTER_LOWER);
	for (gsize i = 0; i < G_N_ELEMENTS(neither); i++)
		assert_int_equal(better_of_unit(neither[i]), BETTER_NONE);
}

/* The words for directions go both ways; neither has no word. */
static void test_better_words(void **state)
{
	enum better better = BETTER_NONE;

	assert_true(better_parse(better_name(BETTER_HIGHER), &better));
	assert_int_equal(better, BETTER_HIGHER);
	assert_true(better_parse(better_name(BETTER_LOWER), &better));
	assert_int_equal(better, BETTER_LOWER);
	assert_null(better_name(BETTER_NONE));
	assert_false(better_parse("up", &better));
	assert_false(better_parse("", &better));
}

/* Every run metric stands at its enum's place, has a line of help and the direction of its unit where that has one. */
static void test_run_metrics(void **state)
{
	static const char *const names[RUN_METRICS] = {
	    [RUN_ELAPSED] = "elapsed",
	    [RUN_USER] = "user",
	    [RUN_SYSTEM] = "system",
	    [RUN_CPU] = "cpu",
	    [RUN_MAJOR_FAULTS] = "major_faults",
	    [RUN_MINOR_FAULTS] = "minor_faults",
	    [RUN_CTX_SWITCHES] = "ctx_switches",
	};

	for (int i = 0; i < RUN_METRICS; i++) {
		assert_string_equal(run_metrics[i].name, names[i]);
		assert_non_null(run_metrics[i].help);
		assert_null(strchr(run_metrics[i].help, '\n'));
		if (better_of_unit(run_metrics[i].unit) != BETTER_NONE)
			assert_int_equal(run_metrics[i].better, better_of_unit(run_metrics[i].unit));
	}
	assert_null(run_metrics[RUN_METRICS].name);
}

/* Each flag of the statistics and of the program has exactly one row; names are unique and go back to their flag. */
static void test_flag_table(void **state)
{
	flag_set seen = 0;
	flag_set statistics = EST_TOO_FEW | EST_CONSTANT | EST_NOT_FINITE | EST_NOT_POSITIVE | EST_UNBOUNDED;
	flag_set program = (((flag_set)FLAG_EMULATED << 1) - 1) & ~(flag_set)0xff;

	for (const struct flag_info *info = flag_table; info->flag; info++) {
		assert_int_equal(__builtin_popcountll(info->flag), 1);
		assert_int_equal(seen & info->flag, 0);
		seen |= info->flag;
		assert_int_equal(flag_of_name(info->name), info->flag);
		assert_true(strlen(info->text) > 10 && !g_str_has_suffix(info->text, "."));
		for (const struct flag_info *other = flag_table; other < info; other++)
			assert_string_not_equal(other->name, info->name);
	}
	assert_int_equal(seen, statistics | program);
	assert_int_equal(flag_of_name("no-such-flag"), 0);
}

/* Outcomes go to their names and back; "OK" and other words are none. */
static void test_outcomes(void **state)
{
	enum outcome outcome;

	for (int i = 0; i < OUTCOMES; i++) {
		assert_true(outcome_parse(outcome_name((enum outcome)i), &outcome));
		assert_int_equal(outcome, i);
	}
	assert_false(outcome_parse("OK", &outcome));
	assert_false(outcome_parse("", &outcome));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_columns),     cmocka_unit_test(test_directions), cmocka_unit_test(test_better_words),
	    cmocka_unit_test(test_run_metrics), cmocka_unit_test(test_flag_table), cmocka_unit_test(test_outcomes),
	};

	return cmocka_run_group_tests_name("metric", tests, NULL, NULL);
}
