#include "observe_case.h"

#include <sys/random.h>

#include "../src/flag.h"

/* Others may write to the same disk in the moment of a run, or leave memory dirty. */
#define ATTEMPTS 20
#define SIZE (32 * MIB)
#define WHAT_REACHED (FLAG_NOT_ON_DEVICE | FLAG_NO_FLUSH | FLAG_DIRTY_LEFT)

/* What a run does to a new file. */
struct job {
	gsize size;
	int open_flags;
	gboolean syncs, zeros, unlinks;
};

static void write_job(int dirfd, const struct job *job)
{
	int fd = openat(dirfd, "file", O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | job->open_flags, 0600);
	char *block = aligned_alloc(4096, MIB);

	if (fd < 0 || !block)
		_exit(1);
	memset(block, 0, MIB);
	/* no two blocks alike, nor to be compressed */
	if (!job->zeros && getrandom(block, MIB, 0) != (ssize_t)MIB)
		_exit(2);
	for (gsize at = 0; at < job->size; at += MIB) {
		gsize part = MIN(MIB, job->size - at);

		if (!job->zeros)
			memcpy(block, &at, sizeof at);
		if (write(fd, block, part) != (ssize_t)part)
			_exit(3);
	}
	if ((job->syncs && fdatasync(fd) < 0) || (job->unlinks && unlinkat(dirfd, "file", 0) < 0))
		_exit(4);
	_exit(0);
}

/* One run in the directory, seen by one who watches the directory `watched`. */
static void observe_job(const char *path, const char *watched, gboolean anywhere, const struct job *job,
			struct observation *observation)
{
	int dirfd = open_directory(path), watched_fd = open_directory(watched);
	double cpu_s;
	pid_t pid;

	assert_int_equal(syncfs(dirfd), 0);
	observer_begin(observer, watched_fd, anywhere);
	pid = fork();
	if (pid == 0)
		write_job(dirfd, job);
	assert_true(pid > 0);
	cpu_s = wait_for(pid);
	observer_end(observer, cpu_s, observation);
	unlinkat(dirfd, "file", 0);
	close(watched_fd);
	close(dirfd);
}

static gboolean is_within(const struct observation *observation, double low, double high)
{
	double ratio = measured(observation, "written_ratio");

	return ratio >= low && ratio <= high;
}

/* The flags are these and the ratio is in between; tried again, since others write too. */
static void check_job(const char *path, const struct job *job, flag_set flags, double low, double high)
{
	struct observation observation;
	gboolean ok = FALSE;

	for (int i = 0; !ok && i < ATTEMPTS; i++) {
		observe_job(path, path, FALSE, job, &observation);
		ok = (observation.flags & WHAT_REACHED) == flags && is_within(&observation, low, high);
		if (!ok)
			print_message("ratio %g, flags %" G_GINT64_MODIFIER "x\n",
				      measured(&observation, "written_ratio"), observation.flags & WHAT_REACHED);
		observation_clear(&observation);
		g_usleep(ok ? 0 : 50000);
	}
	assert_true(ok);
}

static gboolean has_disk(const char *path)
{
	int fd = open_directory(path);
	g_auto(GStrv) disks = device_bottoms(device_of_directory(fd));

	close(fd);
	return disks[0] != NULL;
}

static gboolean has_cache(const char *path)
{
	int fd = open_directory(path);
	g_auto(GStrv) disks = device_bottoms(device_of_directory(fd));
	g_autofree char *file = disks[0] ? g_build_filename("/sys/block", disks[0], "queue/write_cache", NULL) : NULL;
	g_autofree char *text = NULL;

	close(fd);
	return file && g_file_get_contents(file, &text, NULL, NULL) && g_str_equal(g_strchomp(text), "write back");
}

/* All that fdatasync() waits for reaches the disk, with a flush, and nothing is to be said. */
static void test_synced(void **state)
{
	const struct job job = {.size = SIZE, .syncs = TRUE};
	struct observation observation;

	if (!has_disk(*state))
		skip();
	check_job(*state, &job, 0, 0.98, 1.1);
	observe_job(*state, *state, FALSE, &job, &observation);
	assert_true(measured(&observation, "flushes") >= 1);
	assert_true(measured(&observation, "device_written") >= 0.98 * (double)SIZE);
	assert_true(measured(&observation, "device_busy") > 0 && measured(&observation, "device_busy") <= 100);
	assert_true(measured(&observation, "device_queue") > 0);
	observation_clear(&observation);
}

/* Without a sync they are in memory when the run ends. */
static void test_unsynced(void **state)
{
	const struct job job = {.size = SIZE};

	if (!has_disk(*state))
		skip();
	check_job(*state, &job, FLAG_NOT_ON_DEVICE | FLAG_DIRTY_LEFT, 0, 0.98);
}

/* Direct writes reach the disk, but no flush follows them: they may be lost from its cache. */
static void test_direct(void **state)
{
	/* short, since any flush of others hides that ours is missing */
	const struct job job = {.size = SIZE / 4, .open_flags = O_DIRECT};

	if (!has_disk(*state) || !has_cache(*state))
		skip();
	check_job(*state, &job, FLAG_NO_FLUSH, 0.98, 1.1);
}

/* What was removed before it was written, and less than 1 MiB, have no ratio and no flags. */
static void test_too_little(void **state)
{
	const struct job jobs[] = {{.size = SIZE, .unlinks = TRUE}, {.size = MIB / 2}};

	for (gsize i = 0; i < G_N_ELEMENTS(jobs); i++) {
		struct observation observation;

		observe_job(*state, *state, FALSE, &jobs[i], &observation);
		assert_close(measured(&observation, "written_ratio"), NAN, 0);
		assert_int_equal(observation.flags & WHAT_REACHED, 0);
		observation_clear(&observation);
	}
}

/* Memory has no disk: nothing of disks is measured, and nothing is to be said. */
static void test_memory(void **state)
{
	static const char *const names[] = {"written_ratio", "device_written", "device_read",
					    "flushes",       "device_busy",    "device_queue"};
	const struct job job = {.size = SIZE};
	struct observation observation;

	assert_int_equal(mount("test", *state, "tmpfs", 0, NULL), 0);
	observe_job(*state, *state, FALSE, &job, &observation);
	assert_int_equal(umount(*state), 0);
	for (gsize i = 0; i < G_N_ELEMENTS(names); i++)
		assert_close(measured(&observation, names[i]), NAN, 0);
	assert_int_equal(observation.flags & WHAT_REACHED, 0);
	observation_clear(&observation);
}

/* Where a run may write anywhere, what it writes outside of the directory is found on the disks. */
static void test_anywhere(void **state)
{
	const struct job job = {.size = SIZE, .syncs = TRUE};
	struct observation observation;

	if (!has_disk(*state))
		skip();
	observe_job(*state, "/proc", TRUE, &job, &observation);
	assert_true(measured(&observation, "written_ratio") >= 0.98);
	assert_true(measured(&observation, "flushes") >= 1);
	assert_int_equal(observation.flags & (FLAG_NOT_ON_DEVICE | FLAG_NO_FLUSH), 0);
	observation_clear(&observation);
}

/* A column of all the disks below the directory, added up, from /proc/diskstats: in the words of iostats.rst field + 3.
 */
static double diskstats(const char *path, guint column)
{
	int fd = open_directory(path);
	g_auto(GStrv) disks = device_bottoms(device_of_directory(fd)), lines = NULL;
	g_autofree char *text = NULL;
	double sum = 0;

	close(fd);
	assert_true(g_file_get_contents("/proc/diskstats", &text, NULL, NULL));
	lines = g_strsplit(text, "\n", -1);
	for (char **line = lines; *line; line++) {
		g_auto(GStrv) words = g_regex_split_simple(" +", g_strstrip(*line), 0, 0);

		if (g_strv_length(words) > column && g_strv_contains((const char *const *)disks, words[2]))
			sum += g_ascii_strtod(words[column], NULL);
	}
	return sum;
}

/* The counters are those of /proc/diskstats, read just outside of and just inside of the run. */
static void test_counters(void **state)
{
	static const struct {
		const char *name;
		guint column;
		double scale;
	} counters[] = {{"device_read", 5, 512}, {"device_written", 9, 512}, {"flushes", 18, 1}};
	const struct job job = {.size = SIZE, .syncs = TRUE};
	double outer[G_N_ELEMENTS(counters)], inner[G_N_ELEMENTS(counters)];
	struct observation observation;
	int dirfd;
	pid_t pid;

	if (!has_disk(*state))
		skip();
	dirfd = open_directory(*state);
	for (gsize i = 0; i < G_N_ELEMENTS(counters); i++)
		outer[i] = diskstats(*state, counters[i].column);
	observer_begin(observer, dirfd, FALSE);
	for (gsize i = 0; i < G_N_ELEMENTS(counters); i++)
		inner[i] = diskstats(*state, counters[i].column);
	pid = fork();
	if (pid == 0)
		write_job(dirfd, &job);
	wait_for(pid);
	for (gsize i = 0; i < G_N_ELEMENTS(counters); i++)
		inner[i] = diskstats(*state, counters[i].column) - inner[i];
	observer_end(observer, 0, &observation);
	for (gsize i = 0; i < G_N_ELEMENTS(counters); i++) {
		double value = measured(&observation, counters[i].name);

		outer[i] = diskstats(*state, counters[i].column) - outer[i];
		assert_true(value >= inner[i] * counters[i].scale && value <= outer[i] * counters[i].scale);
	}
	assert_true(inner[1] > 0 && inner[2] > 0);
	observation_clear(&observation);
	close(dirfd);
}

static void check_on_a_loop(const char *directory, const char *type)
{
	const struct job synced = {.size = SIZE, .syncs = TRUE}, unsynced = {.size = SIZE};
	char *path;

	if (!has_disk(directory))
		skip();
	path = mount_image(directory, type, "");
	check_job(path, &synced, 0, 0.98, 1.3);
	check_job(path, &unsynced, FLAG_NOT_ON_DEVICE | FLAG_DIRTY_LEFT, 0, 0.98);
	unmount_image(directory, path);
}

/* Below a loop device the disk is watched, once and not twice: a sync goes through to it. */
static void test_ext4_on_a_loop(void **state)
{
	need("mkfs.ext4");
	check_on_a_loop(*state, "ext4");
}

/* The same on XFS. */
static void test_xfs_on_a_loop(void **state)
{
	need("mkfs.xfs");
	check_on_a_loop(*state, "xfs");
}

/* The same on btrfs. */
static void test_btrfs_on_a_loop(void **state)
{
	need("mkfs.btrfs");
	check_on_a_loop(*state, "btrfs");
}

/* Where the mount compresses, less on the disk is as it should be; without that option it would be flagged. */
static void test_compressed(void **state)
{
	const struct job job = {.size = SIZE, .syncs = TRUE, .zeros = TRUE};
	char *path;

	need("mkfs.btrfs");
	if (!has_disk(*state))
		skip();
	path = mount_image(*state, "btrfs", ",compress=zstd");
	check_job(path, &job, 0, 0, 0.5);
	unmount_image(*state, path);
	path = mount_image(*state, "btrfs", "");
	check_job(path, &job, 0, 0.98, 1.3);
	SPAWN(NULL, ARG("btrfs"), ARG("property"), ARG("set"), path, ARG("compression"), ARG("zstd"));
	check_job(path, &job, FLAG_NOT_ON_DEVICE, 0, 0.5);
	unmount_image(*state, path);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    observe_test(test_synced),          observe_test(test_unsynced),       observe_test(test_direct),
	    observe_test(test_too_little),      observe_test(test_memory),         observe_test(test_anywhere),
	    observe_test(test_counters),        observe_test(test_ext4_on_a_loop), observe_test(test_xfs_on_a_loop),
	    observe_test(test_btrfs_on_a_loop), observe_test(test_compressed),
	};

	if (!may_mount()) {
		print_message("needs root and a mount namespace\n");
		return EXIT_SKIPPED;
	}
	return cmocka_run_group_tests_name("observe disk", tests, NULL, NULL);
}
