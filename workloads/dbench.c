#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../src/clock.h"
#include "../src/err.h"
#include "adapter.h"
#include "workload.h"

/* dbench 4. It warms up for a fifth of its time, which does not count, and ends without a sync: what its clients left
 * dirty is written to the device afterwards here, timed. They would delete their files before they end, and with them
 * what is to be written: they are told not to.
 * source: dbench(1), and what dbench 4.00 prints */

#define TIME_MIN 2 /* seconds: its throughput is that of the last full second but the one that it ends in */
#define CLIENTS_MAX 10000
#define CLIENT_SPACE (G_GUINT64_CONSTANT(32) << 20) /* bytes that a client of the usual load file has at most */

enum { THROUGHPUT, THROUGHPUT_NOSYNC, SYNC_TIME };

static gboolean dbench_resolve(struct workload_config *config, GError **error)
{
	guint64 clients = workload_option_value(config, "clients")->number;
	double time_s = workload_option_value(config, "time")->seconds;
	g_autofree char *loadfile = g_canonicalize_filename(workload_option_value(config, "loadfile")->text, NULL);
	GPtrArray *words;

	if (!adapter_check_time(config, TIME_MIN, error) || !adapter_check_max(config, "clients", CLIENTS_MAX, error))
		return FALSE;
	words = adapter_begin("dbench");
	adapter_add(words, "-t");
	adapter_add(words, "%.0f", time_s);
	adapter_add(words, "-D");
	adapter_add(words, ".");
	adapter_add(words, "-c");
	adapter_add(words, "%s", loadfile);
	adapter_add(words, "--skip-cleanup");
	adapter_add(words, "%" G_GUINT64_FORMAT, clients);
	return adapter_end(config, words);
}

/* Only of a file that it opened does a client read or write. source: client.txt of dbench 4.00 */
static gboolean opens_files(const char *loadfile)
{
	g_autofree char *text = NULL;

	return g_file_get_contents(loadfile, &text, NULL, NULL) && strstr(text, "NTCreateX");
}

static char *dbench_unsupported(const struct workload_config *config, int dirfd)
{
	const char *loadfile = workload_option_value(config, "loadfile")->text;
	char *missing = adapter_missing("dbench", "dbench");
	struct stat st;

	if (missing)
		return missing;
	if (stat(loadfile, &st) < 0 || access(loadfile, R_OK) < 0)
		return g_strdup_printf("cannot read the load file '%s': %s", loadfile, g_strerror(errno));
	/* from one without calls it would never come to its end */
	return S_ISREG(st.st_mode) && opens_files(loadfile)
		   ? NULL
		   : g_strdup_printf("no calls in the load file '%s'", loadfile);
}

static guint64 dbench_space(const struct workload_config *config)
{
	return workload_option_value(config, "clients")->number * CLIENT_SPACE;
}

/* The load of the time that counted, over that time and the sync's. */
static gboolean dbench_finish(struct workload_env *env, GError **error)
{
	double time_s = workload_option_value(env->config, "time")->seconds, start_s = clock_monotonic_s(), sync_s;

	if (syncfs(env->dirfd) < 0)
		return err_errno(error, errno, "cannot sync the filesystem");
	sync_s = clock_monotonic_s() - start_s;
	env->values[SYNC_TIME] = sync_s;
	env->values[THROUGHPUT_NOSYNC] = env->values[THROUGHPUT];
	env->values[THROUGHPUT] *= time_s / (time_s + sync_s);
	return TRUE;
}

static const struct workload_option dbench_options[] = {
    {"clients", OPTION_COUNT, "4", "processes, each with the whole load and files of its own"},
    {"time", OPTION_DURATION, "10s", "how long, in whole seconds; a fifth more to warm up does not count"},
    {"loadfile", OPTION_TEXT, "/usr/share/dbench/client.txt", "the calls that a client makes, again and again"},
    {.name = NULL}};

static const struct metric dbench_metrics[] = {
    [THROUGHPUT] = {"throughput", "MB/s", BETTER_HIGHER, "what dbench tells, over its time and that of the sync"},
    [THROUGHPUT_NOSYNC] = {"throughput_nosync", "MB/s", BETTER_HIGHER, "what dbench tells: bytes read and written"},
    [SYNC_TIME] = {"sync_time", "s", BETTER_LOWER, "writing what dbench left dirty: syncfs, after elapsed"},
    {"max_latency", "ms", BETTER_LOWER, "longest time that a client waited for a call"},
    {.name = NULL}};

const struct workload workload_dbench = {
    .name = "dbench",
    .summary = "dbench, when installed: clients of a file server that create, write, read and delete",
    .options = dbench_options,
    .metrics = dbench_metrics,
    .primary = "throughput",
    .resolve = dbench_resolve,
    .unsupported = dbench_unsupported,
    .space = dbench_space,
    .argv = adapter_argv,
    .output_format = "log",
    .version = "--version",
    .finish = dbench_finish,
};
