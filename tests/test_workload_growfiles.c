#include "hard_data.h"
#include "workload_io.h"

#include <signal.h>
#include <sys/syscall.h>

#include "../workloads/growfiles.h"

enum { ITERATION_RATE, ITERATIONS, SYNC_TIME };

/* Stands before libc's, for this program only: one byte of a file, when read with 'I=P', comes back wrong. */
static off_t wrong_byte = -1;
ssize_t pread(int fd, void *data, size_t size, off_t offset)
{
	ssize_t n = syscall(SYS_pread64, fd, data, size, offset);

	if (wrong_byte >= offset && wrong_byte < offset + n)
		((unsigned char *)data)[wrong_byte - offset] ^= 1;
	return n;
}

/* Runs spec and compares the lengths of "gf.1" and so on. */
static void assert_lengths(const struct scratch *scratch, const char *spec, const guint64 *want, guint n)
{
	g_autofree char *beyond = g_strdup_printf("gf.%u", n + 1);

	run_spec(spec, scratch->fd);
	for (guint i = 0; i < n; i++) {
		g_autofree char *name = g_strdup_printf("gf.%u", i + 1);

		if (file_length(scratch->fd, name) != want[i])
			print_error("%s: %s\n", spec, name);
		assert_int_equal(file_length(scratch->fd, name), want[i]);
	}
	assert_int_equal(faccessat(scratch->fd, beyond, F_OK, AT_SYMLINK_NOFOLLOW), -1);
	assert_true(scratch_empty(scratch, NULL));
}

/* As first published, the 100th visit is always to the 10th file: it is cut in every 10th pass, by more than it holds,
 * and the others grow for ever. 15 passes of 4090 bytes are 61350, the last 5 of them 20450. */
static void test_published_lengths(void **state)
{
	assert_lengths(*state, "Lgf02:i=9",
		       (guint64[]){36810, 36810, 36810, 36810, 36810, 36810, 36810, 36810, 36810, 36810}, 10);
	assert_lengths(*state, "Lgf02:i=10",
		       (guint64[]){40900, 40900, 40900, 40900, 40900, 40900, 40900, 40900, 40900, 0}, 10);
	assert_lengths(*state, "Lgf02:i=15",
		       (guint64[]){61350, 61350, 61350, 61350, 61350, 61350, 61350, 61350, 61350, 20450}, 10);
	assert_lengths(*state, "Lgf03:i=15",
		       (guint64[]){75000, 75000, 75000, 75000, 75000, 75000, 75000, 75000, 75000, 25000}, 10);
}

/* With 101 visits, which is prime to 10 files, the k-th file is cut in pass 10k+1 and in every 101st after it. Then it
 * holds (10k+1) x 4090 bytes, less than 408990 and so nothing is left, but for the 10th: 101 x 4090 - 408990 = 4100.
 * The next time each has grown by 101 x 4090, and 4100 more than before are left. */
static void test_fixed_lengths(void **state)
{
	assert_lengths(*state, "Lgf02:fixed=yes:i=101",
		       (guint64[]){90 * 4090, 80 * 4090, 70 * 4090, 60 * 4090, 50 * 4090, 40 * 4090, 30 * 4090,
				   20 * 4090, 10 * 4090, 4100},
		       10);
	assert_lengths(*state, "Lgf02:fixed=yes:i=202",
		       (guint64[]){372200, 331300, 290400, 249500, 208600, 167700, 126800, 85900, 45000, 8200}, 10);
	assert_lengths(*state, "Lgf03:fixed=yes:i=101",
		       (guint64[]){450000, 400000, 350000, 300000, 250000, 200000, 150000, 100000, 50000, 5010}, 10);
}

/* Two files, 1000 bytes more in each of 6 passes, 1500 less at every T-th of the 12 visits: of 4 it is always the
 * second file, in passes 2, 4 and 6; fixed makes 5 of it (first file in pass 3, second in pass 5) and leaves 3 as it is
 * (first file in passes 2 and 5, second in 3 and 6). */
static void test_truncation(void **state)
{
	assert_lengths(*state, "growfiles:S=2:g=1000:t=1500:T=4:i=6", (guint64[]){6000, 1500}, 2);
	assert_lengths(*state, "growfiles:S=2:g=1000:t=1500:T=4:i=6:fixed=yes", (guint64[]){4500, 4500}, 2);
	assert_lengths(*state, "growfiles:S=2:g=1000:t=1500:T=3:i=6:fixed=yes", (guint64[]){3000, 3000}, 2);
	assert_lengths(*state, "growfiles:S=2:g=1000:t=1500:T=3:i=6", (guint64[]){3000, 3000}, 2);
	assert_lengths(*state, "growfiles:S=2:g=1000:t=1500:T=0:i=6:fixed=yes", (guint64[]){6000, 6000}, 2);
	/* every visit: nothing is ever left */
	assert_lengths(*state, "growfiles:S=1:g=1000:t=1500:T=1:i=6", (guint64[]){0}, 1);
}

/* 1000 visits: 1000 writes of 4090 bytes; every 10th is read back, and at the 1000th all 40900 bytes of the 10th file,
 * before it is cut. */
static void test_calls_of_fixed_sizes(void **state)
{
	require_counts();

	const struct scratch *scratch = *state;
	struct io_counts counts = count_spec("Lgf02:i=100", scratch->fd, NULL);

	assert_int_equal(counts.writes, 1000);
	assert_int_equal(counts.written, 4090000);
	assert_int_equal(counts.reads, 101);
	assert_int_equal(counts.read, 409000 + 40900);
	assert_true(counts.trial.values[ITERATIONS] == 100);
	assert_true(scratch_empty(scratch, NULL));

	/* a whole file of 90 x 4090 = 368100 bytes takes two reads of up to 192 KiB */
	counts = count_spec("growfiles:g=4090:C=0:c=90:i=90", scratch->fd, NULL);
	assert_int_equal(counts.reads, 2);
	assert_int_equal(counts.read, 368100);
}

/* Each of 300 appends of 1 to 49600 bytes is one call, and is read back by one. Their mean, 24800.5, has a standard
 * deviation of 49600 / sqrt(12 x 300) = 827: five of them are allowed. */
static void test_calls_of_random_sizes(void **state)
{
	require_counts();

	const struct scratch *scratch = *state;
	struct io_counts counts = count_spec("Lgfile1:i=300", scratch->fd, NULL);
	guint64 length = file_length(scratch->fd, "gf.1");

	assert_int_equal(counts.writes, 300);
	assert_int_equal(counts.reads, 300);
	assert_int_equal(counts.written, length);
	assert_int_equal(counts.read, length);
	assert_true(fabs((double)length / 300 - 24800.5) < 5 * 827);
}

/* The first file has a mark at the end of each of its 50 holes of 9 to 4999 zeros; of the second 4096 bytes are cut off
 * in every 5th pass. What was read back is all that grew. */
static void test_holes(void **state)
{
	require_counts();

	const struct scratch *scratch = *state;
	struct io_counts counts = count_spec("Lgf04:i=50", scratch->fd, NULL);
	guint64 length = file_length(scratch->fd, "gf.1");
	g_autofree unsigned char *data = read_file(scratch->fd, "gf.1", length);
	gsize marks = 0, hole = 0;

	assert_int_equal(counts.writes, 100);
	assert_int_equal(counts.written, 100);
	assert_int_equal(counts.reads, 100);
	assert_int_equal(file_length(scratch->fd, "gf.2"), counts.read - length - 10 * 4096);
	for (guint64 i = 0; i < length; i++) {
		if (data[i] == 0) {
			hole++;
			continue;
		}
		assert_int_equal(data[i], 'w');
		assert_in_range(hole, 9, 4999);
		hole = 0;
		marks++;
	}
	assert_int_equal(marks, 50);
	assert_int_equal(hole, 0);
	assert_true(scratch_empty(scratch, NULL));

	/* where holes are is not known afterwards: the whole file is not verified, only what was written is */
	assert_int_equal(count_spec("growfiles:w=yes:c=1:C=2:i=6", scratch->fd, NULL).reads, 3);
}

/* What is appended in small pieces neither repeats nor compresses, in no file: or it is all zeros. */
static void test_data(void **state)
{
	const struct scratch *scratch = *state;
	g_autoptr(GPtrArray) files = g_ptr_array_new_with_free_func(g_free);
	g_autoptr(GHashTable) seen = g_hash_table_new(page_hash, page_equal);
	g_autofree unsigned char *zeros = NULL;

	run_spec("growfiles:S=3:g=4090:i=400", scratch->fd);
	for (guint i = 1; i <= 3; i++) {
		g_autofree char *name = g_strdup_printf("gf.%u", i);

		g_ptr_array_add(files, read_file(scratch->fd, name, 1636000));
		assert_pages_differ(seen, files->pdata[i - 1], 1636000);
		assert_true(deflate_ratio(files->pdata[i - 1], 1636000) > 0.99);
	}
	assert_true(scratch_empty(scratch, NULL));
	run_spec("growfiles:g=1000:i=10:source=zero", scratch->fd);
	zeros = read_file(scratch->fd, "gf.1", 10000);
	for (gsize i = 0; i < 10000; i++)
		assert_int_equal(zeros[i], 0);
}

/* It ends when the time is up, or before the files would hold more than 'size': at 9 x 40900 bytes a pass of 10 files
 * fits, the 10th file is cut to nothing in that pass, and so one more fits. */
static void test_ends(void **state)
{
	const struct scratch *scratch = *state;
	struct trial trial = run_spec("growfiles:time=300ms:C=0", scratch->fd);
	double seconds = trial.values[ITERATIONS] / trial.values[ITERATION_RATE];

	/* the last iteration may have waited for a disk that others keep busy */
	assert_true(seconds >= 0.3 && seconds < 5);
	assert_int_equal(file_length(scratch->fd, "gf.1"), trial.values[ITERATIONS] * 4096);
	assert_true(trial.values[SYNC_TIME] >= 0);
	assert_true(scratch_empty(scratch, NULL));

	assert_true(run_spec("growfiles:size=40K:C=0", scratch->fd).values[ITERATIONS] == 10);
	assert_int_equal(file_length(scratch->fd, "gf.1"), 40960);
	assert_true(scratch_empty(scratch, NULL));
	assert_true(run_spec("Lgf02:size=409000", scratch->fd).values[ITERATIONS] == 11);
	assert_true(scratch_empty(scratch, NULL));
	assert_true(run_spec("Lgf02:size=408999", scratch->fd).values[ITERATIONS] == 9);
}

static void assert_fails(const char *spec, int dirfd, void (*prepare)(void), const char *message)
{
	struct workload_config *config = parse_spec(spec);
	struct trial trial = try_workload(config, dirfd, prepare);

	workload_config_free(config);
	assert_false(trial.ok);
	assert_string_equal(trial.message, message);
	assert_true(isnan(trial.values[ITERATION_RATE]));
}

static void make_byte_wrong(void)
{
	wrong_byte = 200000;
}

/* A byte that is read back wrong is found, with its place: where the last write is verified (the 49th, as the 7th or of
 * each), also in a hole, and in the second piece of the whole file; what is not verified is not read. */
static void test_wrong_data_is_found(void **state)
{
	require_counts();

	const char *message = "'gf.1' does not hold at 200000 what was written: memory, filesystem or device at fault";
	const struct scratch *scratch = *state;

	assert_fails("growfiles:I=P:C=7:i=60", scratch->fd, make_byte_wrong, message);
	assert_int_equal(file_length(scratch->fd, "gf.1"), 49 * 4096);
	assert_true(scratch_empty(scratch, NULL));
	assert_fails("growfiles:I=P:w=yes:i=60", scratch->fd, make_byte_wrong, message);
	assert_true(scratch_empty(scratch, NULL));
	assert_fails("growfiles:I=P:C=0:c=60:i=60", scratch->fd, make_byte_wrong, message);
	assert_int_equal(file_length(scratch->fd, "gf.1"), 60 * 4096);
	assert_true(scratch_empty(scratch, NULL));
	assert_int_equal(count_spec("growfiles:I=P:C=61:c=61:i=60", scratch->fd, make_byte_wrong).reads, 0);
}

/* Visits one by one: a byte that something else changes in the file is found when the whole of it is verified. */
static void test_a_changed_file_is_found(void **state)
{
	const struct scratch *scratch = *state;
	struct growfiles growfiles = {
	    .dirfd = scratch->fd, .files = 1, .grow_min = 150000, .grow_max = 150000, .check_every = 2};
	g_autoptr(GError) error = NULL;
	unsigned char byte;
	int fd;

	assert_true(pool_open(&growfiles.pool, 3, POOL_MIN, FALSE, NULL));
	growfiles.pattern = pool_part(&growfiles.pool, 0);
	growfiles.data = pool_part(&growfiles.pool, 1);
	growfiles.got = pool_part(&growfiles.pool, 2);
	assert_true(growfiles_visit(&growfiles, 1, NULL));
	assert_true(growfiles_visit(&growfiles, 1, NULL));
	assert_int_equal(growfiles.total, 300000);
	fd = openat(scratch->fd, "gf.1", O_RDWR | O_NOFOLLOW | O_CLOEXEC);
	assert_int_equal(pread(fd, &byte, 1, 200000), 1);
	byte ^= 0x80;
	assert_int_equal(pwrite(fd, &byte, 1, 200000), 1);
	close(fd);
	assert_true(growfiles_visit(&growfiles, 1, NULL));
	assert_false(growfiles_visit(&growfiles, 1, &error));
	assert_string_equal(error->message,
			    "'gf.1' does not hold at 200000 what was written: memory, filesystem or device at fault");
	pool_close(&growfiles.pool);
}

static void limit_file_size(void)
{
	const struct rlimit limit = {10000, 10000};

	signal(SIGXFSZ, SIG_IGN);
	if (setrlimit(RLIMIT_FSIZE, &limit) < 0)
		_exit(1);
}

/* The kernel refuses bytes past 10000 in the middle of the third append, and then all; a symlink is not followed. */
static void test_failures(void **state)
{
	const struct scratch *scratch = *state;

	assert_fails("growfiles:i=9", scratch->fd, limit_file_size, "cannot write 'gf.1' at 10000: File too large");
	assert_int_equal(file_length(scratch->fd, "gf.1"), 10000);
	assert_int_equal(symlinkat("gf.1", scratch->fd, "gf.2"), 0);
	assert_fails("growfiles:S=2:i=9", scratch->fd, NULL, "cannot open 'gf.2': Too many levels of symbolic links");
	assert_unsupported("Lgf02:size=40899", scratch->fd,
			   "40899 bytes of 'size' are too few for one pass over 10 files");
	assert_unsupported("growfiles:r=5000-9000:size=8000", scratch->fd, "too few for one pass");
}

/* It never holds more than 'size', so that is the space it asks for. */
static void test_space(void **state)
{
	struct workload_config *config = parse_spec("Lgf03:size=3G"), *plain = parse_spec("Lgfile1");

	assert_int_equal(config->workload->space(config), G_GUINT64_CONSTANT(3221225472));
	assert_int_equal(plain->workload->space(plain), G_GUINT64_CONSTANT(2147483648));
	workload_config_free(config);
	workload_config_free(plain);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    workload_test(test_published_lengths),
	    workload_test(test_fixed_lengths),
	    workload_test(test_truncation),
	    workload_test(test_calls_of_fixed_sizes),
	    workload_test(test_calls_of_random_sizes),
	    workload_test(test_holes),
	    workload_test(test_data),
	    workload_test(test_ends),
	    workload_test(test_wrong_data_is_found),
	    workload_test(test_a_changed_file_is_found),
	    workload_test(test_failures),
	    cmocka_unit_test(test_space),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
