#include <string.h>

#include "../src/err.h"
#include "copy.h"
#include "target.h"

static guint64 number(const struct workload_config *config, const char *option)
{
	return workload_option_value(config, option)->number;
}

static gboolean open_source(const struct workload_config *config, struct copy_source *source, GError **error)
{
	const char *name = workload_option_value(config, "source")->text;
	const char *from = workload_option_value(config, "from")->text;

	*source = (struct copy_source){.fd = -1};
	if (from && strcmp(name, "random") != 0)
		return err_runtime(error, "options 'source' and 'from' exclude each other");
	return from ? copy_source_open_directory(source, SOURCE_TREE, from, (guint)number(config, "streams"),
						 G_MAXUINT64, error)
		    : copy_source_open(source, name, error);
}

static char *dd_unsupported(const struct workload_config *config, int dirfd)
{
	guint64 size = number(config, "size"), bs = number(config, "bs"), streams = number(config, "streams");
	gboolean direct = workload_option_value(config, "direct")->flag;
	g_autoptr(GError) error = NULL;
	struct copy_source source;
	gboolean tree;

	if (!open_source(config, &source, &error))
		return g_strdup(error->message);
	tree = source.kind == SOURCE_TREE;
	copy_source_close(&source);
	if (!tree && size / streams < (direct ? MIN(bs, PAGE) : 1))
		return g_strdup_printf("%" G_GUINT64_FORMAT " bytes of 'size' are too few for %" G_GUINT64_FORMAT
				       " streams",
				       size, streams);
	return direct ? target_direct_unsupported(dirfd, tree ? bs : size, bs) : NULL;
}

static guint64 dd_space(const struct workload_config *config)
{
	guint64 size = number(config, "size");
	struct copy_source source;

	if (workload_option_value(config, "from")->text && open_source(config, &source, NULL)) {
		size = source.size;
		copy_source_close(&source);
	}
	return size;
}

static gboolean prepare(struct copy *copy, const struct workload_config *config, GError **error)
{
	if (!open_source(config, &copy->sources[0], error))
		return FALSE;
	copy_divide(copy, 0, copy->n_streams, &copy->sources[0], number(config, "size"));
	return copy_prepare(copy, error);
}

static gboolean dd_set_up(struct workload_env *env, GError **error)
{
	const struct workload_config *config = env->config;
	guint64 block = number(config, "bs");

	if (!workload_option_value(config, "from")->text)
		block = MIN(block, number(config, "size"));
	env->state =
	    copy_new(env, (guint)number(config, "streams"), block, workload_option_value(config, "direct")->flag);
	if (prepare(env->state, config, error))
		return TRUE;
	copy_free(env);
	return FALSE;
}

static gboolean dd_run(struct workload_env *env, GError **error)
{
	gboolean ok = copy_run(env->state, env->values, error);

	copy_free(env);
	return ok;
}

static const struct workload_option dd_options[] = {
    {"streams", OPTION_COUNT, "1", "threads, each writing a file of its own"},
    {"size", OPTION_SIZE, COPY_SIZE, "bytes written by all streams together"},
    {"bs", OPTION_SIZE, "1M", "bytes written by one call"},
    {"direct", OPTION_BOOL, "no", "write with O_DIRECT, past the page cache"},
    {"source", OPTION_TEXT, "random",
     "random (stamped, incompressible), zero, or a file or device to read in the timed window"},
    {"from", OPTION_TEXT, NULL,
     "copy the files below this directory, each to a file of its own, instead of 'size' bytes"},
    {.name = NULL}};

static const struct metric dd_metrics[] = {COPY_METRIC_ROWS, {.name = NULL}};

#define PRESET(id, title, about, settings)                                                                             \
	const struct workload workload_##id = {                                                                        \
	    .name = title,                                                                                             \
	    .summary = about,                                                                                          \
	    .options = dd_options,                                                                                     \
	    .preset = settings,                                                                                        \
	    .metrics = dd_metrics,                                                                                     \
	    .primary = "bandwidth",                                                                                    \
	    .resolve = copy_resolve,                                                                                   \
	    .unsupported = dd_unsupported,                                                                             \
	    .space = dd_space,                                                                                         \
	    .set_up = dd_set_up,                                                                                       \
	    .run = dd_run,                                                                                             \
	}

PRESET(dd1, "dd1", "1 stream of writes to a new file, then fdatasync", "streams=1");
PRESET(dd2, "dd2", "2 streams of writes, each to its own new file, then fdatasync", "streams=2");
PRESET(dd3, "dd3", "3 streams of writes, each to its own new file, then fdatasync", "streams=3");
PRESET(dd1_dir, "dd1-dir", "dd1 with O_DIRECT", "streams=1:direct=yes");
PRESET(dd2_dir, "dd2-dir", "dd2 with O_DIRECT", "streams=2:direct=yes");
PRESET(dd3_dir, "dd3-dir", "dd3 with O_DIRECT", "streams=3:direct=yes");
