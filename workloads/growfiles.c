#include "growfiles.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "../src/clock.h"
#include "../src/err.h"
#include "../src/unit.h"
#include "workload.h"

#define GROW_MAX (G_GUINT64_CONSTANT(1) << 30)
#define PARTS 3

enum growfiles_metric { ITERATION_RATE, ITERATIONS, SYNC_TIME };

static const char *const call_names[] = {
    [CALL_PLAIN] = "s", [CALL_VECTOR] = "v", [CALL_POSITIONED] = "P", [CALL_RANDOM] = "r", NULL};

static guint64 number(const struct workload_config *config, const char *option)
{
	return workload_option_value(config, option)->number;
}

/* "HIGH" or "LOW-HIGH" of 'r', else 'g' for both. */
static gboolean read_growth(const struct workload_config *config, guint64 *low, guint64 *high, GError **error)
{
	const char *range = workload_option_value(config, "r")->text;
	const char *dash = range ? strchr(range, '-') : NULL;
	g_autofree char *from = dash ? g_strndup(range, (gsize)(dash - range)) : g_strdup("1");

	if (!range) {
		*low = *high = number(config, "g");
		return *high <= GROW_MAX ||
		       err_usage(error, "option 'g': %" G_GUINT64_FORMAT " bytes are more than 1 GiB", *high);
	}
	return count_parse(dash ? dash + 1 : range, "option 'r'", 1, GROW_MAX, high, error) &&
	       count_parse(from, "option 'r'", 1, *high, low, error);
}

static gboolean read_call(const struct workload_config *config, enum growfiles_call *call, GError **error)
{
	const char *name = workload_option_value(config, "I")->text;
	guint i = 0;

	while (call_names[i] && strcmp(call_names[i], name) != 0)
		i++;
	*call = i;
	return call_names[i] || err_usage(error, "option 'I': '%s' is none of s, v, P and r", name);
}

/* The interval of truncation: where it shares a factor with the number of files, some are never truncated, and 'fixed'
 * takes the next that does not. */
static guint64 shrink_interval(const struct workload_config *config)
{
	guint64 every = number(config, "T"), files = number(config, "S");

	if (!every || !workload_option_value(config, "fixed")->flag)
		return every;
	for (;; every++) {
		guint64 a = every, b = files;

		while (b) {
			guint64 rest = a % b;

			a = b;
			b = rest;
		}
		if (a == 1)
			return every;
	}
}

static gboolean read_options(const struct workload_config *config, struct growfiles *growfiles, GError **error)
{
	growfiles->files = number(config, "S");
	growfiles->shrink = number(config, "t");
	growfiles->shrink_every = shrink_interval(config);
	growfiles->check_write_every = number(config, "C");
	growfiles->check_every = number(config, "c");
	growfiles->seek = workload_option_value(config, "w")->flag;
	growfiles->lock = workload_option_value(config, "l")->flag;
	growfiles->random = number(config, "s");
	return read_growth(config, &growfiles->grow_min, &growfiles->grow_max, error) &&
	       read_call(config, &growfiles->call, error) && pool_source(config, &growfiles->zero, error);
}

static gboolean growfiles_resolve(struct workload_config *config, GError **error)
{
	struct growfiles growfiles;

	return read_options(config, &growfiles, error);
}

/* The most that one pass over all files can add. */
static guint64 pass_bytes(const struct growfiles *growfiles)
{
	return growfiles->files * growfiles->grow_max;
}

static char *growfiles_unsupported(const struct workload_config *config, int dirfd)
{
	guint64 size = number(config, "size");
	struct growfiles growfiles;

	if (!read_options(config, &growfiles, NULL) || size >= pass_bytes(&growfiles))
		return NULL;
	return g_strdup_printf("%" G_GUINT64_FORMAT " bytes of 'size' are too few for one pass over %" G_GUINT64_FORMAT
			       " files",
			       size, growfiles.files);
}

static guint64 growfiles_space(const struct workload_config *config)
{
	return number(config, "size");
}

static void growfiles_free(struct growfiles *growfiles)
{
	pool_close(&growfiles->pool);
	g_free(growfiles);
}

static gboolean growfiles_set_up(struct workload_env *env, GError **error)
{
	struct growfiles *growfiles = g_new0(struct growfiles, 1);

	growfiles->dirfd = env->dirfd;
	growfiles->nonce = env->nonce;
	if (!read_options(env->config, growfiles, error) ||
	    !pool_open(&growfiles->pool, PARTS, MAX(POOL_MIN, growfiles->grow_max), growfiles->zero, error)) {
		growfiles_free(growfiles);
		return FALSE;
	}
	growfiles->pattern = pool_part(&growfiles->pool, 0);
	growfiles->data = pool_part(&growfiles->pool, 1);
	growfiles->got = pool_part(&growfiles->pool, 2);
	env->state = growfiles;
	return TRUE;
}

static gboolean pass(struct growfiles *growfiles, GError **error)
{
	for (guint64 i = 1; i <= growfiles->files; i++) {
		if (!growfiles_visit(growfiles, i, error))
			return FALSE;
	}
	return TRUE;
}

static gboolean growfiles_run(struct workload_env *env, GError **error)
{
	struct growfiles *growfiles = env->state;
	guint64 passes_max = number(env->config, "i"), size = number(env->config, "size"), passes = 0;
	double seconds = workload_option_value(env->config, "time")->seconds;
	double start_s = clock_monotonic_s(), now_s = start_s;
	gboolean ok = TRUE;

	while (ok && now_s - start_s < seconds && (!passes_max || passes < passes_max) &&
	       growfiles->total + pass_bytes(growfiles) <= size) {
		ok = pass(growfiles, error);
		passes++;
		now_s = clock_monotonic_s();
	}
	if (ok && syncfs(env->dirfd) < 0)
		ok = err_errno(error, errno, "cannot sync the filesystem of the directory under test");
	if (ok) {
		env->values[ITERATION_RATE] = (double)passes / (now_s - start_s);
		env->values[ITERATIONS] = (double)passes;
		env->values[SYNC_TIME] = clock_monotonic_s() - now_s;
	}
	growfiles_free(growfiles);
	env->state = NULL;
	return ok;
}

static const struct workload_option growfiles_options[] = {
    {"S", OPTION_COUNT, "1", "files; an iteration is a visit to each: open, append, verify, truncate, close"},
    {"g", OPTION_SIZE, "4096", "bytes by which a file grows"},
    {"r", OPTION_TEXT, NULL, "bytes by which a file grows, at random: HIGH or LOW-HIGH, instead of 'g'"},
    {"w", OPTION_BOOL, "no", "grow by a seek past the end and one byte written there"},
    {"I", OPTION_TEXT, "s", "call: s read and write, v readv and writev, P pread and pwrite, r random of these"},
    {"C", OPTION_NUMBER, "1", "verify what was written at every so many visits; 0: never"},
    {"c", OPTION_NUMBER, "0", "verify the whole file at every so many visits, not with 'w'; 0: never"},
    {"T", OPTION_NUMBER, "0", "truncate at every so many visits; 0: never"},
    {"t", OPTION_SIZE, "4096", "bytes that are cut off the end"},
    {"fixed", OPTION_BOOL, "no", "truncate each file in its turn: the next 'T' that shares no factor with 'S'"},
    {"l", OPTION_BOOL, "no", "lock the file around each write, read and truncation"},
    {"s", OPTION_COUNT, "1", "seed of the random sizes and calls"},
    {"i", OPTION_NUMBER, "0", "iterations; 0: until the time is up"},
    {"time", OPTION_DURATION, "120s", "how long at most (-L)"},
    {"size", OPTION_SIZE, "2G", "bytes that all files together may hold: it ends before there are more (-B)"},
    {"source", OPTION_TEXT, "random", "random (stamped, incompressible) or zero"},
    {.name = NULL}};

static const struct metric growfiles_metrics[] = {
    [ITERATION_RATE] = {"iteration_rate", "/s", BETTER_HIGHER,
			"passes over all files per time, without the final sync"},
    [ITERATIONS] = {"iterations", "", BETTER_NONE, "passes over all files"},
    [SYNC_TIME] = {"sync_time", "s", BETTER_LOWER, "of the final sync, which the program of that name does not do"},
    {.name = NULL}};

#define PRESET(title, about, settings)                                                                                 \
	const struct workload workload_##title = {                                                                     \
	    .name = #title,                                                                                            \
	    .summary = about,                                                                                          \
	    .options = growfiles_options,                                                                              \
	    .preset = settings,                                                                                        \
	    .metrics = growfiles_metrics,                                                                              \
	    .primary = "iteration_rate",                                                                               \
	    .resolve = growfiles_resolve,                                                                              \
	    .unsupported = growfiles_unsupported,                                                                      \
	    .space = growfiles_space,                                                                                  \
	    .set_up = growfiles_set_up,                                                                                \
	    .run = growfiles_run,                                                                                      \
	}

/* source of the presets: the command lines that were posted with the figures of 2001, before -T became 101 */
PRESET(growfiles, "files that grow, are verified and truncated until the time is up; options are its flags", NULL);
PRESET(Lgf02, "growfiles: 4090 bytes to each of 10 files, locked, verified; only the 10th is truncated",
       "S=10:g=4090:T=100:t=408990:C=10:c=1000:l=yes");
PRESET(Lgf03, "growfiles: 5000 bytes to each of 10 files, locked, verified; only the 10th is truncated",
       "S=10:g=5000:T=100:t=499990:C=10:c=1000:l=yes");
PRESET(Lgfile1, "growfiles: 1 to 49600 bytes to one file by write, writev or pwrite, each verified", "r=1-49600:I=r");
PRESET(Lgf04, "growfiles: holes of up to 5000 bytes at the end of 2 files, locked; only the 2nd is truncated",
       "S=2:r=10-5000:I=r:w=yes:T=10:l=yes");
