#include "check.h"

#include "log_case.h"

#define TIOBENCH "Thr Rate (CPU%) Rate (CPU%) Rate (CPU%) Rate (CPU%)\n--- ----\na 1 1 1% 1 1% 1 1% 1 1%\n"
#define VMSTAT                                                                                                         \
	" r  b   swpd   free   buff  cache   si   so    bi    bo   in   cs us sy id wa st\n"                           \
	" 1 0 0 100 10 10 0 0 0 0 5 6 1 1 98 0 0\n"

/* A log that ends within what is told of a run is refused, with the line where that begins. */
static void test_cut_short(void **state)
{
	static const struct {
		const char *text, *where;
	} logs[] = {
	    {"Throughput 5 MB/sec\n36.41user 289.55sys", ":2: "},
	    {"Throughput 5 MB/sec\nThroughput 5.8", ":2: "},
	    {"0.1user 0.1system 0:01.00elapsed 3%CPU (0avgtext\n0inputs+0outputs (10", ":2: "},
	    {"1.0u 1.0s 0:01.00 50.0% 0+0k 0+0io 7pf+0w\n1.0u 1.0s 0:0", ":2: "},
	    {"Throughput 5 MB/sec\nreal\t0m1.0s\nuser\t0m1.0s\n", ":2: "},
	    {"Throughput 5 MB/sec\nreal\t0m1.0s\n", ":2: "},
	    {"a *** 5 MB/sec\nb ** 2", ":2: "},
	    {TIOBENCH "b 1 1 1% 1", ":4: "},
	    {TIOBENCH "b 1 1", ":4: "},
	    {"write:1,1,1,1,1,1,1,1\nread:1,1,1", ":2: "},
	    {VMSTAT " 1 0 0 100", ":3: "},
	    {"Throughput 5 MB/sec\n123 iterations to 10 files. Hit time value of", ":2: "},
	    {"Throughput 5 MB/sec\ngrowfiles -b -e 1\n123 iterations to 1", ":3: "},
	    /* the run that was under way */
	    {"Throughput 5 MB/sec\n\n8 clients started\n", ":3: "},
	    {"Throughput 5 MB/sec\nreleasing clients\n 8 1 5.5 MB/sec execute 1 sec latency 2 ms\n", ":2: "},
	    {"$ time ./a\nreal 1\nuser 1\nsys 1\n$ time ./a\n", ":5: "},
	    {"\tCommand being timed: \"a\"\n\tUser time (seconds): 1.0\n", ":1: "},
	    {"\tCommand being timed: \"a\"\n\tElapsed (wall clock) time (h:mm:ss or m:ss): 0:01.00\n", ":1: "},
	};

	for (gsize i = 0; i < G_N_ELEMENTS(logs); i++)
		assert_refused(logs[i].text, -1, logs[i].where, "the file ends ");
}

/* Logs without a single result say so. */
static void test_no_results(void **state)
{
	assert_refused("dbench version 4.00 - Copyright\n", -1, "table.tsv: ", "no results in it");
	assert_refused("gf14        1  TPASS  :  Test passed\n", -1, "table.tsv: ", "no results in it");
	assert_refused("5 iterations to 1 files. Hit iteration value\n", -1, "table.tsv: ", "no results in it");
}

/* Text that only looks a little like a log is none. */
static void test_other_text(void **state)
{
	static const char *const texts[] = {
	    "some words\n",
	    "real life\nuser error\nsys admin\n",
	    "time flies:\n$ time\n",
	    "# dbench 32 on two kernels\nkernel\tthroughput_MBps\n2.4.7\t10.2\n",
	    "r\tb\tswpd\tfree\tlabel\tday\n1\t2\t3\t4\ta\tb\n",
	    "name,throughput MB/sec\na,5\n",
	};

	for (gsize i = 0; i < G_N_ELEMENTS(texts); i++)
		for (guint k = 0; importer_table[k]; k++)
			if (g_str_equal(importer_table[k]->name, "log") &&
			    importer_table[k]->detect(texts[i], strlen(texts[i])))
				fail_msg("taken for a log: %s", texts[i]);
}

/* Negative, endless and other numbers that are none are no values; a long line is no line of a log. */
static void test_hostile_numbers(void **state)
{
	g_autofree char *digits = g_strnfill(2000, '9'), *many = g_strnfill(1000000, '9');
	g_autofree char *text =
	    g_strdup_printf("Throughput 7 MB/sec\nThroughput -5 MB/sec\nThroughput nan MB/sec\nThroughput 0x10 MB/sec\n"
			    "Throughput %s MB/sec\nThroughput %s MB/sec\nThroughput 1e999 MB/sec\n"
			    "-1.0u 1.0s 0:01.00 50.0%% 0+0k 0+0io 7pf+0w\nreal -1\nuser 1\nsys 1\n"
			    "1.0u 1.0s 1:2:3:4.5 50.0%% 0+0k 0+0io 7pf+0w\n"
			    "1.0u 1.0s 9999999999:01 50.0%% 0+0k 0+0io 7pf+0w\nend\n",
			    digits, many);
	g_autoptr(Dataset) log = import_text(text);

	assert_int_equal(log->n_runs, 1);
	assert_value(log, "throughput", 0, 7);
}

/* NUL bytes and what is no UTF-8 are refused with their line, text in other writings is read. */
static void test_hostile_text(void **state)
{
	static const char nul[] = "Throughput 5 MB/sec\n\0\n", latin1[] = "Throughput 5 MB/sec\n\xe4\n";
	g_autoptr(Dataset) log =
	    import_text("Überschrift (\xe2\x80\xae):\n\xc2\xa0\xc2\xa0$ time ./\xd0\xb0 \xe2\x80\xae\n"
			"real\t0m1,5s\r\nuser\t0m1s\r\nsys\t0m0,0s\r\n");

	assert_refused(nul, sizeof nul - 1, "table.tsv:2: ", "binary data");
	assert_refused(latin1, -1, "table.tsv:2: ", "not text in UTF-8");
	assert_int_equal(log->n_runs, 1);
	assert_value(log, "elapsed", 0, 1.5);
}

/* Many runs of many commands, each with a heading of its own. */
static void test_many(void **state)
{
	g_autoptr(GString) text = g_string_new(NULL);

	for (int i = 0; i < 20000; i++)
		g_string_append_printf(text, "heading %d:\n$ time ./a %d\nreal 1.5\nuser 1\nsys 1\n", i, i);
	g_autoptr(Dataset) log = import_text(text->str);

	assert_int_equal(log->n_runs, 20000);
	assert_close(sum_of(log, "elapsed"), 30000, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_cut_short),    cmocka_unit_test(test_no_results),
	    cmocka_unit_test(test_other_text),   cmocka_unit_test(test_hostile_numbers),
	    cmocka_unit_test(test_hostile_text), cmocka_unit_test(test_many),
	};

	return cmocka_run_group_tests_name("import of what is no complete log", tests, make_directory,
					   remove_directory);
}
