#include "check.h"

#include "import_report_case.h"

/* A line each of 2.00a, which this text was printed by (the host's name and some figures are made up), 1.97 and 1.03.
 */
#define LINE_198                                                                                                       \
	"1.98,2.00a,my host,2,1796061541,64M,,8192,5,1114,99,250000,12,+++++,+++,1854,99,600000,30,412.5,7,1,,,,,"     \
	"1000,1,+++++,+++,3000,3,4000,4,+++++,+++,6000,6,9245us,53us,2s,5491us,44us,4050us,245us,64us,326us,695us,"    \
	"72us,1500ms\n"
#define LINE_197                                                                                                       \
	"1.97,1.97,other,1,1412199088,80G,,,,28503,12,32134,16,,,159847,32,130.7,474,16,,,,,536,7,+++++,+++,226,0,"    \
	"253,"                                                                                                         \
	"0,+++++,+++,186,0,,2114ms,761ms,,372ms,482ms,45979us,37us,58193us,42552us,18us,96600us\n"
#define LINE_103                                                                                                       \
	"old,300M:4k,38449,67,36403,9,19240,5,47427,74,47958,7,330.6,0,16,216,99,+++++,+++,339,55,222,99,+++++,+++,"   \
	"304,35\n"
#define HEADER                                                                                                         \
	"format_version,bonnie_version,name,concurrency,seed,file_size,io_chunk_size,putc,putc_cpu,put_block,"         \
	"put_block_cpu,rewrite,rewrite_cpu,getc,getc_cpu,get_block,get_block_cpu,seeks,seeks_cpu,num_files,max_size\n"

/* Six hosts: values as the index of the logs has them; the seventh line is of 1.03, and of a workload of its own. */
static void test_hosts(void **state)
{
	static const struct column_case columns[] = {
	    {"putc", "KiB/s", 6, 996.5, 124.1575612, 1038.5, 838, 1120},
	    {"put_block", "KiB/s", 6, 95988.16667, 13374.98841, 96831.5, 75834, 110033},
	    {"rewrite", "KiB/s", 6, 41996.16667, 5182.594501, 41656.5, 33424, 48154},
	    {"getc", "KiB/s", 5, 3367.4, 1763.871254, 3516, 1668, 6098},
	    {"get_block", "KiB/s", 6, 120524.8333, 10225.43346, 117339, 110458, 134153},
	    {"seeks", "/s", 6, 843.7833333, 874.4708627, 327.85, 228.2, 1986},
	};
	g_autoptr(Dataset) dataset = import_public("bonnie/02-bonnie2gchart.csv");

	for (gsize i = 0; i < G_N_ELEMENTS(columns); i++)
		check_column_case(dataset, "bonnie++", &columns[i]);
	assert_int_equal(dataset->n_runs, 7);
	assert_string_equal(level_of(dataset, "name", 4), "host5");
	assert_string_equal(level_of(dataset, "size", 2), "16G");
	assert_string_equal(column_get(dataset->workload, 6), "bonnie++ 1.03");
	assert_string_equal(level_of(dataset, "name", 6), "host7");
	assert_close(value_of(dataset, "put_block", 6), 36403, 0);
	assert_close(value_of(dataset, "ran_del", 6), 304, 0);
	check_warning(dataset, 0, "02-bonnie2gchart.csv:6: ", "getc has no value in 1 of 7 runs");
}

/* Nine repeats with the table for people between them; tests that were not run are no missing values. */
static void test_repeats(void **state)
{
	static const struct column_case columns[] = {
	    {"put_block", "KiB/s", 9, 32499, 2535.560835, 33382, 28503, 36313},
	    {"rewrite", "KiB/s", 9, 37574.77778, 4236.181175, 38650, 32134, 44201},
	    {"get_block", "KiB/s", 9, 189932.3333, 39251.42303, 182916, 149997, 247294},
	    {"seeks", "/s", 9, 120.6111111, 11.83019912, 122, 105, 132.2},
	};
	g_autoptr(Dataset) dataset = import_public("bonnie/03-v1.96_USB3_4TB_80G.txt");

	for (gsize i = 0; i < G_N_ELEMENTS(columns); i++)
		check_column_case(dataset, NULL, &columns[i]);
	assert_int_equal(dataset->n_runs, 9);
	assert_null(dataset_find_metric(dataset, "putc"));
	assert_null(dataset_find_metric(dataset, "getc"));
	assert_string_equal(g_hash_table_lookup(dataset->primary, "bonnie++"), "put_block");
	/* 2114ms of the first line's second latency, 71us-like ones of the third run's last but one */
	assert_close(value_of(dataset, "put_block_latency", 0), 2114, 0);
	assert_close(value_of(dataset, "ran_stat_latency", 3), 0.005, 1e-15);
	assert_int_equal(dataset->warnings->len, 2);
	check_warning(dataset, 1, ":23: ", "ran_stat has no value in 9 of 9 runs");
}

/* Fields have their places in each version, 1.98's two more ones included; times of any unit become ms. */
static void test_versions(void **state)
{
	g_autoptr(Dataset) dataset = import_text("# comment, with, commas\n" HEADER LINE_198 LINE_197 LINE_103);

	assert_int_equal(dataset->n_runs, 3);
	assert_string_equal(level_of(dataset, "name", 0), "my host");
	assert_string_equal(level_of(dataset, "size", 0), "64M");
	assert_string_equal(level_of(dataset, "concurrency", 0), "2");
	assert_string_equal(level_of(dataset, "files", 1), "16");
	assert_close(value_of(dataset, "putc", 0), 1114, 0);
	assert_close(value_of(dataset, "putc_cpu", 0), 99, 0);
	assert_close(value_of(dataset, "rewrite", 0), NAN, 0);
	assert_close(value_of(dataset, "seeks", 0), 412.5, 0);
	assert_close(value_of(dataset, "seeks_cpu", 0), 7, 0);
	assert_close(value_of(dataset, "seq_create", 0), 1000, 0);
	assert_close(value_of(dataset, "ran_del_cpu", 0), 6, 0);
	assert_close(value_of(dataset, "putc_latency", 0), 9.245, 1e-15);
	assert_close(value_of(dataset, "rewrite_latency", 0), 2000, 0);
	assert_close(value_of(dataset, "ran_del_latency", 0), 1500, 0);
	assert_close(value_of(dataset, "putc", 1), NAN, 0);
	assert_close(value_of(dataset, "rewrite", 1), 32134, 0);
	assert_close(value_of(dataset, "ran_del", 1), 186, 0);
	assert_string_equal(level_of(dataset, "size", 2), "300M:4k");
	assert_close(value_of(dataset, "putc", 2), 38449, 0);
	assert_close(value_of(dataset, "seeks", 2), 330.6, 0);
	assert_close(value_of(dataset, "seq_create", 2), 216, 0);
	assert_close(value_of(dataset, "seq_del", 2), 339, 0);
	assert_close(value_of(dataset, "putc_latency", 2), NAN, 0);
	assert_int_equal(dataset_find_metric(dataset, "putc_latency")->metric.better, BETTER_LOWER);
	assert_int_equal(dataset_find_metric(dataset, "putc_cpu")->metric.better, BETTER_NONE);
}

/* Lines that were cut off, or hold what is no number, are refused. */
static void test_refused(void **state)
{
	check_text_refused(LINE_198 "1.98,2.00a,h,1,1796061541,64M,,8192,5,1114,99\n",
			   "r.txt:2: ", "11 fields where bonnie++ 1.98 has 48 or 50");
	check_text_refused(LINE_103 "old,300M,38449,67,36403,9\n", "r.txt:2: ", "6 fields, as no version");
	check_text_refused(LINE_103 "a,b,c,d,e,f,g,h,i,j,k,l,m,n,o,p,q,r,s,t\n", "r.txt:2: ", "20 fields");
	check_text_refused(LINE_198 "1.98,2.00a,h,1,1,64M,,8192,5,11x4,99,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,\n",
			   "r.txt:2: ", "putc is '11x4', which is no number");
	check_text_refused(LINE_198 "1.98,2.00a,h,1,1,64M,,8192,5,1,99,,,,,,,,,,,,,,,,,,,,,,,,,,,,45,,,,,,,,,,,\n",
			   "r.txt:2: ", "putc_latency is '45', which is no time");
}

/* NaN and the like are missing, a line of nothing but missing values is a run all the same. */
static void test_missing(void **state)
{
	g_autoptr(Dataset) dataset = import_text(
	    LINE_198 "1.98,2.00a,h,1,1,64M,,8192,5,NaN,-nan,inf,,++++,++,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,\n");

	assert_int_equal(dataset->n_runs, 2);
	assert_close(value_of(dataset, "putc", 1), NAN, 0);
	assert_close(value_of(dataset, "put_block", 1), NAN, 0);
	check_warning(dataset, 0, "table.tsv:2: ", "putc has no value in 1 of 2 runs");
}

/* Nothing else is taken for this format, and no bytes crash it. */
static void test_detection_and_hostile(void **state)
{
	check_detected(HEADER LINE_198, &import_bonnie);
	check_detected(LINE_197, &import_bonnie);
	check_detected(LINE_103, &import_bonnie);
	assert_false(import_bonnie.detect("1.96,2\n3.5,4\n", 13));
	assert_false(import_bonnie.detect("Version  1.96 ------Sequential Output------\n", 43));
	check_hostile(&import_bonnie, HEADER LINE_198 LINE_103);
	check_long_numbers(&import_bonnie, LINE_198);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_hosts),    cmocka_unit_test(test_repeats),
	    cmocka_unit_test(test_versions), cmocka_unit_test(test_refused),
	    cmocka_unit_test(test_missing),  cmocka_unit_test(test_detection_and_hostile),
	};

	return cmocka_run_group_tests_name("import of bonnie++", tests, make_directory, remove_directory);
}
