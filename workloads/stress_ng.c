#include <string.h>

#include "../src/err.h"
#include "adapter.h"
#include "workload.h"

/* stress-ng, one of its stressors. Its bogo operations are each stressor's own: runs of one stressor can be compared,
 * not stressors. source: stress-ng(1) of 0.15.06 */

#define WORKERS_MAX 8192
#define HDD_BYTES (G_GUINT64_CONSTANT(1) << 30) /* of each worker that writes a file, where 'bytes' does not say */

static const char *stressor_of(const struct workload_config *config)
{
	return workload_option_value(config, "stressor")->text;
}

static gboolean check(const struct workload_config *config, GError **error)
{
	static const char *const several[] = {"all", "parallel", "random", "sequential", NULL};
	const char *stressor = stressor_of(config);

	if (g_strv_contains(several, stressor))
		return err_usage(error, "option 'stressor': '%s' is no stressor but many", stressor);
	if (*stressor == '-' || strspn(stressor, "abcdefghijklmnopqrstuvwxyz0123456789-") != strlen(stressor))
		return err_usage(error, "option 'stressor': '%s' is no name of a stressor", stressor);
	return adapter_check_time(config, 1, error) && adapter_check_max(config, "workers", WORKERS_MAX, error);
}

static gboolean stress_ng_resolve(struct workload_config *config, GError **error)
{
	guint64 bytes = workload_option_value(config, "bytes")->number;
	GPtrArray *words;

	if (!check(config, error))
		return FALSE;
	words = adapter_begin("stress-ng");
	adapter_add(words, "--metrics");
	adapter_add(words, "--no-rand-seed");
	adapter_add(words, "--temp-path=.");
	adapter_add(words, "--timeout=%.0fs", workload_option_value(config, "time")->seconds);
	adapter_add(words, "--%s=%" G_GUINT64_FORMAT, stressor_of(config),
		    workload_option_value(config, "workers")->number);
	if (bytes)
		adapter_add(words, "--%s-bytes=%" G_GUINT64_FORMAT, stressor_of(config), bytes);
	return adapter_end(config, words);
}

static char *stress_ng_unsupported(const struct workload_config *config, int dirfd)
{
	char *missing = adapter_missing("stress-ng", "stress-ng");

	return missing ? missing : adapter_objection(config, "--dry-run", dirfd);
}

/* Of the stressors that are known to write to a file. */
static guint64 stress_ng_space(const struct workload_config *config)
{
	static const char *const writers[] = {"hdd", "iomix", NULL};
	guint64 bytes = workload_option_value(config, "bytes")->number;

	return g_strv_contains(writers, stressor_of(config))
		   ? workload_option_value(config, "workers")->number * (bytes ? bytes : HDD_BYTES)
		   : 0;
}

/* source: EXIT STATUS in stress-ng(1) */
static const char *stress_ng_explain(int status)
{
	static const char *const meanings[] = {
	    [2] = "a stressor failed",
	    [3] = "a stressor lacked memory, space or a system call",
	    [4] = "the stressor does not exist for this machine",
	    [5] = "a stressor was ended by a signal",
	    [6] = "a stressor ended where it should not",
	    [7] = "its figures are not to be trusted",
	};

	return status >= 0 && (gsize)status < G_N_ELEMENTS(meanings) ? meanings[status] : NULL;
}

static const struct workload_option stress_ng_options[] = {
    {"stressor", OPTION_TEXT, "hdd", "what is done: hdd, iomix, vm, fork, switch... (stress-ng --stressors)"},
    {"workers", OPTION_COUNT, "1", "processes that do it"},
    {"bytes", OPTION_SIZE, NULL, "file or memory of each worker, for a stressor that has such; unset: its own default"},
    {"time", OPTION_DURATION, "10s", "how long, in whole seconds"},
    {.name = NULL}};

static const struct metric stress_ng_metrics[] = {
    {"bogo_ops", "/s", BETTER_HIGHER, "bogo operations of all workers per wall time"},
    {"bogo_ops_cpu", "/s", BETTER_HIGHER, "bogo operations of all workers per CPU time"},
    {"write_rate", "MiB/s", BETTER_HIGHER, "bytes that a worker wrote per time in its calls, of hdd"},
    {"read_rate", "MiB/s", BETTER_HIGHER, "bytes that a worker read per time in its calls, of hdd"},
    {.name = NULL}};

const struct workload workload_stress_ng = {
    .name = "stress-ng",
    .summary = "stress-ng, when installed: workers that repeat one kind of call to the kernel",
    .options = stress_ng_options,
    .metrics = stress_ng_metrics,
    .primary = "bogo_ops",
    .resolve = stress_ng_resolve,
    .unsupported = stress_ng_unsupported,
    .space = stress_ng_space,
    .argv = adapter_argv,
    .output_format = "stressng",
    .complaint = "(fail|error): .*|unrecognized option.*|Value .*",
    .explain = stress_ng_explain,
    .version = "--version",
};
