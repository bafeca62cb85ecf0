#include "check.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../src/clock.h"
#include "../src/exec.h"

static const struct exec_watch no_watch;

static int here(void)
{
	int fd = open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	assert_true(fd >= 0);
	return fd;
}

static void shell(const char *text, GString *output, const struct exec_watch *watch, struct exec_result *result)
{
	g_autofree char *copy = g_strdup(text);
	char *argv[] = {(char[]){"/bin/sh"}, (char[]){"-c"}, copy, NULL};
	g_autoptr(GError) error = NULL;
	int dirfd = here();

	assert_true(exec_command(argv, dirfd, output != NULL, output, watch, result, &error));
	close(dirfd);
}

/* Whether the process whose number the text holds still runs; a zombie waiting for its new parent does not. */
static int is_running(const char *number)
{
	g_autofree char *path = g_strdup_printf("/proc/%d/stat", (int)g_ascii_strtoll(number, NULL, 10));
	g_autofree char *stat = NULL;

	usleep(50000);
	return g_file_get_contents(path, &stat, NULL, NULL) && !strstr(stat, ") Z ");
}

/* Exit status, elapsed time and both output streams of a command. */
static void test_command(void **state)
{
	g_autoptr(GString) output = g_string_new(NULL);
	struct exec_result result;

	shell("echo out; echo err >&2; sleep 0.2; exit 3", output, &no_watch, &result);
	assert_true(WIFEXITED(result.status));
	assert_int_equal(WEXITSTATUS(result.status), 3);
	assert_string_equal(output->str, "out\nerr\n");
	assert_true(result.elapsed_s >= 0.2 && result.elapsed_s < 2);
}

/* Where output is not kept, what a failing command said on standard error is, and what another said before is not. */
static void test_errors_of_a_failure(void **state)
{
	char *good[] = {(char[]){"/bin/sh"}, (char[]){"-c"}, (char[]){"echo fine >&2"}, NULL};
	char *bad[] = {(char[]){"/bin/sh"}, (char[]){"-c"}, (char[]){"echo out; echo a >&2; echo b >&2; exit 1"}, NULL};
	g_autoptr(GString) output = g_string_new(NULL);
	struct exec_result result;
	int dirfd = here();

	assert_true(exec_command(good, dirfd, FALSE, output, &no_watch, &result, NULL));
	assert_string_equal(output->str, "");
	assert_true(exec_command(bad, dirfd, FALSE, output, &no_watch, &result, NULL));
	assert_string_equal(output->str, "a\nb\n");
	close(dirfd);
}

/* A program that does not exist is an error that names it. */
static void test_no_program(void **state)
{
	char *argv[] = {(char[]){"/nonexistent/program"}, NULL};
	g_autoptr(GError) error = NULL;
	struct exec_result result;
	int dirfd = here();

	assert_false(exec_command(argv, dirfd, FALSE, NULL, &no_watch, &result, &error));
	assert_non_null(strstr(error->message, "/nonexistent/program"));
	close(dirfd);
}

/* The deadline ends a command that ignores SIGTERM, with all of its group. */
static void test_deadline(void **state)
{
	const struct exec_watch watch = {.timeout_s = 0.3};
	g_autoptr(GString) output = g_string_new(NULL);
	struct exec_result result;
	double start = clock_monotonic_s();

	shell("trap '' TERM; sleep 60 & echo $!; while :; do sleep 1; done", output, &watch, &result);
	assert_true(result.timed_out);
	assert_true(WIFSIGNALED(result.status));
	assert_int_equal(WTERMSIG(result.status), SIGKILL);
	assert_true(clock_monotonic_s() - start < 10);
	assert_false(is_running(output->str));
}

/* What a command leaves running in its group is ended with it. */
static void test_leftover_children(void **state)
{
	g_autoptr(GString) output = g_string_new(NULL);
	struct exec_result result;

	shell("sleep 60 >/dev/null 2>&1 & echo $!", output, &no_watch, &result);
	assert_int_equal(result.status, 0);
	assert_false(is_running(output->str));
}

/* More output than is kept: the end of it is there. */
static void test_much_output(void **state)
{
	g_autoptr(GString) output = g_string_new(NULL);
	struct exec_result result;

	shell("head -c 100000000 /dev/zero; echo the end", output, &no_watch, &result);
	assert_int_equal(result.status, 0);
	assert_true(output->len >= 16u << 20 && output->len <= 33u << 20);
	assert_memory_equal(output->str + output->len - 8, "the end\n", 8);
}

static int count_ticks;

static void tick(void *data)
{
	count_ticks++;
}

/* A tick comes about once a second while a run goes on. */
static void test_ticks(void **state)
{
	const struct exec_watch watch = {.tick = tick};
	struct exec_result result;

	shell("sleep 2.5", NULL, &watch, &result);
	assert_int_equal(count_ticks, 2);
}

static int use_memory(void *data)
{
	volatile char *memory = malloc(64u << 20);

	if (!memory)
		return 1;
	for (size_t i = 0; i < 64u << 20; i += 4096)
		memory[i] = 1;
	return getpgrp() == getpid() ? 5 : 6;
}

/* A forked body: own process group, its status and its page faults (64 MiB are 16384 pages of 4 KiB, fewer where huge). */
static void test_fork(void **state)
{
	g_autoptr(GError) error = NULL;
	struct exec_result result;

	assert_true(exec_fork(use_memory, NULL, &no_watch, &result, &error));
	assert_int_equal(WEXITSTATUS(result.status), 5);
	assert_true(result.usage.ru_minflt >= 32);
	assert_true(result.usage.ru_maxrss >= 64 * 1024);
}

static int interrupt_parent(void *data)
{
	kill(getppid(), SIGINT);
	pause();
	return 0;
}

/* A request to stop ends the run at once and is told apart from a deadline. Comes last: it stays requested. */
static void test_interrupt(void **state)
{
	g_autoptr(GError) error = NULL;
	struct exec_result result;
	double start = clock_monotonic_s();

	exec_init();
	/* the second time signals are blocked already, which is not how a process gets them */
	exec_init();
	assert_int_equal(exec_stop_signal(), 0);
	assert_true(exec_fork(interrupt_parent, NULL, &no_watch, &result, &error));
	assert_true(result.interrupted);
	assert_false(result.timed_out);
	assert_int_equal(exec_stop_signal(), SIGINT);
	exec_sleep(30);
	assert_true(clock_monotonic_s() - start < 5);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_command),     cmocka_unit_test(test_no_program),
	    cmocka_unit_test(test_deadline),    cmocka_unit_test(test_leftover_children),
	    cmocka_unit_test(test_much_output), cmocka_unit_test(test_ticks),
	    cmocka_unit_test(test_errors_of_a_failure),
	    cmocka_unit_test(test_fork),        cmocka_unit_test(test_interrupt),
	};

	return cmocka_run_group_tests_name("exec", tests, NULL, NULL);
}
