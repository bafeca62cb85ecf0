#include "check.h"

#include "place_case.h"

/* Without a filesystem of its own the place is a private directory "run", whose path says where it is, and nothing of
 * it is left. */
static void test_on_directory(void **state)
{
	struct place_case *fixture = *state;
	struct place place;
	struct stat by_fd, by_path;

	open_place(fixture, 0, NULL, &place);
	assert_true(g_path_is_absolute(place.path));
	assert_int_equal(fstat(place.dirfd, &by_fd), 0);
	assert_int_equal(stat(place.path, &by_path), 0);
	assert_int_equal(by_fd.st_ino, by_path.st_ino);
	assert_int_equal(by_fd.st_mode & 07777, 0700);
	assert_null(place.device);
	assert_int_equal(count_undos(fixture->store), 0);
	write_below(place.dirfd, "file", "x");
	close_place(&place);
	assert_int_equal(count_entries(fixture->directory), 1);
	/* once more does nothing */
	close_place(&place);
}

/* Emptying removes files, folders that nobody may enter, links and special files; what links point to stays, and so
 * does what lies beside the runs. */
static void test_empty(void **state)
{
	struct place_case *fixture = *state;
	g_autofree char *precious = g_build_filename(fixture->directory, "precious", NULL);
	g_autoptr(GError) error = NULL;
	struct place place;

	assert_true(g_file_set_contents(precious, "x", 1, NULL));
	open_place(fixture, 0, NULL, &place);
	write_below(place.scratch.fd, "beside", "x");
	for (int i = 0; i < 3; i++) {
		assert_int_equal(symlinkat(precious, place.dirfd, "link"), 0);
		assert_int_equal(mkdirat(place.dirfd, "a", 0700), 0);
		assert_int_equal(symlinkat(fixture->directory, place.dirfd, "a/link"), 0);
		assert_int_equal(mknodat(place.dirfd, "a/fifo", S_IFIFO | 0600, 0), 0);
		assert_int_equal(mkdirat(place.dirfd, "a/b", 0), 0);
		assert_ok(place_empty(&place, &error), &error);
		assert_int_equal(count_entries(place.path), 0);
	}
	assert_true(exists_below(place.scratch.fd, "beside"));
	assert_true(g_file_test(precious, G_FILE_TEST_EXISTS));
	close_place(&place);
	g_unlink(precious);
}

static void mount_over(const struct place *place, const char *source, const char *type, unsigned long flags)
{
	g_autofree char *target = g_build_filename(place->path, "below", "mounted", NULL);

	assert_int_equal(mkdirat(place->dirfd, "below", 0700), 0);
	assert_int_equal(mkdirat(place->dirfd, "below/mounted", 0700), 0);
	assert_int_equal(mount(source, target, type, flags, NULL), 0);
}

/* What a run left mounted is not entered, be it another filesystem or another folder of the same one, which has the
 * same device number. */
static void test_empty_crosses_no_mount(void **state)
{
	struct place_case *fixture = *state;
	g_autofree char *precious = g_build_filename(fixture->directory, "precious", NULL);
	g_autofree char *file = g_build_filename(precious, "file", NULL);

	assert_int_equal(g_mkdir(precious, 0700), 0);
	assert_true(g_file_set_contents(file, "x", 1, NULL));
	for (int same = 0; same < 2; same++) {
		g_autofree char *target = NULL;
		GError *error = NULL;
		struct place place;

		open_place(fixture, 0, NULL, &place);
		target = g_build_filename(place.path, "below", "mounted", NULL);
		mount_over(&place, same ? precious : "none", same ? "none" : "tmpfs", same ? MS_BIND : 0);
		assert_refused(place_empty(&place, &error), &error, "something is mounted in there");
		assert_true(g_file_test(file, G_FILE_TEST_EXISTS));
		assert_int_equal(umount(target), 0);
		close_place(&place);
	}
	g_unlink(file);
	g_rmdir(precious);
}

static char *open_and_fill(struct place_case *fixture)
{
	struct place place;

	open_place(fixture, 0, NULL, &place);
	write_below(place.dirfd, "dd.0", "x");
	return place.path;
}

/* What a killed run left is removed by the next start there. */
static void test_killed(void **state)
{
	struct place_case *fixture = *state;
	g_autofree char *path = run_and_kill(fixture, open_and_fill);
	struct place place;

	assert_true(g_file_test(path, G_FILE_TEST_IS_DIR));
	open_place(fixture, 0, NULL, &place);
	assert_false(g_file_test(path, G_FILE_TEST_EXISTS));
	close_place(&place);
}

/* A directory that is missing, or a file, is an error that names it. */
static void test_bad_directory(void **state)
{
	struct place_case *fixture = *state;
	static const char *const bad[] = {"/nonexistent/dir", "/dev/null"};

	for (guint i = 0; i < G_N_ELEMENTS(bad); i++) {
		const struct place_options options = {.dir = bad[i]}, image = {.dir = bad[i], .image_bytes = MIB};
		GError *error = NULL, *image_error = NULL;
		struct place place;

		assert_refused(place_open(&place, &options, fixture->store, &error), &error, bad[i]);
		assert_refused(place_open(&place, &image, fixture->store, &image_error), &image_error, bad[i]);
	}
}

static void assert_put_back(struct place_case *fixture, const char *subject, const char *want_left)
{
	g_autoptr(GError) error = NULL;
	g_autoptr(Undo) undo = undo_add(fixture->store, &undo_directory, subject, NULL, NULL, &error);
	g_autofree char *left = NULL;

	assert_ok(undo != NULL, &error);
	assert_ok(undo_one(fixture->store, undo, &left, &error), &error);
	if (want_left ? !left || !strstr(left, want_left) : left != NULL)
		fail_msg("%s: left: %s", subject, left);
}

/* Only a directory that is private, of this user and of our name is removed for the store's sake, and not through a
 * link. */
static void test_undo_removes_only_ours(void **state)
{
	struct place_case *fixture = *state;
	const char *not_ours = "not a private directory";
	g_autofree char *named = g_build_filename(fixture->directory, "vmstat-bench.0123456789abcdef", NULL);
	g_autofree char *other = g_build_filename(fixture->directory, "vmstat-bench.0123", NULL);
	g_autofree char *aim = g_build_filename(fixture->directory, "aim", NULL);

	assert_put_back(fixture, named, NULL);
	assert_put_back(fixture, "vmstat-bench.0123456789abcdef", not_ours);
	assert_int_equal(g_mkdir(other, 0700), 0);
	assert_put_back(fixture, other, not_ours);
	assert_int_equal(g_mkdir(named, 0755), 0);
	assert_put_back(fixture, named, not_ours);
	g_chmod(named, 0700);
	assert_int_equal(chown(named, 65534, 65534), 0);
	assert_put_back(fixture, named, not_ours);
	g_rmdir(named);
	assert_int_equal(g_mkdir(aim, 0700), 0);
	assert_int_equal(symlink("aim", named), 0);
	assert_put_back(fixture, named, not_ours);
	g_unlink(named);
	assert_true(g_file_set_contents(named, "x", 1, NULL));
	assert_put_back(fixture, named, not_ours);
	g_unlink(named);
	assert_int_equal(g_mkdir(named, 0700), 0);
	assert_put_back(fixture, named, NULL);
	assert_false(g_file_test(named, G_FILE_TEST_EXISTS));
	g_rmdir(other);
	g_rmdir(aim);
}

/* A directory that a process still holds is not removed from under it: the row stays for later. */
static void test_undo_spares_the_living(void **state)
{
	struct place_case *fixture = *state;
	g_autoptr(Undo) undo = NULL;
	g_autofree char *left = NULL;
	GError *error = NULL;
	struct place place;

	open_place(fixture, 0, NULL, &place);
	undo = undo_add(fixture->store, &undo_directory, place.scratch.path, NULL, NULL, NULL);
	assert_refused(undo_one(fixture->store, undo, &left, &error), &error, "a process is using it");
	assert_int_equal(count_undos(fixture->store), 1);
	close_place(&place);
	assert_true(undo_one(fixture->store, undo, &left, NULL));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test_setup_teardown(test_on_directory, place_case_begin, place_case_end),
	    cmocka_unit_test_setup_teardown(test_empty, place_case_begin, place_case_end),
	    cmocka_unit_test_setup_teardown(test_empty_crosses_no_mount, place_case_begin, place_case_end),
	    cmocka_unit_test_setup_teardown(test_killed, place_case_begin, place_case_end),
	    cmocka_unit_test_setup_teardown(test_bad_directory, place_case_begin, place_case_end),
	    cmocka_unit_test_setup_teardown(test_undo_removes_only_ours, place_case_begin, place_case_end),
	    cmocka_unit_test_setup_teardown(test_undo_spares_the_living, place_case_begin, place_case_end),
	};

	if (!place_case_may_mount()) {
		print_message("needs root and mount namespaces\n");
		return EXIT_SKIPPED;
	}
	return cmocka_run_group_tests_name("place", tests, NULL, NULL);
}
