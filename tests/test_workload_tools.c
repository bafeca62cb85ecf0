#include "adapter_case.h"

#include "../src/tool.h"
#include "../workloads/target.h"

/* Workloads that run sysbench, bonnie++ and stress-ng, and what they ask of the runner. */

/* Of two reads of five calls each, and as long as it is told; the files are there before, of the size asked for. */
static void test_sysbench(void **state)
{
	const struct workload *sysbench = workload_find("sysbench");
	const struct scratch *scratch = *state;
	struct run_result result = run_tool("sysbench:size=2M:files=2:threads=2:block=4K:time=1s", scratch->fd, NULL);
	struct stat st;

	assert_ok(&result);
	assert_close(value_of(sysbench, &result, "throughput"),
		     value_of(sysbench, &result, "read") + value_of(sysbench, &result, "written"), 1e-9);
	/* printed with two digits behind the point */
	assert_true(fabs(value_of(sysbench, &result, "read") - value_of(sysbench, &result, "reads") * 4 / 1024) <
		    0.006);
	assert_true(fabs(value_of(sysbench, &result, "written") - value_of(sysbench, &result, "writes") * 4 / 1024) <
		    0.006);
	/* 1.5 reads a write */
	assert_close(value_of(sysbench, &result, "reads"), 1.5 * value_of(sysbench, &result, "writes"), 0.05);
	assert_true(value_of(sysbench, &result, "fsyncs") > 0);
	assert_true(value_of(sysbench, &result, "latency_max") > 0);
	assert_true(result.values[RUN_ELAPSED] >= 1);
	assert_int_equal(fstatat(scratch->fd, "test_file.1", &st, 0), 0);
	assert_int_equal(st.st_size, 1 << 20);
	assert_true(faccessat(scratch->fd, "test_file.2", F_OK, 0) < 0);
	assert_true(scratch_empty(scratch, NULL));
	run_result_clear(&result);
}

/* The mode that makes the files has none made before; it reads nothing, which is no rate of 0. */
static void test_sysbench_creates(void **state)
{
	const struct workload *sysbench = workload_find("sysbench");
	const struct scratch *scratch = *state;
	struct workload_config *config = parse_spec("sysbench:mode=seqwr");
	struct run_result result;

	assert_null(config->prepare);
	assert_true(workload_config_set(config, "mode", "seqrd", NULL));
	assert_string_equal(config->prepare[5], "prepare");
	assert_true(workload_config_set(config, "mode", "seqwr", NULL));
	assert_null(config->prepare);
	workload_config_free(config);
	result = run_tool("sysbench:mode=seqwr:size=1M:files=1:fsync=0:time=1s", scratch->fd, NULL);
	assert_ok(&result);
	assert_true(isnan(value_of(sysbench, &result, "read")) && isnan(value_of(sysbench, &result, "reads")));
	assert_close(value_of(sysbench, &result, "throughput"), value_of(sysbench, &result, "written"), 0);
	/* the one at the end */
	assert_true(value_of(sysbench, &result, "fsyncs") > 0 && value_of(sysbench, &result, "fsyncs") <= 1);
	assert_true(scratch_empty(scratch, NULL));
	run_result_clear(&result);
}

/* The pages of a file that are in the page cache. */
static guint cached_pages(int dirfd, const char *name, gsize size)
{
	int fd = openat(dirfd, name, O_RDONLY | O_CLOEXEC);
	void *map = mmap(NULL, size, PROT_READ, MAP_SHARED, fd, 0);
	gsize pages = size / (gsize)sysconf(_SC_PAGESIZE);
	g_autofree unsigned char *resident = g_malloc(pages);
	guint n = 0;

	assert_ptr_not_equal(map, MAP_FAILED);
	assert_int_equal(mincore(map, size, resident), 0);
	for (gsize i = 0; i < pages; i++)
		n += resident[i] & 1;
	munmap(map, size);
	close(fd);
	return n;
}

/* What was made before a run is not in memory, whatever the reset: dd leaves all of it there. */
static void test_prepared_is_cold(void **state)
{
	int dirfd = ((const struct scratch *)*state)->fd;
	char *prepare[] = {g_strdup("/bin/dd"), g_strdup("if=/dev/zero"), g_strdup("of=file"),
			   g_strdup("bs=1M"),   g_strdup("count=1"),      NULL};
	struct workload_config *config = parse_spec("sysbench");
	struct run_result result;
	struct exec_result exec;
	g_autoptr(GString) output = g_string_new(NULL);

	if (target_in_memory(dirfd)) {
		workload_config_free(config);
		skip();
	}
	g_strfreev(config->prepare);
	config->prepare = g_strdupv(prepare);
	assert_true(exec_command(prepare, dirfd, FALSE, output, &no_watch, &exec, NULL));
	assert_int_equal(cached_pages(dirfd, "file", 1 << 20), (1 << 20) / sysconf(_SC_PAGESIZE));
	assert_true(run_prepare(config, dirfd, &no_watch, &result));
	assert_int_equal(cached_pages(dirfd, "file", 1 << 20), 0);
	for (guint i = 0; prepare[i]; i++)
		g_free(prepare[i]);
	workload_config_free(config);
}

/* What is in the way of its files is an outcome of the run, which then does not take place. */
static void test_preparation_fails(void **state)
{
	const struct scratch *scratch = *state;
	struct run_result result;

	assert_int_equal(mkdirat(scratch->fd, "test_file.0", 0700), 0);
	result = run_tool("sysbench:size=1M:files=1:time=1s", scratch->fd, NULL);
	assert_int_equal(result.outcome, OUTCOME_FAILED);
	assert_text_contains(result.message, "preparing its files: exit status 1: FATAL: Can't open file");
	assert_true(isnan(result.values[RUN_ELAPSED]));
	assert_true(scratch_empty(scratch, NULL));
	run_result_clear(&result);
}

/* A preparation is under the run's time limit. */
static void test_preparation_times_out(void **state)
{
	const struct exec_watch watch = {.timeout_s = 0.2};
	struct workload_config *config = parse_spec("sysbench");
	const char *const prepare[] = {"/bin/sleep", "60", NULL};
	struct run_result result;

	g_strfreev(config->prepare);
	config->prepare = g_strdupv((char **)(guintptr)prepare);
	assert_false(run_prepare(config, ((const struct scratch *)*state)->fd, &watch, &result));
	assert_int_equal(result.outcome, OUTCOME_TIMED_OUT);
	assert_string_equal(result.message, "preparing its files: timed out");
	run_result_clear(&result);
	workload_config_free(config);
}

/* 2 MiB by chunks take less than the half second that bonnie++ asks for: it has no value, and the run counts by those
 * that there are. What was not to be done has none, either. Nothing is left behind. */
static void test_bonnie(void **state)
{
	const struct workload *bonnie = workload_find("bonnie++");
	const struct scratch *scratch = *state;
	struct run_result result = run_tool("bonnie++:size=2M:files=0:fast=yes", scratch->fd, NULL);
	double latency;

	assert_ok(&result);
	latency = value_of(bonnie, &result, "put_block_latency");
	assert_true(latency > 0 && latency / 1e3 < result.values[RUN_ELAPSED]);
	assert_true(isnan(value_of(bonnie, &result, "put_block")) || value_of(bonnie, &result, "put_block") > 0);
	assert_true(isnan(value_of(bonnie, &result, "putc")) && isnan(value_of(bonnie, &result, "seq_create")));
	assert_int_equal(faccessat(scratch->fd, "Bonnie.0", F_OK, 0), -1);
	run_result_clear(&result);
}

/* stress-ng's rates fit together: its operations are calls of 64 KiB or less, and it took as long as it was told. */
static void test_stress_ng(void **state)
{
	const struct workload *stress_ng = workload_find("stress-ng");
	const struct scratch *scratch = *state;
	struct run_result result = run_tool("stress-ng:workers=2:bytes=1M:time=1s", scratch->fd,
					    "printed=/s:hdd +[0-9]+ +[0-9.]+ +[0-9.]+ +[0-9.]+ +([0-9.]+)");

	assert_ok(&result);
	assert_true(value_of(stress_ng, &result, "bogo_ops") > 0);
	assert_close(value_of(stress_ng, &result, "bogo_ops"),
		     g_array_index(result.own, double, count_metrics(stress_ng)), 0);
	assert_true(value_of(stress_ng, &result, "bogo_ops_cpu") > 0);
	assert_true(value_of(stress_ng, &result, "write_rate") > 0);
	assert_true(result.values[RUN_ELAPSED] >= 1);
	run_result_clear(&result);
}

/* stress-ng itself tells why it does nothing, before its advice. */
static void test_stress_ng_fails(void **state)
{
	const struct scratch *scratch = *state;
	struct run_result result = run_unsupported("stress-ng:stressor=nosuch:time=1s", scratch->fd);

	assert_int_equal(result.outcome, OUTCOME_FAILED);
	assert_string_equal(result.message, "exit status 1: unrecognized option '--nosuch=1'");
	run_result_clear(&result);
}

/* The message of a run of the workload whose command prints that text and exits with that status. */
static char *message_of(const char *workload, const char *text, int status, int dirfd)
{
	g_autofree char *exit = g_strdup_printf("echo \"$1\"; exit %d", status);
	const char *const argv[] = {"/bin/sh", "-c", exit, "sh", text, NULL};
	struct workload_config config = {
	    .workload = workload_find(workload), .outputs = g_ptr_array_new(), .argv = (char **)(guintptr)argv};
	struct run_result result = run_config(&config, dirfd);
	char *message = g_strdup(result.message);

	assert_int_equal(result.outcome, OUTCOME_FAILED);
	run_result_clear(&result);
	g_ptr_array_unref(config.outputs);
	return message;
}

static void assert_message(const char *workload, const char *text, int status, int dirfd, const char *message)
{
	g_autofree char *told = message_of(workload, text, status, dirfd);

	assert_string_equal(told, message);
}

/* Exit statuses have the meaning of stress-ng(1), and the line that complains is found among others. Texts are what the
 * programs print: stress-ng whose stressor was killed, bonnie++ on a full filesystem and for a size that it refuses. */
static void test_reasons(void **state)
{
	static const char corrupted[] =
	    "stress-ng: info:  [6238] dispatching hogs: 1 fork\n"
	    "stress-ng: fail:  [6238] metrics-check: stressor metrics corrupted, data is compromised\n"
	    "stress-ng: info:  [6238] unsuccessful run completed in 0.95s\n";
	int dirfd = ((const struct scratch *)*state)->fd;

	assert_message("stress-ng", corrupted, 7, dirfd,
		       "exit status 7, its figures are not to be trusted: fail:  [6238] metrics-check: stressor "
		       "metrics corrupted, data is compromised");
	assert_message("stress-ng", "bye", 3, dirfd,
		       "exit status 3, a stressor lacked memory, space or a system call: bye");
	assert_message("stress-ng", "bye", 1, dirfd, "exit status 1: bye");
	assert_message("stress-ng", "bye", 99, dirfd, "exit status 99: bye");
	assert_message("bonnie++", "Can't write block.: No space left on device\nCan't write block 384.", 1, dirfd,
		       "exit status 1: Can't write block.: No space left on device");
	assert_message("bonnie++", "File size should be double RAM\nusage:\nVersion: 2.00a", 1, dirfd,
		       "exit status 1: File size should be double RAM");
	assert_message("sysbench", "FATAL: Cannot open file\nWARNING: Did you forget?", 1, dirfd,
		       "exit status 1: FATAL: Cannot open file");
}

/* Only where nothing at all was measured has bonnie++ failed that ended well. */
static void test_sparse(void **state)
{
	static const char nothing[] =
	    "1.98,2.00a,x,1,1,4M,,8192,5,,,+++++,+++,+++++,+++,,,+++++,+++,+++++,+++,,,,,,,,,,,,"
	    ",,,,,,,,,,,,,,,,,";

	assert_message("bonnie++", nothing, 0, ((const struct scratch *)*state)->fd,
		       "output of bonnie++: no value in it");
}

/* Options become arguments. */
static void test_arguments(void **state)
{
	g_autofree char *bonnie =
	    g_strdup_printf("-q -d . -u %u:%u -m here -r 0 -s 64:4096 -n 2 -c 3 -f -D", geteuid(), getegid());

	assert_arguments("sysbench:mode=rndwr:threads=4:size=1M:files=2:block=4K:fsync=0:time=1m:direct=yes",
			 "fileio --file-num=2 --file-total-size=1048576 --file-block-size=4096 "
			 "--file-test-mode=rndwr --file-fsync-freq=0 --file-fsync-end=on --file-extra-flags=direct "
			 "--threads=4 --time=60 run");
	assert_arguments("bonnie++:size=64M:chunk=4K:files=2:concurrency=3:fast=yes:direct=yes", bonnie);
	assert_arguments("stress-ng:stressor=vm:workers=3:bytes=8M:time=2m",
			 "--metrics --no-rand-seed --temp-path=. --timeout=120s --vm=3 --vm-bytes=8388608");
	assert_arguments("stress-ng:stressor=fork", "--metrics --no-rand-seed --temp-path=. --timeout=10s --fork=1");
}

/* What the programs would not take, or take for something else. */
static void test_refused(void **state)
{
	int dirfd = ((const struct scratch *)*state)->fd;

	assert_refused("sysbench:mode=rnd", "option 'mode': 'rnd' is none of seqwr, seqrewr");
	assert_refused("sysbench:time=1500ms", "sysbench takes whole seconds, from 1 to 86400");
	assert_refused("sysbench:threads=10001", "option 'threads': 10001 is above 10000");
	assert_refused("sysbench:block=2G", "option 'block': 2147483648 is above 2147479552");
	assert_unsupported("sysbench:size=1M:files=128", dirfd, "are less than one block of 16384 in each");
	assert_unsupported("sysbench:block=1000:direct=yes", dirfd,
			   "'block' is a multiple of 512 bytes, which 1000 is not");
	assert_unsupported("bonnie++:chunk=256:direct=yes", dirfd,
			   "'chunk' is a multiple of 512 bytes, which 256 is not");
	assert_refused("bonnie++:size=1500K", "option 'size': bonnie++ takes whole MiB");
	assert_refused("bonnie++:chunk=3000", "option 'chunk': bonnie++ takes powers of 2 from 256 to 1M");
	assert_refused("bonnie++:files=1000001", "option 'files': 1000001 is above 1000000");
	assert_refused("stress-ng:stressor=-yaml", "'-yaml' is no name of a stressor");
	assert_refused("stress-ng:stressor=hdd 1", "'hdd 1' is no name of a stressor");
	assert_refused("stress-ng:stressor=all", "'all' is no stressor but many");
	assert_refused("stress-ng:time=0.5s", "stress-ng takes whole seconds");
}

/* What only stress-ng knows to be wrong, it is asked before the first run: names, and bytes that a stressor has not, or
 * not so few. */
static void test_stress_ng_objects(void **state)
{
	int dirfd = ((const struct scratch *)*state)->fd;
	struct workload_config *config = parse_spec("stress-ng:stressor=vm:bytes=8M");
	g_autofree char *program = g_find_program_in_path("stress-ng");

	if (!program)
		skip();
	assert_unsupported("stress-ng:stressor=nosuch", dirfd, "unrecognized option '--nosuch=1'");
	assert_unsupported("stress-ng:stressor=fork:bytes=1M", dirfd, "unrecognized option '--fork-bytes=1048576'");
	assert_unsupported("stress-ng:bytes=1", dirfd, "out of range for hdd-bytes");
	assert_null(config->workload->unsupported(config, dirfd));
	workload_config_free(config);
}

/* Programs that are not there. */
static void test_missing(void **state)
{
	g_autofree char *path = g_strdup(g_getenv("PATH")), *bonnie = g_find_program_in_path("bonnie++");
	int dirfd = ((const struct scratch *)*state)->fd;

	g_setenv("PATH", "/proc/none", TRUE);
	assert_unsupported("sysbench", dirfd, "sysbench is not installed: apt install sysbench");
	assert_unsupported("stress-ng", dirfd, "stress-ng is not installed: apt install stress-ng");
	/* it lies in /usr/sbin, where programs are looked for that are not in PATH */
	if (!bonnie)
		assert_unsupported("bonnie++", dirfd, "bonnie++ is not installed: apt install bonnie++");
	g_setenv("PATH", path, TRUE);
}

/* The version of a Debian package, as far as its maker gave it; NULL where that is not known. */
static char *package_version(const char *package)
{
	const char *argv[] = {"dpkg-query", "-W", "-f", "${Version}", package, NULL};
	g_autofree char *version = NULL;
	int status;

	if (!g_spawn_sync(NULL, (char **)(guintptr)argv, NULL, G_SPAWN_SEARCH_PATH | G_SPAWN_STDERR_TO_DEV_NULL, NULL,
			  NULL, &version, NULL, &status, NULL) ||
	    status != 0)
		return NULL;
	return g_strndup(version, strcspn(version, "+-"));
}

/* Each program's version is that of its package: "fio-3.33" has the 3.33 of 3.33-3 in it. */
static void test_versions(void **state)
{
	int dirfd = ((const struct scratch *)*state)->fd;
	guint n = 0;

	for (const struct workload *const *row = workload_table; *row; row++) {
		g_autofree char *packaged = (*row)->version ? package_version((*row)->name) : NULL, *told = NULL;
		struct workload_config *config;

		n += (*row)->version != NULL;
		if (!packaged)
			continue;
		config = parse_spec((*row)->name);
		told = tool_version(config->argv[0], (*row)->version, dirfd);
		assert_non_null(told);
		assert_text_contains(told, packaged);
		assert_null(strpbrk(told, " \n"));
		workload_config_free(config);
	}
	assert_int_equal(n, 5);
}

/* None that is no version, that cannot be executed, or that does not end. */
static void test_no_version(void **state)
{
	int dirfd = ((const struct scratch *)*state)->fd;

	assert_null(tool_version("/bin/echo", "version 4 of 5", dirfd));
	assert_null(tool_version("/proc/none", "--version", dirfd));
	assert_null(tool_version("/bin/sleep", "60", dirfd));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    workload_test(test_sysbench),
	    workload_test(test_sysbench_creates),
	    workload_test(test_prepared_is_cold),
	    workload_test(test_preparation_fails),
	    workload_test(test_preparation_times_out),
	    workload_test(test_bonnie),
	    workload_test(test_stress_ng),
	    workload_test(test_stress_ng_objects),
	    workload_test(test_stress_ng_fails),
	    workload_test(test_reasons),
	    workload_test(test_sparse),
	    workload_test(test_arguments),
	    workload_test(test_refused),
	    workload_test(test_missing),
	    workload_test(test_versions),
	    workload_test(test_no_version),
	};

	exec_init();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
