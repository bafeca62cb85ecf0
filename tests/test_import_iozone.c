#include "check.h"

#include "import_report_case.h"

#define TITLE                                                                                                          \
	"\tIozone: Performance Test of File I/O\n\t        Version $Revision: 3.492 $\n\tOutput is in kBytes/sec\n"
#define END "\niozone test complete.\n"
#define ABOVE                                                                                                          \
	"                                                              random    random     bkwd    record    "        \
	"stride\n"
#define NAMES                                                                                                          \
	"              kB  reclen    write  rewrite    read    reread    read     write     read   rewrite      read " \
	"  "                                                                                                           \
	"fwrite frewrite    fread  freread\n"
#define ROW_4                                                                                                          \
	"              64       4    55907    68813    43361    42502    34044    64746    33578     61774     30137 " \
	"  "                                                                                                           \
	"235263   233180  3905668  3824589\n"
#define ROW_8                                                                                                          \
	"              64       8    81221   100104    69678    70623    59293    90806    56909    106010     54285 " \
	"  "                                                                                                           \
	"239120   245316  5734840  5483605\n"

/* Three public runs on ext2: cells and columns as the index of the logs has them. */
static void test_logs(void **state)
{
	static const struct {
		const char *name;
		struct column_case write;
		double first, last;
	} logs[] = {
	    {"iozone/11-ext2_1.iozone",
	     {"write", "KiB/s", 163, 1457788.135, 359441.1381, 1433399, 205125, 2276936},
	     285299,
	     717889},
	    {"iozone/12-ext2_2.iozone",
	     {"write", "KiB/s", 163, 1414592.27, 326722.0204, 1402913, 267128, 2232456},
	     267128,
	     1031971},
	    {"iozone/13-ext2_3.iozone",
	     {"write", "KiB/s", 163, 1423026.215, 344979.8681, 1410057, 231392, 2315253},
	     285299,
	     930475},
	    {"iozone/16-ext4_1.iozone",
	     {"write", "KiB/s", 163, 1131683.54, 326110.3067, 1065470, 184922, 1879644},
	     200191,
	     1439589},
	    {"iozone/17-ext4_2.iozone",
	     {"write", "KiB/s", 163, 1058630.742, 337583.0161, 1019791, 142414, 1872614},
	     142414,
	     1428334},
	    {"iozone/18-ext4_3.iozone",
	     {"write", "KiB/s", 163, 1089827.804, 324860.3529, 1029671, 148726, 1849412},
	     148726,
	     1420788},
	};

	for (gsize i = 0; i < G_N_ELEMENTS(logs); i++) {
		g_autoptr(Dataset) dataset = import_public(logs[i].name);

		check_column_case(dataset, "iozone", &logs[i].write);
		assert_close(value_of(dataset, "write", 0), logs[i].first, 0);
		assert_close(value_of(dataset, "write", 162), logs[i].last, 0);
		assert_string_equal(level_of(dataset, "kB", 162), "4194304");
		assert_string_equal(level_of(dataset, "reclen", 162), "16384");
		assert_int_equal(dataset->metrics->len, 13);
		assert_int_equal(dataset->warnings->len, 0);
	}
}

/* Columns are named by both lines above them, in 3.4 and, in other letters and places, in 3.3. */
static void test_columns(void **state)
{
	static const char *const names[] = {"write",        "rewrite",   "read",           "reread",      "random_read",
					    "random_write", "bkwd_read", "record_rewrite", "stride_read", "fwrite",
					    "frewrite",     "fread",     "freread"};
	static const double values[] = {55907, 68813, 43361,  42502,  34044,   64746,  33578,
					61774, 30137, 235263, 233180, 3905668, 3824589};
	g_autoptr(Dataset) lower = import_text(TITLE ABOVE NAMES ROW_4 ROW_8 END);
	g_autoptr(Dataset) upper = import_text(
	    "              KB  reclen   write rewrite    read    reread    read   write    read  rewrite     read   "
	    "fwrite frewrite   fread  freread\n"
	    "              64       4   55907   68813    43361    42502   34044   64746   33578    61774    30137   "
	    "235263   233180 3905668  3824589\n");

	assert_int_equal(lower->n_runs, 2);
	assert_int_equal(upper->n_runs, 1);
	for (gsize i = 0; i < G_N_ELEMENTS(names); i++) {
		assert_close(value_of(lower, names[i], 0), values[i], 0);
		assert_close(value_of(upper, names[i], 0), values[i], 0);
		assert_int_equal(dataset_find_metric(lower, names[i])->metric.better, BETTER_HIGHER);
	}
	assert_string_equal(level_of(lower, "reclen", 1), "8");
	assert_string_equal(g_hash_table_lookup(lower->primary, "iozone"), "write");
}

/* Tests that were left out leave blanks, which place says (-i 0 -i 2); 0 is a test that was not repeated (-+n). */
static void test_left_out(void **state)
{
	g_autoptr(Dataset) dataset =
	    import_text(TITLE ABOVE NAMES "          102400    1024   388250        0                     "
					  "290025   392099                                     \n" END);

	assert_int_equal(dataset->n_runs, 1);
	assert_int_equal(dataset->metrics->len, 3);
	assert_close(value_of(dataset, "write", 0), 388250, 0);
	assert_close(value_of(dataset, "random_read", 0), 290025, 0);
	assert_close(value_of(dataset, "random_write", 0), 392099, 0);
}

/* Other outputs have other units: operations a second, microseconds an operation. */
static void test_units(void **state)
{
	g_autoptr(Dataset) ops = import_text("\tOPS Mode. Output is in operations per second.\n" NAMES ROW_4);
	g_autoptr(Dataset) us =
	    import_text("\tMicroseconds/op Mode. Output is in microseconds per operation.\n" NAMES ROW_4);

	assert_string_equal(dataset_find_metric(ops, "write")->metric.unit, "/s");
	assert_string_equal(dataset_find_metric(us, "write")->metric.unit, "us");
	assert_int_equal(dataset_find_metric(us, "write")->metric.better, BETTER_LOWER);
}

/* A column that no version has is left out; those of -E are known. */
static void test_unknown_columns(void **state)
{
	g_autoptr(Dataset) dataset = import_text("KB reclen write odd pwritev write write\n64 4 1 2 3 4 5\n");

	assert_int_equal(dataset->metrics->len, 3);
	assert_close(value_of(dataset, "write", 0), 1, 0);
	assert_close(value_of(dataset, "pwritev", 0), 3, 0);
	assert_close(value_of(dataset, "random_write", 0), 4, 0);
	check_warning(dataset, 0, "table.tsv:1: ", "no known test: 'odd'");
	check_warning(dataset, 1, "table.tsv:1: ", "no known test: 'write'");
}

/* Throughput: a run for each number of processes. */
static void test_throughput(void **state)
{
	g_autoptr(Dataset) dataset = import_text(
	    TITLE "\tThroughput test with 1 process\n\tEach process writes a 131072 kByte file in 4 kByte records\n\n"
		  "\tChildren see throughput for  1 initial writers \t=  301113.50 kB/sec\n"
		  "\tParent sees throughput for  1 initial writers \t=    4523.09 kB/sec\n"
		  "\tMin throughput per process \t\t\t=  301113.50 kB/sec \n"
		  "\tChildren see throughput for 1 random readers \t= 1179321.50 kB/sec\n\n"
		  "\tThroughput test with 4 processes\n\tEach process writes a 131072 kByte file in 8 kByte records\n\n"
		  "\tChildren see throughput for  4 initial writers \t=  908742.25 kB/sec\n"
		  "\tChildren see throughput for 4 mixed workload \t=  42.5 kB/sec\n" END);

	assert_int_equal(dataset->n_runs, 2);
	assert_string_equal(column_get(dataset->workload, 0), "iozone-throughput");
	assert_close(value_of(dataset, "write", 0), 301113.5, 0);
	assert_close(value_of(dataset, "random_read", 0), 1179321.5, 0);
	assert_close(value_of(dataset, "write", 1), 908742.25, 0);
	assert_close(value_of(dataset, "mixed", 1), 42.5, 0);
	assert_string_equal(dataset_find_metric(dataset, "write")->metric.unit, "KiB/s");
	assert_string_equal(level_of(dataset, "procs", 0), "1");
	assert_string_equal(level_of(dataset, "procs", 1), "4");
	assert_string_equal(level_of(dataset, "kB", 0), "131072");
	assert_string_equal(level_of(dataset, "reclen", 1), "8");
}

#define TABLES                                                                                                         \
	"Excel output is below:\n\n\"Writer report\"\n        \"4\"  \"8\"  \"16\"\n\"32\"   100  200  300 "           \
	"\n\"65536\"   0  400  500 \n"                                                                                 \
	"\n\"Re-Reader report\"\n        \"4\"  \"8\"  \"16\"\n\"32\"   11  22 \n\n"                                   \
	"\"Writer CPU utilization report (Zero values should be ignored)\"\n        \"4\"  \"8\"\n\"32\"   1  2 \n"

/* The tables for a spreadsheet: cells are runs where the same figures are not in the file in the usual form. */
static void test_excel(void **state)
{
	g_autoptr(Dataset) alone = import_text(TABLES), both = import_text(TITLE NAMES ROW_4 END TABLES);

	assert_int_equal(both->n_runs, 1);
	assert_int_equal(alone->n_runs, 5);
	assert_string_equal(level_of(alone, "kB", 1), "32");
	assert_string_equal(level_of(alone, "reclen", 1), "8");
	assert_close(value_of(alone, "write", 1), 200, 0);
	assert_close(value_of(alone, "reread", 1), 22, 0);
	assert_close(value_of(alone, "reread", 2), NAN, 0);
	assert_string_equal(level_of(alone, "kB", 3), "65536");
	assert_string_equal(level_of(alone, "reclen", 3), "8");
	assert_close(value_of(alone, "write", 3), 400, 0);
	assert_int_equal(alone->metrics->len, 2);
}

/* Rows that were cut off, even in their last number, or that do not fit their table are refused. */
static void test_refused(void **state)
{
	g_autofree char *cut = g_strdup(NAMES ROW_4 ROW_8);

	cut[strlen(cut) - 2] = '\0';
	check_text_refused(cut, "r.txt:3: ", "cut off");
	cut[strlen(cut) - 30] = '\0';
	check_text_refused(cut, "r.txt:3: ", "");
	check_text_refused(NAMES ROW_4 "              64       8\n", "r.txt:3: ", "cut off");
	check_text_refused(NAMES ROW_4 "              64\n", "r.txt:3: ", "cut off");
	check_text_refused(NAMES "  64   4    55907  68813\n",
			   "r.txt:2: ", "2 of the 13 columns' values, not below their names");
	check_text_refused("KB reclen write read\n64 4 1 2 3\n", "r.txt:2: ", "3 values where the table has 2 columns");
	check_text_refused("KB reclen write read\n64 4 1 2x\n", "r.txt:2: ", "'2x' is no number");
	check_text_refused(TITLE, "r.txt: ", "no results in it");
	check_text_refused("\tChildren see throughput for  1 initial writers \t=  3011\n", "r.txt:1: ", "cut off");
	check_text_refused("Excel output is below:\n\"Writer report\"\n\"4\"\n\"32\" 1 2\n",
			   "r.txt:4: ", "more values");
	check_text_refused("Excel output is below:\n\"Writer report\"\n\"4\"\n\"32\" 1,5\n",
			   "r.txt:4: ", "'1,5' is no number");
}

/* A report that was interrupted is read as far as it goes, and that is said. */
static void test_interrupted(void **state)
{
	g_autoptr(Dataset) dataset = import_text(TITLE NAMES ROW_4 ROW_8);

	assert_int_equal(dataset->n_runs, 2);
	check_warning(dataset, 0, "table.tsv:", "does not end with 'iozone test complete'");
}

/* Nothing else is taken for this format, and no bytes crash it. */
static void test_detection_and_hostile(void **state)
{
	static const char report[] =
	    TITLE ABOVE NAMES ROW_4 ROW_8 END "\tChildren see throughput for  1 readers = 3.5 kB/sec\n";

	check_detected(report, &import_iozone);
	check_detected(TABLES, &import_iozone);
	check_hostile(&import_iozone, report);
	check_hostile(&import_iozone, TABLES);
	check_long_numbers(&import_iozone, report);
	check_long_numbers(&import_iozone, TABLES);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_logs),
	    cmocka_unit_test(test_columns),
	    cmocka_unit_test(test_left_out),
	    cmocka_unit_test(test_units),
	    cmocka_unit_test(test_unknown_columns),
	    cmocka_unit_test(test_throughput),
	    cmocka_unit_test(test_excel),
	    cmocka_unit_test(test_refused),
	    cmocka_unit_test(test_interrupted),
	    cmocka_unit_test(test_detection_and_hostile),
	};

	return cmocka_run_group_tests_name("import of iozone", tests, make_directory, remove_directory);
}
