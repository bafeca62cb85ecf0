#include "check.h"

#include "../src/setting.h"
#include "../src/swap_file.h"
#include "../src/tool.h"
#include "place_case.h"

/* The setting with levels as a plan would give them. */
static struct setting *setting_of(const char *first, const char *second)
{
	struct setting *setting = setting_new("swap");

	assert_non_null(setting);
	g_ptr_array_add(setting->levels, g_strdup(first));
	if (second)
		g_ptr_array_add(setting->levels, g_strdup(second));
	return setting;
}

static void begin(struct setting *setting, struct setting_env *env)
{
	g_autoptr(GError) error = NULL;

	assert_ok(setting->kind->begin(setting, env, &error), &error);
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
}

/* The line of /proc/swaps about the file, its columns one blank apart; NULL where there is none. The file's path is
 * told by its end: of a mount whose namespace is gone the kernel knows no more. */
static char *swap_line(const char *path)
{
	g_autofree char *text = read_line("/proc/swaps");
	g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
	const char *name = strstr(path, "/vmstat-bench.");

	for (char **line = lines; *line; line++) {
		g_autoptr(GRegex) blanks = g_regex_new("\\s+", 0, 0, NULL);

		if (strstr(*line, name))
			return g_regex_replace(blanks, *line, -1, 0, " ", 0, NULL);
	}
	return NULL;
}

/* Each run finds a fresh swap file of the level, used before all other swap; the kernel keeps one page of it, and
 * nothing is left after the run. Levels may alternate, also with none. */
static void test_sizes(void **state)
{
	static const struct {
		const char *level;
		gint64 kib;
	} runs[] = {{"16M", 16384 - 4}, {"1M", 1024 - 4}, {"0", 0}, {"16M", 16384 - 4}};
	struct place_case *fixture = *state;
	struct setting *setting = setting_of("16M", "0");
	struct place place;
	struct setting_env env = {.store = fixture->store, .place = &place};
	g_autofree char *file = NULL;

	if (sysconf(_SC_PAGESIZE) != 4096)
		skip();
	open_place(fixture, 0, NULL, &place);
	file = g_build_filename(place.scratch.path, SWAP_FILE, NULL);
	begin(setting, &env);
	assert_int_equal(count_undos(fixture->store), 1);
	for (guint i = 0; i < G_N_ELEMENTS(runs); i++) {
		g_autofree char *effective = g_strdup_printf("%" G_GINT64_FORMAT " KiB", runs[i].kib);
		g_autofree char *want = g_strdup_printf("%s file %" G_GINT64_FORMAT " 0 32767", file, runs[i].kib);
		g_autofree char *got = NULL;
		struct stat st;

		apply(setting, &env, runs[i].level);
		got = swap_line(file);
		if (runs[i].kib)
			assert_string_equal(got, want);
		else
			assert_null(got);
		assert_string_equal(setting->effective, effective);
		if (runs[i].kib) {
			assert_int_equal(stat(file, &st), 0);
			assert_int_equal(st.st_mode & 07777, 0600);
		}
		release(setting, &env);
		assert_null(swap_line(file));
		assert_false(g_file_test(file, G_FILE_TEST_EXISTS));
	}
	/* without a release, as after an error */
	apply(setting, &env, "1M");
	end(setting, &env);
	assert_null(swap_line(file));
	assert_int_equal(count_undos(fixture->store), 0);
	close_place(&place);
}

/* With swap that is not ours, a run cannot have none; one of a size still can be had. */
static void test_none(void **state)
{
	struct place_case *fixture = *state;
	g_autofree char *mkswap = tool_find("mkswap", "", NULL),
			*other = g_build_filename(fixture->directory, "other", NULL);
	g_autofree char *want =
	    g_strdup_printf("setting 'swap' cannot be 0, for swap is on (%s): turn it off first", other);
	char *const argv[] = {mkswap, other, NULL};
	struct setting *setting = setting_of("0", NULL), *both = setting_of("1M", "0"), *some = setting_of("1M", NULL);
	struct place place;
	struct setting_env env = {.store = fixture->store, .place = &place};
	g_autoptr(GError) error = NULL;
	int fd = open(other, O_RDWR | O_CREAT | O_CLOEXEC, 0600);

	open_place(fixture, 0, NULL, &place);
	begin(setting, &env);
	assert_int_equal(count_undos(fixture->store), 0);
	apply(setting, &env, "0");
	release(setting, &env);
	assert_int_equal(fallocate(fd, 0, 0, 2 * MIB), 0);
	close(fd);
	assert_ok(tool_run(argv, AT_FDCWD, &error), &error);
	assert_int_equal(swapon(other, 0), 0);
	assert_refused(setting->kind->begin(setting, &env, &error), &error, want);
	assert_refused(setting->kind->apply(setting, "0", &env, &error), &error, want);
	assert_refused(both->kind->begin(both, &env, &error), &error, want);
	begin(some, &env);
	apply(some, &env, "1M");
	release(some, &env);
	end(some, &env);
	assert_int_equal(swapoff(other), 0);
	g_unlink(other);
	end(setting, &env);
	end(both, &env);
	close_place(&place);
}

/* Levels that are none, and one that the directory has no room for. */
static void test_bad_levels(void **state)
{
	static const char *const bad[] = {"", "1K", "much", "-1", "0.5M"};
	struct place_case *fixture = *state;
	struct setting *setting = setting_of("1024T", NULL);
	struct place place;
	struct setting_env env = {.store = fixture->store, .place = &place};
	g_autoptr(GError) error = NULL;

	for (guint i = 0; i < G_N_ELEMENTS(bad); i++) {
		assert_false(setting->kind->check("", bad[i], &error));
		assert_non_null(error);
		g_clear_error(&error);
	}
	assert_refused(setting->kind->check("", "1023K", &error), &error, "0 or a size of at least 1 MiB, not '1023K'");
	assert_ok(setting->kind->check("", "0", &error), &error);
	assert_ok(setting->kind->check("", "1M", &error), &error);
	open_place(fixture, 0, NULL, &place);
	assert_refused(setting->kind->begin(setting, &env, &error), &error, "a swap file needs 1024 TiB");
	end(setting, &env);
	close_place(&place);
}

/* Where the filesystem is one that holds no swap file the message says so before anything is noted, and also where that
 * is found only by trying; no file is left. */
static void test_no_swap_files_there(void **state)
{
	struct place_case *fixture = *state;
	g_autofree char *memory = g_build_filename(fixture->directory, "memory", NULL);
	g_autofree char *why = g_strdup_printf(
	    "cannot swap to a file in '%s': its filesystem (tmpfs) cannot hold a swap file", memory);
	const struct place_options options = {.dir = memory};
	struct setting *setting = setting_of("1M", NULL);
	struct place place;
	struct setting_env env = {.store = fixture->store, .place = &place};
	g_autoptr(GError) error = NULL;
	guint64 kib;

	g_mkdir(memory, 0700);
	assert_int_equal(mount("none", memory, "tmpfs", 0, "size=8M"), 0);
	assert_ok(place_open(&place, &options, fixture->store, &error), &error);
	assert_refused(setting->kind->begin(setting, &env, &error), &error, why);
	assert_int_equal(count_undos(fixture->store), 0);
	assert_refused(swap_file_on(&place.scratch, MIB, &kib, &error), &error, why);
	assert_false(exists_below(place.scratch.fd, SWAP_FILE));
	end(setting, &env);
	close_place(&place);
	assert_int_equal(umount(memory), 0);
	g_rmdir(memory);
}

/* A layer above other filesystems holds none either. */
static void test_no_swap_files_on_overlay(void **state)
{
	struct place_case *fixture = *state;
	g_autofree char *layers = g_build_filename(fixture->directory, "layers", NULL);
	g_autofree char *lower = g_build_filename(layers, "lower", NULL);
	g_autofree char *upper = g_build_filename(layers, "upper", NULL);
	g_autofree char *work = g_build_filename(layers, "work", NULL);
	g_autofree char *merged = g_build_filename(layers, "merged", NULL);
	g_autofree char *data = g_strdup_printf("lowerdir=%s,upperdir=%s,workdir=%s", lower, upper, work);
	const struct place_options options = {.dir = merged};
	struct setting *setting = setting_of("1M", NULL);
	struct place place;
	struct setting_env env = {.store = fixture->store, .place = &place};
	g_autoptr(GError) error = NULL;
	const char *const directories[] = {layers, lower, upper, work, merged};
	gboolean is_mounted;

	for (guint i = 0; i < G_N_ELEMENTS(directories); i++)
		g_mkdir(directories[i], 0700);
	is_mounted = mount("none", merged, "overlay", 0, data) == 0;
	if (is_mounted) {
		assert_ok(place_open(&place, &options, fixture->store, &error), &error);
		assert_refused(setting->kind->begin(setting, &env, &error), &error,
			       "its filesystem (overlay) cannot hold a swap file");
		close_place(&place);
		assert_int_equal(umount(merged), 0);
	}
	end(setting, &env);
	remove_all(layers);
	if (!is_mounted)
		skip();
}

/* On btrfs, which refuses files that it copies on write, on xfs, and on ext2, which cannot reserve blocks. The files
 * lie on an image's filesystem, which is mounted by a place around the other. */
static void test_filesystems(void **state)
{
	static const char *const filesystems[] = {"btrfs", "xfs", "ext2"};
	struct place_case *fixture = *state;
	struct place outer, place;

	if (access("/dev/loop-control", F_OK) != 0)
		skip();
	/* ext2 has blocks of a page from 512 MiB on: smaller ones do not lie page by page */
	open_place(fixture, 600 * MIB, NULL, &outer);
	for (guint i = 0; i < G_N_ELEMENTS(filesystems); i++) {
		const struct place_options options = {.dir = outer.path};
		struct setting *setting = setting_of("4M", NULL);
		struct setting_env env = {.store = fixture->store, .place = &place};
		g_autoptr(GError) error = NULL;

		make_fs(&outer, filesystems[i]);
		assert_ok(place_open(&place, &options, fixture->store, &error), &error);
		begin(setting, &env);
		apply(setting, &env, "4M");
		assert_string_equal(setting->effective, "4092 KiB");
		release(setting, &env);
		end(setting, &env);
		close_place(&place);
	}
	close_place(&outer);
}

static char *swap_on(struct place_case *fixture)
{
	struct setting *setting = setting_of("1M", NULL);
	struct place *place = g_new0(struct place, 1);
	struct setting_env *env = g_new0(struct setting_env, 1);

	/* with a mount namespace that dies too */
	open_place(fixture, access("/dev/loop-control", F_OK) == 0 ? MIB : 0, NULL, place);
	env->store = fixture->store;
	env->place = place;
	begin(setting, env);
	apply(setting, env, "1M");
	return g_build_filename(place->scratch.path, SWAP_FILE, NULL);
}

/* After kill -9 the kernel still swaps to the file; what the store tells, or the next start there, ends that. */
static void test_killed(void **state)
{
	struct place_case *fixture = *state;

	for (int by_store = 0; by_store < 2; by_store++) {
		g_autofree char *file = run_and_kill(fixture, swap_on), *line = swap_line(file);
		g_autoptr(GString) report = g_string_new(NULL);
		g_autoptr(GError) error = NULL;
		struct place place;

		assert_non_null(line);
		if (by_store)
			assert_ok(undo_orphans(fixture->store, report, &error), &error);
		else
			open_place(fixture, 0, NULL, &place);
		assert_null(swap_line(file));
		assert_false(g_file_test(file, G_FILE_TEST_EXISTS));
		if (by_store)
			open_place(fixture, 0, NULL, &place);
		else
			assert_ok(undo_orphans(fixture->store, report, &error), &error);
		/* what the next start has removed is as before already */
		assert_int_equal(strstr(report->str, file) != NULL, by_store);
		close_place(&place);
		assert_int_equal(count_entries(fixture->directory), 1);
	}
}

/* Only the swap file of a private directory is taken away for the store's sake. */
static void test_undo_removes_only_ours(void **state)
{
	struct place_case *fixture = *state;
	g_autofree char *file = g_build_filename(fixture->directory, SWAP_FILE, NULL), *left = NULL;
	g_autoptr(GError) error = NULL;
	g_autoptr(Undo) undo = NULL;

	assert_true(g_file_set_contents(file, "x", 1, NULL));
	undo = undo_add(fixture->store, &undo_swap, file, NULL, NULL, &error);
	assert_ok(undo_one(fixture->store, undo, &left, &error), &error);
	assert_non_null(left);
	assert_true(g_file_test(file, G_FILE_TEST_EXISTS));
	g_unlink(file);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test_setup_teardown(test_sizes, place_case_begin, place_case_end),
	    cmocka_unit_test_setup_teardown(test_none, place_case_begin, place_case_end),
	    cmocka_unit_test_setup_teardown(test_bad_levels, place_case_begin, place_case_end),
	    cmocka_unit_test_setup_teardown(test_no_swap_files_there, place_case_begin, place_case_end),
	    cmocka_unit_test_setup_teardown(test_no_swap_files_on_overlay, place_case_begin, place_case_end),
	    cmocka_unit_test_setup_teardown(test_filesystems, place_case_begin, place_case_end),
	    cmocka_unit_test_setup_teardown(test_killed, place_case_begin, place_case_end),
	    cmocka_unit_test_setup_teardown(test_undo_removes_only_ours, place_case_begin, place_case_end),
	};

	if (!place_case_may_mount() || !place_case_may_swap()) {
		print_message("needs root, mount namespaces and a kernel with swap\n");
		return EXIT_SKIPPED;
	}
	return cmocka_run_group_tests_name("setting_swap", tests, NULL, NULL);
}
