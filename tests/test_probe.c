#include "check.h"

#include <glib/gstdio.h>
#include <string.h>

#include "../src/err.h"
#include "../src/probe_internal.h"
#include "../workloads/workload.h"

/* Parses a list of specs, separated by blanks, that must be taken. */
static struct probes *parse(const char *list)
{
	g_auto(GStrv) specs = g_strsplit(list, " ", -1);
	g_autoptr(GError) error = NULL;
	struct probes *probes = probes_parse(specs, &error);

	if (error)
		print_error("%s\n", error->message);
	assert_non_null(probes);
	return probes;
}

/* Every row has a name of its own, one line of summary, something to do, and metrics named after it, of which no
 * workload and no run has one; the first request is made by all. */
static void test_rows_are_described(void **state)
{
	g_autoptr(GHashTable) names = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);

	for (const struct workload *const *row = workload_table; *row; row++)
		for (const struct metric *metric = (*row)->metrics; metric && metric->name; metric++)
			g_hash_table_add(names, g_strdup(metric->name));
	for (const struct metric *metric = run_metrics; metric->name; metric++)
		g_hash_table_add(names, g_strdup(metric->name));
	for (const struct probe_kind *const *row = probe_table; *row; row++) {
		const struct probe_kind *kind = *row;
		guint n = 0;

		assert_true(strlen(kind->summary) > 10 && strlen(kind->summary) < 100 && !strchr(kind->summary, '\n'));
		assert_non_null(kind->request);
		assert_true((kind->period_ns > 0) == !kind->run);
		assert_true(!kind->argument || kind->parse);
		for (const struct metric *metric = kind->metrics; metric->name; metric++, n++) {
			assert_true(g_str_has_prefix(metric->name, kind->name));
			assert_int_equal(metric->name[strlen(kind->name)], '_');
			assert_true(g_hash_table_add(names, g_strdup(metric->name)));
			assert_true(strlen(metric->help) > 10 && !strchr(metric->help, '\n'));
			assert_int_equal(metric->better,
			                 g_str_has_suffix(metric->name, "_played") ? BETTER_HIGHER : BETTER_LOWER);
		}
		assert_in_range(n, 2, PROBE_METRICS_MAX);
	}
}

/* The metrics are those of the specs, in their order. */
static void test_metrics_in_order(void **state)
{
	static const char *const want[] = {"read_p50",    "read_p95",     "read_p99",        "read_max",
	                                   "read_missed", "audio_played", "audio_underruns", "ls_p50"};
	struct probes *probes = parse("read audio ls:/ timer");
	const GArray *metrics = probes_metrics(probes);

	assert_int_equal(metrics->len, 5 + 2 + 5 + 5);
	for (gsize i = 0; i < G_N_ELEMENTS(want); i++)
		assert_string_equal(g_array_index(metrics, struct metric, i).name, want[i]);
	assert_string_equal(g_array_index(metrics, struct metric, 0).unit, "ms");
	assert_string_equal(g_array_index(metrics, struct metric, 4).unit, "%");
	probes_free(probes);
}

/* No spec makes no probe: nothing to prepare, start, or stop. */
static void test_no_probe(void **state)
{
	char *specs[] = {NULL};
	struct probes *probes = probes_parse(specs, NULL);
	g_autoptr(GArray) measurements = g_array_new(FALSE, FALSE, sizeof(struct measurement));
	char *warning;

	assert_non_null(probes);
	assert_true(probes_prepare(probes, -1, NULL) && probes_start(probes, -1, NULL));
	probes_stop(probes, measurements, &warning);
	assert_null(warning);
	assert_int_equal(measurements->len, 0);
	assert_int_equal(probes_metrics(probes)->len, 0);
	probes_free(probes);
	probes_free(NULL);
}

/* A directory may have colons and need not be absolute; it is the same one wherever the process goes. */
static void test_directories(void **state)
{
	g_autofree char *here = g_get_current_dir();
	g_autofree char *dir = g_dir_make_tmp("probe:1:XXXXXX", NULL);
	g_autofree char *spec = g_strconcat("ls:", dir, NULL);
	struct probes *probes = parse(spec);

	assert_string_equal(probes->all[0].config, dir);
	probes_free(probes);
	probes = parse("ls:.");
	assert_string_equal(probes->all[0].config, here);
	probes_free(probes);
	assert_int_equal(g_rmdir(dir), 0);
}

/* Bit rates have powers of 1000: at 320 kbit/s a chunk of 4096 bytes is 102.4 ms of music, and at 1 Mbit/s 32.768 ms.
 * */
static void test_players(void **state)
{
	static const struct {
		const char *spec;
		gint64 chunk_us, buffer_us;
	} cases[] = {
	    {"audio", 102400, 2000000},
	    {"audio:320k/2s", 102400, 2000000},
	    {"audio:320000/2", 102400, 2000000},
	    {"audio:1M/500ms", 32768, 500000},
	    {"audio:1.024M/1m", 32000, 60000000},
	    {"audio:1k/1h", 32768000, 3600000000},
	    {"audio:8k/8.192s", 4096000, 8192000},
	};

	for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
		struct probes *probes = parse(cases[i].spec);
		struct probe *probe = &probes->all[0];
		struct probe_shared *shared = g_new0(struct probe_shared, 1);

		probe->shared = shared;
		probe->kind->begin(probe, 0);
		assert_int_equal(shared->player.chunk_ns, cases[i].chunk_us * 1000);
		assert_int_equal(shared->player.buffer_ns, cases[i].buffer_us * 1000);
		g_free(shared);
		probes_free(probes);
	}
}

/* Whatever is wrong is a usage error that names it. */
static void test_refused_specs(void **state)
{
	static const struct {
		const char *list, *part;
	} cases[] = {
	    {"foo", "no probe 'foo': there are timer, read, fsync, mmap, exec, ls:DIR, audio:RATE/BUFFER"},
	    {"", "no probe ''"},
	    {"Read", "no probe 'Read'"},
	    {"read,fsync", "no probe 'read,fsync'"},
	    {":x", "no probe ''"},
	    {"read:foo", "probe 'read' is its name alone, without ':foo'"},
	    {"timer:", "probe 'timer' is its name alone, without ':'"},
	    {"read timer read", "probe 'read' is given twice"},
	    {"ls:/ ls:/tmp", "probe 'ls' is given twice"},
	    {"ls", "probe 'ls': no directory is given: ls:DIR"},
	    {"ls:", "probe 'ls:': no directory is given: ls:DIR"},
	    {"ls:/none", "probe 'ls:/none': cannot open directory '/none': No such file or directory"},
	    {"ls:/dev/null", "cannot open directory '/dev/null': Not a directory"},
	    {"audio:", "'' is not RATE/BUFFER, as in 320k/2s"},
	    {"audio:320k", "'320k' is not RATE/BUFFER"},
	    {"audio:/2s", "'' is not a bit rate from 1k to 100M"},
	    {"audio:0k/2s", "probe 'audio:0k/2s': '0k' is not a bit rate"},
	    {"audio:-320k/2s", "'-320k' is not a bit rate"},
	    {"audio:320K/2s", "'320K' is not a bit rate"},
	    {"audio:320kk/2s", "'320kk' is not a bit rate"},
	    {"audio:nan/2s", "'nan' is not a bit rate"},
	    {"audio:999/2s", "'999' is not a bit rate"},
	    {"audio:101M/2s", "'101M' is not a bit rate"},
	    {"audio:1e300M/2s", "'1e300M' is not a bit rate"},
	    {"audio:320k/", "duration ''"},
	    {"audio:320k/2x", "duration '2x'"},
	    {"audio:320k/-2", "duration '-2'"},
	    {"audio:320k/2s/3s", "duration '2s/3s'"},
	    {"audio:320k/99999999999999999999", "duration '99999999999999999999'"},
	    {"audio:320k/2h", "a buffer of '2h' is more than an hour"},
	    {"audio:320k/0", "a buffer of '0' at '320k' bit/s holds less than two chunks of 4 KiB"},
	    {"audio:320k/204ms", "a buffer of '204ms' at '320k' bit/s holds less than two chunks of 4 KiB"},
	};

	for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
		char *empty[] = {(char[]){""}, NULL};
		g_auto(GStrv) specs = *cases[i].list ? g_strsplit(cases[i].list, " ", -1) : g_strdupv(empty);
		g_autoptr(GError) error = NULL;

		assert_null(probes_parse(specs, &error));
		assert_int_equal(err_exit_code(error), EXIT_USAGE);
		if (!strstr(error->message, cases[i].part))
			fail_msg("'%s' does not contain '%s'", error->message, cases[i].part);
	}
}

/* Without the program that it executes there can be no such probe. */
static void test_no_program(void **state)
{
	g_autofree char *path = g_strdup(g_getenv("PATH"));
	char *specs[] = {(char[]){"exec"}, NULL};
	g_autoptr(GError) error = NULL;

	g_setenv("PATH", "/nonexistent", TRUE);
	assert_null(probes_parse(specs, &error));
	g_setenv("PATH", path, TRUE);
	assert_string_equal(error->message, "probe 'exec': there is no program 'true' in PATH");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_rows_are_described), cmocka_unit_test(test_metrics_in_order),
	    cmocka_unit_test(test_no_probe),           cmocka_unit_test(test_directories),
	    cmocka_unit_test(test_players),            cmocka_unit_test(test_refused_specs),
	    cmocka_unit_test(test_no_program),
	};

	return cmocka_run_group_tests_name("probe", tests, NULL, NULL);
}
