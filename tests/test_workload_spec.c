#include "test_workload.h"

#include "../src/err.h"

/* Parses what must be refused and returns the message. */
static char *refuse_spec(const char *spec)
{
	GError *error = NULL;
	struct workload_config *config = workload_config_parse(spec, &error);
	char *message;

	if (config)
		print_error("spec '%s' was taken\n", spec);
	assert_null(config);
	assert_int_equal(err_exit_code(error), EXIT_USAGE);
	message = g_strdup(error->message);
	g_error_free(error);
	return message;
}

/* A preset lies over the defaults and a spec over the preset; 64K is 65536 bytes. */
static void test_presets_and_options(void **state)
{
	struct workload_config *config = parse_spec("dd3-dir:size=64M:bs=64K");
	g_autofree char *text = workload_config_describe(config);

	assert_int_equal(workload_option_value(config, "streams")->number, 3);
	assert_true(workload_option_value(config, "direct")->flag);
	assert_int_equal(workload_option_value(config, "size")->number, 67108864);
	assert_int_equal(workload_option_value(config, "bs")->number, 65536);
	assert_string_equal(config->spec, "dd3-dir:size=64M:bs=64K");
	assert_string_equal(text, "streams=3 size=67108864 bs=65536 direct=yes source=random");
	assert_string_equal(workload_config_primary(config), "bandwidth");
	workload_config_free(config);
}

/* An option set later replaces the spec's, text included; a bad value or name is a usage error. */
static void test_set_replaces_a_value(void **state)
{
	struct workload_config *config = parse_spec("dd1:source=zero");
	g_autoptr(GError) no_option = NULL, no_bool = NULL;

	assert_true(workload_config_set(config, "source", "/dev/urandom", NULL));
	assert_string_equal(workload_option_value(config, "source")->text, "/dev/urandom");
	assert_false(workload_config_set(config, "sise", "1M", &no_option));
	assert_string_equal(no_option->message,
			    "workload 'dd1' has no option 'sise': it has streams, size, bs, direct, source, from");
	assert_false(workload_config_set(config, "direct", "maybe", &no_bool));
	assert_string_equal(no_bool->message, "option 'direct': 'maybe' is neither yes nor no");
	workload_config_free(config);
}

/* Whatever is wrong in a spec, the message holds the spec and the word that is wrong. */
static void test_refused_specs(void **state)
{
	static const struct {
		const char *spec, *part;
	} cases[] = {
	    {"ddx", "no workload 'ddx' in spec 'ddx': there are dd1, dd2, dd3, dd1-dir, dd2-dir, dd3-dir, "},
	    {"", "no workload ''"},
	    {":size=1M", "no workload ''"},
	    {"DD1", "no workload 'DD1'"},
	    {"dd1:", "'' is not option=value"},
	    {"dd1:size", "'size' is not option=value"},
	    {"dd1:size=", "option 'size' has no value"},
	    {"dd1:=1", "no option ''"},
	    {"dd1:sise=1M", "workload 'dd1' has no option 'sise': it has streams, size"},
	    {"dd1:size=abc", "'abc'"},
	    {"dd1:size=-1", "'-1'"},
	    {"dd1:size=0", "size '0' is 0"},
	    {"dd1:size=0K", "size '0K' is 0"},
	    {"dd1:bs=0", "option 'bs'"},
	    {"dd1:bs=2G", "more than 1 GiB"},
	    {"dd1:size=1M:size=2M", "option 'size' is given twice"},
	    {"dd1:streams=0", "'0'"},
	    {"dd1:streams=1025", "1025 is above 1024"},
	    {"dd1:streams=two", "'two'"},
	    {"dd1:direct=1", "'1' is neither yes nor no"},
	    {"dd1:from=", "option 'from' has no value"},
	    {"dd1:source=\xff", "is not UTF-8 text"},
	    {"idle:time=0", "option 'time': duration '0' is 0"},
	    {"idle:time=-1", "option 'time': duration '-1'"},
	    {"idle:time=5 s", "option 'time': duration '5 s'"},
	    {"idle:time=1e10", "option 'time': duration '1e10'"},
	    {"idle:time=99999999999", "option 'time': duration '99999999999' is too long"},
	    {"qsbench:procs=1025", "1025 is above 1024"},
	    {"qsbench:size=3", "3 is less than one number of 4 bytes"},
	    {"qsbench:seed=4294967296", "4294967296 is above 4294967295"},
	    {"lgf02", "no workload 'lgf02'"},
	    {"growfiles:T=-1", "'-1'"},
	    {"growfiles:T=4294967297", "'4294967297'"},
	    {"growfiles:g=0", "size '0' is 0"},
	    {"growfiles:g=2G", "more than 1 GiB"},
	    {"growfiles:r=0", "option 'r'"},
	    {"growfiles:r=0-5", "option 'r'"},
	    {"growfiles:r=9-5", "option 'r'"},
	    {"growfiles:r=5-", "option 'r'"},
	    {"growfiles:r=1-2-3", "option 'r'"},
	    {"growfiles:r=many", "'many'"},
	    {"growfiles:I=a", "option 'I': 'a' is none of s, v, P and r"},
	    {"growfiles:source=/dev/zero", "option 'source': '/dev/zero' is neither random nor zero"},
	    {"tiobench:threads=257", "257 is above 256"},
	    {"tiobench:bs=2G", "more than 1 GiB"},
	    {"tiobench:random=0", "'0'"},
	    {"tiobench:source=ones", "'ones' is neither random nor zero"},
	    {"mtest:percent=101", "101 is above 100"},
	    {"mtest:percent=0", "'0'"},
	    {"mtest:chunk=2G", "more than 1 GiB"},
	    {"mtest:source=ones", "'ones' is neither random nor zero"},
	    {"cmd", "option 'command' has no value"},
	    {"cmd:", "option 'command' has no value"},
	    {"cmd:  ", "option 'command' has no value"},
	    {"cmd:no-such-program-here -x", "command 'no-such-program-here' not found in PATH"},
	    {"cmd:/no/such/program", "command '/no/such/program' is no executable file"},
	    {"cmd:/etc", "command '/etc' is no executable file"},
	};

	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_autofree char *message = refuse_spec(cases[i].spec);
		g_autofree char *quoted = g_strdup_printf("spec '%s'", cases[i].spec);

		assert_text_contains(message, cases[i].part);
		assert_text_contains(message, quoted);
	}
}

static void assert_argv(const char *spec, const char *const *want)
{
	struct workload_config *config = parse_spec(spec);
	char *const *argv = config->workload->argv(config);
	guint n = 0;

	for (; want[n]; n++) {
		assert_non_null(argv[n]);
		assert_string_equal(argv[n], want[n]);
	}
	assert_null(argv[n]);
	assert_string_equal(workload_config_primary(config), "elapsed");
	workload_config_free(config);
}

/* Plain words run directly by an absolute path; quotes, pipes, variables, assignments and builtins need the
 * shell. */
static void test_commands_are_split_or_given_to_the_shell(void **state)
{
	g_autofree char *sleep_path = g_find_program_in_path("sleep");
	g_autofree char *dd_path = g_find_program_in_path("dd");

	assert_argv("cmd:sleep  0.1", (const char *const[]){sleep_path, "0.1", NULL});
	assert_argv("cmd:dd if=/dev/zero of=x bs=1k",
		    (const char *const[]){dd_path, "if=/dev/zero", "of=x", "bs=1k", NULL});
	assert_argv("cmd:/bin/sh -e", (const char *const[]){"/bin/sh", "-e", NULL});
	assert_argv("cmd:sleep 1; true", (const char *const[]){"/bin/sh", "-c", "sleep 1; true", NULL});
	assert_argv("cmd:echo 'a b'", (const char *const[]){"/bin/sh", "-c", "echo 'a b'", NULL});
	assert_argv("cmd:echo $HOME", (const char *const[]){"/bin/sh", "-c", "echo $HOME", NULL});
	assert_argv("cmd:LC_ALL=C ls", (const char *const[]){"/bin/sh", "-c", "LC_ALL=C ls", NULL});
	assert_argv("cmd:exit 3", (const char *const[]){"/bin/sh", "-c", "exit 3", NULL});
	assert_argv("cmd:a:b=c | d", (const char *const[]){"/bin/sh", "-c", "a:b=c | d", NULL});
}

/* The command runs elsewhere, so a path relative to here must be settled here. */
static void test_a_relative_program_becomes_absolute(void **state)
{
	g_autofree char *here = g_get_current_dir(), *want = NULL;
	const struct scratch *scratch = *state;
	g_autofree char *spec = g_strdup_printf("cmd:%s/tool x", scratch->name);
	int fd = openat(scratch->fd, "tool", O_WRONLY | O_CREAT | O_EXCL, 0755);

	assert_true(fd >= 0);
	close(fd);
	want = g_build_filename(here, scratch->name, "tool", NULL);
	assert_argv(spec, (const char *const[]){want, "x", NULL});
}

/* Name, unit and direction: given, or following from the unit. */
static void test_output_metrics(void **state)
{
	static const struct {
		const char *text, *name, *unit, *regex;
		enum better better;
	} cases[] = {
	    {"rate=MB/s:^rate: ([0-9.]+)", "rate", "MB/s", "^rate: ([0-9.]+)", BETTER_HIGHER},
	    {"latency=ms:lat=(.*)", "latency", "ms", "lat=(.*)", BETTER_LOWER},
	    {"score=points,higher:(\\d+), done:", "score", "points", "(\\d+), done:", BETTER_HIGHER},
	    {"x-1.y=,lower:.", "x-1.y", "", ".", BETTER_LOWER},
	    {"_n=:a|b", "_n", "", "a|b", BETTER_NONE},
	};

	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
		struct output_metric *output = output_metric_parse(cases[i].text, NULL);

		assert_non_null(output);
		assert_string_equal(output->metric.name, cases[i].name);
		assert_string_equal(output->metric.unit, cases[i].unit);
		assert_int_equal(output->metric.better, cases[i].better);
		assert_string_equal(g_regex_get_pattern(output->regex), cases[i].regex);
		output_metric_free(output);
	}
}

/* Each message holds the word that is wrong. */
static void test_refused_output_metrics(void **state)
{
	static const struct {
		const char *text, *part;
	} cases[] = {
	    {"", "'' is not NAME=UNIT"},
	    {"rate", "'rate' is not NAME=UNIT"},
	    {"rate=MB/s", "'rate=MB/s' is not NAME=UNIT"},
	    {"rate:x=y", "is not NAME=UNIT"},
	    {"=s:x", "metric name ''"},
	    {"1st=s:x", "metric name '1st'"},
	    {"a b=s:x", "metric name 'a b'"},
	    {"elapsed=s:x", "metric 'elapsed'"},
	    {"rate=MB/s,faster:x", "'faster' is neither higher nor lower"},
	    {"rate=MB/s,:x", "'' is neither higher nor lower"},
	    {"rate=MB/s:", "the regular expression is empty"},
	    {"rate=MB/s:(", "metric 'rate'"},
	    {"rate=MB/s:\xff", "not UTF-8"},
	    {"rate=\xff:x", "not UTF-8"},
	    {"rate=M\nB:x", "control character"},
	};

	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_autoptr(GError) error = NULL;

		assert_null(output_metric_parse(cases[i].text, &error));
		assert_int_equal(err_exit_code(error), EXIT_USAGE);
		assert_text_contains(error->message, cases[i].part);
	}
}

/* --metric outranks the wall time of a command. */
static void test_the_first_output_metric_is_primary(void **state)
{
	struct workload_config *config = parse_spec("cmd:true");

	g_ptr_array_add(config->outputs, output_metric_parse("rate=MB/s:x", NULL));
	g_ptr_array_add(config->outputs, output_metric_parse("other=s:y", NULL));
	assert_string_equal(workload_config_primary(config), "rate");
	workload_config_free(config);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_presets_and_options),
	    cmocka_unit_test(test_set_replaces_a_value),
	    cmocka_unit_test(test_refused_specs),
	    cmocka_unit_test(test_commands_are_split_or_given_to_the_shell),
	    workload_test(test_a_relative_program_becomes_absolute),
	    cmocka_unit_test(test_output_metrics),
	    cmocka_unit_test(test_refused_output_metrics),
	    cmocka_unit_test(test_the_first_output_metric_is_primary),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
