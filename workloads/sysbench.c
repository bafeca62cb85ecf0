#include <math.h>

#include "../src/err.h"
#include "adapter.h"
#include "workload.h"

/* sysbench's fileio test. It writes zeros, syncs all files after every so many calls, and at the end each thread syncs
 * them once more, within the total time that its rates are of. The files are made before the run, but for seqwr, which
 * makes them itself. source: 'sysbench fileio help' of 1.0.20; that the final sync is in the total time, and that seqwr
 * begins by unlinking the files: its system calls, with each fsync() delayed by a second */

#define THREADS_MAX 10000
#define FILES_MAX 100000
#define FSYNC_MAX 1000000000

enum { THROUGHPUT, READ, WRITTEN, READS, WRITES, FSYNCS };

static const char *const modes[] = {"seqwr", "seqrewr", "seqrd", "rndrd", "rndwr", "rndrw", NULL};

static guint64 number(const struct workload_config *config, const char *option)
{
	return workload_option_value(config, option)->number;
}

static const char *mode_of(const struct workload_config *config)
{
	return workload_option_value(config, "mode")->text;
}

static GPtrArray *begin(const struct workload_config *config)
{
	GPtrArray *words = adapter_begin("sysbench");

	adapter_add(words, "fileio");
	adapter_add(words, "--file-num=%" G_GUINT64_FORMAT, number(config, "files"));
	adapter_add(words, "--file-total-size=%" G_GUINT64_FORMAT, number(config, "size"));
	adapter_add(words, "--file-block-size=%" G_GUINT64_FORMAT, number(config, "block"));
	return words;
}

static gboolean check(const struct workload_config *config, GError **error)
{
	if (!g_strv_contains(modes, mode_of(config)))
		return err_usage(error, "option 'mode': '%s' is none of seqwr, seqrewr, seqrd, rndrd, rndwr, rndrw",
				 mode_of(config));
	return adapter_check_time(config, 1, error) && adapter_check_max(config, "threads", THREADS_MAX, error) &&
	       adapter_check_max(config, "files", FILES_MAX, error) &&
	       adapter_check_max(config, "fsync", FSYNC_MAX, error) &&
	       adapter_check_max(config, "block", ADAPTER_CALL_MAX, error);
}

static gboolean sysbench_resolve(struct workload_config *config, GError **error)
{
	GPtrArray *words;

	if (!check(config, error))
		return FALSE;
	g_clear_pointer(&config->prepare, g_strfreev);
	if (!g_str_equal(mode_of(config), "seqwr")) {
		words = begin(config);
		adapter_add(words, "prepare");
		adapter_end_prepare(config, words);
	}
	words = begin(config);
	adapter_add(words, "--file-test-mode=%s", mode_of(config));
	adapter_add(words, "--file-fsync-freq=%" G_GUINT64_FORMAT, number(config, "fsync"));
	adapter_add(words, "--file-fsync-end=on");
	if (workload_option_value(config, "direct")->flag)
		adapter_add(words, "--file-extra-flags=direct");
	adapter_add(words, "--threads=%" G_GUINT64_FORMAT, number(config, "threads"));
	adapter_add(words, "--time=%.0f", workload_option_value(config, "time")->seconds);
	adapter_add(words, "run");
	return adapter_end(config, words);
}

static char *sysbench_unsupported(const struct workload_config *config, int dirfd)
{
	guint64 size = number(config, "size"), files = number(config, "files"), block = number(config, "block");
	char *misaligned = adapter_misaligned(config, "block");

	if (misaligned)
		return misaligned;
	if (size / files < block)
		return g_strdup_printf("%" G_GUINT64_FORMAT " bytes of 'size' in %" G_GUINT64_FORMAT
				       " files are less than one block of %" G_GUINT64_FORMAT " in each",
				       size, files, block);
	return adapter_missing("sysbench", "sysbench");
}

static guint64 sysbench_space(const struct workload_config *config)
{
	return number(config, "size");
}

/* What a mode does not do is told as a rate of 0. */
static gboolean sysbench_finish(struct workload_env *env, GError **error)
{
	for (guint i = READ; i <= FSYNCS; i++)
		if (env->values[i] == 0)
			env->values[i] = NAN;
	return TRUE;
}

static const struct workload_option sysbench_options[] = {
    {"mode", OPTION_TEXT, "rndrw", "seqwr, seqrewr, seqrd, rndrd, rndwr or rndrw, where 3 of 5 calls read"},
    {"threads", OPTION_COUNT, "1", "threads that share the files"},
    {"size", OPTION_SIZE, "2G", "bytes of all files together, made before the run (seqwr: in it)"},
    {"files", OPTION_COUNT, "128", "files of the same size"},
    {"block", OPTION_SIZE, "16K", "bytes of one call"},
    {"fsync", OPTION_NUMBER, "100", "calls after which written files are synced; 0: at the end only"},
    {"time", OPTION_DURATION, "10s",
     "how long, in whole seconds; sequential modes go through the files again and again"},
    {"direct", OPTION_BOOL, "no", "around the page cache"},
    {.name = NULL}};

static const struct metric sysbench_metrics[] = {
    [THROUGHPUT] = {"throughput", "MiB/s", BETTER_HIGHER, "read and written per time, the final sync included"},
    [READ] = {"read", "MiB/s", BETTER_HIGHER, "read per time"},
    [WRITTEN] = {"written", "MiB/s", BETTER_HIGHER, "written per time, the final sync included"},
    [READS] = {"reads", "/s", BETTER_HIGHER, "calls that read per time"},
    [WRITES] = {"writes", "/s", BETTER_HIGHER, "calls that wrote per time"},
    [FSYNCS] = {"fsyncs", "/s", BETTER_HIGHER, "files synced per time"},
    {"latency_avg", "ms", BETTER_LOWER, "mean time of a call"},
    {"latency_p95", "ms", BETTER_LOWER, "95th percentile of the calls' times"},
    {"latency_max", "ms", BETTER_LOWER, "longest time of a call"},
    {.name = NULL}};

const struct workload workload_sysbench = {
    .name = "sysbench",
    .summary = "sysbench fileio, when installed: threads that read or write blocks of many files",
    .options = sysbench_options,
    .metrics = sysbench_metrics,
    .primary = "throughput",
    .resolve = sysbench_resolve,
    .unsupported = sysbench_unsupported,
    .space = sysbench_space,
    .argv = adapter_argv,
    .output_format = "sysbench",
    .complaint = "FATAL: .*",
    .version = "--version",
    .finish = sysbench_finish,
};
