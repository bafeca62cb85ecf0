#include "hard_data.h"

#include <sched.h>
#include <sys/mount.h>
#include <sys/resource.h>

#define MIB ((gsize)1 << 20)

enum { BANDWIDTH, BANDWIDTH_NOSYNC, SYNC_TIME, BANDWIDTH_STREAM };

/* Runs spec, checks the sizes of its files (ends with 0) and that their data neither repeats nor compresses. */
static void assert_data_is_hard(void **state, const char *spec, const gsize *sizes)
{
	const struct scratch *scratch = *state;
	g_autoptr(GPtrArray) files = g_ptr_array_new_with_free_func(g_free);
	g_autoptr(GHashTable) seen = g_hash_table_new(page_hash, page_equal);
	g_autofree char *reason = NULL, *beyond = NULL;
	struct workload_config *config = parse_spec(spec);

	reason = config->workload->unsupported(config, scratch->fd);
	workload_config_free(config);
	if (reason) {
		print_message("%s not run: %s\n", spec, reason);
		return;
	}
	run_spec(spec, scratch->fd);
	for (guint i = 0; sizes[i]; i++) {
		g_autofree char *name = g_strdup_printf("dd.%u", i);
		unsigned char *data = read_file(scratch->fd, name, sizes[i]);

		g_ptr_array_add(files, data);
		assert_pages_differ(seen, data, sizes[i]);
		/* a stamp of 24 bytes in 4096 is all that could be saved: 0.6% */
		assert_true(deflate_ratio(data, sizes[i]) > 0.99);
	}
	beyond = g_strdup_printf("dd.%u", files->len);
	assert_int_equal(faccessat(scratch->fd, beyond, F_OK, AT_SYMLINK_NOFOLLOW), -1);
	assert_true(scratch_empty(scratch, NULL));
}

/* All bytes are on disk, the last stream takes the rest, no two 4 KiB blocks are alike, nothing compresses. */
static void test_data_on_disk(void **state)
{
	assert_data_is_hard(state, "dd1:size=8M", (gsize[]){8 * MIB, 0});
	assert_data_is_hard(state, "dd3:size=7M", (gsize[]){2 * MIB, 2 * MIB, 3 * MIB, 0});
	assert_data_is_hard(state, "dd2-dir:size=5M", (gsize[]){2 * MIB, 3 * MIB, 0});
	assert_data_is_hard(state, "dd3-dir:size=1M", (gsize[]){348160, 348160, 352256, 0});
	assert_data_is_hard(state, "dd1:size=3M:bs=4K", (gsize[]){3 * MIB, 0});
	assert_data_is_hard(state, "dd1-dir:size=2M:bs=4K", (gsize[]){2 * MIB, 0});
	assert_data_is_hard(state, "dd2:size=5000001:bs=5000", (gsize[]){2500000, 2500001, 0});
	assert_data_is_hard(state, "dd1:size=4M:bs=3M", (gsize[]){4 * MIB, 0});
	assert_data_is_hard(state, "dd1:size=100000:bs=1M", (gsize[]){100000, 0});
}

/* What two runs write has no 4 KiB block in common. */
static void test_runs_differ(void **state)
{
	const struct scratch *scratch = *state;
	g_autoptr(GHashTable) seen = g_hash_table_new(page_hash, page_equal);
	g_autofree unsigned char *first = NULL, *second = NULL;

	run_spec("dd1:size=2M", scratch->fd);
	first = read_file(scratch->fd, "dd.0", 2 * MIB);
	assert_true(scratch_empty(scratch, NULL));
	run_spec("dd1:size=2M", scratch->fd);
	second = read_file(scratch->fd, "dd.0", 2 * MIB);
	assert_pages_differ(seen, first, 2 * MIB);
	assert_pages_differ(seen, second, 2 * MIB);
}

/* Bandwidth is bytes / (time to write + time to sync), in units of 1e6 bytes; one stream's rate is the whole's
. */
static void test_bandwidth_arithmetic(void **state)
{
	const struct scratch *scratch = *state;
	struct trial one = run_spec("dd1:size=16M", scratch->fd);
	double write_s = 16777216 / 1e6 / one.values[BANDWIDTH_NOSYNC];
	struct trial two;

	assert_true(one.values[SYNC_TIME] > 0);
	assert_close(one.values[BANDWIDTH], 16777216 / 1e6 / (write_s + one.values[SYNC_TIME]), 1e-12);
	assert_close(one.values[BANDWIDTH_STREAM], one.values[BANDWIDTH], 1e-9);
	assert_true(scratch_empty(scratch, NULL));

	/* a stream of two has half of the bytes and at most the time of both: its rate is at least half of theirs */
	two = run_spec("dd2:size=16M", scratch->fd);
	assert_true(two.values[BANDWIDTH_STREAM] >= two.values[BANDWIDTH] / 2 * (1 - 1e-9));
	assert_true(two.values[BANDWIDTH_STREAM] < two.values[BANDWIDTH]);
}

/* Each reason holds what is wrong. */
static void test_what_cannot_be_measured(void **state)
{
	const struct scratch *scratch = *state;
	g_autofree char *few = g_strdup_printf("dd3:from=%s", scratch->name);
	g_autofree char *blank = g_strdup_printf("dd2:from=%s", scratch->name);
	g_autofree char *file = g_strdup_printf("dd1:from=%s/empty", scratch->name);
	g_autofree char *empty = g_strdup_printf("dd1:source=%s/empty", scratch->name);

	write_file(scratch->fd, "empty", "", 0);
	write_file(scratch->fd, "empty2", "", 0);
	assert_unsupported("dd1:source=/no/such/file", scratch->fd, "cannot open source '/no/such/file': No such file");
	assert_unsupported("dd1:source=/proc", scratch->fd, "'/proc' is neither a regular file nor a device");
	assert_unsupported(empty, scratch->fd, "is empty");
	assert_unsupported("dd1:from=/no/such/dir", scratch->fd, "cannot read directory '/no/such/dir': No such file");
	assert_unsupported("dd1:from=/proc/self/status", scratch->fd, "'/proc/self/status' is no directory");
	assert_unsupported(file, scratch->fd, "is no directory");
	assert_unsupported(few, scratch->fd, "holds fewer files (2) than there are streams (3)");
	assert_unsupported(blank, scratch->fd, "are all empty");
	assert_unsupported("dd1:from=/etc:source=zero", scratch->fd, "exclude each other");
	assert_unsupported("dd3:size=2", scratch->fd, "too few for 3 streams");
}

/* Asking leaves no file behind, and direct writes in odd sizes are refused before the first run. */
static void test_supported_leaves_nothing(void **state)
{
	const struct scratch *scratch = *state;
	struct workload_config *config = parse_spec("dd1-dir:size=1M");
	g_autofree char *reason = config->workload->unsupported(config, scratch->fd);

	workload_config_free(config);
	if (reason) {
		print_message("not run: %s\n", reason);
		return;
	}
	assert_unsupported("dd1-dir:size=1M:bs=1000", scratch->fd, "in multiples of");
	assert_unsupported("dd1-dir:size=1000001", scratch->fd, "in multiples of");
	assert_unsupported("dd2-dir:size=4K", scratch->fd, "too few for 2 streams");
	assert_int_equal(unlinkat(scratch->parent_fd, scratch->name, AT_REMOVEDIR), 0);
	assert_int_equal(mkdirat(scratch->parent_fd, scratch->name, 0700), 0);
}

/* Kernels since 6.6 open tmpfs files with O_DIRECT and keep them in memory: refused whatever open() says. */
static void test_tmpfs_refuses_direct(void **state)
{
	int fd = open("/dev/shm", O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (fd < 0)
		skip();
	assert_unsupported("dd1-dir:size=1M", fd, "O_DIRECT is refused");
	close(fd);
}

static void limit_file_size(void)
{
	const struct rlimit limit = {3 * MIB, 3 * MIB};

	signal(SIGXFSZ, SIG_IGN);
	if (setrlimit(RLIMIT_FSIZE, &limit) < 0)
		_exit(1);
}

/* The kernel refuses bytes past 3 MiB of a file, in the middle of a write and then with EFBIG. */
static void test_a_failed_write_fails_the_run(void **state)
{
	const struct scratch *scratch = *state;
	struct workload_config *config = parse_spec("dd1:size=8M:bs=2M");
	struct trial trial = try_workload(config, scratch->fd, limit_file_size);

	assert_false(trial.ok);
	assert_string_equal(trial.message, "cannot write 'dd.0' after 3145728 bytes: File too large");
	for (int i = BANDWIDTH; i <= BANDWIDTH_STREAM; i++)
		assert_true(isnan(trial.values[i]));
	workload_config_free(config);
}

/* Neither a file nor a symlink that is there already is opened. */
static void test_an_existing_target_is_not_touched(void **state)
{
	const struct scratch *scratch = *state;
	struct workload_config *config = parse_spec("dd2:size=2M");
	struct trial trial;

	assert_int_equal(symlinkat("elsewhere", scratch->fd, "dd.1"), 0);
	trial = try_workload(config, scratch->fd, NULL);
	assert_false(trial.ok);
	assert_string_equal(trial.message, "cannot create 'dd.1': File exists");
	assert_int_equal(faccessat(scratch->fd, "elsewhere", F_OK, 0), -1);
	workload_config_free(config);
}

/* Mounts a filesystem of 4 MiB over the scratch directory, seen by this process only, and writes 16 MiB there. */
static int fill_small_filesystem(const char *path)
{
	struct workload_config *config = parse_spec("dd2:size=16M");
	struct trial trial;
	int fd;

	if (unshare(CLONE_NEWNS) < 0 || mount("none", "/", "none", MS_REC | MS_PRIVATE, NULL) < 0 ||
	    mount("tmpfs", path, "tmpfs", 0, "size=4m") < 0)
		return 77;
	fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	trial = try_workload(config, fd, NULL);
	workload_config_free(config);
	print_message("%s\n", trial.message);
	return !trial.ok && g_str_has_prefix(trial.message, "cannot write 'dd.") &&
		       g_str_has_suffix(trial.message, ": No space left on device")
		   ? 0
		   : 1;
}

/* A filesystem of 4 MiB has no room for 16 MiB, and the message says which file and why. */
static void test_a_full_filesystem_fails_the_run(void **state)
{
	const struct scratch *scratch = *state;
	int status;
	pid_t pid;

	if (geteuid() != 0)
		skip();
	pid = fork();
	assert_true(pid >= 0);
	if (pid == 0)
		_exit(fill_small_filesystem(scratch->name));
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
	if (WEXITSTATUS(status) == 77)
		skip();
	assert_int_equal(WEXITSTATUS(status), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    workload_test(test_data_on_disk),
	    workload_test(test_runs_differ),
	    workload_test(test_bandwidth_arithmetic),
	    workload_test(test_what_cannot_be_measured),
	    workload_test(test_supported_leaves_nothing),
	    workload_test(test_tmpfs_refuses_direct),
	    workload_test(test_a_failed_write_fails_the_run),
	    workload_test(test_an_existing_target_is_not_touched),
	    workload_test(test_a_full_filesystem_fails_the_run),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
