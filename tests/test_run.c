#include "check.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../src/run.h"
#include "../workloads/workload.h"

static const struct exec_watch no_watch;

static void run_spec(const char *spec, const char *metric, const struct exec_watch *watch, struct run_result *result)
{
	struct workload_config *config = workload_config_parse(spec, NULL);
	g_autofree char *dir = g_dir_make_tmp("run-XXXXXX", NULL);
	int dirfd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	g_autoptr(GError) error = NULL;

	assert_non_null(config);
	if (metric)
		g_ptr_array_add(config->outputs, output_metric_parse(metric, NULL));
	assert_true(run_workload(config, dirfd, 1, watch, result, &error));
	close(dirfd);
	for (guint i = 0; i < 8; i++) {
		g_autofree char *name = g_strdup_printf("%s/dd.%u", dir, i);

		g_unlink(name);
	}
	assert_int_equal(g_rmdir(dir), 0);
	workload_config_free(config);
}

/* A command that succeeds is ok and has all run metrics; one that sleeps uses little processor time. */
static void test_ok(void **state)
{
	struct run_result result;

	run_spec("cmd:sleep 0.2", NULL, &no_watch, &result);
	assert_int_equal(result.outcome, OUTCOME_OK);
	assert_null(result.message);
	assert_true(result.values[RUN_ELAPSED] >= 0.2);
	assert_true(result.values[RUN_USER] + result.values[RUN_SYSTEM] < 0.1);
	assert_true(result.values[RUN_MINOR_FAULTS] > 0);
	assert_true(llabs(g_get_real_time() - result.started_us) < 60 * G_USEC_PER_SEC);
	run_result_clear(&result);
}

/* A failing command is failed with its status and its last words. */
static void test_failed(void **state)
{
	struct run_result result;

	run_spec("cmd:echo first; echo last words >&2; exit 3", NULL, &no_watch, &result);
	assert_int_equal(result.outcome, OUTCOME_FAILED);
	assert_string_equal(result.message, "exit status 3: last words");
	run_result_clear(&result);
}

/* A signal is a failure; SIGKILL without a rise of the kernel's count is no OOM kill. */
static void test_signal(void **state)
{
	struct run_result result;

	run_spec("cmd:kill -SEGV $$", NULL, &no_watch, &result);
	assert_int_equal(result.outcome, OUTCOME_FAILED);
	assert_non_null(strstr(result.message, "signal 11"));
	run_result_clear(&result);
	run_spec("cmd:kill -KILL $$", NULL, &no_watch, &result);
	assert_int_equal(result.outcome, OUTCOME_FAILED);
	run_result_clear(&result);
}

/* The deadline makes a run timed-out. */
static void test_timed_out(void **state)
{
	const struct exec_watch watch = {.timeout_s = 0.1};
	struct run_result result;

	run_spec("cmd:sleep 30", NULL, &watch, &result);
	assert_int_equal(result.outcome, OUTCOME_TIMED_OUT);
	run_result_clear(&result);
}

/* A value is taken from the first group of the last match; without a match the run has failed and says what was missing. */
static void test_output_metric(void **state)
{
	struct run_result result;

	run_spec("cmd:printf 'rate 12.5 MB/s\\nrate 17.25 MB/s\\n'", "rate=MB/s:rate ([0-9.]+)", &no_watch, &result);
	assert_int_equal(result.outcome, OUTCOME_OK);
	assert_int_equal(result.own->len, 1);
	assert_close(g_array_index(result.own, double, 0), 17.25, 0);
	run_result_clear(&result);
	run_spec("cmd:echo nothing", "rate=MB/s:rate ([0-9.]+)", &no_watch, &result);
	assert_int_equal(result.outcome, OUTCOME_FAILED);
	assert_non_null(strstr(result.message, "'rate'"));
	run_result_clear(&result);
}

/* Resource use does not count what set-up did: filling 64 MiB of buffers faults in more than writing 1 MiB can. */
static void test_setup_is_not_counted(void **state)
{
	struct run_result result;

	run_spec("dd1:size=1M:bs=64K", NULL, &no_watch, &result);
	assert_int_equal(result.outcome, OUTCOME_OK);
	assert_true(result.values[RUN_ELAPSED] > 0);
	assert_true(result.values[RUN_MINOR_FAULTS] < 600);
	run_result_clear(&result);
}

static gboolean write_text(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);
	gboolean ok = fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text);

	if (fd >= 0)
		close(fd);
	return ok;
}

/* A group that may use 64 MiB, version 1 or 2 of the interface; NULL where there is none or we may not. */
static char *make_small_group(void)
{
	static const char *const roots[] = {"/sys/fs/cgroup/memory", "/sys/fs/cgroup"};
	static const char *const limits[] = {"memory.limit_in_bytes", "memory.max"};

	for (guint i = 0; i < 2; i++) {
		g_autofree char *group = g_strdup_printf("%s/vmstat-bench-test.%d", roots[i], getpid());
		g_autofree char *limit = g_build_filename(group, limits[i], NULL);

		if (mkdir(group, 0755) == 0 && write_text(limit, "67108864"))
			return g_steal_pointer(&group);
		rmdir(group);
	}
	return NULL;
}

/* qsbench of 256 MiB in a group of 64 MiB without swap: the child that the kernel kills makes the run oom-killed. */
static void test_oom_killed(void **state)
{
	/* static: a child that ends with _exit() must not look as if it had lost them */
	static char *group, *procs;
	static struct run_result result;
	int status;
	pid_t pid;

	group = make_small_group();
	if (!group)
		skip();
	procs = g_build_filename(group, "cgroup.procs", NULL);
	pid = fork();
	if (pid == 0) {
		char self[16];

		g_snprintf(self, sizeof self, "%d", getpid());
		if (!write_text(procs, self))
			_exit(98);
		run_spec("qsbench:size=256M", NULL, &no_watch, &result);
		_exit(result.outcome == OUTCOME_OOM_KILLED ? 0 : 1 + (int)result.outcome);
	}
	waitpid(pid, &status, 0);
	for (int i = 0; i < 50 && rmdir(group) < 0 && errno == EBUSY; i++)
		usleep(20000);
	g_clear_pointer(&group, g_free);
	g_clear_pointer(&procs, g_free);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_ok),        cmocka_unit_test(test_failed),
	    cmocka_unit_test(test_signal),    cmocka_unit_test(test_timed_out),
	    cmocka_unit_test(test_output_metric), cmocka_unit_test(test_setup_is_not_counted),
	    cmocka_unit_test(test_oom_killed),
	};

	return cmocka_run_group_tests_name("run", tests, NULL, NULL);
}
