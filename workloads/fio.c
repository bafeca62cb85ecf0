#include <math.h>
#include <string.h>
#include <unistd.h>

#include "../src/err.h"
#include "adapter.h"
#include "workload.h"

/* fio, one job. It writes data that nothing compresses into files that were not allocated before, and the sync at the
 * end of each of its processes is within the time that its bandwidth is of. Before it reads it makes the files,
 * untimed, and drops them from the page cache. source: fio(1) of fio 3.33: refill_buffers, fallocate, end_fsync,
 * invalidate */

#define JOBS_MAX 1024
#define DEPTH_MAX 65536

enum { BANDWIDTH, IOPS, READ_BANDWIDTH, WRITE_BANDWIDTH, READ_IOPS, WRITE_IOPS };

static const char *const patterns[] = {"read", "write", "randread", "randwrite", "rw", "readwrite", "randrw", NULL};

static guint64 number(const struct workload_config *config, const char *option)
{
	return workload_option_value(config, option)->number;
}

static const char *text(const struct workload_config *config, const char *option)
{
	return workload_option_value(config, option)->text;
}

static gboolean check(const struct workload_config *config, GError **error)
{
	const char *rw = text(config, "rw"), *engine = text(config, "ioengine");

	if (!g_strv_contains(patterns, rw))
		return err_usage(
		    error, "option 'rw': '%s' is none of read, write, randread, randwrite, rw, readwrite, randrw", rw);
	/* "external:" would have it load a file */
	if (strspn(engine, "abcdefghijklmnopqrstuvwxyz0123456789_-") != strlen(engine))
		return err_usage(error, "option 'ioengine': '%s' is no name of an engine", engine);
	return adapter_check_max(config, "numjobs", JOBS_MAX, error) &&
	       adapter_check_max(config, "iodepth", DEPTH_MAX, error) &&
	       adapter_check_max(config, "bs", ADAPTER_CALL_MAX, error);
}

static gboolean fio_resolve(struct workload_config *config, GError **error)
{
	double runtime_s = workload_option_value(config, "runtime")->seconds;
	GPtrArray *words;

	if (!check(config, error))
		return FALSE;
	words = adapter_begin("fio");
	adapter_add(words, "--name=fio");
	adapter_add(words, "--directory=.");
	adapter_add(words, "--output-format=json");
	adapter_add(words, "--eta=never");
	adapter_add(words, "--group_reporting");
	adapter_add(words, "--end_fsync=1");
	adapter_add(words, "--fallocate=none");
	adapter_add(words, "--refill_buffers=1");
	adapter_add(words, "--rw=%s", text(config, "rw"));
	adapter_add(words, "--bs=%" G_GUINT64_FORMAT, number(config, "bs"));
	adapter_add(words, "--size=%" G_GUINT64_FORMAT, number(config, "size"));
	adapter_add(words, "--ioengine=%s", text(config, "ioengine"));
	adapter_add(words, "--iodepth=%" G_GUINT64_FORMAT, number(config, "iodepth"));
	adapter_add(words, "--numjobs=%" G_GUINT64_FORMAT, number(config, "numjobs"));
	adapter_add(words, "--direct=%d", workload_option_value(config, "direct")->flag);
	if (runtime_s > 0) {
		adapter_add(words, "--runtime=%.0fus", runtime_s * 1e6);
		adapter_add(words, "--time_based");
	}
	return adapter_end(config, words);
}

static char *fio_unsupported(const struct workload_config *config, int dirfd)
{
	guint64 size = number(config, "size"), bs = number(config, "bs");
	char *reason = adapter_misaligned(config, "bs");

	if (reason)
		return reason;
	if (size < bs)
		return g_strdup_printf(
		    "%" G_GUINT64_FORMAT " bytes of 'size' are less than one block of %" G_GUINT64_FORMAT, size, bs);
	reason = adapter_missing("fio", "fio");
	return reason ? reason : adapter_objection(config, "--parse-only", dirfd);
}

static guint64 fio_space(const struct workload_config *config)
{
	return number(config, "size") * number(config, "numjobs");
}

/* Without those that did not happen. */
static double sum(double reads, double writes)
{
	return isnan(reads) ? writes : isnan(writes) ? reads : reads + writes;
}

static gboolean fio_finish(struct workload_env *env, GError **error)
{
	env->values[BANDWIDTH] = sum(env->values[READ_BANDWIDTH], env->values[WRITE_BANDWIDTH]);
	env->values[IOPS] = sum(env->values[READ_IOPS], env->values[WRITE_IOPS]);
	return TRUE;
}

static const struct workload_option fio_options[] = {
    {"rw", OPTION_TEXT, "write", "read, write, randread, randwrite, rw or randrw"},
    {"bs", OPTION_SIZE, "4K", "bytes of one call"},
    {"size", OPTION_SIZE, "256M", "bytes of each process's file"},
    {"iodepth", OPTION_COUNT, "1", "calls under way at a time, where the engine has more than one"},
    {"numjobs", OPTION_COUNT, "1", "processes, each with a file of its own"},
    {"ioengine", OPTION_TEXT, "psync", "how it calls the kernel: psync, libaio, io_uring, mmap..."},
    {"runtime", OPTION_DURATION, NULL, "go on, or over again, for this time; else until the size is done"},
    {"direct", OPTION_BOOL, "no", "around the page cache"},
    {.name = NULL}};

static const struct metric fio_metrics[] = {
    [BANDWIDTH] = {"bandwidth", "MB/s", BETTER_HIGHER, "bytes read and written per time, the final sync included"},
    [IOPS] = {"iops", "/s", BETTER_HIGHER, "calls that read and wrote per time"},
    [READ_BANDWIDTH] = {"read_bandwidth", "MB/s", BETTER_HIGHER, "bytes read per time"},
    [WRITE_BANDWIDTH] = {"write_bandwidth", "MB/s", BETTER_HIGHER, "bytes written per time"},
    [READ_IOPS] = {"read_iops", "/s", BETTER_HIGHER, "calls that read per time"},
    [WRITE_IOPS] = {"write_iops", "/s", BETTER_HIGHER, "calls that wrote per time"},
    {"read_clat", "us", BETTER_LOWER, "mean time from a read's submission to its completion"},
    {"write_clat", "us", BETTER_LOWER, "mean time from a write's submission to its completion"},
    {"read_clat_p99", "us", BETTER_LOWER, "99th percentile of the same of reads"},
    {"write_clat_p99", "us", BETTER_LOWER, "99th percentile of the same of writes"},
    {.name = NULL}};

const struct workload workload_fio = {
    .name = "fio",
    .summary = "fio, when installed: one job that reads or writes files, in sequence or at random",
    .options = fio_options,
    .metrics = fio_metrics,
    .primary = "bandwidth",
    .resolve = fio_resolve,
    .unsupported = fio_unsupported,
    .space = fio_space,
    .argv = adapter_argv,
    .output_format = "fio",
    .complaint = "fio: .*", /* its results end with a bracket */
    .version = "--version",
    .finish = fio_finish,
};
