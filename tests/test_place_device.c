#include "check.h"

#include <linux/blkpg.h>
#include <linux/fs.h>
#include <linux/loop.h>
#include <sys/ioctl.h>
#include <sys/sysmacros.h>

#include "../src/loop.h"
#include "../src/tool.h"
#include "place_case.h"

/* A disk for the taking: a loop device on a sparse file. */
struct disk {
	int fd;
	char *device, *file;
};

static struct disk open_disk(struct place_case *fixture)
{
	struct disk disk = {.file = g_build_filename(fixture->directory, "disk", NULL)};
	g_autoptr(GError) error = NULL;
	int fd = open(disk.file, O_RDWR | O_CREAT | O_CLOEXEC, 0600);

	assert_int_equal(ftruncate(fd, 16 * MIB), 0);
	disk.fd = loop_attach(fd, disk.file, &disk.device, &error);
	assert_ok(disk.fd >= 0, &error);
	close(fd);
	return disk;
}

static void close_disk(struct disk *disk)
{
	close(disk->fd);
	wait_until(!loop_backing(disk->device));
	g_unlink(disk->file);
	g_free(disk->device);
	g_free(disk->file);
}

static void assert_no_place(struct place_case *fixture, const char *device, const char *text)
{
	const struct place_options options = {.dir = fixture->directory, .device = device};
	g_autoptr(GError) error = NULL;
	struct place place;

	assert_refused(place_open(&place, &options, fixture->store, &error), &error, text);
}

static void run_tool(const char *program, const char *option, const char *device)
{
	g_autoptr(GError) error = NULL;
	g_autofree char *path = tool_find(program, "", &error), *first = g_strdup(option), *second = g_strdup(device);
	char *const argv[] = {path, first, second, NULL};

	assert_ok(path && tool_run(argv, AT_FDCWD, &error), &error);
}

/* A device that nobody uses is taken, by whatever name; opening it destroys nothing; what was made on it stays there
 * after the end, and nothing is in the store. */
static void test_free_device(void **state)
{
	struct place_case *fixture = *state;
	struct disk disk = open_disk(fixture);
	g_autofree char *link = g_build_filename(fixture->directory, "link", NULL);
	g_autofree char *target = g_build_filename(fixture->directory, "target", NULL);
	g_autofree char *file = g_build_filename(target, "run", "file", NULL);
	char before[8] = "before", after[8] = "";
	struct place place;
	int fd = open(disk.file, O_RDWR | O_CLOEXEC);

	assert_int_equal(symlink(disk.device, link), 0);
	assert_int_equal(pwrite(fd, before, sizeof before, 1024), sizeof before);
	open_place(fixture, 0, link, &place);
	assert_string_equal(place.device, disk.device);
	assert_int_equal(place.dirfd, -1);
	assert_int_equal(count_undos(fixture->store), 0);
	close_place(&place);
	assert_int_equal(pread(fd, after, sizeof after, 1024), sizeof after);
	assert_memory_equal(before, after, sizeof after);
	close(fd);
	open_place(fixture, 0, link, &place);
	make_fs(&place, "ext4");
	write_below(place.dirfd, "file", "x");
	close_place(&place);
	g_mkdir(target, 0700);
	assert_int_equal(mount(disk.device, target, "ext4", MS_RDONLY, NULL), 0);
	assert_true(g_file_test(file, G_FILE_TEST_EXISTS));
	assert_int_equal(umount(target), 0);
	g_rmdir(target);
	g_unlink(link);
	close_disk(&disk);
}

/* Mounted, also where nobody but another process sees it. */
static void test_mounted(void **state)
{
	struct place_case *fixture = *state;
	struct disk disk = open_disk(fixture);
	g_autofree char *target = g_build_filename(fixture->directory, "target", NULL);
	g_autofree char *text = g_strdup_printf("%s is mounted at '%s'", disk.device, target);

	run_tool("mkfs.ext4", "-q", disk.device);
	g_mkdir(target, 0700);
	assert_int_equal(mount(disk.device, target, "ext4", 0, NULL), 0);
	assert_no_place(fixture, disk.device, text);
	assert_int_equal(umount2(target, MNT_DETACH), 0);
	assert_int_equal(mount(disk.device, target, "ext4", 0, NULL), 0);
	assert_int_equal(chdir(target), 0);
	assert_int_equal(umount2(target, MNT_DETACH), 0);
	assert_no_place(fixture, disk.device, "it is in use");
	assert_int_equal(chdir("/"), 0);
	g_rmdir(target);
	close_disk(&disk);
}

/* Swapped to. */
static void test_swap(void **state)
{
	struct place_case *fixture = *state;
	struct disk disk;
	g_autofree char *text = NULL;

	if (!place_case_may_swap())
		skip();
	disk = open_disk(fixture);
	text = g_strdup_printf("%s is used as swap", disk.device);
	run_tool("mkswap", "-f", disk.device);
	assert_int_equal(swapon(disk.device, 0), 0);
	assert_no_place(fixture, disk.device, text);
	assert_int_equal(swapoff(disk.device), 0);
	close_disk(&disk);
}

/* Part of something larger: a device-mapper device here. */
static void test_held(void **state)
{
	struct place_case *fixture = *state;
	struct disk disk;
	char create[] = "create", remove[] = "remove", name[] = "vmstat-bench-test", option[] = "--table";
	g_autofree char *dmsetup = tool_find("dmsetup", "", NULL), *table = NULL;
	gboolean made;
	char *argv[] = {dmsetup, create, name, option, NULL, NULL}, *const end_argv[] = {dmsetup, remove, name, NULL};

	disk = open_disk(fixture);
	argv[4] = table = g_strdup_printf("0 8192 linear %s 0", disk.device);
	made = dmsetup && tool_run(argv, AT_FDCWD, NULL);
	if (made) {
		assert_no_place(fixture, disk.device, "cannot be used: dm-");
		assert_true(tool_run(end_argv, AT_FDCWD, NULL));
	}
	close_disk(&disk);
	if (!made)
		print_message("no device-mapper here: nothing was tested\n");
}

/* Read-only. */
static void test_read_only(void **state)
{
	struct place_case *fixture = *state;
	struct disk disk = open_disk(fixture);
	const struct place_options options = {.dir = fixture->directory, .device = disk.device};
	g_autoptr(GError) error = NULL;
	int on = 1, off = 0;
	struct place place;
	gboolean ok;

	assert_int_equal(ioctl(disk.fd, BLKROSET, &on), 0);
	ok = place_open(&place, &options, fixture->store, &error);
	/* at once: it would stay with the loop device when the file has gone */
	assert_int_equal(ioctl(disk.fd, BLKROSET, &off), 0);
	assert_refused(ok, &error, "it is read-only");
	close_disk(&disk);
}

/* Makes the first half of the disk a partition and returns its name; NULL where that fails. */
static char *add_partition(const struct disk *disk)
{
	struct blkpg_partition partition = {.start = MIB, .length = 8 * MIB, .pno = 1};
	struct blkpg_ioctl_arg arg = {.op = BLKPG_ADD_PARTITION, .datalen = sizeof partition, .data = &partition};
	struct loop_info64 info;

	assert_int_equal(ioctl(disk->fd, LOOP_GET_STATUS64, &info), 0);
	info.lo_flags |= LO_FLAGS_PARTSCAN;
	if (ioctl(disk->fd, LOOP_SET_STATUS64, &info) < 0 || ioctl(disk->fd, BLKPG, &arg) < 0)
		return NULL;
	return g_strdup_printf("%sp1", disk->device);
}

/* A disk of which a partition is mounted is in use, a partition beside it is not. */
static void test_partition(void **state)
{
	struct place_case *fixture = *state;
	struct disk disk = open_disk(fixture);
	g_autofree char *partition = add_partition(&disk), *text = NULL;
	g_autofree char *target = g_build_filename(fixture->directory, "target", NULL);
	struct place place;

	assert_non_null(partition);
	open_place(fixture, 0, partition, &place);
	make_fs(&place, "ext2");
	close_place(&place);
	g_mkdir(target, 0700);
	assert_int_equal(mount(partition, target, "ext2", 0, NULL), 0);
	text = g_strdup_printf("device '%s' cannot be used: %s is mounted at '%s'", disk.device, partition, target);
	assert_no_place(fixture, disk.device, text);
	assert_int_equal(umount(target), 0);
	g_rmdir(target);
	close_disk(&disk);
}

/* What is no block device, is not there, or is a drive with nothing in it. */
static void test_no_device(void **state)
{
	struct place_case *fixture = *state;
	int control = open("/dev/loop-control", O_RDWR | O_CLOEXEC);
	g_autofree char *empty = g_strdup_printf("/dev/loop%d", ioctl(control, LOOP_CTL_GET_FREE));

	close(control);
	assert_no_place(fixture, "/dev/null", "'/dev/null' is not a block device");
	assert_no_place(fixture, fixture->store_path, "is not a block device");
	assert_no_place(fixture, "/dev/nonexistent",
			"cannot find device '/dev/nonexistent': No such file or directory");
	assert_no_place(fixture, empty, "there is nothing in it");
}

/* The device of the root filesystem; NULL where it is none, or where even root may not open it. */
static char *root_device(void)
{
	g_autofree char *link = NULL, *real = NULL, *name = NULL, *device = NULL;
	struct stat st;
	int fd;

	assert_int_equal(stat("/", &st), 0);
	link = g_strdup_printf("/sys/dev/block/%u:%u", major(st.st_dev), minor(st.st_dev));
	real = g_file_read_link(link, NULL);
	if (!real)
		return NULL;
	name = g_path_get_basename(real);
	device = g_build_filename("/dev", name, NULL);
	fd = open(device, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return NULL;
	close(fd);
	return g_steal_pointer(&device);
}

/* The disk that this system runs from. */
static void test_root(void **state)
{
	struct place_case *fixture = *state;
	g_autofree char *device = root_device();

	if (!device)
		skip();
	assert_no_place(fixture, device, "is mounted at '/'");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test_setup_teardown(test_free_device, place_case_begin, place_case_end),
	    cmocka_unit_test_setup_teardown(test_mounted, place_case_begin, place_case_end),
	    cmocka_unit_test_setup_teardown(test_swap, place_case_begin, place_case_end),
	    cmocka_unit_test_setup_teardown(test_held, place_case_begin, place_case_end),
	    cmocka_unit_test_setup_teardown(test_read_only, place_case_begin, place_case_end),
	    cmocka_unit_test_setup_teardown(test_partition, place_case_begin, place_case_end),
	    cmocka_unit_test_setup_teardown(test_no_device, place_case_begin, place_case_end),
	    cmocka_unit_test_setup_teardown(test_root, place_case_begin, place_case_end),
	};

	if (!place_case_may_mount() || access("/dev/loop-control", F_OK) != 0) {
		print_message("needs root, mount namespaces and loop devices\n");
		return EXIT_SKIPPED;
	}
	return cmocka_run_group_tests_name("place_device", tests, NULL, NULL);
}
