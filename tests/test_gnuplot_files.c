#include "gnuplot_case.h"

/* A target that cannot be written: the folder is missing or a file, the target is a folder. */
static void test_unwritable_target(void **state)
{
	g_autofree char *missing = in_scratch("no/x.svg"), *folder = in_scratch("folder.svg"),
			*file = in_scratch("file");
	g_autofree char *below_file = in_scratch("file/x.svg");
	const struct {
		const char *output, *reason;
	} cases[] = {
	    {missing, "No such file or directory"}, {folder, "Is a directory"}, {below_file, "Not a directory"}};

	assert_int_equal(g_mkdir(folder, 0755), 0);
	write_text(file, "");
	for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_autofree char *message =
		    refuse("plot [0:1] [0:1] 0.5\n", &(struct gnuplot_arg){.output = cases[i].output}, EXIT_RUNTIME);
		g_autofree char *want = g_strdup_printf("cannot write '%s': %s", cases[i].output, cases[i].reason);

		assert_string_equal(message, want);
	}
	assert_int_equal(count_files(folder), 0);
	assert_int_equal(count_files(scratch), 2);
}

/* A file size limit stands for a disk that fills up half-way: the old picture stays whole, nothing is left over. */
static void test_write_fails_midway(void **state)
{
	g_autofree char *output = in_scratch("x.svg"), *message = NULL;
	struct rlimit old, small;

	write_text(output, "old");
	signal(SIGXFSZ, SIG_IGN);
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
	small = (struct rlimit){.rlim_cur = 4096, .rlim_max = old.rlim_max};
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
	message = refuse("plot [0:1] [0:1] 0.5\n", &(struct gnuplot_arg){.output = output}, EXIT_RUNTIME);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &old), 0);
	assert_true(g_str_has_suffix(message, ": File too large"));
	assert_content(output, "old");
	assert_int_equal(count_files(scratch), 1);
}

/* A full and a read-only filesystem. */
static void test_full_and_read_only(void **state)
{
	g_autofree char *mounted = in_scratch("mounted"), *output = in_scratch("mounted/x.svg"), *full = NULL,
			*locked = NULL;

	if (!can_mount)
		skip();
	assert_int_equal(g_mkdir(mounted, 0755), 0);
	assert_int_equal(mount("none", mounted, "tmpfs", 0, "size=4k"), 0);
	full = refuse("plot [0:1] [0:1] 0.5\n", &(struct gnuplot_arg){.output = output}, EXIT_RUNTIME);
	assert_int_equal(count_files(mounted), 0);
	assert_int_equal(mount("none", mounted, "tmpfs", MS_REMOUNT | MS_RDONLY, ""), 0);
	locked = refuse("plot [0:1] [0:1] 0.5\n", &(struct gnuplot_arg){.output = output}, EXIT_RUNTIME);
	assert_int_equal(umount(mounted), 0);
	assert_true(g_str_has_suffix(full, "mounted/x.svg': No space left on device"));
	assert_true(g_str_has_suffix(locked, "mounted/x.svg': Read-only file system"));
}

/* A target that is a symbolic link is replaced, what it points at is left alone; the mode follows the umask. */
static void test_symlink_and_mode(void **state)
{
	g_autofree char *output = in_scratch("x.svg"), *victim = in_scratch("victim");
	mode_t old = umask(027);
	struct stat st;

	write_text(victim, "untouched");
	assert_int_equal(symlink(victim, output), 0);
	draw("plot [0:1] [0:1] 0.5\n", &(struct gnuplot_arg){.output = output});
	umask(old);
	assert_content(victim, "untouched");
	assert_int_equal(lstat(output, &st), 0);
	assert_true(S_ISREG(st.st_mode));
	assert_int_equal(st.st_mode & 0777, 0640);
}

/* "gnuplot plot.gp" in the kept folder makes the same picture, byte for byte, from the kept files alone. */
static void test_keep(void **state)
{
	static const char *const endings[] = {"svg", "png"};
	g_autofree char *keep = in_scratch("a/b");

	for (gsize i = 0; i < G_N_ELEMENTS(endings); i++) {
		const char *const argv[] = {"gnuplot", "plot.gp", NULL};
		g_autofree char *output = g_strdup_printf("%s/x.%s", scratch, endings[i]);
		g_autofree char *again = g_strdup_printf("%s/plot.%s", keep, endings[i]);
		g_autofree char *first = NULL, *second = NULL, *err = NULL;
		gsize n_first, n_second;
		int status = -1;

		draw("set label 'Größe' at 1,2\nplot data with points\n",
		     &(struct gnuplot_arg){.output = output, .keep_dir = keep});
		/* The type of GLib's argument lacks a const. */
		assert_true(g_spawn_sync(keep, (char **)(guintptr)argv, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, NULL,
					 &err, &status, NULL));
		assert_int_equal(status, 0);
		assert_string_equal(err, "");
		assert_true(g_file_get_contents(output, &first, &n_first, NULL));
		assert_true(g_file_get_contents(again, &second, &n_second, NULL));
		assert_int_equal(n_first, n_second);
		assert_memory_equal(first, second, n_first);
	}
	assert_int_equal(count_files(keep), 4);
}

/* A folder to keep that cannot be made is named. */
static void test_keep_fails(void **state)
{
	g_autofree char *output = in_scratch("x.svg"), *file = in_scratch("file"), *keep = in_scratch("file/keep");
	g_autofree char *message = NULL,
			*want = g_strdup_printf("cannot make the directory '%s': Not a directory", keep);

	write_text(file, "");
	message = refuse("plot -1\n", &(struct gnuplot_arg){.output = output, .keep_dir = keep}, EXIT_RUNTIME);
	assert_string_equal(message, want);
	assert_false(g_file_test(output, G_FILE_TEST_EXISTS));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    TEST(test_unwritable_target),
	    TEST(test_write_fails_midway),
	    TEST(test_full_and_read_only),
	    TEST(test_symlink_and_mode),
	    TEST(test_keep),
	    TEST(test_keep_fails),
	};

	return run_gnuplot_tests(tests);
}
