#include "kernel_case.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../src/initramfs.h"

/* Archives are unpacked by cpio(1), and programs in them are run by chroot(2): both know nothing of this program. */

static char *cache; /* the user's, for this test */

static const char *const none[] = {NULL};

static int make_root(void **state)
{
	*state = g_dir_make_tmp("vmstat-bench.XXXXXX", NULL);
	return *state ? 0 : -1;
}

static int remove_root(void **state)
{
	remove_tree(*state);
	g_free(*state);
	return 0;
}

static char *make(const char *const *programs, const char *const *files, const GPtrArray *modules)
{
	g_autoptr(GPtrArray) no_modules = g_ptr_array_new();
	const struct initramfs_arg arg = {programs, files, modules ? modules : no_modules};
	g_autoptr(GError) error = NULL;
	char *path = initramfs_make(&arg, &error);

	if (!path)
		fail_msg("%s", error->message);
	return path;
}

static void unpack(const char *archive, const char *dir)
{
	g_autofree char *input = g_strdup_printf("--file=%s", archive);
	char *argv[] = {(char[]){"cpio"}, (char[]){"--quiet"}, (char[]){"-idm"}, input, NULL};
	g_autofree char *complaint = NULL;
	int status;

	assert_true(g_spawn_sync(dir, argv, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, NULL, &complaint, &status, NULL));
	assert_string_equal(complaint, "");
	assert_int_equal(status, 0);
}

static void enter(gpointer dir)
{
	if (chroot(dir) < 0 || chdir("/") < 0)
		_exit(126);
}

/* What a program prints in there, run without the environment from here. */
static char *output_in(char *dir, char **argv)
{
	char *environment[] = {NULL}, *output = NULL;
	g_autoptr(GError) error = NULL;
	int status;

	if (!g_spawn_sync("/", argv, environment, G_SPAWN_DEFAULT, enter, dir, &output, NULL, &status, &error))
		fail_msg("%s", error->message);
	assert_int_equal(status, 0);
	return output;
}

static mode_t mode_of(const char *dir, const char *path)
{
	g_autofree char *full = g_build_filename(dir, path, NULL);
	struct stat status;

	return lstat(full, &status) == 0 ? status.st_mode : 0;
}

static char *text_of(const char *dir, const char *path)
{
	g_autofree char *full = g_build_filename(dir, path, NULL);
	char *text = NULL;

	assert_true(g_file_get_contents(full, &text, NULL, NULL));
	return text;
}

/* This program runs in there as /init with its libraries, and so does another, by a name that is a symlink here or lies
 * behind one (/bin). */
static void test_programs_run(void **state)
{
	const char *const programs[] = {"/bin/uname", "/usr/bin/awk", NULL};
	g_autofree char *archive = make(programs, none, NULL), *version = NULL, *name = NULL, *sum = NULL;

	unpack(archive, *state);
	version = output_in(*state, (char *[]){(char[]){"/init"}, (char[]){"--version"}, NULL});
	assert_string_equal(version, "the test of initramfs\n");
	name = output_in(*state, (char *[]){(char[]){"/bin/uname"}, (char[]){"-s"}, NULL});
	assert_string_equal(name, "Linux\n");
	sum = output_in(*state, (char *[]){(char[]){"/usr/bin/awk"}, (char[]){"BEGIN {print 2 + 3}"}, NULL});
	assert_string_equal(sum, "5\n");
}

/* Types and permissions of what a system has; a file given keeps path, contents and permissions; a symlink on the way to
 * one, "..", and a directory are kept too. */
static void test_contents(void **state)
{
	g_autofree char *tree = g_build_filename(*state, "here", NULL), *out = g_build_filename(*state, "out", NULL);
	g_autofree char *link = g_build_filename(tree, "link", NULL), *link2 = g_build_filename(tree, "link2", NULL);
	g_autofree char *by_link = g_build_filename(tree, "link/../real/data", NULL), *real = g_build_filename(tree, "real/data", NULL);
	g_autofree char *empty = g_build_filename(tree, "empty", NULL), *text = NULL, *passwd = NULL, *target = NULL;
	g_autofree char *at_link = g_build_filename(out, link2, NULL), *archive = NULL;
	const char *const files[] = {by_link, link2, empty, NULL};

	write_at(tree, "real/data", "odd", 3);
	assert_int_equal(chmod(real, 0751), 0);
	assert_int_equal(symlink("real", link), 0);
	assert_int_equal(symlink("link/data", link2), 0);
	assert_int_equal(g_mkdir(empty, 0700), 0);
	assert_int_equal(g_mkdir(out, 0700), 0);
	archive = make(none, files, NULL);
	unpack(archive, out);
	assert_int_equal(mode_of(out, real), S_IFREG | 0751);
	text = text_of(out, by_link);
	assert_string_equal(text, "odd");
	target = g_file_read_link(at_link, NULL);
	assert_string_equal(target, "link/data");
	assert_int_equal(mode_of(out, empty) & S_IFMT, S_IFDIR);
	assert_int_equal(mode_of(out, "/tmp"), S_IFDIR | 01777);
	assert_int_equal(mode_of(out, "/root"), S_IFDIR | 0700);
	assert_int_equal(mode_of(out, "/dev/console"), S_IFCHR | 0600);
	assert_int_equal(mode_of(out, "/modules"), S_IFDIR | 0755);
	passwd = text_of(out, "/etc/passwd");
	assert_true(g_str_has_prefix(passwd, "root:x:0:0:"));
}

/* Modules are unpacked into /modules, and the list has them in the order given. */
static void test_modules(void **state)
{
	g_autofree char *out = g_build_filename(*state, "out", NULL), *zebra = g_build_filename(*state, "m/zebra.ko", NULL);
	g_autofree char *ant = g_build_filename(*state, "n/ant.ko.xz", NULL), *order = NULL, *archive = NULL, *data = NULL;
	g_autofree char *plain = g_build_filename(*state, "n/ant.ko", NULL), *full = NULL;
	char *xz[] = {(char[]){"xz"}, plain, NULL};
	g_autoptr(GPtrArray) modules = g_ptr_array_new();
	g_autoptr(GBytes) want = make_module("name=ant", 9);
	gsize size;
	int status;

	write_module(*state, "m/zebra.ko", "name=zebra");
	write_module(*state, "n/ant.ko", "name=ant");
	assert_true(g_spawn_sync(NULL, xz, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, NULL, NULL, &status, NULL));
	assert_int_equal(status, 0);
	g_ptr_array_add(modules, zebra);
	g_ptr_array_add(modules, ant);
	archive = make(none, none, modules);
	assert_int_equal(g_mkdir(out, 0700), 0);
	unpack(archive, out);
	order = text_of(out, "/modules/order");
	assert_string_equal(order, "/modules/zebra.ko\n/modules/ant.ko\n");
	full = g_build_filename(out, "modules/ant.ko", NULL);
	assert_true(g_file_get_contents(full, &data, &size, NULL));
	assert_int_equal(size, g_bytes_get_size(want));
	assert_memory_equal(data, g_bytes_get_data(want, NULL), size);
}

static guint count_cached(void)
{
	g_autofree char *path = g_build_filename(cache, "vmstat-bench", NULL);
	g_autoptr(GDir) dir = g_dir_open(path, 0, NULL);
	guint count = 0;

	while (dir && g_dir_read_name(dir))
		count++;
	return count;
}

/* The same archive while nothing changes; another one after a file has changed, though its size and time of modification
 * are as before; no more than eight are kept, the one used last among them, and no half ones. */
static void test_cache(void **state)
{
	g_autofree char *file = g_build_filename(*state, "file", NULL), *first = NULL, *again = NULL, *other = NULL;
	const char *const files[] = {file, NULL};
	struct stat before, after;

	write_at(*state, "file", "one", 3);
	first = make(none, files, NULL);
	assert_int_equal(stat(first, &before), 0);
	again = make(none, files, NULL);
	assert_string_equal(again, first);
	assert_int_equal(stat(first, &after), 0);
	assert_int_equal(after.st_ino, before.st_ino);
	assert_int_equal(stat(file, &before), 0);
	assert_true(g_file_set_contents(file, "two", 3, NULL));
	assert_int_equal(utimensat(AT_FDCWD, file, (struct timespec[]){before.st_atim, before.st_mtim}, 0), 0);
	other = make(none, files, NULL);
	assert_string_not_equal(other, first);
	for (int i = 0; i < 9; i++) {
		g_autofree char *path = NULL, *text = g_strdup_printf("%d", i);

		assert_true(g_file_set_contents(file, text, -1, NULL));
		path = make(none, files, NULL);
		assert_int_equal(access(path, R_OK), 0);
		assert_true(count_cached() <= 8);
	}
	assert_int_equal(count_cached(), 8);
	assert_int_equal(access(first, F_OK), -1);
}

static void assert_fails(const char *const *programs, const char *const *files, const char *text)
{
	g_autoptr(GPtrArray) modules = g_ptr_array_new();
	const struct initramfs_arg arg = {programs, files, modules};
	guint before = count_cached();
	g_autoptr(GError) error = NULL;

	assert_null(initramfs_make(&arg, &error));
	if (!strstr(error->message, text))
		fail_msg("no '%s' in: %s", text, error->message);
	assert_int_equal(count_cached(), before);
}

/* Errors name the file and why it cannot be given: absent, a relative path, a script, a loop of symlinks, a device. */
static void test_errors(void **state)
{
	g_autofree char *loop = g_build_filename(*state, "loop", NULL), *script = g_build_filename(*state, "script", NULL);

	assert_int_equal(symlink("loop", loop), 0);
	write_at(*state, "script", "#!/bin/sh\n", 10);
	assert_fails((const char *[]){"/no/such/program", NULL}, none, "cannot find '/no' for the guest");
	assert_fails((const char *[]){script, NULL}, none, "script' cannot be run in the guest: it is not a 64-bit program");
	assert_fails(none, (const char *[]){"relative", NULL}, "'relative' cannot be given to the guest");
	assert_fails(none, (const char *[]){loop, NULL}, "symbolic links");
	assert_fails(none, (const char *[]){"/dev/null", NULL}, "'/dev/null' cannot be given to the guest");
}

/* A full disk: an error that names the cache, and nothing is left of the archive. */
static void test_full_disk(void **state)
{
	g_autofree char *file = g_build_filename(*state, "file", NULL);
	g_autofree char *data = g_malloc0(4u << 20);
	g_autoptr(GPtrArray) modules = g_ptr_array_new();
	const struct initramfs_arg arg = {none, (const char *[]){file, NULL}, modules};
	g_autoptr(GError) error = NULL;
	struct rlimit old, limit;
	guint before = count_cached();

	write_at(*state, "file", data, 4u << 20);
	signal(SIGXFSZ, SIG_IGN);
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
	limit = (struct rlimit){1u << 20, old.rlim_max};
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
	assert_null(initramfs_make(&arg, &error));
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &old), 0);
	assert_non_null(strstr(error->message, cache));
	assert_int_equal(count_cached(), before);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test_setup_teardown(test_programs_run, make_root, remove_root),
	    cmocka_unit_test_setup_teardown(test_contents, make_root, remove_root),
	    cmocka_unit_test_setup_teardown(test_modules, make_root, remove_root),
	    cmocka_unit_test_setup_teardown(test_cache, make_root, remove_root),
	    cmocka_unit_test_setup_teardown(test_errors, make_root, remove_root),
	    cmocka_unit_test_setup_teardown(test_full_disk, make_root, remove_root),
	};
	int failed;

	if (argc > 1 && g_str_equal(argv[1], "--version")) {
		puts("the test of initramfs");
		fflush(stdout);
		/* a search for leaks would need /proc, which is not in there */
		_exit(0);
	}
	if (geteuid() != 0) {
		print_message("needs root, to unpack device nodes and to run programs in what is unpacked\n");
		return EXIT_SKIPPED;
	}
	cache = g_dir_make_tmp("vmstat-bench.XXXXXX", NULL);
	g_setenv("XDG_CACHE_HOME", cache, TRUE);
	failed = cmocka_run_group_tests_name("initramfs", tests, NULL, NULL);
	remove_tree(cache);
	g_free(cache);
	return failed;
}
