#include "check.h"

#include "log_case.h"

#define TIME(seconds) "1.50user 2.50system " seconds "elapsed 50%CPU (0avgtext+0avgdata 100maxresident)k\n"
#define FAULTS(major) "0inputs+0outputs (" major "major+20minor)pagefaults 0swaps\n"
#define TCSH(elapsed) "1.000u 2.000s " elapsed " 50.0%\t0+0k 0+0io 7pf+0w\n"
#define THROUGHPUT(rate) "Throughput " rate " MB/sec (NB=1 MB/sec  2 MBit/sec)\n"

/* A result, its times and its faults are one run; what is known already, or comes before in a run, is the next one's.
 */
static void test_runs_apart(void **state)
{
	g_autoptr(Dataset) log = import_text(THROUGHPUT("1") TIME("0:10.00") FAULTS("5") /* run 0 */
					     TIME("0:20.00") FAULTS("6")                 /* 1: no result */
					     THROUGHPUT("3") THROUGHPUT("4")             /* 2, 3: no times */
					     TIME("1:40.00") TIME("0:05.00"));           /* 3, 4 */

	assert_int_equal(log->n_runs, 5);
	assert_value(log, "throughput", 0, 1);
	assert_value(log, "elapsed", 0, 10);
	assert_value(log, "major_faults", 0, 5);
	assert_value(log, "max_rss", 0, 100);
	assert_value(log, "throughput", 1, NAN);
	assert_value(log, "major_faults", 1, 6);
	assert_value(log, "throughput", 2, 3);
	assert_value(log, "elapsed", 2, NAN);
	assert_value(log, "throughput", 3, 4);
	assert_value(log, "elapsed", 3, 100);
	assert_value(log, "elapsed", 4, 5);
}

/* Text between the lines of a run, as "[....snipped]", is no end of it. */
static void test_text_inside(void **state)
{
	g_autoptr(Dataset) log = import_text(
	    "32 clients started\n[....snipped]\n" THROUGHPUT("8.5") "\n" TIME("0:10.00") "[...]\n" FAULTS("3"));

	assert_int_equal(log->n_runs, 1);
	assert_value(log, "throughput", 0, 8.5);
	assert_value(log, "major_faults", 0, 3);
	assert_level(level_of(log, "procs", 0), "32");
}

/* The forms in which dbench tells what ran: options, processes, clients. */
static void test_dbench_forms(void **state)
{
	g_autoptr(Dataset) log =
	    import_text("Throughput 1.5e+03 MB/sec (NB=1 MB/sec  2 MBit/sec) (sync open) (sync dirs)  4 procs\n"
			"Throughput 812.35 MB/sec (sync open) 4 procs\n"
			"Throughput 5 MB/sec  8 clients  2 procs  max_latency=9.5 ms\n"
			"$ tbench 16\nThroughput 6 MB/sec 16 procs\n"
			"# dbench -t 60 -D /mnt 24\nThroughput 7 MB/sec\n");

	assert_int_equal(log->n_runs, 5);
	assert_value(log, "throughput", 0, 1500);
	assert_level(level_of(log, "sync", 0), "open, dirs");
	assert_level(level_of(log, "sync", 1), "open");
	assert_level(level_of(log, "procs", 1), "4");
	assert_level(level_of(log, "procs", 2), "2");
	assert_level(level_of(log, "clients", 2), "8");
	assert_value(log, "max_latency", 2, 9.5);
	assert_level(column_get(log->workload, 3), "tbench");
	assert_level(level_of(log, "procs", 3), "16");
	assert_level(column_get(log->workload, 4), "dbench");
	assert_level(level_of(log, "procs", 4), "24");
	assert_null(level_of(log, "sync", 4));
}

/* A run that said that it began and had no result when the next one began has failed; of a command that nothing more is
 * told of there is a warning, since people leave out what they think does not matter. */
static void test_run_without_result(void **state)
{
	g_autoptr(Dataset) log = import_text(
	    "8 clients started\n"
	    "8 clients started\n" THROUGHPUT("2") "$ time ./qsbench -n 9\n"
						  "$ time ./qsbench -n 9\n" TCSH(
						      "0:03.00") "$ time ./qsbench -n 9\nKilled\n" TCSH("0:01.00"));

	assert_int_equal(log->n_runs, 4);
	assert_string_equal(outcome_of(log, 0), "failed");
	assert_string_equal(g_hash_table_lookup(log->primary, "dbench"), "throughput");
	assert_string_equal(outcome_of(log, 1), "ok");
	assert_string_equal(outcome_of(log, 2), "ok");
	assert_value(log, "elapsed", 2, 3);
	assert_string_equal(outcome_of(log, 3), "failed");
	assert_value(log, "elapsed", 3, NAN);
	assert_int_equal(log->warnings->len, 1);
	assert_non_null(strstr(g_ptr_array_index(log->warnings, 0), "table.tsv:4: nothing tells "));
}

/* A kill for lack of memory is of the run that it hit; where it hit another process the run does not count either. */
static void test_oom(void **state)
{
	g_autoptr(Dataset) log =
	    import_text("$ time ./qsbench\n[ 12.5] Out of memory: Killed process 12 (qsbench) total-vm:1kB\n"
			"Command terminated by signal 9\n" TIME(
			    "0:10.00") "$ time ./qsbench\nOut of Memory: Killed process 13 "
				       "(X).\n" TCSH("0:11.00") "$ time ./qsbench\n" TCSH("0:12.00"));

	assert_int_equal(log->n_runs, 3);
	assert_string_equal(outcome_of(log, 0), "oom-killed");
	assert_string_equal(outcome_of(log, 1), "disturbed");
	assert_string_equal(outcome_of(log, 2), "ok");
	assert_value(log, "elapsed", 1, NAN);
	assert_int_equal(log->warnings->len, 1);
	assert_non_null(strstr(g_ptr_array_index(log->warnings, 0), "table.tsv:6: 'X' was killed"));
}

/* Commands are known by a prompt, by "time" in front, or by their name; what they run goes by the whole command. */
static void test_commands(void **state)
{
	static const struct {
		const char *line, *workload, *procs;
	} commands[] = {
	    {"$ time make -j4 bzImage >/dev/null 2>&1", "make -j4 bzImage", NULL},
	    {"[root@box src]# time ./run && sync", "./run && sync", NULL},
	    {"me@box:~/src$ /usr/bin/time -f %e -o out ./run 8", "./run 8", NULL},
	    {"time -p ls -l &", "ls -l", NULL},
	    {"2023-10-30 16:13:09 time ./qsbench -n 5 -p 4", "qsbench", "4"},
	    {"% time /opt/dbench 48", "dbench", "48"},
	};

	for (gsize i = 0; i < G_N_ELEMENTS(commands); i++) {
		g_autofree char *text = g_strconcat(commands[i].line, "\n", TIME("0:10.00"), NULL);
		g_autoptr(Dataset) log = import_text(text);

		assert_int_equal(log->n_runs, 1);
		assert_level(column_get(log->workload, 0), commands[i].workload);
		assert_level(commands[i].procs ? level_of(log, "procs", 0) : NULL, commands[i].procs);
	}
}

/* The options of programs that are known are facts, so that a comparison says where they differ; the processes are a
 * factor and no fact. */
static void test_options(void **state)
{
	g_autoptr(Dataset) log = import_text(
	    "$ time ./qsbench -n 500 -p 4 -s 7\n" TIME("0:10.00") "5 iterations to 10 files. Hit time value of 60\n");
	GHashTable *facts;

	facts = g_hash_table_lookup(log->fact_sets, column_get(log->facts, 0));
	assert_non_null(facts);
	assert_string_equal(g_hash_table_lookup(facts, "options of qsbench"), "-n 500 -s 7");
	facts = g_hash_table_lookup(log->fact_sets, column_get(log->facts, 1));
	assert_string_equal(g_hash_table_lookup(facts, "options of growfiles"), "-L 60");
}

/* dd among others: its bytes and seconds, the times of the shell around it, its operands. */
static void test_dd(void **state)
{
	g_autoptr(Dataset) log =
	    import_text("$ time dd if=/dev/zero of=x bs=1M count=256\n256+0 records in\n256+0 records out\n"
			"268435456 bytes (268 MB, 256 MiB) copied, 0.5 s, 537 MB/s\n"
			"real\t0m0.75s\nuser\t0m0.0s\nsys\t0m0.25s\n"
			"1000000 bytes transferred in 0.25 secs (4000000 bytes/sec)\n");
	GHashTable *facts = g_hash_table_lookup(log->fact_sets, column_get(log->facts, 0));

	assert_int_equal(log->n_runs, 2);
	assert_level(column_get(log->workload, 0), "dd");
	assert_value(log, "bandwidth", 0, 268435456 / 0.5 / 1e6);
	assert_value(log, "elapsed", 0, 0.75);
	assert_value(log, "bandwidth", 1, 4);
	assert_string_equal(g_hash_table_lookup(facts, "options of dd"), "if=/dev/zero of=x bs=1M count=256");
	assert_string_equal(g_hash_table_lookup(log->primary, "dd"), "bandwidth");
}

/* Headings are sections, or the label where they name a kernel; counting runs makes no section. */
static void test_headings(void **state)
{
	g_autoptr(Dataset) log = import_text("Linux 2.4.14-pre8:\nrun 1:\n" TCSH("0:01.00") "run 2:\n" TCSH(
	    "0:02.00") "Double swap space:\n" TCSH("0:03.00") "2.4.13:\n" TCSH("0:04.00"));
	static const char *const label[] = {"2.4.14-pre8", "2.4.14-pre8", "2.4.14-pre8", "2.4.13"};
	static const char *const section[] = {"none", "none", "Double swap space", "none"};

	assert_int_equal(log->n_runs, 4);
	for (guint row = 0; row < 4; row++) {
		assert_level(level_of(log, "label", row), label[row]);
		assert_level(level_of(log, "section", row), section[row]);
		assert_value(log, "elapsed", row, row + 1);
	}
}

/* A heading that a program prints while it runs is no part of the file. */
static void test_heading_of_a_program(void **state)
{
	g_autoptr(Dataset) log =
	    import_text("$ time ./bench\nResults:\n" TCSH("0:01.00") "$ time ./bench\nResults:\n" TCSH("0:02.00"));

	assert_int_equal(log->n_runs, 2);
	assert_null(dataset_find_factor(log, "section"));
}

/* The report of time -v belongs to the result above it, and tells of a failure by its exit status. */
static void test_report(void **state)
{
	g_autoptr(Dataset) log =
	    import_text("Throughput 5 MB/sec 4 procs\n\tCommand being timed: \"dbench 4\"\n"
			"\tUser time (seconds): 1.5\n\tElapsed (wall clock) time (h:mm:ss or m:ss): 1:02:03\n"
			"\tVoluntary context switches: 3\n\tInvoluntary context switches: 4\n"
			"\tExit status: 0\n"
			"\tCommand being timed: \"false\"\n"
			"\tElapsed (wall clock) time (h:mm:ss or m:ss): 0:00.01\n\tExit status: 1\n");

	assert_int_equal(log->n_runs, 2);
	assert_level(column_get(log->workload, 0), "dbench");
	assert_value(log, "throughput", 0, 5);
	assert_value(log, "user", 0, 1.5);
	assert_value(log, "elapsed", 0, 3723);
	assert_value(log, "ctx_switches", 0, 7);
	assert_level(column_get(log->workload, 1), "false");
	assert_string_equal(outcome_of(log, 1), "failed");
}

/* "real", "user" and "sys" count where they follow each other. */
static void test_shell_words(void **state)
{
	g_autoptr(Dataset) log = import_text("real 5\nuser error\n\nreal\t1m2.5s\n\nuser\t0m1.25s\nsys\t0m0.5s\n"
					     "real 3.25\nuser 1.00\nsys 0.00\nreal 9\nsys 1\n");

	assert_int_equal(log->n_runs, 2);
	assert_value(log, "elapsed", 0, 62.5);
	assert_value(log, "user", 0, 1.25);
	assert_value(log, "elapsed", 1, 3.25);
	assert_null(dataset_find_metric(log, "cpu"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_runs_apart),   cmocka_unit_test(test_text_inside),
	    cmocka_unit_test(test_dbench_forms), cmocka_unit_test(test_run_without_result),
	    cmocka_unit_test(test_oom),          cmocka_unit_test(test_commands),
	    cmocka_unit_test(test_options),      cmocka_unit_test(test_dd),
	    cmocka_unit_test(test_headings),     cmocka_unit_test(test_heading_of_a_program),
	    cmocka_unit_test(test_report),       cmocka_unit_test(test_shell_words),
	};

	return cmocka_run_group_tests_name("import of logs", tests, make_directory, remove_directory);
}
