#include "check.h"

#include "../src/shared.h"
#include "json_case.h"

/* A document with such jobs, written at a time in ms; a job with such members. */
#define DOCUMENT(TIME, JOBS) "{'fio version':'fio-3.33', 'timestamp_ms':" TIME ", 'jobs':[" JOBS "]}\n"
#define JOB(NAME, REST) "{'jobname':'" NAME "', 'error':0, " REST "}"
/* So many operations of 1000 bytes in so many milliseconds. */
#define WRITE(OPERATIONS, MS)                                                                                          \
	"'write':{'io_bytes':" OPERATIONS "000, 'io_kbytes':1, 'bw_bytes':1000000, 'iops':250, 'runtime':" MS          \
	", 'total_ios':" OPERATIONS ", 'clat_ns':{'mean':5000}}"

/* Bandwidth in KiB/s (as fio rounds it, downwards), operations/s and completion latency in us, from the logs' index. */
struct direction {
	const char *file, *workload, *name;
	double bandwidth_kib, iops, clat_us;
};

static void check_direction(const struct direction *want)
{
	g_autoptr(Dataset) dataset = import_public(want->file);
	g_autofree char *bandwidth = g_strconcat(want->name, "_bandwidth", NULL);
	g_autofree char *iops = g_strconcat(want->name, "_iops", NULL), *clat = g_strconcat(want->name, "_clat", NULL);
	guint row = 0;

	while (row < dataset->n_runs && !g_str_equal(column_get(dataset->workload, row), want->workload))
		row++;
	assert_true(row < dataset->n_runs);
	assert_string_equal(dataset_find_metric(dataset, bandwidth)->metric.unit, "MB/s");
	assert_string_equal(dataset_find_metric(dataset, clat)->metric.unit, "us");
	assert_true(floor(value_of(dataset, bandwidth, row) * 1e6 / 1024 + 1e-6) == want->bandwidth_kib);
	assert_close(value_of(dataset, iops, row), want->iops, 1e-9);
	assert_close(value_of(dataset, clat, row), want->clat_us, 1e-9);
}

/* Real files of fio 2.17, 3.12, 3.26 and 3.36: the values of the logs' index, whatever units the version has. */
static void test_logs(void **state)
{
	static const char read_job[] = "rand_16k_read_100%-io-depth-1-num-jobs-2";
	static const char write_job[] = "rand_16k_write_100%-io-depth-1-num-jobs-2";
	static const struct direction directions[] = {
	    {"fio/01-baseline-mix-run1.json", "test", "read", 87402, 682.831717, 893.319601552},
	    {"fio/01-baseline-mix-run1.json", "test", "write", 87876, 686.531347, 530.239697349},
	    {"fio/02-baseline-mix-run2.json", "test", "read", 85828, 670.532947, 875.235720549},
	    {"fio/02-baseline-mix-run2.json", "test", "write", 86365, 674.732527, 570.703785566},
	    {"fio/03-baseline-mix-run3.json", "test", "read", 100188, 782.721728, 774.411061191},
	    {"fio/03-baseline-mix-run3.json", "test", "write", 100815, 787.621238, 467.701563412},
	    {"fio/04-ml-mix-run1.json", "test", "read", 104399, 815.618438, 795.663547996},
	    {"fio/04-ml-mix-run1.json", "test", "write", 105218, 822.017798, 405.114488748},
	    {"fio/05-ml-mix-run2.json", "test", "read", 117453, 917.608239, 696.271186553},
	    {"fio/05-ml-mix-run2.json", "test", "write", 117428, 917.408259, 373.941627902},
	    {"fio/06-ml-mix-run3.json", "test", "read", 119450, 933.206679, 683.312725812},
	    {"fio/06-ml-mix-run3.json", "test", "write", 119399, 932.806719, 368.537131097},
	    {"fio/09-pkb-2.17.json", read_job, "read", 129386, 8086.673998, 238.357679},
	    {"fio/09-pkb-2.17.json", write_job, "write", 39312, 2457.017193, 800.193694},
	    {"fio/21-vc-bom.txt", "fio_randwrite_1GB_4k_d1_th1_direct", "write", 8668, 2167.231601, 418.473267365},
	    {"fio/26-arau-writes100-0.json", "vol0", "write", 1828, 457.18591, 34979.92988508},
	};

	for (gsize i = 0; i < G_N_ELEMENTS(directions); i++)
		check_direction(&directions[i]);
}

/* Directions without I/O have no values; jobs are workloads of their own, each with its primary metric. */
static void test_directions(void **state)
{
	g_autoptr(Dataset) two = import_public("fio/09-pkb-2.17.json"), one = import_public("fio/21-vc-bom.txt");

	assert_int_equal(two->n_runs, 2);
	assert_close(value_of(two, "write_bandwidth", 0), NAN, 0);
	assert_close(value_of(two, "read_bandwidth", 1), NAN, 0);
	assert_string_equal(g_hash_table_lookup(two->primary, column_get(two->workload, 0)), "read_bandwidth");
	assert_string_equal(g_hash_table_lookup(two->primary, column_get(two->workload, 1)), "write_bandwidth");
	/* 1294256 KiB, as that version counts; 99% within 1352 us */
	assert_close(value_of(two, "read_io", 0), 1294256 * 1024e-6, 1e-12);
	assert_close(value_of(two, "read_clat_p99", 0), 1352, 0);
	assert_null(dataset_find_metric(one, "read_bandwidth"));
	assert_null(dataset_find_metric(one, "trim_bandwidth"));
	assert_close(value_of(one, "write_io", 0), 1073.741824, 1e-12);
	assert_int_equal(one->warnings->len, 0);
}

/* A job that failed (error 42) is a failed run without values; the text before its document is warned of. */
static void test_failed(void **state)
{
	g_autoptr(Dataset) dataset = import_public("fio/20-vc-jsonwitherror.txt");

	assert_int_equal(dataset->n_runs, 1);
	assert_string_equal(column_get(dataset->outcome, 0), "failed");
	for (guint i = 0; i < dataset->metrics->len; i++)
		assert_true(isnan(values_get(g_ptr_array_index(dataset->metrics, i), 0)));
	assert_string_equal(g_hash_table_lookup(dataset->primary, "fiotest"), "read_bandwidth");
	assert_int_equal(dataset->warnings->len, 1);
	check_warning(dataset, 0, "20-vc-jsonwitherror.txt:1: ", "2 lines of text that is no JSON: 'fio: pid=19192");
}

/* A document that is there twice is one run. */
static void test_twice(void **state)
{
	g_autoptr(Dataset) dataset = import_public("fio/26-arau-writes100-0.json");

	assert_int_equal(dataset->n_runs, 1);
	check_warning(dataset, 1, "26-arau-writes100-0.json:317: ", "the same document as in line 1");
}

/* Units by version: KiB and us before 3.0, in between bytes and KiB/s, then bytes/s and ns; keys of percentiles have
 * two digits or six. */
static void test_versions(void **state)
{
	g_autoptr(Dataset) dataset = import_json_text(
	    "{'fio version':'fio-2.0.15', 'jobs':[{'jobname':'w', 'write':{'io_bytes':1000, 'bw':500, 'iops':7,"
	    " 'runtime':2000, 'clat':{'mean':30.5, 'percentile':{'95.00':1, '99.00':90, '0.00':0}},"
	    " 'lat':{'mean':40}}}]}\n"
	    "{'fio version':'fio-2.99', 'jobs':[{'jobname':'w', 'write':{'io_bytes':1024000, 'io_kbytes':1000,"
	    " 'bw':500, 'iops':7, 'runtime':2000, 'clat_ns':{'mean':30500, 'percentile':{'99.000000':90000}},"
	    " 'lat_ns':{'mean':40000, 'percentile':{'99.000000':95000}}}}]}\n"
	    "{'fio version':'fio-3.33', 'jobs':[{'jobname':'w', 'write':{'io_bytes':1024000, 'io_kbytes':1000,"
	    " 'bw':500, 'bw_bytes':512001, 'iops':7, 'runtime':2000, 'clat_ns':{'mean':30500},"
	    " 'lat_ns':{'mean':0}}}]}\n");

	for (guint row = 0; row < 3; row++) {
		assert_close(value_of(dataset, "write_bandwidth", row), row < 2 ? 0.512 : 0.512001, 1e-12);
		assert_close(value_of(dataset, "write_io", row), 1.024, 1e-12);
		assert_close(value_of(dataset, "write_runtime", row), 2, 0);
		assert_close(value_of(dataset, "write_clat", row), 30.5, 1e-12);
		assert_close(value_of(dataset, "write_latency", row), row < 2 ? 40 : NAN, 1e-12);
		assert_close(value_of(dataset, "write_clat_p99", row), row < 2 ? 90 : NAN, 1e-12);
	}
	assert_close(value_of(dataset, "write_latency_p99", 1), 95, 1e-12);
	assert_string_equal(level_of(dataset, "fio version", 1), "fio-2.99");
	assert_int_equal(dataset_find_metric(dataset, "write_bandwidth")->metric.better, BETTER_HIGHER);
	assert_int_equal(dataset_find_metric(dataset, "write_clat")->metric.better, BETTER_LOWER);
}

/* Without group_reporting each process is an entry of the same name: one run, of which bytes and operations add up over
 * the longest time, 2000 + 4000 operations in 4 s, and latencies are averaged over the operations. */
static void test_processes(void **state)
{
	static const char first[] =
	    JOB("p", "'write':{'io_bytes':8192000, 'io_kbytes':8000, 'bw_bytes':4096000, 'iops':1000, 'runtime':2000,"
		     " 'total_ios':2000, 'clat_ns':{'mean':1000, 'percentile':{'99.000000':5000}}},"
		     " 'usr_cpu':2, 'sys_cpu':4, 'ctx':10, 'majf':1, 'minf':5");
	static const char second[] =
	    JOB("p", "'write':{'io_bytes':16384000, 'io_kbytes':16000, 'bw_bytes':4096000, 'iops':1000, 'runtime':4000,"
		     " 'total_ios':4000, 'clat_ns':{'mean':4000, 'percentile':{'99.000000':9000}}},"
		     " 'usr_cpu':4, 'sys_cpu':6, 'ctx':30, 'majf':0, 'minf':7");
	g_autofree char *text = g_strdup_printf(DOCUMENT("9000", "%s, %s"), first, second);
	g_autoptr(Dataset) dataset = import_json_text(text);

	assert_int_equal(dataset->n_runs, 1);
	assert_close(value_of(dataset, "write_bandwidth", 0), 24.576 / 4, 1e-12);
	assert_close(value_of(dataset, "write_iops", 0), 1500, 1e-12);
	assert_close(value_of(dataset, "write_clat", 0), 3, 1e-12);
	assert_null(dataset_find_metric(dataset, "write_clat_p99"));
	assert_close(value_of(dataset, "write_runtime", 0), 4, 0);
	assert_close(value_of(dataset, "cpu", 0), 8, 1e-12);
	assert_close(value_of(dataset, "ctx_switches", 0), 40, 0);
	assert_close(value_of(dataset, "major_faults", 0), 1, 0);
	assert_close(value_of(dataset, "minor_faults", 0), 12, 0);
	check_warning(dataset, 0, ":1: ", "2 jobs are named 'p'");
}

/* With --status-interval fio shows a run again and again: the last look counts, also of jobs that had ended before and
 * of one that began later. What began later is another run, though it be named alike. */
static void test_status_interval(void **state)
{
	static const char looks[] =
	    DOCUMENT("101000", JOB("a", WRITE("250", "1000")))
	    DOCUMENT("102003", JOB("a", WRITE("500", "2000")) ", " JOB("b", WRITE("100", "400")))
	    DOCUMENT("103000", JOB("a", WRITE("500", "2000")) ", " JOB("b", WRITE("300", "1400")))
	    DOCUMENT("105500", JOB("a", WRITE("600", "2100")) ", " JOB("b", WRITE("300", "1400")));
	g_autoptr(Dataset) dataset = import_json_text(looks);

	assert_int_equal(dataset->n_runs, 4);
	assert_string_equal(column_get(dataset->workload, 1), "b");
	assert_close(value_of(dataset, "write_runtime", 0), 2, 0);
	assert_close(value_of(dataset, "write_runtime", 1), 1.4, 1e-12);
	assert_close(value_of(dataset, "write_runtime", 2), 2.1, 1e-12);
	assert_true(dataset_started_us(dataset, 0) == 100 * G_USEC_PER_SEC);
	assert_true(dataset_started_us(dataset, 2) == 103400 * (gint64)1000);
	check_warning(dataset, 0, ":2: ", "a later look at the same run");
	assert_int_equal(dataset->warnings->len, 1);
}

/* Documents that are nearly later looks are runs of their own: written at the same time, or after as long a run, or after
 * less I/O. */
static void test_no_later_look(void **state)
{
	static const char *const others[] = {
	    DOCUMENT("101000", JOB("a", WRITE("300", "1100"))),
	    DOCUMENT("101100", JOB("a", WRITE("300", "1000"))),
	    DOCUMENT("101100", JOB("a", WRITE("200", "1100"))),
	};

	for (gsize i = 0; i < G_N_ELEMENTS(others); i++) {
		g_autofree char *text =
		    g_strconcat(DOCUMENT("101000", JOB("a", WRITE("250", "1000"))), others[i], NULL);
		g_autoptr(Dataset) dataset = import_json_text(text);

		assert_int_equal(dataset->n_runs, 2);
	}
}

/* A job that fails in a later look loses the values of the earlier one. */
static void test_failed_later(void **state)
{
	static const char looks[] = DOCUMENT("101000", JOB("a", WRITE("250", "1000")))
	    DOCUMENT("102000", "{'jobname':'a', 'error':5, " WRITE("500", "2000") "}");
	g_autoptr(Dataset) dataset = import_json_text(looks);

	assert_int_equal(dataset->n_runs, 1);
	assert_false(dataset_ok(dataset, 0));
	assert_close(value_of(dataset, "write_bandwidth", 0), NAN, 0);
}

/* Options in which runs of one job differ are factors, with those of the job before the global ones; others are facts,
 * and so are paths. */
static void test_options(void **state)
{
	static const char text[] =
	    "{'fio version':'fio-3.1', 'global options':{'ioengine':'libaio', 'bs':'4k', 'direct':''}, 'jobs':["
	    JOB("a", "'job options':{'name':'a', 'iodepth':'1', 'filename':'/dev/sda'}, " WRITE("10", "1000")) ", "
	    JOB("b", "'job options':{'bs':'1M', 'write_bw_log':'x'}, " WRITE("10", "1000")) "]}\n"
	    "{'fio version':'fio-3.1', 'global options':{'ioengine':'libaio', 'bs':'4k', 'direct':''}, 'jobs':["
	    JOB("a", "'job options':{'iodepth':'8', 'filename':'/dev/sdb'}, " WRITE("20", "1000")) "]}\n";
	g_autoptr(Dataset) dataset = import_json_text(text);

	assert_int_equal(dataset->n_runs, 3);
	assert_int_equal(dataset->factors->len, 2); /* and the label */
	assert_string_equal(level_of(dataset, "iodepth", 0), "1");
	assert_null(level_of(dataset, "iodepth", 1));
	assert_string_equal(level_of(dataset, "iodepth", 2), "8");
	assert_string_equal(setting_of(dataset, "ioengine", 0), "libaio");
	assert_string_equal(setting_of(dataset, "bs", 0), "4k");
	assert_string_equal(setting_of(dataset, "bs", 1), "1M");
	assert_string_equal(setting_of(dataset, "direct", 2), "yes");
	assert_string_equal(setting_of(dataset, "filename", 2), "/dev/sdb");
	assert_null(setting_of(dataset, "write_bw_log", 1));
	assert_null(setting_of(dataset, "name", 0));
}

/* All three directions at once (unified_rw_reporting), syncs, and the jobs of clients. */
static void test_other_shapes(void **state)
{
	g_autoptr(Dataset) dataset = import_json_text(
	    "{'fio version':'fio-3.33', 'client_stats':[{'jobname':'c', 'error':0, 'mixed':{'io_bytes':2000000,"
	    " 'io_kbytes':1953, 'bw_bytes':1000000, 'iops':5, 'runtime':2000, 'total_ios':10},"
	    " 'sync':{'total_ios':3, 'lat_ns':{'mean':7000, 'percentile':{'99.000000':9000}}}}]}");

	assert_close(value_of(dataset, "mixed_bandwidth", 0), 1, 1e-12);
	assert_close(value_of(dataset, "sync_latency", 0), 7, 1e-12);
	assert_close(value_of(dataset, "sync_latency_p99", 0), 9, 1e-12);
	assert_null(dataset_find_metric(dataset, "sync_bandwidth"));
}

/* What is odd and can be read is warned of: jobs without I/O, negative numbers, documents that are not fio's, jobs
 * without a name; nothing at all is an error. */
static void test_odd(void **state)
{
	static const char idle[] = JOB("idle", "'read':{'io_bytes':0, 'total_ios':0}");
	g_autofree char *text = g_strdup_printf(
	    "{'lsblk':[]}\n" DOCUMENT("1", "%s, 7, {'write':{'io_bytes':9, 'io_kbytes':0, 'bw_bytes':-5, 'runtime':1}}"),
	    idle);
	g_autofree char *nothing = g_strdup_printf(DOCUMENT("1", "%s"), idle);
	g_autoptr(Dataset) dataset = import_json_text(text);

	assert_int_equal(dataset->n_runs, 1);
	assert_string_equal(column_get(dataset->workload, 0), "fio");
	assert_null(dataset_find_metric(dataset, "write_bandwidth"));
	check_warning(dataset, 0, ":1: ", "a document without jobs of fio is left out");
	check_warning(dataset, 1, ":2: ", "bw_bytes is negative");
	check_json_refused(DOCUMENT("1", ""), "r.txt: ", "no results in it");
	check_json_refused(nothing, "r.txt: ", "no results in it");
	check_json_refused("{'fio version':'fio-3.33',\n'jobs':[{'jobname':'a'", "r.txt:2: ", "the file ends inside");
	check_json_detected(DOCUMENT("1", ""), &import_fio);
}

/* Any byte may be missing or wrong, and numbers may have a million digits. */
static void test_hostile(void **state)
{
	check_json_hostile("fio: x\n" DOCUMENT("1", JOB("a", WRITE("10", "1000"))), &import_fio);
}

/* fio itself, which prints its results as JSON and, as text around it, as fields behind semicolons: those say the same.
 * fio(1): of version 3 the fields from 47 on are of writing: KiB, KiB/s, IOPS, ms; 57 is the mean latency in us. */
static void test_fio_itself(void **state)
{
	g_autofree char *fio = g_find_program_in_path("fio"), *file = g_build_filename(directory, "data", NULL);
	g_autofree char *filename = g_strconcat("--filename=", file, NULL), *output = NULL;
	const char *argv[] = {fio, "--name=w", "--size=8m", "--bs=64k", "--rw=write", filename, "--fallocate=none",
			      "--fsync=32", "--output-format=json,terse", NULL};
	g_autoptr(Dataset) dataset = NULL;
	g_auto(GStrv) fields = NULL;

	if (!fio)
		skip();
	assert_true(g_spawn_sync(NULL, shared(argv), NULL, G_SPAWN_STDERR_TO_DEV_NULL, NULL, NULL, &output, NULL,
				 NULL, NULL));
	dataset = import_text(output);
	fields = g_strsplit(strstr(output, "3;fio-"), ";", -1);
	assert_int_equal(dataset->n_runs, 1);
	assert_close(value_of(dataset, "write_io", 0), 8.388608, 1e-12);
	assert_close(value_of(dataset, "write_io", 0), g_ascii_strtod(fields[46], NULL) * 1024 / 1e6, 1e-12);
	assert_true(floor(value_of(dataset, "write_bandwidth", 0) * 1e6 / 1024) == g_ascii_strtod(fields[47], NULL));
	assert_true(floor(value_of(dataset, "write_iops", 0)) == g_ascii_strtod(fields[48], NULL));
	assert_close(value_of(dataset, "write_runtime", 0), g_ascii_strtod(fields[49], NULL) / 1e3, 1e-12);
	assert_close(value_of(dataset, "write_clat", 0), g_ascii_strtod(fields[56], NULL), 1e-5);
	assert_true(value_of(dataset, "sync_latency", 0) > 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_logs),
	    cmocka_unit_test(test_directions),
	    cmocka_unit_test(test_failed),
	    cmocka_unit_test(test_twice),
	    cmocka_unit_test(test_versions),
	    cmocka_unit_test(test_processes),
	    cmocka_unit_test(test_status_interval),
	    cmocka_unit_test(test_no_later_look),
	    cmocka_unit_test(test_failed_later),
	    cmocka_unit_test(test_options),
	    cmocka_unit_test(test_other_shapes),
	    cmocka_unit_test(test_odd),
	    cmocka_unit_test(test_hostile),
	    cmocka_unit_test(test_fio_itself),
	};

	return cmocka_run_group_tests_name("import of fio", tests, make_directory, remove_directory);
}
