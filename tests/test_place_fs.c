#include "check.h"

#include <linux/magic.h>
#include <sys/statfs.h>
#include <sys/statvfs.h>

#include "place_case.h"

#define IMAGE_BYTES (320 * MIB) /* sparse; current xfsprogs make none smaller than 300 */

/* Whether this process sees anything mounted below the directory. */
static gboolean is_mounted_below(const char *directory)
{
	g_autofree char *mounts = read_line("/proc/self/mountinfo");

	assert_non_null(mounts);
	return strstr(mounts, directory) != NULL;
}

/* Each filesystem is what it is called, and mounted as asked but never with setuid or devices; a remount keeps the
 * files, a remake does not, and all of it is gone afterwards.   source: linux/magic.h */
static void test_filesystems(void **state)
{
	static const struct {
		const char *fs;
		long magic;
		unsigned long flags; /* of statvfs(), beside ST_NOSUID and ST_NODEV */
	} cases[] = {{"ext2", EXT2_SUPER_MAGIC, ST_RELATIME},
		     {"ext4", EXT4_SUPER_MAGIC, ST_RELATIME},
		     {"ext4+noatime+data=journal+commit=30", EXT4_SUPER_MAGIC, ST_NOATIME},
		     {"xfs+logbsize=262144+allocsize=1m", XFS_SUPER_MAGIC, ST_RELATIME},
		     {"btrfs+compress=zstd+sync", BTRFS_SUPER_MAGIC, ST_RELATIME | ST_SYNCHRONOUS}};
	struct place_case *fixture = *state;
	g_autoptr(GError) error = NULL;
	struct place place;

	open_place(fixture, IMAGE_BYTES, NULL, &place);
	assert_int_equal(place.dirfd, -1);
	for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
		struct statfs fs;
		struct statvfs vfs;

		make_fs(&place, cases[i].fs);
		assert_string_equal(place.fs, cases[i].fs);
		assert_int_equal(count_entries(place.path), 0);
		assert_int_equal(fstatfs(place.dirfd, &fs), 0);
		assert_int_equal(fs.f_type, cases[i].magic);
		assert_int_equal(fstatvfs(place.dirfd, &vfs), 0);
		assert_int_equal(vfs.f_flag & (ST_NOSUID | ST_NODEV | ST_NOATIME | ST_RELATIME | ST_SYNCHRONOUS),
				 cases[i].flags | ST_NOSUID | ST_NODEV);
		write_below(place.dirfd, "file", "x");
		assert_ok(place_remount(&place, &error), &error);
		assert_true(exists_below(place.dirfd, "file"));
		assert_ok(place_empty(&place, &error), &error);
		write_below(place.dirfd, "file", "x");
	}
	close_place(&place);
	assert_int_equal(count_entries(fixture->directory), 1);
	assert_false(is_mounted_below(fixture->directory));
}

/* ext4 has its journal, and its options are in the data of the mount.   source: Documentation/filesystems/proc.rst of
 * Linux, /proc/fs/ext4/DEV/options: "exact mount options" */
static void test_options_reach_the_filesystem(void **state)
{
	struct place_case *fixture = *state;
	g_autofree char *path = NULL, *options = NULL;
	struct place place;

	open_place(fixture, 16 * MIB, NULL, &place);
	make_fs(&place, "ext4+data=writeback+commit=7");
	path = g_build_filename("/proc/fs/ext4", place.device + strlen("/dev/"), "options", NULL);
	options = read_line(path);
	if (!options)
		skip();
	assert_non_null(strstr(options, "data=writeback\n"));
	assert_non_null(strstr(options, "commit=7\n"));
	close_place(&place);
}

/* The image takes no room before it is written to, and its loop device detaches itself and has a reader only. */
static void test_image(void **state)
{
	struct place_case *fixture = *state;
	g_autofree char *autoclear = NULL, *backing = NULL, *device = NULL, *image = NULL, *size = NULL,
			*attribute = NULL;
	struct place place;
	struct stat st;

	open_place(fixture, IMAGE_BYTES, NULL, &place);
	image = g_build_filename(place.scratch.path, "image", NULL);
	device = g_strdup(place.device);
	backing = loop_backing(device);
	assert_string_equal(backing, image);
	assert_int_equal(stat(image, &st), 0);
	assert_int_equal(st.st_size, IMAGE_BYTES);
	assert_int_equal(st.st_blocks, 0);
	assert_int_equal(st.st_mode & 07777, 0600);
	attribute = g_strdup_printf("/sys/block/%s/loop/autoclear", device + strlen("/dev/"));
	autoclear = read_line(attribute);
	assert_string_equal(autoclear, "1");
	g_free(attribute);
	attribute = g_strdup_printf("/sys/block/%s/size", device + strlen("/dev/"));
	size = read_line(attribute);
	assert_int_equal(g_ascii_strtoull(size, NULL, 10) * 512, IMAGE_BYTES);
	assert_int_equal(fcntl(place.device_fd, F_GETFL) & O_ACCMODE, O_RDONLY);
	assert_int_equal(count_undos(fixture->store), 1);
	close_place(&place);
	wait_until(!loop_backing(device));
}

/* Names of filesystems and mount options that cannot be: the message says what can. */
static void test_bad_filesystems(void **state)
{
	static const struct {
		const char *fs, *text;
	} bad[] = {
	    {"", "there are ext2, ext4, xfs, btrfs"},
	    {"ext5", "no filesystem 'ext5'"},
	    {"+noatime", "there are ext2"},
	    {"tmpfs", "no filesystem 'tmpfs'"},
	    {"ext4+", "'' is no mount option"},
	    {"ext4+loop", "'loop' is no"},
	    {"ext4+noatime+bind", "'bind' is no"},
	    {"ext4+rbind", "'rbind' is no"},
	    {"ext4+remount", "'remount' is no"},
	    {"ext4+ro", "'ro' is no"},
	    {"ext4+suid", "'suid' is no"},
	    {"ext4+dev", "'dev' is no"},
	    {"ext4+shared", "'shared' is no"},
	    {"ext4+offset=512", "'offset=512' is no"},
	    {"ext4+x-systemd.automount", "is no mount option"},
	    {"ext4+noatime,ro", "is no mount option"},
	    {"ext4+data=\"journal\"", "is no mount option"},
	    {"ext4+data=a b", "is no mount option"},
	};
	static const char *const good[] = {"ext2", "ext4+noatime+data=journal", "xfs+logbsize=256k",
					   "btrfs+noexec+lazytime"};

	for (guint i = 0; i < G_N_ELEMENTS(bad); i++) {
		g_autoptr(GError) error = NULL;

		assert_refused(place_check_fs(bad[i].fs, &error), &error, bad[i].text);
	}
	for (guint i = 0; i < G_N_ELEMENTS(good); i++) {
		g_autoptr(GError) error = NULL;

		assert_ok(place_check_fs(good[i], &error), &error);
	}
}

/* A filesystem that does not fit, an option that it does not know, and one that did not take are errors; nothing of
 * them is left, and another can be made. */
static void test_failures(void **state)
{
	static const struct {
		const char *fs, *text;
	} cases[] = {
	    {"xfs", "xfs needs 300 MiB (314572800 bytes), and the image has 16 MiB (16777216 bytes)"},
	    {"ext4+nosuchoption", "cannot mount '/dev/loop"},
	    {"ext4+commit=5+commit=7", "mount option 'commit=5' did not take: ext4 is mounted with"},
	    {"ext4+delalloc+nodelalloc", "mount option 'delalloc' did not take"},
	};
	struct place_case *fixture = *state;
	struct place place;

	open_place(fixture, 16 * MIB, NULL, &place);
	make_fs(&place, "ext4");
	for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_autoptr(GError) error = NULL;

		assert_refused(place_make(&place, cases[i].fs, &error), &error, cases[i].text);
		/* what was not begun has destroyed nothing */
		assert_int_equal(place.fs != NULL, i == 0);
		assert_int_equal(is_mounted_below(fixture->directory), i == 0);
		assert_int_equal(place.is_stale, i != 0);
	}
	make_fs(&place, "ext4+commit=7");
	assert_false(place.is_stale);
	make_fs(&place, place.fs);
	assert_string_equal(place.fs, "ext4+commit=7");
	close_place(&place);
}

/* Puts source in the place of a program for this process and its children. */
static void replace_program(const char *program, const char *source)
{
	assert_int_equal(mount(source, program, "none", MS_BIND, NULL), 0);
}

/* A program that is missing, that fails with a reason, and that fails without one. */
static void test_mkfs_fails(void **state)
{
	static const struct {
		const char *instead, *text;
	} cases[] = {
	    {"/dev/null", "mkfs.ext4 is not installed: apt install e2fsprogs"},
	    {"/usr/bin/false", "cannot make ext4 on '/dev/loop"},
	    {"/usr/bin/false", "mkfs.ext4 failed with exit status 1"},
	    {"/usr/bin/stat", "mkfs.ext4 failed: "},
	};
	struct place_case *fixture = *state;
	g_autofree char *program = g_find_program_in_path("mkfs.ext4");
	g_autofree char *real = program ? g_file_read_link(program, NULL) : NULL;
	g_autofree char *target = real ? g_build_filename("/usr/sbin", real, NULL) : g_strdup(program);
	struct place place;

	if (!program)
		skip();
	open_place(fixture, 16 * MIB, NULL, &place);
	for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_autoptr(GError) error = NULL;

		replace_program(target, cases[i].instead);
		assert_refused(place_make(&place, "ext4", &error), &error, cases[i].text);
		assert_int_equal(umount(target), 0);
	}
	make_fs(&place, "ext4");
	close_place(&place);
}

/* An image that the directory has no room for is refused before anything is made; the message tells how much there is.
 */
static void test_no_room(void **state)
{
	struct place_case *fixture = *state;
	g_autofree char *small = g_build_filename(fixture->directory, "small", NULL);
	const struct place_options options = {.dir = small, .image_bytes = 5 * MIB};
	g_autoptr(GError) error = NULL;
	struct place place;

	assert_int_equal(g_mkdir(small, 0700), 0);
	assert_int_equal(mount("none", small, "tmpfs", 0, "size=4M"), 0);
	assert_refused(place_open(&place, &options, fixture->store, &error), &error,
		       "an image needs 5 MiB (5242880 bytes) in '");
	assert_refused(place_open(&place, &options, fixture->store, &error), &error,
		       "small', where 4 MiB (4194304 bytes) are free");
	assert_int_equal(count_entries(small), 0);
	assert_int_equal(count_undos(fixture->store), 0);
	assert_int_equal(umount2(small, MNT_DETACH), 0);
	assert_int_equal(g_rmdir(small), 0);
}

/* An image in memory, where there is no direct I/O, works as well. */
static void test_image_without_direct_io(void **state)
{
	struct place_case *fixture = *state;
	g_autofree char *memory = g_build_filename(fixture->directory, "memory", NULL);
	const struct place_options options = {.dir = memory, .image_bytes = 16 * MIB};
	g_autoptr(GError) error = NULL;
	struct place place;

	assert_int_equal(g_mkdir(memory, 0700), 0);
	assert_int_equal(mount("none", memory, "tmpfs", 0, "size=32M"), 0);
	assert_ok(place_open(&place, &options, fixture->store, &error), &error);
	make_fs(&place, "ext2");
	close_place(&place);
	wait_until(umount(memory) == 0 || errno == EINVAL);
	assert_int_equal(g_rmdir(memory), 0);
}

/* Unmounting waits for a process that still has a file there, says so where it does not end, and goes on when it has.
 */
static void test_busy(void **state)
{
	struct place_case *fixture = *state;
	g_autoptr(GError) error = NULL;
	g_autofree char *device = NULL;
	struct place place;
	int fd, status;
	pid_t pid;

	open_place(fixture, 16 * MIB, NULL, &place);
	device = g_strdup(place.device);
	make_fs(&place, "ext4");
	write_below(place.dirfd, "file", "x");
	pid = fork();
	if (pid == 0) {
		g_usleep(200000);
		_exit(0);
	}
	assert_ok(place_remount(&place, &error), &error);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	fd = openat(place.dirfd, "file", O_RDONLY | O_CLOEXEC);
	assert_true(fd >= 0);
	assert_refused(place_make(&place, "ext4", &error), &error, "a process that a run left is still using it");
	assert_refused(place_close(&place, &error), &error, "a process that a run left is still using it");
	assert_int_equal(count_entries(fixture->directory), 1);
	assert_false(is_mounted_below(fixture->directory));
	close(fd);
	wait_until(!loop_backing(device));
}

static char *open_and_make(struct place_case *fixture)
{
	struct place place;

	open_place(fixture, 16 * MIB, NULL, &place);
	make_fs(&place, "ext4");
	write_below(place.dirfd, "file", "x");
	return g_strdup_printf("%s %s", place.device, place.scratch.path);
}

/* What was mounted is seen by nobody else; after kill -9 neither mount nor loop device is left, and the image is
 * removed by the next start there, or by what the store tells. */
static void test_killed(void **state)
{
	struct place_case *fixture = *state;

	for (int by_store = 0; by_store < 2; by_store++) {
		g_autofree char *told = run_and_kill(fixture, open_and_make), *image = NULL;
		g_auto(GStrv) words = g_strsplit(told, " ", 2);
		g_autoptr(GString) report = g_string_new(NULL);
		g_autoptr(GError) error = NULL;
		struct place place;

		assert_false(is_mounted_below(fixture->directory));
		wait_until(!loop_backing(words[0]));
		image = g_build_filename(words[1], "image", NULL);
		assert_true(g_file_test(image, G_FILE_TEST_EXISTS));
		assert_int_equal(count_undos(fixture->store), 1);
		if (!by_store) {
			open_place(fixture, 0, NULL, &place);
			assert_false(g_file_test(words[1], G_FILE_TEST_EXISTS));
			close_place(&place);
		}
		assert_ok(undo_orphans(fixture->store, report, &error), &error);
		/* what the next start has removed is as before already */
		assert_int_equal(strstr(report->str, words[1]) != NULL, by_store);
		assert_int_equal(count_entries(fixture->directory), 1);
		assert_int_equal(count_undos(fixture->store), 0);
	}
}

/* Who is not root is told so before anything is made. */
static void test_needs_root(void **state)
{
	struct place_case *fixture = *state;
	int status;
	pid_t pid = fork();

	if (pid == 0) {
		const struct place_options options = {.dir = "/tmp", .image_bytes = MIB};
		g_autoptr(GError) error = NULL;
		struct place place;

		if (setuid(65534) != 0 || place_open(&place, &options, NULL, &error))
			_exit(1);
		_exit(strstr(error->message, "an image needs root") ? 0 : 2);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
	assert_int_equal(count_entries(fixture->directory), 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test_setup_teardown(test_filesystems, place_case_begin, place_case_end),
	    cmocka_unit_test_setup_teardown(test_options_reach_the_filesystem, place_case_begin, place_case_end),
	    cmocka_unit_test_setup_teardown(test_image, place_case_begin, place_case_end),
	    cmocka_unit_test(test_bad_filesystems),
	    cmocka_unit_test_setup_teardown(test_failures, place_case_begin, place_case_end),
	    cmocka_unit_test_setup_teardown(test_mkfs_fails, place_case_begin, place_case_end),
	    cmocka_unit_test_setup_teardown(test_no_room, place_case_begin, place_case_end),
	    cmocka_unit_test_setup_teardown(test_image_without_direct_io, place_case_begin, place_case_end),
	    cmocka_unit_test_setup_teardown(test_busy, place_case_begin, place_case_end),
	    cmocka_unit_test_setup_teardown(test_killed, place_case_begin, place_case_end),
	    cmocka_unit_test_setup_teardown(test_needs_root, place_case_begin, place_case_end),
	};

	if (!place_case_may_mount() || access("/dev/loop-control", F_OK) != 0) {
		print_message("needs root, mount namespaces and loop devices\n");
		return EXIT_SKIPPED;
	}
	return cmocka_run_group_tests_name("place_fs", tests, NULL, NULL);
}
