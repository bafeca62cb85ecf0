#include "hard_data.h"
#include "workload_io.h"

#include <linux/magic.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <time.h>

#include "../src/clock.h"

enum { SEQ_WRITE, RAND_WRITE, SEQ_READ, RAND_READ, PHASES };
enum { RATE, CPU, LATENCY, MAX_LATENCY, FIGURES };

static double figure(const struct trial *trial, guint phase, guint which)
{
	return trial->values[phase * FIGURES + which];
}

/* Stand before libc's, for this program only: what belongs into a phase's time takes time, of a CPU or not. */
static double sync_cpu_s, close_s;
int fsync(int fd)
{
	struct timespec now;
	double until_s;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	until_s = (double)now.tv_sec + (double)now.tv_nsec / 1e9 + sync_cpu_s;
	while ((double)now.tv_sec + (double)now.tv_nsec / 1e9 < until_s)
		clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return (int)syscall(SYS_fsync, fd);
}

int close(int fd)
{
	usleep((useconds_t)(close_s * 1e6));
	return (int)syscall(SYS_close, fd);
}

static void assert_counts(void **state, const char *spec, guint files, guint64 length, guint64 calls, guint64 bytes)
{
	const struct scratch *scratch = *state;
	struct io_counts counts = count_spec(spec, scratch->fd, NULL);

	assert_int_equal(counts.writes, calls);
	assert_int_equal(counts.reads, calls);
	assert_int_equal(counts.written, bytes);
	assert_int_equal(counts.read, bytes);
	for (guint i = 0; i < files; i++) {
		g_autofree char *name = g_strdup_printf("tio.%u", i);

		assert_int_equal(file_length(scratch->fd, name), length);
	}
	assert_true(scratch_empty(scratch, NULL));
}

/* Two threads' files of 1 MiB are 256 blocks each, and 50 random calls each. Three threads have 1048576 / 3 / 4096 = 85
 * whole blocks each, and a third of 100 is 33. The last: 10 blocks of 1000 bytes, and never less than one call. */
static void test_bytes_and_calls(void **state)
{
	require_counts();

	assert_counts(state, "tiobench:threads=2:size=2M:random=100", 2, 1048576, 512 + 100, 612 * 4096);
	assert_counts(state, "tiobench:threads=3:size=1M:random=100", 3, 348160, 255 + 99, 354 * 4096);
	assert_counts(state, "tiobench:threads=2:size=20999:bs=1000:random=1", 2, 10000, 20 + 2, 22000);
	assert_counts(state, "tiobench:size=3M:bs=3M:random=5", 1, 3145728, 1 + 5, 6 * 3145728);
}

static void slow_end(void)
{
	sync_cpu_s = 0.04;
	close_s = 0.02;
}

/* In all four phases: calls times bytes per rate is a time that holds the 40 ms of CPU time of fsync() and the 20 ms of
 * close() of its two threads; the CPU figure holds the former of both; the latencies hold neither, and the mean of them
 * is what all threads together have. */
static void test_a_phase_holds_sync_and_close(void **state)
{
	require_counts();

	static const double megabytes[PHASES] = {512 * 4096 / 1e6, 100 * 4096 / 1e6, 512 * 4096 / 1e6,
						 100 * 4096 / 1e6};
	const struct scratch *scratch = *state;
	double start_s = clock_monotonic_s(), sum_s = 0;
	struct io_counts counts = count_spec("tiobench:threads=2:size=2M:random=100", scratch->fd, slow_end);

	for (guint phase = 0; phase < PHASES; phase++) {
		double elapsed_s = megabytes[phase] / figure(&counts.trial, phase, RATE);
		double calls = megabytes[phase] * 1e6 / 4096;

		assert_true(elapsed_s >= 0.06);
		assert_true(figure(&counts.trial, phase, CPU) * elapsed_s / 100 >= 0.08 * 0.99);
		assert_true(figure(&counts.trial, phase, MAX_LATENCY) >= figure(&counts.trial, phase, LATENCY));
		assert_true(figure(&counts.trial, phase, LATENCY) * calls / 1e3 <= 2 * (elapsed_s - 0.06));
		sum_s += elapsed_s;
	}
	assert_true(sum_s <= clock_monotonic_s() - start_s);
}

/* The data of two files neither repeats nor compresses, and random writes leave it so; or all is zeros. */
static void test_data(void **state)
{
	const struct scratch *scratch = *state;
	g_autoptr(GHashTable) seen = g_hash_table_new(page_hash, page_equal);
	g_autofree unsigned char *first = NULL, *second = NULL, *zeros = NULL;

	run_spec("tiobench:threads=2:size=4M:random=400", scratch->fd);
	first = read_file(scratch->fd, "tio.0", 2097152);
	second = read_file(scratch->fd, "tio.1", 2097152);
	assert_pages_differ(seen, first, 2097152);
	assert_pages_differ(seen, second, 2097152);
	assert_true(deflate_ratio(first, 2097152) > 0.99);
	assert_true(scratch_empty(scratch, NULL));
	run_spec("tiobench:size=100K:source=zero", scratch->fd);
	zeros = read_file(scratch->fd, "tio.0", 102400);
	for (gsize i = 0; i < 102400; i++)
		assert_int_equal(zeros[i], 0);
}

/* Cold, all 8 MiB come from the device when they are read in sequence. */
static void test_cold(void **state)
{
	require_counts();

	const struct scratch *scratch = *state;
	struct statfs fs;

	assert_int_equal(fstatfs(scratch->fd, &fs), 0);
	if (fs.f_type == TMPFS_MAGIC || fs.f_type == RAMFS_MAGIC)
		skip();
	assert_true(count_spec("tiobench:size=8M:random=1:cold=yes", scratch->fd, NULL).fetched >= 8388608);
}

static void limit_file_size(void)
{
	const struct rlimit limit = {1000000, 1000000};

	signal(SIGXFSZ, SIG_IGN);
	if (setrlimit(RLIMIT_FSIZE, &limit) < 0)
		_exit(1);
}

static void assert_fails(const char *spec, int dirfd, void (*prepare)(void), const char *message)
{
	struct workload_config *config = parse_spec(spec);
	struct trial trial = try_workload(config, dirfd, prepare);

	workload_config_free(config);
	assert_false(trial.ok);
	assert_string_equal(trial.message, message);
	assert_true(isnan(trial.values[RATE]));
}

/* A file that may not be that long, and one that is there already, which is left as it is. */
static void test_failures(void **state)
{
	const struct scratch *scratch = *state;

	assert_fails("tiobench:size=2M", scratch->fd, limit_file_size,
		     "cannot set the length of 'tio.0': File too large");
	assert_true(scratch_empty(scratch, NULL));
	assert_int_equal(symlinkat("elsewhere", scratch->fd, "tio.1"), 0);
	assert_fails("tiobench:threads=2:size=2M", scratch->fd, NULL, "cannot open 'tio.1': File exists");
	assert_int_equal(faccessat(scratch->fd, "elsewhere", F_OK, 0), -1);
	assert_unsupported("tiobench:threads=8:size=32767", scratch->fd,
			   "32767 bytes of 'size' are too few for 8 threads with a block of 4096 bytes each");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    workload_test(test_bytes_and_calls),
	    workload_test(test_a_phase_holds_sync_and_close),
	    workload_test(test_data),
	    workload_test(test_cold),
	    workload_test(test_failures),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
