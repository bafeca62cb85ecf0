#include "observe_case.h"

#include <sys/sysmacros.h>

static int compare(gconstpointer a, gconstpointer b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* The names in the first column of lsblk, of rows whose second is "disk" or "rom", sorted and joined by blanks. */
static char *disks_of(const char *listing)
{
	g_auto(GStrv) lines = g_strsplit(listing, "\n", -1);
	g_autoptr(GPtrArray) names = g_ptr_array_new_with_free_func(g_free);

	for (char **line = lines; *line; line++) {
		g_auto(GStrv) words = g_strsplit(*line, " ", -1);

		if (g_strv_length(words) >= 2 && (g_str_equal(words[1], "disk") || g_str_equal(words[1], "rom")))
			g_ptr_array_add(names, g_strdup(words[0]));
	}
	g_ptr_array_sort(names, compare);
	g_ptr_array_add(names, NULL);
	return g_strjoinv(" ", (char **)names->pdata);
}

static char *join_sorted(char **names)
{
	g_autoptr(GPtrArray) sorted = g_ptr_array_new();

	for (char **name = names; *name; name++)
		g_ptr_array_add(sorted, *name);
	g_ptr_array_sort(sorted, compare);
	g_ptr_array_add(sorted, NULL);
	return g_strjoinv(" ", (char **)sorted->pdata);
}

static dev_t device_of(const char *path)
{
	int fd = open_directory(path);
	dev_t device = device_of_directory(fd);

	close(fd);
	return device;
}

static char *bottoms_of(const char *path)
{
	g_auto(GStrv) names = device_bottoms(device_of(path));

	return join_sorted(names);
}

/* The device of a directory is the one that findmnt names, its disks are those at the end of lsblk's way down. */
static void test_directory_on_a_disk(void **state)
{
	char *directory = *state, *source;
	struct stat st;

	need("findmnt");
	need("lsblk");
	SPAWN(&source, ARG("findmnt"), ARG("-nvo"), ARG("SOURCE"), ARG("-T"), directory);
	if (stat(g_strstrip(source), &st) < 0 || !S_ISBLK(st.st_mode)) {
		g_free(source);
		skip();
	}

	g_autofree char *listing = NULL, *want = NULL, *disk = device_disk(st.st_rdev),
			*bottoms = bottoms_of(directory);

	assert_true(device_of(directory) == st.st_rdev);
	SPAWN(&listing, ARG("lsblk"), ARG("-nrso"), ARG("NAME,TYPE"), source);
	want = disks_of(listing);
	assert_string_equal(bottoms, want);
	assert_non_null(disk);
	g_free(source);
}

/* Memory is no device. */
static void test_directory_without_a_device(void **state)
{
	g_auto(GStrv) none = device_bottoms(0);
	g_autofree char *bottoms = NULL;

	assert_null(none[0]);
	assert_null(device_disk(0));
	assert_int_equal(device_of("/proc"), 0);
	bottoms = bottoms_of("/proc");
	assert_string_equal(bottoms, "");
}

static void check_loop(const char *directory, const char *type)
{
	g_autofree char *path = mount_image(directory, type, ""), *want = bottoms_of(directory);
	g_autofree char *image = g_build_filename(directory, "image", NULL), *got = bottoms_of(path);
	g_autofree char *disk = device_disk(device_of(path));

	if (!disk || !g_str_has_prefix(disk, "loop"))
		fail_msg("%s lies on %s, not on a loop device", type, disk ? disk : "nothing");
	assert_string_equal(got, want);
	/* the kernel then says "image (deleted)" */
	g_unlink(image);
	g_clear_pointer(&got, g_free);
	got = bottoms_of(path);
	assert_string_equal(got, want);
	unmount_image(directory, g_steal_pointer(&path));
}

/* ext4 on a loop device comes to rest where the image lies, also where that was removed. */
static void test_ext4_on_a_loop(void **state)
{
	need("mkfs.ext4");
	check_loop(*state, "ext4");
}

/* So does XFS. */
static void test_xfs_on_a_loop(void **state)
{
	need("mkfs.xfs");
	check_loop(*state, "xfs");
}

/* So does btrfs, whose device number is of no device. */
static void test_btrfs_on_a_loop(void **state)
{
	need("mkfs.btrfs");
	check_loop(*state, "btrfs");
}

/* An image in memory comes to rest on no disk. */
static void test_loop_in_memory(void **state)
{
	need("mkfs.ext4");

	g_autofree char *memory = g_build_filename(*state, "memory", NULL), *path = NULL, *bottoms = NULL;

	assert_int_equal(g_mkdir(memory, 0700), 0);
	assert_int_equal(mount("test", memory, "tmpfs", 0, NULL), 0);
	path = mount_image(memory, "ext4", "");
	bottoms = bottoms_of(path);
	assert_string_equal(bottoms, "");
	unmount_image(memory, g_steal_pointer(&path));
	assert_int_equal(umount(memory), 0);
}

static char *attach(char *file)
{
	char *device;

	SPAWN(&device, ARG("losetup"), ARG("-P"), ARG("-f"), ARG("--show"), file);
	return g_strchomp(device);
}

static void detach(char *device)
{
	SPAWN(NULL, ARG("losetup"), ARG("-d"), device);
}

static char *bottoms_of_node(const char *path)
{
	g_auto(GStrv) names = NULL;
	struct stat st;

	if (stat(path, &st) < 0)
		return g_strdup("no such device");
	names = device_bottoms(st.st_rdev);
	return join_sorted(names);
}

/* A loop device on a block device: what lies below that one. */
static void test_loop_on_a_loop(void **state)
{
	g_autofree char *image = make_image(*state, "image"), *want = bottoms_of(*state);
	g_autofree char *first = attach(image), *second = attach(first), *got = bottoms_of_node(second);

	detach(second);
	detach(first);
	assert_string_equal(got, want);
}

/* A partition is a part of its disk, and comes to rest where that does. */
static void test_partition(void **state)
{
	need("addpart");

	g_autofree char *image = make_image(*state, "image"), *want = bottoms_of(*state);
	g_autofree char *loop = attach(image), *part = g_strconcat(loop, "p1", NULL), *disk = NULL, *got = NULL;
	struct stat st;
	int found;

	SPAWN(NULL, ARG("addpart"), loop, ARG("1"), ARG("2048"), ARG("4096"));
	found = stat(part, &st);
	disk = found == 0 ? device_disk(st.st_rdev) : NULL;
	got = bottoms_of_node(part);
	SPAWN(NULL, ARG("delpart"), loop, ARG("1"));
	detach(loop);
	assert_int_equal(found, 0);
	assert_string_equal(disk, loop + strlen("/dev/"));
	assert_string_equal(got, want);
}

/* A btrfs of two devices, mounted by one in memory: the disk below the other is found all the same. */
static void test_btrfs_of_two_devices(void **state)
{
	need("mkfs.btrfs");

	char *directory = *state;
	g_autofree char *memory = g_build_filename(directory, "memory", NULL),
			*path = g_build_filename(directory, "mnt", NULL);
	g_autofree char *on_disk = make_image(directory, "image"), *in_memory = NULL, *first = NULL, *second = NULL;
	g_autofree char *got = NULL, *want = bottoms_of(directory), *devices = NULL;

	assert_int_equal(g_mkdir(memory, 0700) + g_mkdir(path, 0700), 0);
	assert_int_equal(mount("test", memory, "tmpfs", 0, NULL), 0);
	in_memory = make_image(memory, "image");
	first = attach(in_memory);
	second = attach(on_disk);
	SPAWN(NULL, ARG("mkfs.btrfs"), ARG("-q"), ARG("-f"), first, second);
	devices = g_strconcat("device=", first, ",device=", second, NULL);
	SPAWN(NULL, ARG("mount"), ARG("-o"), devices, first, path);
	got = bottoms_of(path);
	assert_int_equal(umount(path), 0);
	detach(second);
	detach(first);
	g_unlink(in_memory);
	assert_int_equal(umount(memory), 0);
	assert_string_equal(got, want);
}

/* A dm device comes to rest where what it maps does. */
static void test_dm(void **state)
{
	int control = open("/dev/mapper/control", O_RDWR | O_CLOEXEC);

	if (control < 0)
		skip();
	close(control);
	need("dmsetup");

	g_autofree char *image = make_image(*state, "image"), *want = bottoms_of(*state), *loop = NULL, *table = NULL;
	g_autofree char *name = g_strdup_printf("test-%d", getpid()), *node = g_strconcat("/dev/mapper/", name, NULL);
	g_autofree char *got = NULL;

	loop = attach(image);
	table = g_strdup_printf("0 2048 linear %s 0", loop);
	SPAWN(NULL, ARG("dmsetup"), ARG("create"), name, ARG("--table"), table);
	got = bottoms_of_node(node);
	SPAWN(NULL, ARG("dmsetup"), ARG("remove"), name);
	detach(loop);
	assert_string_equal(got, want);
}

/* One block device of a /sys that is made up: path below /sys/devices, number, size, and another attribute or none. */
static void make_device(const char *path, const char *number, const char *size, const char *attribute,
			const char *value)
{
	g_autofree char *directory = g_build_filename("/sys/devices", path, NULL), *name = g_path_get_basename(path);
	g_autofree char *by_name = g_build_filename("/sys/block", name, NULL);
	g_autofree char *by_number = g_build_filename("/sys/dev/block", number, NULL);
	g_autofree char *target = g_strconcat("../../devices/", path, NULL);
	const char *const files[][2] = {{"dev", number}, {"size", size}, {attribute, value}};

	assert_int_equal(g_mkdir_with_parents(directory, 0700), 0);
	for (gsize i = 0; i < G_N_ELEMENTS(files) && files[i][0]; i++) {
		g_autofree char *file = g_build_filename(directory, files[i][0], NULL),
				*parent = g_path_get_dirname(file);
		g_autofree char *line = g_strconcat(files[i][1], "\n", NULL);

		assert_int_equal(g_mkdir_with_parents(parent, 0700), 0);
		assert_true(g_file_set_contents(file, line, -1, NULL));
	}
	assert_int_equal(symlink(target, by_number), 0);
	/* /sys/block has whole disks only */
	if (!attribute || !g_str_equal(attribute, "partition"))
		assert_int_equal(symlink(target + strlen("../"), by_name), 0);
}

static void make_slave(const char *upper, const char *lower)
{
	g_autofree char *directory = g_build_filename("/sys/devices", upper, "slaves", NULL);
	g_autofree char *name = g_path_get_basename(lower), *link = g_build_filename(directory, name, NULL);
	g_autofree char *target = g_build_filename("/sys/devices", lower, NULL);

	assert_int_equal(g_mkdir_with_parents(directory, 0700), 0);
	assert_int_equal(symlink(target, link), 0);
}

static char *bottoms_of_number(guint major, guint minor)
{
	g_auto(GStrv) names = device_bottoms(makedev(major, minor));

	return join_sorted(names);
}

/* What not every machine has, in a /sys that is made up: dm on a partition and on an md of a disk, a partition and a
 * device with a slash in its name, each disk counted once; the hidden path of a multipath NVMe disk, and disks of no
 * size. */
static void test_stack_of_many(void **state)
{
	g_autofree char *stack = NULL, *part = NULL, *all = NULL, *disk = NULL;
	g_auto(GStrv) disks = NULL;

	assert_int_equal(mount("test", "/sys", "tmpfs", 0, NULL), 0);
	assert_int_equal(g_mkdir_with_parents("/sys/dev/block", 0700) + g_mkdir("/sys/block", 0700), 0);
	make_device("pci/block/sda", "8:0", "1000", NULL, NULL);
	make_device("pci/block/sda/sda1", "8:1", "400", "partition", "1");
	make_device("pci/block/sda/sda2", "8:2", "400", "partition", "2");
	make_device("pci/block/sdb", "8:16", "1000", NULL, NULL);
	make_device("pci/block/cciss!c0d0", "104:0", "1000", NULL, NULL);
	make_device("virtual/block/md0", "9:0", "1000", "md/level", "raid5");
	make_device("virtual/block/dm-0", "253:0", "1000", "dm/uuid", "LVM-x");
	make_device("virtual/block/nvme0c0n1", "259:0", "1000", "hidden", "1");
	make_device("virtual/block/nvme0n1", "259:1", "1000", "hidden", "0");
	make_device("virtual/block/nbd0", "43:0", "0", NULL, NULL);
	make_device("virtual/block/ram0", "1:0", "1000", NULL, NULL);
	make_device("virtual/block/zram0", "252:0", "1000", NULL, NULL);
	make_device("virtual/block/loop0", "7:0", "1000", "loop/backing_file", "/gone/image");
	make_slave("virtual/block/dm-0", "pci/block/sda/sda1");
	make_slave("virtual/block/dm-0", "virtual/block/md0");
	make_slave("virtual/block/md0", "pci/block/sdb");
	make_slave("virtual/block/md0", "pci/block/sda/sda2");
	make_slave("virtual/block/md0", "pci/block/cciss!c0d0");
	stack = bottoms_of_number(253, 0);
	part = bottoms_of_number(8, 2);
	disk = device_disk(makedev(253, 0));
	disks = device_disks();
	all = join_sorted(disks);
	assert_int_equal(umount("/sys"), 0);
	assert_string_equal(stack, "cciss!c0d0 sda sdb");
	assert_string_equal(part, "sda");
	assert_string_equal(disk, "dm-0");
	assert_string_equal(all, "cciss!c0d0 nvme0n1 sda sdb");
}

static gboolean is_compressed(const char *path)
{
	int fd = open_directory(path);
	gboolean compressed = device_is_compressed(fd);

	close(fd);
	return compressed;
}

/* Only a mount that compresses does, and it is found among all mounts. */
static void test_compression(void **state)
{
	static const char *const options[] = {",compress=zstd", ",compress-force=lzo"};
	char *directory = *state, *path;

	need("mkfs.btrfs");
	path = mount_image(directory, "btrfs", "");
	assert_false(is_compressed(path));
	assert_false(is_compressed(directory));
	unmount_image(directory, path);
	for (gsize i = 0; i < G_N_ELEMENTS(options); i++) {
		path = mount_image(directory, "btrfs", options[i]);
		assert_true(is_compressed(path));
		assert_false(is_compressed(directory));
		assert_true(device_is_compressed(-1));
		unmount_image(directory, path);
	}
}

/* The disks of the machine are those that lsblk calls so, without memory and what has no size. */
static void test_all_disks(void **state)
{
	need("lsblk");

	g_auto(GStrv) disks = device_disks(), lines = NULL;
	g_autofree char *got = join_sorted(disks), *listing = NULL, *want = NULL;
	g_autoptr(GString) kept = g_string_new(NULL);

	SPAWN(&listing, ARG("lsblk"), ARG("-dnrbo"), ARG("NAME,TYPE,SIZE"));
	lines = g_strsplit(listing, "\n", -1);
	for (char **line = lines; *line; line++)
		if (!g_str_has_prefix(*line, "ram") && !g_str_has_prefix(*line, "zram") &&
		    !g_str_has_suffix(*line, " 0"))
			g_string_append_printf(kept, "%s\n", *line);
	want = disks_of(kept->str);
	assert_string_equal(got, want);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    observe_test(test_directory_on_a_disk), observe_test(test_directory_without_a_device),
	    observe_test(test_ext4_on_a_loop),      observe_test(test_xfs_on_a_loop),
	    observe_test(test_btrfs_on_a_loop),     observe_test(test_loop_in_memory),
	    observe_test(test_loop_on_a_loop),      observe_test(test_btrfs_of_two_devices),
	    observe_test(test_partition),           observe_test(test_dm),
	    cmocka_unit_test(test_stack_of_many),   observe_test(test_compression),
	    cmocka_unit_test(test_all_disks),
	};

	if (!may_mount()) {
		print_message("needs root and a mount namespace\n");
		return EXIT_SKIPPED;
	}
	return cmocka_run_group_tests_name("device stack", tests, NULL, NULL);
}
