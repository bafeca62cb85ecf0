#include "workload_io.h"

enum { BANDWIDTH, BANDWIDTH_NOSYNC, SYNC_TIME, BANDWIDTH_STREAM, BANDWIDTH_LOCAL, BANDWIDTH_NET };

#define TOTAL ((gsize)38193)

/* A directory "in" with 38193 bytes in four files, in order of their names: 10000, 20001 in a directory, 0, 8192; and
 * things that are no regular files. Returns the bytes one after the other; "out" is for a run. */
static unsigned char *make_source(const struct scratch *scratch, int *out)
{
	unsigned char *data = g_malloc(TOTAL);

	for (gsize i = 0; i < TOTAL; i++)
		data[i] = (unsigned char)(i * 7919 >> 5);
	assert_int_equal(mkdirat(scratch->fd, "in", 0700), 0);
	assert_int_equal(mkdirat(scratch->fd, "in/b", 0700), 0);
	assert_int_equal(mkdirat(scratch->fd, "out", 0700), 0);
	write_file(scratch->fd, "in/a", data, 10000);
	write_file(scratch->fd, "in/b/x", data + 10000, 20001);
	write_file(scratch->fd, "in/c", data, 0);
	write_file(scratch->fd, "in/d", data + 30001, 8192);
	assert_int_equal(symlinkat("a", scratch->fd, "in/a-link"), 0);
	assert_int_equal(mkfifoat(scratch->fd, "in/pipe", 0600), 0);
	*out = openat(scratch->fd, "out", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	assert_true(*out >= 0);
	return data;
}

static char *spec_from(const struct scratch *scratch, const char *workload, const char *options)
{
	return g_strdup_printf("%s:from=%s/in%s", workload, scratch->name, options);
}

/* The target of that number holds these bytes, and is removed. */
static void assert_target(int out, guint number, const unsigned char *want, gsize size)
{
	g_autofree char *name = g_strdup_printf("dd.%u", number);
	g_autofree unsigned char *got = read_file(out, name, size);

	if (want)
		assert_memory_equal(got, want, size);
	assert_int_equal(unlinkat(out, name, 0), 0);
}

static guint64 space(const char *spec)
{
	struct workload_config *config = parse_spec(spec);
	guint64 bytes = config->workload->space(config);

	workload_config_free(config);
	return bytes;
}

static gboolean is_supported(const char *spec, int dirfd)
{
	struct workload_config *config = parse_spec(spec);
	g_autofree char *reason = config->workload->unsupported(config, dirfd);

	workload_config_free(config);
	if (reason)
		print_message("%s not run: %s\n", spec, reason);
	return !reason;
}

/* The files are copied as if they were one, into one file a stream: shares in whole blocks, the last takes the rest; to
 * the size that was asked for, in the midst of a file; with O_DIRECT in whole pages. */
static void test_streams_share_the_files(void **state)
{
	static const struct {
		const char *options;
		gsize shares[4]; /* ends with 0 */
	} cases[] = {
	    {"", {38193}},
	    {":bs=7", {38193}},
	    {":streams=2:bs=4K", {16384, 21809}},
	    {":streams=3:bs=1000", {12000, 12000, 14193}},
	    {":size=25000", {25000}},
	    {":size=1", {1}},
	    {":size=10000:streams=2", {4096, 5904}},
	    {":direct=yes", {36864}},
	    {":direct=yes:streams=2:size=20K", {8192, 12288}},
	};
	const struct scratch *scratch = *state;
	g_autofree unsigned char *data = NULL;
	int out;

	data = make_source(scratch, &out);
	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_autofree char *spec = spec_from(scratch, "net1", cases[i].options);
		gsize at = 0;

		if (strstr(spec, "direct") && !is_supported("dd1-dir:size=1M", out))
			continue;
		assert_true(is_supported(spec, out));
		run_spec(spec, out);
		for (guint s = 0; cases[i].shares[s]; at += cases[i].shares[s++])
			assert_target(out, s, data + at, cases[i].shares[s]);
		assert_int_equal(space(spec), at);
		assert_int_equal(faccessat(out, "dd.3", F_OK, AT_SYMLINK_NOFOLLOW), -1);
	}
	close(out);
}

/* Of 30000 bytes the local stream writes a third and the two others a third each; where the directory has only 38193
 * for the two, the local stream writes half of that. */
static void test_mix3_divides_equally(void **state)
{
	const struct scratch *scratch = *state;
	g_autofree char *some = spec_from(scratch, "mix3", ":size=30000:bs=1000");
	g_autofree char *all = spec_from(scratch, "mix3", ":source=zero");
	g_autofree unsigned char *data = NULL, *zeros = g_malloc0(19096);
	int out;

	data = make_source(scratch, &out);
	run_spec(some, out);
	assert_target(out, 0, NULL, 10000);
	assert_target(out, 1, data, 10000);
	assert_target(out, 2, data + 10000, 10000);
	assert_int_equal(space(some), 30000);

	run_spec(all, out);
	assert_target(out, 0, zeros, 19096);
	assert_target(out, 1, data, 16384);
	assert_target(out, 2, data + 16384, 21809);
	assert_int_equal(space(all), 57289);
	close(out);
}

/* Each byte is read once, by one of the streams, and written once: of the local stream, which reads nothing, too. */
static void test_each_byte_once(void **state)
{
	static const struct {
		const char *workload, *options;
		guint64 read, written;
	} cases[] = {
	    {"net1", "", 38193, 38193},
	    {"net1", ":streams=3:bs=1000", 38193, 38193},
	    {"net1", ":size=25000:bs=7", 25000, 25000},
	    {"mix3", ":size=30000", 20000, 30000},
	    {"mix3", "", 38193, 57289},
	};
	const struct scratch *scratch = *state;
	g_autofree unsigned char *data = NULL;
	int out;

	require_counts();
	data = make_source(scratch, &out);
	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_autofree char *spec = spec_from(scratch, cases[i].workload, cases[i].options);
		struct io_counts counts = count_spec(spec, out, NULL);

		assert_int_equal(counts.read, cases[i].read);
		assert_int_equal(counts.written, cases[i].written);
		for (char name[] = "dd.0"; name[3] < '3'; name[3]++)
			unlinkat(out, name, 0);
	}
	close(out);
}

/* The whole's time is that of the kind of streams that ends last: bytes / bandwidth of each tell it. */
static void test_bandwidth_of_each_kind(void **state)
{
	const struct scratch *scratch = *state;
	g_autofree char *spec = spec_from(scratch, "mix3", "");
	g_autofree unsigned char *data = NULL;
	struct trial trial;
	double local_s, net_s;
	int out;

	data = make_source(scratch, &out);
	trial = run_spec(spec, out);
	local_s = 19096 / 1e6 / trial.values[BANDWIDTH_LOCAL];
	net_s = 38193 / 1e6 / trial.values[BANDWIDTH_NET];
	assert_true(local_s > 0 && net_s > 0);
	assert_close(trial.values[BANDWIDTH], 57289 / 1e6 / MAX(local_s, net_s), 1e-9);
	close(out);
}

/* Each reason holds what is wrong. */
static void test_what_cannot_be_copied(void **state)
{
	const struct scratch *scratch = *state;
	g_autofree char *nothing = g_strdup_printf("net1:from=%s/nothing", scratch->name);
	g_autofree char *empty = g_strdup_printf("net1:from=%s/empty", scratch->name);
	g_autofree char *odd = spec_from(scratch, "net1", ":direct=yes:bs=1000");
	g_autofree char *few = spec_from(scratch, "net1", ":direct=yes:streams=10");
	g_autofree char *source = spec_from(scratch, "mix3", ":source=/no/such");
	g_autofree unsigned char *data = NULL;
	int out;

	data = make_source(scratch, &out);
	assert_int_equal(mkdirat(scratch->fd, "nothing", 0700), 0);
	assert_int_equal(mkdirat(scratch->fd, "nothing/dir", 0700), 0);
	assert_int_equal(mkfifoat(scratch->fd, "nothing/dir/pipe", 0600), 0);
	assert_int_equal(mkdirat(scratch->fd, "empty", 0700), 0);
	write_file(scratch->fd, "empty/file", "", 0);
	assert_unsupported("net1", out, "from=DIR");
	assert_unsupported("mix3:size=1M", out, "from=DIR");
	assert_unsupported("net1:from=/no/such", out, "cannot read directory '/no/such': No such file");
	assert_unsupported("net1:from=/proc/version", out, "'/proc/version' is no directory to copy from");
	assert_unsupported(nothing, out, "/nothing' holds no regular file");
	assert_unsupported(empty, out, "are all empty");
	assert_unsupported("mix3:from=/etc:size=2", out, "2 bytes of 'size' are too few for 3 streams");
	assert_unsupported(few, out, "the 38193 bytes in directory");
	assert_unsupported(source, out, "cannot open source '/no/such'");
	if (is_supported("dd1-dir:size=1M", out))
		assert_unsupported(odd, out, "in multiples of");
	assert_int_equal(space("net1"), 0);
	close(out);
}

static void remove_x(int out)
{
	if (unlinkat(out, "../in/b/x", 0) < 0)
		_exit(1);
}

static void make_x_a_pipe(int out)
{
	remove_x(out);
	if (mkfifoat(out, "../in/b/x", 0600) < 0)
		_exit(1);
}

static void make_x_a_symlink(int out)
{
	remove_x(out);
	if (symlinkat("/etc/passwd", out, "../in/b/x") < 0)
		_exit(1);
}

static void cut_x(int out)
{
	int fd = openat(out, "../in/b/x", O_WRONLY | O_CLOEXEC);

	if (fd < 0 || ftruncate(fd, 5000) < 0)
		_exit(1);
	close(fd);
}

/* A file that has vanished, is a pipe or a symlink by now, or has become shorter fails the run, with its name and how
 * far it got; it neither hangs nor ends early in silence. */
static void test_a_file_that_changes_fails_the_run(void **state)
{
	static const struct {
		void (*change)(int out);
		const char *what, *why;
	} cases[] = {
	    {cut_x, "cannot read source '", "/in/b/x' after 14000 bytes: No data available"},
	    {remove_x, "cannot open '", "/in/b/x' after 10000 bytes: No such file or directory"},
	    {make_x_a_pipe, "cannot open '", "/in/b/x' after 10000 bytes: Invalid argument"},
	    {make_x_a_symlink, "cannot open '", "/in/b/x' after 10000 bytes: Too many levels of symbolic links"},
	};
	const struct scratch *scratch = *state;
	g_autofree char *spec = spec_from(scratch, "net1", ":bs=2000");
	g_autofree unsigned char *data = NULL;
	struct workload_config *config = parse_spec(spec);
	int out;

	data = make_source(scratch, &out);
	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
		struct io_counts counts = count_workload(config, out, NULL, cases[i].change);

		assert_false(counts.trial.ok);
		assert_text_contains(counts.trial.message, cases[i].what);
		assert_text_contains(counts.trial.message, cases[i].why);
		assert_int_equal(unlinkat(out, "dd.0", 0), 0);
		unlinkat(scratch->fd, "in/b/x", 0);
		write_file(scratch->fd, "in/b/x", data + 10000, 20001);
	}
	workload_config_free(config);
	close(out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    workload_test(test_streams_share_the_files), workload_test(test_mix3_divides_equally),
	    workload_test(test_each_byte_once),          workload_test(test_bandwidth_of_each_kind),
	    workload_test(test_what_cannot_be_copied),   workload_test(test_a_file_that_changes_fails_the_run),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
