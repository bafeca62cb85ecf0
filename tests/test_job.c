#include "check.h"

#include <glib/gstdio.h>
#include <string.h>

#include "../src/err.h"
#include "../src/job.h"
#include "../src/shared.h"
#include "../src/sitting_options.h"

/* Reads a job of that text; options and error are the caller's. */
static gboolean read_text(const char *text, gssize length, struct sitting_options *options, GError **error)
{
	g_autofree char *path = NULL;
	int fd = g_file_open_tmp("test-XXXXXX.job", &path, NULL);
	gboolean ok;

	assert_true(fd >= 0);
	g_close(fd, NULL);
	assert_true(g_file_set_contents(path, text, length, NULL));
	ok = job_read(path, options, error);
	g_unlink(path);
	return ok;
}

/* All kinds of keys become the option that the command line would have. */
static void test_everything(void **state)
{
	static const char text[] = "# a comment\n\n"
				   "[run]\nrepeat = 7\nlabel=my kernel\nworkload = dd1,dd3\nprobe = fsync,ls:/usr\nmax-time = 1h\n"
				   "[workload dd1 small]\nsize = 4M\nblocks = 3\n"
				   "[workload cmd]\ncommand = a | b; c: d = e\n"
				   "[factors]\nsysctl:vm.dirty_ratio = 10,20\nqueue:iosched/read_expire=1,2\n"
				   "[set]\nmem = 256M\n"
				   "[metrics]\nrate = MB/s,higher:([0-9.]+) \\\\w+\n";
	struct sitting_options options = {0};

	assert_true(read_text(text, -1, &options, NULL));
	assert_string_equal(options.repeat, "7");
	assert_string_equal(options.label, "my kernel");
	assert_string_equal(options.max_time, "1h");
	assert_int_equal(g_strv_length(options.workloads), 3);
	assert_string_equal(options.workloads[0], "dd1,dd3");
	assert_string_equal(options.workloads[1], "dd1:size=4M:blocks=3");
	assert_string_equal(options.workloads[2], "cmd:a | b; c: d = e");
	assert_string_equal(options.probes[0], "fsync,ls:/usr");
	assert_string_equal(options.factors[0], "sysctl:vm.dirty_ratio=10,20");
	assert_string_equal(options.factors[1], "queue:iosched/read_expire=1,2");
	assert_string_equal(options.sets[0], "mem=256M");
	/* a regex is taken as it stands, without the escapes of key files */
	assert_string_equal(options.metrics[0], "rate=MB/s,higher:([0-9.]+) \\\\w+");
	assert_null(options.reset);
	sitting_options_clear(&options);
}

/* What the command line says stands. */
static void test_command_line_wins(void **state)
{
	char *workloads[] = {g_strdup("qsbench"), NULL};
	struct sitting_options options = {.repeat = g_strdup("3"), .workloads = g_strdupv(workloads)};

	assert_true(read_text("[run]\nrepeat = 9\nreset = sync\n[workload dd1]\n", -1, &options, NULL));
	assert_string_equal(options.repeat, "3");
	assert_string_equal(options.reset, "sync");
	assert_int_equal(g_strv_length(options.workloads), 1);
	assert_string_equal(options.workloads[0], "qsbench");
	g_free(workloads[0]);
	sitting_options_clear(&options);
}

/* Every mistake is a usage error with the line it is in. */
static void test_mistakes(void **state)
{
	static const struct {
		const char *text, *said;
	} rows[] = {
	    {"[run]\nrepeat = 3\ncolour = red\n", ":3: no key 'colour' in [run]"},
	    {"[run]\nrepeat = 3\n\nrepeat = 4\n", ":4: 'repeat' is in line 2 already"},
	    {"[run]\n[runs]\nrepeat = 1\n", ":2: no section [runs]"},
	    {"[run]\nrepeat\n", ":2: 'repeat' is no [section]"},
	    {"repeat = 3\n", ":1: 'repeat = 3' stands before the first [section]"},
	    {"[run\nrepeat = 3\n", ":1: "},
	    {"[run]\n= 3\n", ":2: "},
	    {"[workload dd1]\n[workload dd1]\n", ":2: [workload dd1] is in line 1 already: tell them apart"},
	    {"[workload cmd]\ncommand = x\nsize = 3\n", ":3: [workload cmd] has one key, command"},
	    {"[workload ]\n", ":1: no section"},
	    {"[run]\nfactor = thp=always\n", ":2: no key 'factor' in [run]"},
	    {"[run]\nlabel = \xff\n", "is not UTF-8 text"},
	};

	for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
		struct sitting_options options = {0};
		g_autoptr(GError) error = NULL;

		assert_false(read_text(rows[i].text, -1, &options, &error));
		assert_int_equal(err_exit_code(error), EXIT_USAGE);
		if (!strstr(error->message, rows[i].said))
			fail_msg("%s: %s", rows[i].text, error->message);
		sitting_options_clear(&options);
	}
}

/* Binary, huge, endless, empty and missing files are errors. */
static void test_odd_files(void **state)
{
	g_autofree char *huge = g_strnfill(2 << 20, '#');
	struct sitting_options options = {0};
	g_autoptr(GError) binary = NULL, large = NULL, missing = NULL, empty = NULL, endless = NULL;

	assert_false(read_text("[run]\n\0x = 3\n", 12, &options, &binary));
	assert_int_equal(err_exit_code(binary), EXIT_USAGE);
	assert_false(read_text(huge, -1, &options, &large));
	assert_int_equal(err_exit_code(large), EXIT_USAGE);
	assert_false(job_read("/nonexistent.job", &options, &missing));
	assert_int_equal(err_exit_code(missing), EXIT_RUNTIME);
	assert_false(read_text("# nothing\n", -1, &options, &empty));
	assert_int_equal(err_exit_code(empty), EXIT_USAGE);
	assert_false(job_read("/dev/zero", &options, &endless));
	assert_int_equal(err_exit_code(endless), EXIT_USAGE);
	sitting_options_clear(&options);
}

/* What is encoded for the store is decoded to the same, lists, empty lists and odd characters alike. */
static void test_round_trip(void **state)
{
	char *specs[] = {shared("cmd:printf '\"\\n' ü"), shared("dd1"), NULL}, *none[] = {NULL};
	const struct sitting_options options = {
	    .workloads = specs, .factors = none, .label = shared("a \"b\" \\ c"), .seed = shared("18446744073709551615")};
	g_autofree char *json = sitting_options_encode(&options);
	struct sitting_options back = {0}, wrong = {0};

	assert_true(sitting_options_decode(json, &back));
	assert_int_equal(g_strv_length(back.workloads), 2);
	assert_string_equal(back.workloads[0], specs[0]);
	assert_string_equal(back.workloads[1], specs[1]);
	assert_int_equal(g_strv_length(back.factors), 0);
	assert_string_equal(back.label, options.label);
	assert_string_equal(back.seed, options.seed);
	assert_null(back.size);
	assert_false(sitting_options_decode("[1]", &wrong));
	assert_false(sitting_options_decode("{\"seed\": 3}", &wrong));
	assert_false(sitting_options_decode("{\"set\": [3]}", &wrong));
	assert_false(sitting_options_decode("nonsense", &wrong));
	sitting_options_clear(&back);
	sitting_options_clear(&wrong);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_everything), cmocka_unit_test(test_command_line_wins), cmocka_unit_test(test_mistakes),
	    cmocka_unit_test(test_odd_files),  cmocka_unit_test(test_round_trip),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
