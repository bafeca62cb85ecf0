#include <unistd.h>

#include "../src/err.h"
#include "adapter.h"
#include "workload.h"

/* bonnie++ 2.00. A test that took less than half a second has no value: it prints '+++++', which is none, not 0. The
 * time of its write tests ends with the sync of what they wrote. source: bonnie++(8), which says that with a memory of 0
 * it accepts any size; for the sync its figures with each fsync() delayed by a second */

#define MIB (G_GUINT64_CONSTANT(1) << 20)
#define CHUNK_MAX MIB
#define SIZE_MAX_MIB (G_GUINT64_CONSTANT(1) << 30)
#define CONCURRENCY_MAX 1000
#define FILES_MAX 1000000

static guint64 number(const struct workload_config *config, const char *option)
{
	return workload_option_value(config, option)->number;
}

static gboolean is_fast(const struct workload_config *config)
{
	return workload_option_value(config, "fast")->flag;
}

static gboolean check(const struct workload_config *config, GError **error)
{
	guint64 size = number(config, "size"), chunk = number(config, "chunk");

	if (size % MIB || size / MIB > SIZE_MAX_MIB)
		return err_usage(error, "option 'size': bonnie++ takes whole MiB, up to 1 PiB");
	if (chunk < 256 || chunk > CHUNK_MAX || (chunk & (chunk - 1)))
		return err_usage(error, "option 'chunk': bonnie++ takes powers of 2 from 256 to 1M");
	return adapter_check_max(config, "files", FILES_MAX, error) &&
	       adapter_check_max(config, "concurrency", CONCURRENCY_MAX, error);
}

static gboolean bonnie_resolve(struct workload_config *config, GError **error)
{
	GPtrArray *words;

	if (!check(config, error))
		return FALSE;
	words = adapter_begin("bonnie++");
	adapter_add(words, "-q");
	adapter_add(words, "-d");
	adapter_add(words, ".");
	/* it does not run as root unless it is told to */
	adapter_add(words, "-u");
	adapter_add(words, "%u:%u", geteuid(), getegid());
	adapter_add(words, "-m");
	adapter_add(words, "here");
	adapter_add(words, "-r");
	adapter_add(words, "0");
	adapter_add(words, "-s");
	adapter_add(words, "%" G_GUINT64_FORMAT ":%" G_GUINT64_FORMAT, number(config, "size") / MIB,
		    number(config, "chunk"));
	adapter_add(words, "-n");
	adapter_add(words, "%" G_GUINT64_FORMAT, number(config, "files"));
	adapter_add(words, "-c");
	adapter_add(words, "%" G_GUINT64_FORMAT, number(config, "concurrency"));
	if (is_fast(config))
		adapter_add(words, "-f");
	if (workload_option_value(config, "direct")->flag)
		adapter_add(words, "-D");
	return adapter_end(config, words);
}

static char *bonnie_unsupported(const struct workload_config *config, int dirfd)
{
	char *misaligned = adapter_misaligned(config, "chunk");

	return misaligned ? misaligned : adapter_missing("bonnie++", "bonnie++");
}

static guint64 bonnie_space(const struct workload_config *config)
{
	return number(config, "size") * number(config, "concurrency");
}

static const struct workload_option bonnie_options[] = {
    {"size", OPTION_SIZE, "1G",
     "bytes of the large file, in whole MiB; less than the memory is read from the page cache"},
    {"chunk", OPTION_SIZE, "8K", "bytes of one call, a power of 2"},
    {"files", OPTION_NUMBER, "16", "small files to create, look at and delete, times 1024; 0: none"},
    {"concurrency", OPTION_COUNT, "1", "processes that do each test at the same time"},
    {"fast", OPTION_BOOL, "no", "leave out what is written and read byte by byte"},
    {"direct", OPTION_BOOL, "no", "around the page cache"},
    {.name = NULL}};

static const struct metric bonnie_metrics[] = {
    {"put_block", "KiB/s", BETTER_HIGHER, "written by chunks"},
    {"rewrite", "KiB/s", BETTER_HIGHER, "read, changed and written by chunks"},
    {"get_block", "KiB/s", BETTER_HIGHER, "read by chunks"},
    {"putc", "KiB/s", BETTER_HIGHER, "written byte by byte"},
    {"getc", "KiB/s", BETTER_HIGHER, "read byte by byte"},
    {"seeks", "/s", BETTER_HIGHER, "chunks read at random, of which one in ten is changed and written"},
    {"seq_create", "/s", BETTER_HIGHER, "files created in the order of their names"},
    {"seq_stat", "/s", BETTER_HIGHER, "files looked at in the order of the directory"},
    {"seq_del", "/s", BETTER_HIGHER, "files deleted in the order of the directory"},
    {"ran_create", "/s", BETTER_HIGHER, "files created with random names"},
    {"ran_stat", "/s", BETTER_HIGHER, "files looked at in random order"},
    {"ran_del", "/s", BETTER_HIGHER, "files deleted in random order"},
    {"put_block_latency", "ms", BETTER_LOWER, "longest time of a call that wrote a chunk"},
    {"rewrite_latency", "ms", BETTER_LOWER, "longest time of a chunk read and written again"},
    {"get_block_latency", "ms", BETTER_LOWER, "longest time of a call that read a chunk"},
    {"seeks_latency", "ms", BETTER_LOWER, "longest time of a chunk read at random"},
    {.name = NULL}};

const struct workload workload_bonnie = {
    .name = "bonnie++",
    .summary = "bonnie++, when installed: one large file by bytes and chunks, then many small ones",
    .options = bonnie_options,
    .metrics = bonnie_metrics,
    .primary = "put_block",
    .resolve = bonnie_resolve,
    .unsupported = bonnie_unsupported,
    .space = bonnie_space,
    .argv = adapter_argv,
    .output_format = "bonnie",
    .sparse = TRUE,
    .complaint = ".+", /* how it is used comes after it */
    .version = "-h",   /* it has no such option, and tells how it is used */
};
