#include "check.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../src/scratch.h"

static guint count_entries(const char *dir)
{
	GDir *stream = g_dir_open(dir, 0, NULL);
	guint n = 0;

	assert_non_null(stream);
	while (g_dir_read_name(stream))
		n++;
	g_dir_close(stream);
	return n;
}

/* Files, folders, links and special files inside are removed; what the links point to stays. */
static void test_remove_follows_no_link(void **state)
{
	g_autofree char *dir = g_dir_make_tmp("scratch-XXXXXX", NULL);
	g_autofree char *precious = g_build_filename(dir, "precious", NULL);
	g_autofree char *file = g_build_filename(precious, "file", NULL);
	struct scratch scratch;

	g_mkdir(precious, 0755);
	assert_true(g_file_set_contents(file, "x", 1, NULL));
	assert_true(scratch_open(dir, &scratch, NULL));
	assert_int_equal(symlinkat(precious, scratch.fd, "link"), 0);
	assert_int_equal(mkdirat(scratch.fd, "a", 0755), 0);
	assert_int_equal(mkdirat(scratch.fd, "a/b", 0000), 0);
	assert_int_equal(symlinkat("../../precious", scratch.fd, "a/link"), 0);
	assert_int_equal(mknodat(scratch.fd, "a/fifo", S_IFIFO | 0600, 0), 0);
	assert_true(scratch_empty(&scratch, NULL));
	assert_true(scratch_remove(&scratch, NULL));
	assert_true(g_file_test(file, G_FILE_TEST_EXISTS));
	assert_int_equal(count_entries(dir), 1);
	g_unlink(file);
	g_rmdir(precious);
	g_rmdir(dir);
}

/* What a killed run left is removed by the next start; what a live one holds, and look-alikes, stay. */
static void test_stale_ones_are_removed(void **state)
{
	g_autofree char *dir = g_dir_make_tmp("scratch-XXXXXX", NULL);
	g_autofree char *public = g_build_filename(dir, "vmstat-bench.0123456789abcdef", NULL);
	g_autofree char *other = g_build_filename(dir, "vmstat-bench.db", NULL);
	struct scratch live, next;
	pid_t pid;
	int status;

	g_mkdir(public, 0755);
	assert_true(g_file_set_contents(other, "x", 1, NULL));
	pid = fork();
	if (pid == 0) {
		struct scratch lost;

		if (scratch_open(dir, &lost, NULL))
			close(openat(lost.fd, "dd.0", O_CREAT | O_WRONLY, 0600));
		kill(getpid(), SIGKILL);
	}
	waitpid(pid, &status, 0);
	assert_int_equal(count_entries(dir), 3);
	assert_true(scratch_open(dir, &live, NULL));
	assert_int_equal(count_entries(dir), 3);
	assert_true(scratch_open(dir, &next, NULL));
	assert_int_equal(count_entries(dir), 4);
	assert_true(scratch_remove(&next, NULL));
	assert_true(scratch_remove(&live, NULL));
	assert_int_equal(count_entries(dir), 2);
	g_unlink(other);
	g_rmdir(public);
	g_rmdir(dir);
}

/* Those that killed runs left can be removed without a start, and are told; where there is no directory is none. */
static void test_remove_stale(void **state)
{
	g_autofree char *dir = g_dir_make_tmp("scratch-XXXXXX", NULL), *missing = g_build_filename(dir, "nosuch", NULL);
	g_autofree char *link = g_build_filename(dir, "link", NULL), *lost_path = NULL;
	g_autoptr(GPtrArray) removed = g_ptr_array_new_with_free_func(g_free);
	g_autoptr(GError) error = NULL;
	struct scratch live, lost;

	assert_true(scratch_open(dir, &lost, NULL));
	assert_true(scratch_open(dir, &live, NULL));
	close(openat(lost.fd, "dd.0", O_CREAT | O_WRONLY, 0600));
	lost_path = g_strdup(lost.path);
	scratch_close(&lost);
	assert_int_equal(symlink(".", link), 0);
	assert_true(scratch_remove_stale(missing, removed, &error));
	assert_int_equal(removed->len, 0);
	assert_true(scratch_remove_stale(link, removed, &error));
	assert_int_equal(removed->len, 1);
	assert_string_equal(removed->pdata[0], lost_path);
	assert_false(g_file_test(lost_path, G_FILE_TEST_EXISTS));
	assert_true(g_file_test(live.path, G_FILE_TEST_EXISTS));
	assert_true(scratch_remove_stale(dir, removed, &error));
	assert_int_equal(removed->len, 1);
	assert_true(scratch_remove(&live, NULL));
	assert_false(scratch_remove_stale("/dev/null", removed, &error));
	assert_non_null(strstr(error->message, "'/dev/null'"));
	g_unlink(link);
	g_rmdir(dir);
}

/* A directory that is missing, or a file, is an error that names it. */
static void test_bad_directory(void **state)
{
	g_autoptr(GError) missing = NULL;
	g_autoptr(GError) file = NULL;
	struct scratch scratch;

	assert_false(scratch_open("/nonexistent/dir", &scratch, &missing));
	assert_non_null(strstr(missing->message, "'/nonexistent/dir'"));
	assert_false(scratch_open("/dev/null", &scratch, &file));
	assert_non_null(strstr(file->message, "'/dev/null'"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_remove_follows_no_link),
	    cmocka_unit_test(test_stale_ones_are_removed),
	    cmocka_unit_test(test_remove_stale),
	    cmocka_unit_test(test_bad_directory),
	};

	return cmocka_run_group_tests_name("scratch", tests, NULL, NULL);
}
