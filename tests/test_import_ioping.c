#include "check.h"

#include "import_report_case.h"

/* Forms of lines: ioping(1) of 0.7 and 1.3 and what these print. */
#define OLD(n, time) "4.0 KiB from . (ext4 /dev/sda1): request=" n " time=" time "\n"
#define NEW(n, time) "4 KiB <<< d (ext4 /dev/vda 252.0 GiB): request=" n " time=" time "\n"
#define STATISTICS                                                                                                     \
	"\n--- d (ext4 /dev/vda 252.0 GiB) ioping statistics ---\n"                                                    \
	"5.70 k requests completed in 469.8 ms, 22.3 MiB read, 12.1 k iops, 47.4 MiB/s\n"                              \
	"generated 5.70 k requests in 500.0 ms, 22.3 MiB, 11.4 k iops, 44.5 MiB/s\n"                                   \
	"min/avg/max/mdev = 34.7 us / 82.5 us / 287.8 us / 19.0 us\n"

/* Request times of a public log, us and ms in one column: values as the index of the logs has them. */
static void test_log(void **state)
{
	static const struct column_case times = {"latency",     "s",    101,      0.01351213861,
						 0.07195525796, 0.0015, 0.000296, 0.6003};
	g_autoptr(Dataset) dataset = import_public("ioping/01-openvz.txt");

	check_column_case(dataset, "ioping", &times);
	assert_int_equal(dataset->n_runs, 101);
	assert_string_equal(level_of(dataset, "target", 90), ".");
	assert_string_equal(level_of(dataset, "target", 91), "/");
	assert_string_equal(setting_of(dataset, "size", 0), "4096");
	assert_string_equal(column_get(dataset->sitting, 0), column_get(dataset->sitting, 90));
	assert_string_not_equal(column_get(dataset->sitting, 90), column_get(dataset->sitting, 91));
	assert_int_equal(dataset->warnings->len, 0);
}

/* Requests of old and new versions, with a time before them (-I), read and written; the warm-up is none. */
static void test_requests(void **state)
{
	g_autoptr(Dataset) dataset =
	    import_text("$ ioping -c 3 .\n" OLD("1", "296 us")
			    OLD("2", "600.3 ms") "4096 bytes to a to b (ext4 /dev/sda1): request=3 time=1.5 s\n"
						 "Nov 30 18:20:19 256 KiB >>> d (e) f (ext4 /dev/vda 252.0 GiB): "
						 "request=1 time=476.0 us (warmup)\n"
						 "Nov 30 18:20:20 256 KiB >>> d (e) f (ext4 /dev/vda 252.0 GiB): "
						 "request=2 time=65 ns (too fast)\n" STATISTICS);

	assert_int_equal(dataset->n_runs, 4);
	assert_close(value_of(dataset, "latency", 0), 0.000296, 1e-15);
	assert_close(value_of(dataset, "latency", 1), 0.6003, 1e-15);
	assert_close(value_of(dataset, "latency", 2), 1.5, 0);
	assert_close(value_of(dataset, "latency", 3), 65e-9, 1e-15);
	assert_string_equal(level_of(dataset, "target", 2), "a to b");
	assert_string_equal(level_of(dataset, "target", 3), "d (e) f");
	assert_string_equal(level_of(dataset, "operation", 1), "read");
	assert_string_equal(level_of(dataset, "operation", 2), "write");
	assert_string_equal(level_of(dataset, "size", 2), "4096");
	assert_string_equal(level_of(dataset, "size", 3), "262144");
	assert_null(dataset_find_metric(dataset, "iops"));
	assert_string_equal(g_hash_table_lookup(dataset->primary, "ioping"), "latency");
	assert_int_equal(dataset_find_metric(dataset, "latency")->metric.better, BETTER_LOWER);
}

static void check_statistics(const struct dataset *dataset, guint row, double iops, double mib, const double *times)
{
	assert_string_equal(column_get(dataset->workload, row), "ioping-statistics");
	assert_close(value_of(dataset, "iops", row), iops, 1e-12);
	assert_close(value_of(dataset, "throughput", row), mib, 1e-12);
	assert_close(value_of(dataset, "latency_min", row), times[0], 1e-12);
	assert_close(value_of(dataset, "latency_avg", row), times[1], 1e-12);
	assert_close(value_of(dataset, "latency_max", row), times[2], 1e-12);
	assert_close(value_of(dataset, "latency_mdev", row), times[3], 1e-12);
}

/* Where requests are not printed the statistics are a run; those of 0.6 have one unit for all times. */
static void test_statistics(void **state)
{
	g_autoptr(Dataset) dataset = import_text(STATISTICS "--- /dev/sda (device 465.8 GiB) ioping statistics ---\n"
							    "186 requests completed in 3004.6 ms, 62 iops, 0.2 MiB/s\n"
							    "min/avg/max/mdev = 6.4/16.0/26.8/4.7 ms\n");

	assert_int_equal(dataset->n_runs, 2);
	check_statistics(dataset, 0, 12100, 47.4, (const double[]){34.7e-6, 82.5e-6, 287.8e-6, 19e-6});
	check_statistics(dataset, 1, 62, 0.2, (const double[]){6.4e-3, 16e-3, 26.8e-3, 4.7e-3});
	assert_string_equal(level_of(dataset, "target", 0), "d");
	assert_string_equal(level_of(dataset, "target", 1), "/dev/sda");
	assert_string_equal(g_hash_table_lookup(dataset->primary, "ioping-statistics"), "latency_avg");
}

/* Raw statistics: the examples of ioping(1), ten columns in ns since 1.0 and eight in us before. */
static void test_raw(void **state)
{
	g_autoptr(Dataset) new = import_text("99 10970974 9024 36961531 90437 110818 358872 30756 100 12516420\n"
					     "100 9573265 10446 42785821 86849 95733 154609 10548 100 10649035\n");
	g_autoptr(Dataset) old =
	    import_text("100 26694 3746 15344272 188 267 1923 228\n100 24165 4138 16950134 190 242 2348 214\n");

	assert_int_equal(new->n_runs, 2);
	check_statistics(new, 1, 10446, 42785821 / 1048576., (const double[]){86849e-9, 95733e-9, 154609e-9, 10548e-9});
	assert_int_equal(old->n_runs, 2);
	check_statistics(old, 0, 3746, 15344272 / 1048576., (const double[]){188e-6, 267e-6, 1923e-6, 228e-6});
}

/* With -p and -B the last line is the total of those above, which ioping 1.3 printed so. */
static void test_raw_total(void **state)
{
	g_autoptr(Dataset) dataset = import_text("2 462673 4323 17705810 227194 231336 235479 4142 3 40351429\n"
						 "2 393143 5087 20837202 190616 196572 202527 5956 2 39948157\n"
						 "2 394315 5072 20775269 187750 197158 206565 9408 2 40007377\n"
						 "6 1250131 4799 19658740 187750 208355 235479 17640 7 120330817\n");

	assert_int_equal(dataset->n_runs, 3);
	check_warning(dataset, 0, "table.tsv:4: ", "the total of the 3 lines above");
}

/* A request that failed is a failure. */
static void test_failed(void **state)
{
	g_autoptr(Dataset) dataset =
	    import_text(NEW("1", "90 us (warmup)") NEW("2", "90 us") "ioping: request failed: Input/output error\n");

	assert_int_equal(dataset->n_runs, 2);
	assert_true(dataset_ok(dataset, 0));
	assert_false(dataset_ok(dataset, 1));
	assert_string_equal(setting_of(dataset, "target", 1), "d");
}

/* Lines that were cut off are refused, also where only a unit is missing; raw numbers must agree with each other. */
static void test_refused(void **state)
{
	static const char raw[] = "99 10970974 9024 36961531 90437 110818 358872 30756 100 12516420\n";
	g_autofree char *cut_raw = g_strconcat(raw, "100 9573265 10446\n", NULL);

	check_text_refused(OLD("1", "296 us") OLD("2", "6.9"), "r.txt:2: ", "cut off");
	check_text_refused(OLD("1", "296 us") OLD("2", "6,9 ms"), "r.txt:2: ", "cut off");
	check_text_refused(OLD("1", "296 us") "4.0 KiB from . (ext4 /d", "r.txt:2: ", "cut off");
	check_text_refused(cut_raw, "r.txt:2: ", "cut off");
	check_text_refused(
	    "--- d (ext4 /dev/vda) ioping statistics ---\n1 requests completed in 1 s, 1 iops, 1 MiB/s\n",
	    "r.txt:", "end before their latencies");
	check_text_refused("--- d (ext4 /dev/vda) ioping statistics ---\n1 requests completed in 1 s, 1 iops, 1 MiB/s\n"
			   "min/avg/max/mdev = 1 us / 2 us / 3 us\n",
			   "r.txt:3: ", "not the four times");
	check_text_refused("--- d (ext4 /dev/vda) ioping statistics ---\n", "r.txt: ", "no results in it");
	assert_false(import_ioping.detect("99 10970974 9025 36961531 90437 110828 358872 30756 100 12516420\n", 66));
	assert_false(import_ioping.detect("1 1 1 1 1 1 1 1\n", 16));
}

/* Nothing else is taken for this format, and no bytes crash it. */
static void test_detection_and_hostile(void **state)
{
	static const char report[] = OLD("1", "296 us")
	    NEW("2", "1.6 ms (warmup)") "^C" STATISTICS STATISTICS
					"99 10970974 9024 36961531 90437 110818 358872 30756 100 12516420\n";

	check_detected(report, &import_ioping);
	check_detected("100 26694 3746 15344272 188 267 1923 228\n", &import_ioping);
	check_hostile(&import_ioping, report);
	check_long_numbers(&import_ioping, report);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_log),        cmocka_unit_test(test_requests),
	    cmocka_unit_test(test_statistics), cmocka_unit_test(test_raw),
	    cmocka_unit_test(test_raw_total),  cmocka_unit_test(test_failed),
	    cmocka_unit_test(test_refused),    cmocka_unit_test(test_detection_and_hostile),
	};

	return cmocka_run_group_tests_name("import of ioping", tests, make_directory, remove_directory);
}
