#include "check.h"

#include <signal.h>
#include <sys/prctl.h>

#include "../src/cgroup.h"
#include "../src/setting.h"
#include "place_case.h"

static struct setting *begin(struct place_case *fixture, struct place *place, struct setting_env *env)
{
	struct setting *setting = setting_new("mem");
	g_autoptr(GError) error = NULL;

	assert_non_null(setting);
	*env = (struct setting_env){.store = fixture->store, .place = place};
	open_place(fixture, 0, NULL, place);
	g_ptr_array_add(setting->levels, g_strdup("16M"));
	assert_ok(setting->kind->begin(setting, env, &error), &error);
	return setting;
}

static void apply(struct setting *setting, struct setting_env *env, const char *level)
{
	g_autoptr(GError) error = NULL;

	assert_ok(setting->kind->apply(setting, level, env, &error), &error);
}

static void release(struct setting *setting, struct setting_env *env)
{
	g_autoptr(GError) error = NULL;

	assert_ok(setting->kind->release(setting, env, &error), &error);
}

static void end(struct setting *setting, struct setting_env *env)
{
	g_autoptr(GError) error = NULL;
	g_autofree char *left = NULL;

	assert_ok(setting->kind->end(setting, env, &left, &error), &error);
	assert_null(left);
	setting_free(setting);
	close_place(env->place);
}

/* The directory of the cgroup, found by its name as a user would; NULL where there is none. */
static char *find_cgroup(const char *name)
{
	static const char *const tops[] = {"/sys/fs/cgroup/memory", "/sys/fs/cgroup"};

	for (guint i = 0; i < G_N_ELEMENTS(tops); i++) {
		g_autofree char *path = g_build_filename(tops[i], name, NULL);

		if (g_file_test(path, G_FILE_TEST_IS_DIR))
			return g_steal_pointer(&path);
	}
	return NULL;
}

/* A child that enters the cgroup as a run does, writes to so many MiB, and then waits where it is told to. */
static pid_t start_child(int procs_fd, guint mib, gboolean stays)
{
	int fds[2];
	char byte;
	pid_t pid;

	assert_int_equal(pipe(fds), 0);
	pid = fork();
	if (pid == 0) {
		char *memory;

		if (write(procs_fd, "0", 1) != 1)
			_exit(2);
		memory = malloc(mib * MIB);
		memset(memory, 1, mib * MIB);
		/* read again, so that it is not optimised away */
		if (memory[mib * MIB - 1] != 1 || write(fds[1], "x", 1) != 1)
			_exit(3);
		while (stays)
			pause();
		_exit(0);
	}
	close(fds[1]);
	if (read(fds[0], &byte, 1) < 0)
		pid = -1;
	close(fds[0]);
	return pid;
}

static int status_of(pid_t pid)
{
	int status;

	assert_int_equal(waitpid(pid, &status, 0), pid);
	return status;
}

/* Who stays below the limit lives, who goes beyond is killed, and the next run has a limit of its own. */
static void test_limit(void **state)
{
	struct place_case *fixture = *state;
	struct place place;
	struct setting_env env;
	struct setting *setting = begin(fixture, &place, &env);
	g_autofree char *name = g_strdup(place.scratch.name), *swaps = read_line("/proc/swaps");
	int status;

	assert_null(find_cgroup(name));
	assert_int_equal(count_undos(fixture->store), 1);
	apply(setting, &env, "256M");
	assert_string_equal(setting->effective, "262144 KiB");
	assert_int_equal(status_of(start_child(env.procs_fd, 64, FALSE)), 0);
	release(setting, &env);
	assert_null(find_cgroup(name));
	assert_int_equal(env.procs_fd, 0);
	apply(setting, &env, "16M");
	assert_string_equal(setting->effective, "16384 KiB");
	if (!strchr(swaps, '\n')) {
		status = status_of(start_child(env.procs_fd, 64, FALSE));
		assert_true(WIFSIGNALED(status));
		assert_int_equal(WTERMSIG(status), SIGKILL);
	}
	release(setting, &env);
	end(setting, &env);
	assert_int_equal(count_undos(fixture->store), 0);
}

/* A limit is whole pages: the kernel leaves the rest out.   source: page_counter_memparse() of Linux */
static void test_rounding(void **state)
{
	struct place_case *fixture = *state;
	struct place place;
	struct setting_env env;
	struct setting *setting = begin(fixture, &place, &env);

	if (sysconf(_SC_PAGESIZE) == 4096) {
		apply(setting, &env, "5000000");
		/* 1220 pages of 4 KiB are 4997120 bytes */
		assert_string_equal(setting->effective, "4880 KiB");
		release(setting, &env);
	}
	end(setting, &env);
}

/* What a run leaves in the cgroup is killed, and nothing outside of it. Ending does the same after an error. */
static void test_left_processes(void **state)
{
	struct place_case *fixture = *state;
	struct place place;
	struct setting_env env;
	struct setting *setting = begin(fixture, &place, &env);
	g_autofree char *name = g_strdup(place.scratch.name);
	pid_t outside = fork();

	if (outside == 0) {
		/* it must not outlive a test that fails */
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		for (;;)
			pause();
	}
	for (int by_end = 0; by_end < 2; by_end++) {
		pid_t left[3];

		apply(setting, &env, "16M");
		for (guint i = 0; i < G_N_ELEMENTS(left); i++)
			left[i] = start_child(env.procs_fd, 1, TRUE);
		if (by_end)
			end(setting, &env);
		else
			release(setting, &env);
		for (guint i = 0; i < G_N_ELEMENTS(left); i++) {
			int status = status_of(left[i]);

			assert_true(WIFSIGNALED(status));
			assert_int_equal(WTERMSIG(status), SIGKILL);
		}
		assert_null(find_cgroup(name));
	}
	assert_int_equal(waitpid(outside, NULL, WNOHANG), 0);
	kill(outside, SIGKILL);
	status_of(outside);
	close(env.procs_fd);
}

/* Levels that are none. */
static void test_bad_levels(void **state)
{
	static const char *const bad[] = {"", "0", "much", "4095K", "-5M"};
	struct setting *setting = setting_new("mem");
	g_autoptr(GError) error = NULL;

	for (guint i = 0; i < G_N_ELEMENTS(bad); i++) {
		assert_false(setting->kind->check("", bad[i], &error));
		assert_non_null(error);
		g_clear_error(&error);
	}
	assert_refused(setting->kind->check("", "4095K", &error), &error, "at least 4 MiB, not '4095K'");
	assert_ok(setting->kind->check("", "4M", &error), &error);
	assert_ok(setting->kind->check("", "0.5xRAM", &error), &error);
	setting_free(setting);
}

static char *limit_and_fork(struct place_case *fixture)
{
	struct place *place = g_new0(struct place, 1);
	struct setting_env *env = g_new0(struct setting_env, 1);
	struct setting *setting = begin(fixture, place, env);
	pid_t pid;

	apply(setting, env, "16M");
	pid = start_child(env->procs_fd, 1, TRUE);
	return g_strdup_printf("%d %s", (int)pid, place->scratch.name);
}

/* Whether it is there and has not ended: a zombie has no command line. */
static gboolean is_process(const char *pid)
{
	g_autofree char *path = g_build_filename("/proc", pid, "cmdline", NULL), *line = read_line(path);

	return line && *line;
}

/* After kill -9 what the store tells ends what is left in the cgroup and removes it. */
static void test_killed(void **state)
{
	struct place_case *fixture = *state;
	g_autofree char *told = run_and_kill(fixture, limit_and_fork), *path = NULL;
	g_auto(GStrv) words = g_strsplit(told, " ", 2);
	g_autoptr(GString) report = g_string_new(NULL);
	g_autoptr(GError) error = NULL;
	const char *process = words[0];
	struct place place;

	path = find_cgroup(words[1]);
	assert_non_null(path);
	assert_true(is_process(process));
	assert_ok(undo_orphans(fixture->store, report, &error), &error);
	assert_null(find_cgroup(words[1]));
	assert_non_null(strstr(report->str, path));
	wait_until(!is_process(process));
	open_place(fixture, 0, NULL, &place);
	close_place(&place);
}

/* Only a cgroup of our name is removed for the store's sake, and nothing of our name that is none; one that is gone is
 * as good as removed. */
static void test_undo_removes_only_ours(void **state)
{
	struct place_case *fixture = *state;
	const char *name = "vmstat-bench.0123456789abcdef";
	g_autofree char *directory = g_build_filename(fixture->directory, name, NULL), *top = NULL, *other = NULL;
	struct cgroup cgroup;

	assert_true(cgroup_find(name, &cgroup, NULL));
	top = g_path_get_dirname(cgroup.path);
	other = g_build_filename(top, "vmstat-bench.other", NULL);
	assert_int_equal(g_mkdir(directory, 0700), 0);
	assert_int_equal(g_mkdir(other, 0755), 0);
	const char *const subjects[] = {directory, other, cgroup.path};
	for (guint i = 0; i < G_N_ELEMENTS(subjects); i++) {
		g_autoptr(GError) error = NULL;
		g_autoptr(Undo) undo = undo_add(fixture->store, &undo_cgroup, subjects[i], NULL, NULL, &error);
		g_autofree char *left = NULL;

		assert_ok(undo_one(fixture->store, undo, &left, &error), &error);
		assert_int_equal(left != NULL, subjects[i] != cgroup.path);
	}
	assert_int_equal(g_rmdir(directory), 0);
	assert_int_equal(g_rmdir(other), 0);
	cgroup_clear(&cgroup);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test_setup_teardown(test_limit, place_case_begin, place_case_end),
	    cmocka_unit_test_setup_teardown(test_rounding, place_case_begin, place_case_end),
	    cmocka_unit_test_setup_teardown(test_left_processes, place_case_begin, place_case_end),
	    cmocka_unit_test(test_bad_levels),
	    cmocka_unit_test_setup_teardown(test_killed, place_case_begin, place_case_end),
	    cmocka_unit_test_setup_teardown(test_undo_removes_only_ours, place_case_begin, place_case_end),
	};
	struct cgroup cgroup;
	g_autoptr(GError) error = NULL;

	if (!place_case_may_mount() || !cgroup_find("vmstat-bench.0123456789abcdef", &cgroup, &error)) {
		print_message("needs root and a memory cgroup: %s\n", error ? error->message : "no root");
		return EXIT_SKIPPED;
	}
	cgroup_clear(&cgroup);
	return cmocka_run_group_tests_name("setting_mem", tests, NULL, NULL);
}
