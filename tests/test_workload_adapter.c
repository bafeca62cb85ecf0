#include "adapter_case.h"

/* Workloads that run other people's programs: dbench, fio, and what is common to all. */

static double sync_s; /* how long a syncfs() takes at least */

/* Stands before libc's, for this program only. */
int syncfs(int fd)
{
	g_usleep((gulong)(sync_s * 1e6));
	return fsync(fd);
}

/* What dbench prints last, found by a regular expression, is the throughput without the sync; with it the same bytes
 * took the sync's time more: 2 s and here at least 0.5. Elapsed is dbench's own time: its 2 s and the starting. Its
 * clients' files are still there for the sync to write. */
static void test_dbench(void **state)
{
	const struct workload *dbench = workload_find("dbench");
	const struct scratch *scratch = *state;
	struct run_result result;
	double nosync, synced_s;

	sync_s = 0.5;
	result = run_tool("dbench:clients=2:time=2s", scratch->fd, "printed=MB/s:^Throughput ([0-9.]+) MB/sec");
	assert_ok(&result);
	nosync = value_of(dbench, &result, "throughput_nosync");
	synced_s = value_of(dbench, &result, "sync_time");
	assert_true(nosync > 0);
	assert_close(nosync, g_array_index(result.own, double, count_metrics(dbench)), 0);
	assert_true(synced_s >= 0.5 && synced_s < 60);
	assert_close(value_of(dbench, &result, "throughput") * (2 + synced_s), nosync * 2, 1e-9);
	assert_true(value_of(dbench, &result, "max_latency") > 0);
	assert_true(result.values[RUN_ELAPSED] >= 2);
	assert_int_equal(faccessat(scratch->fd, "clients/client1", F_OK, 0), 0);
	assert_true(scratch_empty(scratch, NULL));
	run_result_clear(&result);
}

/* fio's figures fit together: bandwidth is calls per second times 4096 bytes, and 1 MiB took no longer than fio itself
 * did. Writes only: nothing of reads. The file has its full length. */
static void test_fio_write(void **state)
{
	const struct workload *fio = workload_find("fio");
	const struct scratch *scratch = *state;
	struct run_result result = run_tool("fio:size=1M", scratch->fd, NULL);
	struct stat st;
	double bandwidth;

	assert_ok(&result);
	bandwidth = value_of(fio, &result, "bandwidth");
	assert_close(bandwidth, value_of(fio, &result, "write_bandwidth"), 0);
	assert_close(bandwidth * 1e6, value_of(fio, &result, "iops") * 4096, 1e-3);
	assert_true(1.048576 / bandwidth <= result.values[RUN_ELAPSED]);
	assert_true(value_of(fio, &result, "write_clat_p99") > 0);
	assert_true(value_of(fio, &result, "write_clat") > 0);
	assert_true(isnan(value_of(fio, &result, "read_bandwidth")) && isnan(value_of(fio, &result, "read_clat")));
	assert_int_equal(fstatat(scratch->fd, "fio.0.0", &st, 0), 0);
	assert_int_equal(st.st_size, 1048576);
	assert_true(scratch_empty(scratch, NULL));
	run_result_clear(&result);
}

/* Two processes that read and write: the sum of both directions, for as long as it is told. */
static void test_fio_mixed(void **state)
{
	const struct workload *fio = workload_find("fio");
	const struct scratch *scratch = *state;
	struct run_result result = run_tool("fio:size=1M:rw=randrw:numjobs=2:runtime=1200ms:bs=8k", scratch->fd, NULL);

	assert_ok(&result);
	assert_close(value_of(fio, &result, "bandwidth"),
		     value_of(fio, &result, "read_bandwidth") + value_of(fio, &result, "write_bandwidth"), 1e-12);
	assert_close(value_of(fio, &result, "iops"),
		     value_of(fio, &result, "read_iops") + value_of(fio, &result, "write_iops"), 1e-12);
	assert_close(value_of(fio, &result, "read_bandwidth") * 1e6, value_of(fio, &result, "read_iops") * 8192, 1e-3);
	assert_true(value_of(fio, &result, "read_clat_p99") > 0);
	assert_true(result.values[RUN_ELAPSED] >= 1.2);
	assert_int_equal(faccessat(scratch->fd, "fio.1.0", F_OK, 0), 0);
	run_result_clear(&result);
}

/* fio itself tells why it failed. */
static void test_fio_fails(void **state)
{
	const struct scratch *scratch = *state;
	struct run_result result = run_tool("fio:size=1M:ioengine=exec", scratch->fd, NULL);

	assert_int_equal(result.outcome, OUTCOME_FAILED);
	assert_string_equal(result.message, "exit status 1: fio: io engine exec init failed.");
	run_result_clear(&result);
}

static char *const *say(const struct workload_config *config)
{
	return config->argv;
}

/* The outcome of a command that prints text and exits with 0, read as that format. */
static void assert_reads(const char *format, const char *text, enum outcome outcome, const char *message, int dirfd)
{
	const struct metric metrics[] = {{"throughput", "MB/s", BETTER_HIGHER, NULL}, {.name = NULL}};
	const struct workload workload = {
	    .name = "says", .metrics = metrics, .primary = "throughput", .argv = say, .output_format = format};
	g_autofree char *copy = g_strdup(text);
	char program[] = "/bin/echo";
	char *argv[] = {program, copy, NULL};
	struct workload_config config = {.workload = &workload, .outputs = g_ptr_array_new(), .argv = argv};
	struct run_result result = run_config(&config, dirfd);

	assert_int_equal(result.outcome, outcome);
	if (message)
		assert_text_contains(result.message, message);
	else
		assert_close(run_result_primary(&result, &config), 812.35, 0);
	run_result_clear(&result);
	g_ptr_array_unref(config.outputs);
}

/* A command that ended well has failed all the same where it does not tell what it was run for, or more than once, or
 * that it failed. */
static void test_output(void **state)
{
	static const char failed[] = "{\"fio version\": \"fio-3.33\", \"jobs\": [{\"jobname\": \"x\", \"error\": 28}]}";
	int dirfd = ((const struct scratch *)*state)->fd;

	assert_reads("log", "Throughput 812.35 MB/sec 4 procs", OUTCOME_OK, NULL, dirfd);
	assert_reads("log", "out of luck", OUTCOME_FAILED, "output of says: no results in it", dirfd);
	assert_reads("log", "Throughput 0 MB/sec 4 procs", OUTCOME_FAILED, "output of says: no throughput in it",
		     dirfd);
	assert_reads("log", "Throughput 1 MB/sec 4 procs\nThroughput 2 MB/sec 4 procs", OUTCOME_FAILED,
		     "it tells of 2 runs, not of one", dirfd);
	assert_reads("fio", failed, OUTCOME_FAILED, "output of says tells of a failure", dirfd);
	assert_reads("fio", "{\"fio version\": ", OUTCOME_FAILED, "output of says:", dirfd);
}

/* Options become arguments, and a factor's level takes the place of one. */
static void test_arguments(void **state)
{
	struct workload_config *config = parse_spec("dbench:clients=8:time=1m:loadfile=/tmp/load");

	assert_true(workload_config_set(config, "clients", "144", NULL));
	assert_string_equal(config->argv[8], "144");
	workload_config_free(config);
	assert_arguments("dbench:clients=8:time=1m:loadfile=/tmp/load", "-t 60 -D . -c /tmp/load --skip-cleanup 8");
	assert_arguments(
	    "fio:rw=randread:bs=64k:size=1M:iodepth=8:numjobs=3:ioengine=libaio:runtime=1500ms:direct=yes",
	    "--name=fio --directory=. --output-format=json --eta=never --group_reporting --end_fsync=1 "
	    "--fallocate=none --refill_buffers=1 --rw=randread --bs=65536 --size=1048576 --ioengine=libaio "
	    "--iodepth=8 --numjobs=3 --direct=1 --runtime=1500000us --time_based");
}

/* What the programs would not take, or take for something else. */
static void test_refused(void **state)
{
	int dirfd = ((const struct scratch *)*state)->fd;

	assert_refused("dbench:time=2500ms", "dbench takes whole seconds, from 2 to 86400");
	assert_refused("dbench:time=1s", "dbench takes whole seconds");
	assert_refused("dbench:clients=10001", "option 'clients': 10001 is above 10000");
	assert_refused("fio:rw=erase", "option 'rw': 'erase' is none of read, write");
	assert_refused("fio:ioengine=external /tmp/x", "'external /tmp/x' is no name of an engine");
	assert_refused("fio:numjobs=1025", "option 'numjobs': 1025 is above 1024");
	assert_refused("fio:bs=2G:size=2G", "option 'bs': 2147483648 is above 2147479552");
	assert_unsupported("fio:size=4K:bs=8K", dirfd, "4096 bytes of 'size' are less than one block of 8192");
	assert_unsupported("fio:bs=1000:direct=yes", dirfd, "'bs' is a multiple of 512 bytes, which 1000 is not");
}

/* What only fio knows to be wrong, it is asked before the first run; of what it takes nothing is done then. */
static void test_fio_objects(void **state)
{
	int dirfd = ((const struct scratch *)*state)->fd;
	struct workload_config *config = parse_spec("fio:size=1M:ioengine=psync");
	g_autofree char *program = g_find_program_in_path("fio");

	if (!program)
		skip();
	assert_unsupported("fio:ioengine=nosuch", dirfd, "nosuch");
	assert_null(config->workload->unsupported(config, dirfd));
	assert_int_equal(faccessat(dirfd, "fio.0.0", F_OK, 0), -1);
	workload_config_free(config);
}

/* A program that is not there, and files that dbench would not come to an end with. */
static void test_missing(void **state)
{
	g_autofree char *path = g_strdup(g_getenv("PATH")), *dbench = g_find_program_in_path("dbench");
	int dirfd = ((const struct scratch *)*state)->fd;

	if (dbench) {
		assert_unsupported("dbench:loadfile=/proc/none", dirfd,
				   "cannot read the load file '/proc/none': No such file or directory");
		assert_unsupported("dbench:loadfile=/dev/null", dirfd, "no calls in the load file '/dev/null'");
		assert_unsupported("dbench:loadfile=/etc/passwd", dirfd, "no calls in the load file '/etc/passwd'");
	}
	g_setenv("PATH", "/proc/none", TRUE);
	assert_unsupported("dbench", dirfd, "dbench is not installed: apt install dbench");
	assert_unsupported("fio", dirfd, "fio is not installed: apt install fio");
	g_setenv("PATH", path, TRUE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    workload_test(test_dbench),    workload_test(test_fio_write), workload_test(test_fio_mixed),
	    workload_test(test_fio_fails), workload_test(test_output),    workload_test(test_arguments),
	    workload_test(test_refused),   workload_test(test_missing),   workload_test(test_fio_objects),
	};

	exec_init();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
