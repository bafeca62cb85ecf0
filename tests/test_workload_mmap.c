#include "workload_io.h"

#include <sched.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/prctl.h>

#define MIB ((gsize)1 << 20)

enum { RATE, WRITE_RATE, READ_RATE };

/* The file has all its bytes, each page a stamp of its own, and no holes. */
static void test_file_is_whole(void **state)
{
	static const gsize sizes[] = {4 * MIB, 1000001, 1};
	const struct scratch *scratch = *state;

	for (size_t i = 0; i < G_N_ELEMENTS(sizes); i++) {
		g_autofree char *spec = g_strdup_printf("mmap:size=%zu", sizes[i]);
		g_autofree unsigned char *data = NULL;
		struct stat status;

		run_spec(spec, scratch->fd);
		data = read_file(scratch->fd, "mmap.0", sizes[i]);
		for (guint64 at = 0; at + 24 <= sizes[i]; at += 4096) {
			const guint64 want[] = {NONCE, 0, at};

			assert_memory_equal(data + at, want, sizeof want);
		}
		assert_int_equal(fstatat(scratch->fd, "mmap.0", &status, AT_SYMLINK_NOFOLLOW), 0);
		assert_true((gsize)status.st_blocks * 512 >= sizes[i]);
		assert_true(scratch_empty(scratch, NULL));
	}
}

/* All goes through the mapping, nothing by write(); and when the run ends the device has got every byte. */
static void test_bytes_are_written_by_msync(void **state)
{
	const struct scratch *scratch = *state;
	struct io_counts counts;

	require_counts();
	counts = count_spec("mmap:size=16M", scratch->fd, NULL);
	assert_int_equal(counts.writes, 0);
	assert_int_equal(counts.written, 0);
	assert_int_equal(counts.reads, 0);
	if (device_is_counted(scratch->fd))
		assert_in_range(counts.sent, 16 * MIB, 17 * MIB);
}

/* Mounts a tmpfs without huge pages over the scratch directory, seen by this process only. False: cannot. */
static gboolean mount_here(const char *path, const char *options)
{
	return unshare(CLONE_NEWNS) == 0 && mount("none", "/", "none", MS_REC | MS_PRIVATE, NULL) == 0 &&
	       mount("tmpfs", path, "tmpfs", 0, options) == 0;
}

/* In a process of its own, which mounts things; its exit status is this test's. */
static void run_alone(int (*body)(const struct scratch *scratch), const struct scratch *scratch)
{
	int status;
	pid_t pid;

	if (geteuid() != 0)
		skip();
	pid = fork();
	assert_true(pid >= 0);
	if (pid == 0)
		_exit(body(scratch));
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
	if (WEXITSTATUS(status) == EXIT_SKIPPED)
		skip();
	assert_int_equal(WEXITSTATUS(status), 0);
}

static int fault_pages(const struct scratch *scratch)
{
	struct workload_config *config = parse_spec("mmap:size=8M");
	struct io_counts counts;
	int fd;

	if (!mount_here(scratch->name, "huge=never"))
		return EXIT_SKIPPED;
	fd = open(scratch->name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	counts = count_workload(config, fd, NULL, NULL);
	close(fd);
	workload_config_free(config);
	print_message("%" G_GUINT64_FORMAT " faults\n", counts.faults);
	/* the address sanitizer has a byte for each eight, and looks at those, too */
	return counts.trial.ok && counts.faults >= 2048 && counts.faults < 2048 + 2048 / 8 + 64 ? 0 : 1;
}

/* Where pages are not mapped by the bunch, 8 MiB are 2048 page faults, all while writing. */
static void test_each_page_is_a_fault(void **state)
{
	require_counts();
	run_alone(fault_pages, *state);
}

/* Another process changes a byte of the first page, from when the file is there on. */
static void damage_all_the_time(int dirfd)
{
	pid_t parent = getpid();
	int fd;

	if (fork() != 0)
		return;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	fd = openat(dirfd, "mmap.0", O_WRONLY | O_NOFOLLOW | O_CLOEXEC);
	while (getppid() == parent) {
		if (pwrite(fd, "damaged!", 8, 4096) != 8)
			break;
		usleep(100);
	}
	_exit(0);
}

/* What is not what was written is found when it is read back: 8 bytes at 4096 that are not the stamp's any more. */
static void test_wrong_data_fails_the_run(void **state)
{
	const struct scratch *scratch = *state;

	assert_fails_after("mmap:size=64M", scratch->fd, damage_all_the_time,
			   "'mmap.0' does not hold at 4096 what was written: memory, filesystem or device at fault");
}

/* Both rates are bytes per time, and the whole's time is the sum of both at least: never above their harmonic mean. */
static void test_rate_arithmetic(void **state)
{
	const struct scratch *scratch = *state;
	struct trial trial = run_spec("mmap:size=8M", scratch->fd);
	double sum_s = 1 / trial.values[WRITE_RATE] + 1 / trial.values[READ_RATE];

	assert_true(trial.values[RATE] > 0);
	assert_true(trial.values[RATE] <= 2 / sum_s * (1 + 1e-9));
	/* unmapping is all that is not in the sum */
	assert_true(trial.values[RATE] > 2 / sum_s / 2);
}

/* An existing file is not touched, nor what a symlink of the name points to. */
static void test_an_existing_file_is_not_touched(void **state)
{
	const struct scratch *scratch = *state;

	assert_int_equal(symlinkat("elsewhere", scratch->fd, "mmap.0"), 0);
	assert_fails_after("mmap:size=1M", scratch->fd, NULL, "cannot create 'mmap.0': File exists");
	assert_int_equal(faccessat(scratch->fd, "elsewhere", F_OK, 0), -1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    workload_test(test_file_is_whole),        workload_test(test_bytes_are_written_by_msync),
	    workload_test(test_each_page_is_a_fault), workload_test(test_wrong_data_fails_the_run),
	    workload_test(test_rate_arithmetic),      workload_test(test_an_existing_file_is_not_touched),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
