#include "test_workload.h"

/* Zeros where they are asked for, without stamps. */
static void test_source_zero(void **state)
{
	const struct scratch *scratch = *state;
	g_autofree unsigned char *data = NULL;

	run_spec("dd1:size=1M:source=zero", scratch->fd);
	data = read_file(scratch->fd, "dd.0", 1048576);
	for (gsize i = 0; i < 1048576; i++)
		assert_int_equal(data[i], 0);
}

/* A file is copied as it is; streams take it up where the one before ends, and from the start again at its end
. */
static void test_source_file(void **state)
{
	const struct scratch *scratch = *state;
	g_autofree char *spec = g_strdup_printf("dd2:size=250000:bs=30000:source=%s/original", scratch->name);
	g_autofree unsigned char *original = g_malloc(100000), *first = NULL, *second = NULL;

	for (gsize i = 0; i < 100000; i++)
		original[i] = (unsigned char)(i * i >> 7);
	write_file(scratch->fd, "original", original, 100000);
	run_spec(spec, scratch->fd);
	/* 125000 in whole blocks of 30000 are 120000 */
	first = read_file(scratch->fd, "dd.0", 120000);
	second = read_file(scratch->fd, "dd.1", 130000);
	for (gsize i = 0; i < 120000; i++)
		assert_int_equal(first[i], original[i % 100000]);
	for (gsize i = 0; i < 130000; i++)
		assert_int_equal(second[i], original[(120000 + i) % 100000]);
}

/* A character device is read as a stream: the bytes are random, each of the 256 comes up in 128 KiB, and differ
. */
static void test_source_device(void **state)
{
	const struct scratch *scratch = *state;
	g_autofree unsigned char *first = NULL, *second = NULL;
	guint seen[256] = {0};

	run_spec("dd2:size=300K:bs=64K:source=/dev/urandom", scratch->fd);
	first = read_file(scratch->fd, "dd.0", 131072);
	second = read_file(scratch->fd, "dd.1", 176128);
	for (gsize i = 0; i < 131072; i++)
		seen[first[i]]++;
	for (int i = 0; i < 256; i++)
		assert_true(seen[i] > 0);
	assert_memory_not_equal(first, second, 131072);
}

static void assert_same(int dirfd, const char *name, const unsigned char *want, gsize size)
{
	g_autofree unsigned char *got = read_file(dirfd, name, size);

	assert_memory_equal(got, want, size);
}

/* The regular files below it are copied byte by byte in order of their paths, symlinks are not followed; with
 * O_DIRECT too, though the sizes are no multiple of anything. */
static void test_from_directory(void **state)
{
	static const char *const specs[] = {"dd2:from=%s/in:bs=4K", "dd2-dir:from=%s/in:bs=4K"};
	const struct scratch *scratch = *state;
	g_autofree unsigned char *data = g_malloc(20001);

	for (gsize i = 0; i < 20001; i++)
		data[i] = (unsigned char)(i * 7919 >> 5);
	assert_int_equal(mkdirat(scratch->fd, "in", 0700), 0);
	assert_int_equal(mkdirat(scratch->fd, "in/b", 0700), 0);
	assert_int_equal(mkdirat(scratch->fd, "out", 0700), 0);
	write_file(scratch->fd, "in/a", data, 10000);
	write_file(scratch->fd, "in/b/x", data, 20001);
	write_file(scratch->fd, "in/c", data, 0);
	write_file(scratch->fd, "in/d", data, 8192);
	assert_int_equal(symlinkat("a", scratch->fd, "in/link"), 0);
	for (size_t i = 0; i < G_N_ELEMENTS(specs); i++) {
		g_autoptr(GString) spec = g_string_new(specs[i]);
		g_autofree char *reason = NULL;
		struct workload_config *config;
		int out = openat(scratch->fd, "out", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
		struct trial trial;

		g_string_replace(spec, "%s", scratch->name, 1);
		config = parse_spec(spec->str);
		assert_int_equal(config->workload->space(config), 38193);
		reason = config->workload->unsupported(config, out);
		workload_config_free(config);
		if (reason) {
			print_message("%s not run: %s\n", spec->str, reason);
			continue;
		}
		trial = run_spec(spec->str, out);
		assert_true(isfinite(trial.values[0]) && trial.values[0] > 0);
		assert_same(out, "dd.0", data, 10000);
		assert_same(out, "dd.1", data, 20001);
		assert_same(out, "dd.2", data, 0);
		assert_same(out, "dd.3", data, 8192);
		assert_int_equal(faccessat(out, "dd.4", F_OK, 0), -1);
		for (char name[] = "dd.0"; name[3] < '4'; name[3]++)
			assert_int_equal(unlinkat(out, name, 0), 0);
		close(out);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    workload_test(test_source_zero),
	    workload_test(test_source_file),
	    workload_test(test_source_device),
	    workload_test(test_from_directory),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
