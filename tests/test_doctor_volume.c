#include "doctor_case.h"

#define GIB ((guint64)1 << 30)

/* Swap as /proc/swaps lists it, in kibibytes; little of it in use is only noted. */
static void test_swap(void **state)
{
	const struct machine *machine = *state;
	static const char header[] = "Filename\t\t\t\tType\t\tSize\t\tUsed\t\tPriority\n";
	g_autofree char *unused = g_strconcat(header, "/dev/vda2       partition\t1048576\t\t0\t\t-2\n", NULL);
	g_autofree char *little = g_strconcat(header, "/dev/vda2       partition\t1048576\t\t1024\t\t-2\n", NULL);
	g_autofree char *two = g_strconcat(header, "/dev/zram0   partition\t1048576\t\t524288\t\t100\n",
					   "/var/my\\040swap   file\t1048576\t\t524288\t\t-2\n", NULL);

	machine_put(machine, "proc/meminfo", "MemTotal:        4194304 kB\n");
	machine_put(machine, "proc/swaps", header);
	assert_finding(machine, check_swap, FINDING_OK, "no swap");
	assert_finding(machine, check_zram, FINDING_OK, "");
	machine_put(machine, "proc/swaps", unused);
	assert_finding(machine, check_swap, FINDING_OK, "none of 1 GiB in use (/dev/vda2)");
	machine_put(machine, "proc/swaps", little);
	assert_finding(machine, check_swap, FINDING_NOTE, "1 MiB of 1 GiB in use");
	machine_put(machine, "proc/swaps", two);
	assert_finding(machine, check_swap, FINDING_WARNING, "1 GiB of 2 GiB in use (/dev/zram0, /var/my\\040swap)");
	assert_finding(machine, check_zram, FINDING_NOTE, "zram");
}

/* zswap does something only where there is swap. */
static void test_zswap(void **state)
{
	const struct machine *machine = *state;

	machine_put(machine, "sys/module/zswap/parameters/enabled", "Y\n");
	machine_put(machine, "proc/swaps", "Filename Type Size Used Priority\n");
	assert_finding(machine, check_zram, FINDING_OK, "");
	machine_put(machine, "proc/swaps", "Filename Type Size Used Priority\n/dev/sda2 partition 1024 0 -2\n");
	assert_finding(machine, check_zram, FINDING_NOTE, "zswap");
}

/* Less than a tenth of the memory available is little. */
static void test_memory(void **state)
{
	const struct machine *machine = *state;

	machine_put(machine, "proc/meminfo",
		    "MemTotal:        4194304 kB\nMemFree:  1 kB\nMemAvailable:    2097152 kB\n");
	assert_finding(machine, check_memory, FINDING_OK, "2 GiB of 4 GiB available");
	machine_put(machine, "proc/meminfo", "MemTotal:        4194304 kB\nMemAvailable:    262144 kB\n");
	assert_finding(machine, check_memory, FINDING_WARNING, "only 256 MiB of 4 GiB");
	machine_put(machine, "proc/meminfo", "MemTotal:        4194304 kB\nMemFree:         4000000 kB\n");
	assert_finding(machine, check_memory, FINDING_UNAVAILABLE, "");
}

/* Settings that kernels come with are fine, others are named. */
static void test_vm_settings(void **state)
{
	const struct machine *machine = *state;

	machine_put(machine, "proc/sys/vm/swappiness", "60\n");
	assert_finding(machine, check_swappiness, FINDING_OK, "60");
	machine_put(machine, "proc/sys/vm/swappiness", "10\n");
	assert_finding(machine, check_swappiness, FINDING_NOTE, "10, where kernels come with 60");
	machine_put(machine, "sys/kernel/mm/transparent_hugepage/enabled", "always [madvise] never\n");
	machine_put(machine, "sys/kernel/mm/transparent_hugepage/defrag",
		    "always defer defer+madvise [madvise] never\n");
	assert_finding(machine, check_hugepages, FINDING_OK, "madvise, defrag madvise");
	machine_put(machine, "sys/kernel/mm/transparent_hugepage/enabled", "[always] madvise never\n");
	assert_finding(machine, check_hugepages, FINDING_NOTE, "always, defrag madvise");
}

/* Thresholds are pages: data below the first stay in memory, those between go out half, those above both do. */
static void test_dirty(void **state)
{
	struct machine *machine = *state;
	guint64 page = (guint64)sysconf(_SC_PAGESIZE);

	machine_put(machine, "proc/vmstat",
		    "nr_dirty 65\nnr_dirty_threshold 2000\nnr_dirty_background_threshold 1000\n");
	machine->doctor.size_bytes = 1000 * page;
	assert_finding(machine, check_dirty, FINDING_NOTE, "stay in memory until synced");
	machine->doctor.size_bytes = 1000 * page + 1;
	assert_finding(machine, check_dirty, FINDING_NOTE, "the disk gets what is above");
	machine->doctor.size_bytes = 2000 * page + 1;
	assert_finding(machine, check_dirty, FINDING_OK, "pass both");
}

/* What df calls the use: of what is used and what this user may have. */
static void test_space(void **state)
{
	struct machine *machine = *state;
	struct volume *volume = &machine->doctor.volume;

	machine->doctor.size_bytes = GIB;
	*volume = (struct volume){.total_bytes = 110 * GIB, .used_bytes = 25 * GIB, .free_bytes = 75 * GIB};
	assert_finding(machine, check_space, FINDING_OK, "75 GiB of 100 GiB free, 25% full; 1 GiB to write");
	*volume = (struct volume){.total_bytes = 110 * GIB, .used_bytes = 90 * GIB, .free_bytes = 10 * GIB};
	assert_finding(machine, check_space, FINDING_WARNING, "90% full, 91% with 1 GiB");
	machine->doctor.size_bytes = 10 * GIB + 1;
	assert_finding(machine, check_space, FINDING_WARNING, "do not fit");
}

/* Filesystems that are memory, or another's layer, or far away. */
static void test_filesystem(void **state)
{
	struct machine *machine = *state;
	static const struct {
		const char *type;
		enum finding_level level;
		const char *part;
	} cases[] = {{"ext4", FINDING_OK, "ext4 on src at /mnt"}, {"xfs", FINDING_OK, "xfs"},
		     {"tmpfs", FINDING_WARNING, "it is memory"},  {"overlay", FINDING_WARNING, "layer"},
		     {"nfs4", FINDING_NOTE, "network"},           {"fuse.sshfs", FINDING_NOTE, "a process stands"},
		     {"btrfs", FINDING_NOTE, "copy on write"},    {"fusectl", FINDING_OK, "fusectl"}};

	for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_autofree char *type = g_strdup(cases[i].type);

		machine->doctor.volume =
		    (struct volume){.type = type, .source = (char[]){"src"}, .target = (char[]){"/mnt"}};
		assert_finding(machine, check_filesystem, cases[i].level, cases[i].part);
		machine->doctor.volume.is_readonly = TRUE;
		assert_finding(machine, check_filesystem, FINDING_WARNING, "read-only");
	}
}

/* Options are told by their names, not by parts of them: "nodiscard" is not "discard". */
static void test_mount(void **state)
{
	struct machine *machine = *state;
	static const struct {
		const char *options;
		enum finding_level level;
		const char *part;
	} cases[] = {{"rw,relatime,nodiscard,resuid=1", FINDING_OK, "relatime"},
		     {"rw,noatime", FINDING_OK, "noatime"},
		     {"rw", FINDING_NOTE, "strictatime"},
		     {"rw,relatime,discard", FINDING_NOTE, "relatime; discard:"},
		     {"rw,relatime,discard=async,space_cache=v2", FINDING_OK, "relatime"},
		     {"rw,relatime,compress=zstd:3", FINDING_NOTE, "compress=zstd:3: data that can be compressed"},
		     {"rw,relatime,data=journal", FINDING_NOTE, "written twice"},
		     {"rw,relatime,nobarrier,discard", FINDING_WARNING, "nobarrier"}};

	for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_autofree char *options = g_strdup(cases[i].options);

		machine->doctor.volume = (struct volume){.options = options};
		assert_finding(machine, check_mount, cases[i].level, cases[i].part);
	}
}

/* What is between the filesystem and the disks. */
static void test_layers(void **state)
{
	struct machine *machine = *state;
	char *disks[] = {(char[]){"sda"}, (char[]){"sdb"}, NULL};
	struct volume *volume = &machine->doctor.volume;

	*volume = (struct volume){.device = (char[]){"vda"}, .disks = disks + 2};
	assert_finding(machine, check_layers, FINDING_OK, "directly on vda");
	*volume = (struct volume){.device = (char[]){"loop0"}, .disks = disks + 1};
	assert_finding(machine, check_layers, FINDING_WARNING,
		       "loop0 is a file of another filesystem, which is measured with "
		       "it; below: sdb");
	*volume = (struct volume){.device = (char[]){"md0"}, .disks = disks};
	machine_put(machine, "sys/block/md0/md/level", "raid1\n");
	assert_finding(machine, check_layers, FINDING_NOTE, "md0 is an array (raid1); below: sda, sdb");
	*volume = (struct volume){.device = (char[]){"dm-0"}, .disks = disks + 1};
	machine_put(machine, "sys/block/dm-0/dm/uuid", "CRYPT-LUKS2-0123-home\n");
	assert_finding(machine, check_layers, FINDING_NOTE, "dm-0 is a mapped device (encrypted");
	*volume = (struct volume){.device = (char[]){"zram1"}, .disks = disks + 2};
	assert_finding(machine, check_layers, FINDING_WARNING, "memory");
}

/* A disk that turns is noted on bare metal; of one that a hypervisor calls so nobody knows. */
static void test_disk(void **state)
{
	struct machine *machine = *state;
	char *disks[] = {(char[]){"sda"}, (char[]){"nvme0n1"}, NULL};

	machine->doctor.volume.disks = disks + 1;
	machine_put(machine, "sys/block/nvme0n1/queue/rotational", "0\n");
	machine_put(machine, "sys/block/nvme0n1/queue/scheduler", "[none] mq-deadline kyber\n");
	machine_put(machine, "sys/block/nvme0n1/queue/write_cache", "write through\n");
	assert_finding(machine, check_disk, FINDING_OK, "nvme0n1: not rotational, scheduler none, cache write through");
	machine->doctor.volume.disks = disks;
	machine_put(machine, "sys/block/sda/queue/rotational", "1\n");
	assert_finding(machine, check_disk, FINDING_NOTE, "sda: rotational");
	machine_put(machine, "proc/cpuinfo", "processor\t: 0\nflags\t\t: fpu hypervisor\n");
	assert_finding(machine, check_disk, FINDING_OK, "sda: rotational");
}

/* The real directory's figures are those that statvfs() and /proc/self/mountinfo have for it; one of tmpfs has no
 * device. */
static void test_real_directory(void **state)
{
	int fd = open("/dev/shm", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	struct volume volume;

	if (fd < 0)
		skip();
	assert_true(volume_of_directory(&volume, fd));
	assert_string_equal(volume.type, "tmpfs");
	assert_string_equal(volume.target, "/dev/shm");
	assert_null(volume.device);
	assert_null(volume.disks[0]);
	assert_true(volume.total_bytes >= volume.used_bytes + volume.free_bytes);
	volume_clear(&volume);
	close(fd);
	assert_false(volume_of_directory(&volume, -1));
}

/* Root alone drops all caches, and not where /proc is read-only; here neither is so. */
static void test_privileges(void **state)
{
	struct machine *machine = *state;

	machine_put(machine, "proc/sys/vm/drop_caches", "0\n");
	assert_finding(machine, check_privileges, FINDING_NOTE, "not root");
	machine->doctor.is_root = TRUE;
	assert_finding(machine, check_privileges, FINDING_OK, "root");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test_setup_teardown(test_swap, machine_set_up, machine_tear_down),
	    cmocka_unit_test_setup_teardown(test_zswap, machine_set_up, machine_tear_down),
	    cmocka_unit_test_setup_teardown(test_memory, machine_set_up, machine_tear_down),
	    cmocka_unit_test_setup_teardown(test_vm_settings, machine_set_up, machine_tear_down),
	    cmocka_unit_test_setup_teardown(test_dirty, machine_set_up, machine_tear_down),
	    cmocka_unit_test_setup_teardown(test_space, machine_set_up, machine_tear_down),
	    cmocka_unit_test_setup_teardown(test_filesystem, machine_set_up, machine_tear_down),
	    cmocka_unit_test_setup_teardown(test_mount, machine_set_up, machine_tear_down),
	    cmocka_unit_test_setup_teardown(test_layers, machine_set_up, machine_tear_down),
	    cmocka_unit_test_setup_teardown(test_disk, machine_set_up, machine_tear_down),
	    cmocka_unit_test(test_real_directory),
	    cmocka_unit_test_setup_teardown(test_privileges, machine_set_up, machine_tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
