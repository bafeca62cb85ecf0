#include "workload_io.h"

#include "../workloads/shuffle.h"

#define MIB ((guint64)1 << 20)

enum { IOPS, RANDOM_BANDWIDTH };

/* Not so where there is no device, as on tmpfs, or no O_DIRECT. */
static gboolean is_supported(const char *spec, int dirfd)
{
	struct workload_config *config = parse_spec(spec);
	g_autofree char *reason = config->workload->unsupported(config, dirfd);

	workload_config_free(config);
	if (reason)
		print_message("%s not run: %s\n", spec, reason);
	return !reason;
}

/* Runs spec, which must read that many bytes with so many calls, all of them from the device. */
static void assert_reads(void **state, const char *spec, guint64 calls, guint64 bytes)
{
	const struct scratch *scratch = *state;
	struct io_counts counts;

	if (!is_supported(spec, scratch->fd))
		return;
	counts = count_spec(spec, scratch->fd, NULL);
	assert_int_equal(counts.reads, calls);
	assert_int_equal(counts.read, bytes);
	assert_int_equal(counts.writes, 0);
	/* the device reads blocks of at most 64 KiB, and maybe where they are */
	if (device_is_counted(scratch->fd))
		assert_in_range(counts.fetched, bytes, (bytes + 65535) / 65536 * 65536 + 65536);
	assert_true(scratch_empty(scratch, NULL));
}

/* Every byte of the file comes once from the device, in blocks: 5 MiB and 1000 bytes are 6 of 1 MiB. */
static void test_seqread_counts(void **state)
{
	require_counts();
	assert_reads(state, "seqread:size=8M", 8, 8 * MIB);
	assert_reads(state, "seqread:size=5243880", 6, 5243880);
	assert_reads(state, "seqread:size=4M:bs=64K:streams=3", 64, 4 * MIB);
	assert_reads(state, "seqread:size=1000000:bs=1000:streams=7", 1000, 1000000);
	assert_reads(state, "seqread:size=8M:bs=512K:direct=yes:streams=5", 16, 8 * MIB);
	assert_reads(state, "seqread:size=64K", 1, 65536);
}

/* As many blocks as were asked for, or as the file has, each from the device and nothing around it: no read-ahead. */
static void test_randread_counts(void **state)
{
	require_counts();
	assert_reads(state, "randread:size=16M:count=100:time=1m", 100, 409600);
	assert_reads(state, "randread:size=16M:count=100:time=1m:streams=3", 100, 409600);
	assert_reads(state, "randread:size=16M:count=100:time=1m:streams=3:direct=yes", 100, 409600);
	assert_reads(state, "randread:size=1M:bs=64K:time=1m", 16, MIB);
	assert_reads(state, "randread:size=102399:time=1m", 24, 98304);
}

/* The time ends it: of 131072 blocks only some are read, by each of the streams at least one. */
static void test_randread_ends_in_time(void **state)
{
	const struct scratch *scratch = *state;
	struct io_counts counts;

	require_counts();
	if (!is_supported("randread:size=64M", scratch->fd))
		return;
	counts = count_spec("randread:size=64M:bs=512:streams=2:count=131072:time=1ms", scratch->fd, NULL);
	assert_in_range(counts.reads, 2, 131072 / 2);
}

/* IOPS is blocks per time and bandwidth bytes per the same time, 4096 of them a block. */
static void test_randread_arithmetic(void **state)
{
	const struct scratch *scratch = *state;
	struct trial trial;

	if (!is_supported("randread:size=1M", scratch->fd))
		return;
	trial = run_spec("randread:size=1M:streams=2", scratch->fd);
	assert_true(trial.values[IOPS] > 0);
	assert_close(trial.values[RANDOM_BANDWIDTH] * 1e6, trial.values[IOPS] * 4096, 1e-12);
}

/* Damages the stamp of the block at 3 MiB. */
static void damage(int dirfd)
{
	int fd = openat(dirfd, "read.0", O_WRONLY | O_NOFOLLOW | O_CLOEXEC);

	if (fd < 0 || pwrite(fd, "damaged!", 8, 3 << 20) != 8)
		_exit(1);
	close(fd);
}

static void cut(int dirfd)
{
	int fd = openat(dirfd, "read.0", O_WRONLY | O_NOFOLLOW | O_CLOEXEC);

	if (fd < 0 || ftruncate(fd, 3 << 20) < 0)
		_exit(1);
	close(fd);
}

/* Data that is not what was written fails the run, and so does a file that lost its end; the message says where. */
static void test_wrong_data_fails_the_run(void **state)
{
	static const char *const specs[] = {"seqread:size=4M", "seqread:size=4M:bs=4K:streams=2",
					    "seqread:size=4M:bs=1500", "randread:size=4M:time=1m"};
	const struct scratch *scratch = *state;

	for (size_t i = 0; i < G_N_ELEMENTS(specs); i++) {
		/* of blocks of 1500 bytes, the one that holds byte 3 MiB begins at 2097 * 1500 */
		const char *at = i == 2 ? "3145500" : "3145728";
		g_autofree char *damaged = g_strdup_printf(
		    "cannot read 'read.0' at %s: not what was written: memory, filesystem or device at fault", at);
		g_autofree char *ends = g_strdup_printf("cannot read 'read.0' at %s: the file ends there", at);

		if (!is_supported(specs[i], scratch->fd))
			return;
		assert_fails_after(specs[i], scratch->fd, damage, damaged);
		assert_true(scratch_empty(scratch, NULL));
		if (i < 3)
			assert_fails_after(specs[i], scratch->fd, cut, ends);
		assert_true(scratch_empty(scratch, NULL));
	}
}

/* The reason says what is wrong. */
static void test_what_cannot_be_read(void **state)
{
	const struct scratch *scratch = *state;
	int fd = open("/dev/shm", O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	assert_unsupported("seqread:size=3M:streams=4", scratch->fd, "3 blocks to read are too few for 4 streams");
	assert_unsupported("randread:size=8191:streams=2", scratch->fd, "1 blocks to read are too few for 2 streams");
	assert_unsupported("randread:count=3:streams=4", scratch->fd, "3 blocks to read are too few for 4 streams");
	if (fd < 0)
		skip();
	assert_unsupported("seqread:size=1M", fd, "in memory only");
	close(fd);
}

/* For every number of blocks up to 300 and some larger ones, each comes once, and other seeds make other orders. */
static void test_shuffle_is_a_permutation(void **state)
{
	static const guint64 sizes[] = {4095, 4096, 4097, 65537, 100000};

	for (guint64 i = 1; i <= 300 + G_N_ELEMENTS(sizes); i++) {
		guint64 n = i <= 300 ? i : sizes[i - 301], same = 0;
		g_autofree char *seen = g_malloc0(n);

		for (guint64 index = 0; index < n; index++) {
			guint64 place = shuffle(index, n, i);

			assert_true(place < n && !seen[place]);
			seen[place] = 1;
			same += place == shuffle(index, n, i + 1);
		}
		/* two random orders agree in one place on average: Poisson, so in 11 or more once in 10^8 */
		assert_true(n < 20 || same <= 10);
	}
	assert_true(shuffle(G_MAXUINT64 - 1, G_MAXUINT64, 1) < G_MAXUINT64);
}

/* In a random order of 100000, a number is followed by its successor once on average, and the mean of the distances of
 * neighbours is a third of the whole: with a standard error of about 0.2%, within 1%. */
static void test_shuffle_is_no_sequence(void **state)
{
	enum { N = 100000 };
	double sum = 0;
	guint successors = 0;

	for (guint64 i = 0; i + 1 < N; i++) {
		guint64 here = shuffle(i, N, 1), next = shuffle(i + 1, N, 1);

		sum += fabs((double)next - (double)here);
		successors += next == here + 1;
	}
	assert_true(successors <= 10);
	assert_close(sum / (N - 1), N / 3.0, 0.01);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    workload_test(test_seqread_counts),
	    workload_test(test_randread_counts),
	    workload_test(test_randread_ends_in_time),
	    workload_test(test_randread_arithmetic),
	    workload_test(test_wrong_data_fails_the_run),
	    workload_test(test_what_cannot_be_read),
	    cmocka_unit_test(test_shuffle_is_a_permutation),
	    cmocka_unit_test(test_shuffle_is_no_sequence),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
