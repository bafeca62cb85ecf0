#include "../src/err.h"
#include "copy.h"
#include "target.h"

/* Streams that read the files of a directory, an NFS mount say, and write what they read to new files; as dd does, but
 * that the data come from elsewhere. In mix3 a local stream writes beside them. */

enum { BANDWIDTH_LOCAL = COPY_METRICS, BANDWIDTH_NET };

/* What all streams copy: each the same number of bytes. */
struct amount {
	guint local, net;             /* streams */
	guint64 local_size, net_size; /* bytes of all of them together */
};

static guint64 number(const struct workload_config *config, const char *option)
{
	return workload_option_value(config, option)->number;
}

static gboolean is_direct(const struct workload_config *config)
{
	return workload_option_value(config, "direct")->flag;
}

static guint local_streams(const struct workload_config *config)
{
	return workload_has_option(config->workload, "local") ? (guint)number(config, "local") : 0;
}

static gboolean open_local(const struct workload_config *config, struct copy_source *source, GError **error)
{
	*source = (struct copy_source){.fd = -1};
	return local_streams(config) == 0 ||
	       copy_source_open(source, workload_option_value(config, "source")->text, error);
}

/* Opens the directory and tells how much is to be copied from it and beside it: where it holds less than its streams'
 * part of 'size', the local streams write less, too. */
static gboolean open_net(const struct workload_config *config, struct copy_source *source, struct amount *amount,
			 GError **error)
{
	const char *from = workload_option_value(config, "from")->text;
	guint64 size = number(config, "size"), unit = is_direct(config) ? PAGE : 1, share;

	*amount = (struct amount){.local = local_streams(config), .net = (guint)number(config, "streams")};
	share = size / (amount->local + amount->net);
	if (!from)
		return err_runtime(error, "give the directory to copy from, such as an NFS mount: from=DIR");
	if (share < unit)
		return err_runtime(error, "%" G_GUINT64_FORMAT " bytes of 'size' are too few for %u streams", size,
				   amount->local + amount->net);
	if (!copy_source_open_directory(source, SOURCE_FILES, from, amount->net, share * amount->net, error))
		return FALSE;
	share = source->size / amount->net;
	amount->net_size = source->size - source->size % unit;
	amount->local_size = share * amount->local - share * amount->local % unit;
	if (share >= unit)
		return TRUE;
	err_runtime(error, "the %" G_GUINT64_FORMAT " bytes in directory '%s' are too few for %u streams", source->size,
		    from, amount->net);
	copy_source_close(source);
	return FALSE;
}

static gboolean net_resolve(struct workload_config *config, GError **error)
{
	if (!copy_resolve(config, error))
		return FALSE;
	return local_streams(config) <= COPY_STREAMS_MAX ||
	       err_usage(error, "option 'local': %u is above %d", local_streams(config), COPY_STREAMS_MAX);
}

static char *net_unsupported(const struct workload_config *config, int dirfd)
{
	g_autoptr(GError) error = NULL;
	struct copy_source local, net;
	struct amount amount;

	if (!open_net(config, &net, &amount, &error))
		return g_strdup(error->message);
	copy_source_close(&net);
	if (!open_local(config, &local, &error))
		return g_strdup(error->message);
	copy_source_close(&local);
	return is_direct(config) ? target_direct_unsupported(dirfd, amount.net_size, number(config, "bs")) : NULL;
}

static guint64 net_space(const struct workload_config *config)
{
	struct copy_source net;
	struct amount amount;

	if (!open_net(config, &net, &amount, NULL))
		return 0;
	copy_source_close(&net);
	return amount.local_size + amount.net_size;
}

static gboolean prepare(struct copy *copy, const struct workload_config *config, GError **error)
{
	struct copy_source *local = &copy->sources[0], *net = &copy->sources[1];
	struct amount amount;

	if (!open_local(config, local, error) || !open_net(config, net, &amount, error))
		return FALSE;
	copy->block = MIN(copy->block, amount.local_size + amount.net_size);
	if (amount.local)
		copy_divide(copy, 0, amount.local, local, amount.local_size);
	copy_divide(copy, amount.local, amount.net, net, amount.net_size);
	return copy_prepare(copy, error);
}

static gboolean net_set_up(struct workload_env *env, GError **error)
{
	const struct workload_config *config = env->config;
	guint streams = local_streams(config) + (guint)number(config, "streams");

	env->state = copy_new(env, streams, number(config, "bs"), is_direct(config));
	if (prepare(env->state, config, error))
		return TRUE;
	copy_free(env);
	return FALSE;
}

static gboolean net_run(struct workload_env *env, GError **error)
{
	guint local = local_streams(env->config);
	struct copy *copy = env->state;
	gboolean ok = copy_run(copy, env->values, error);

	if (ok && local) {
		env->values[BANDWIDTH_LOCAL] = copy_bandwidth(copy, 0, local);
		env->values[BANDWIDTH_NET] = copy_bandwidth(copy, local, copy->n_streams - local);
	}
	copy_free(env);
	return ok;
}

#define SIZE_HELP "bytes of all streams together, or fewer where the directory holds less"
#define BS_HELP "bytes written by one call"
#define DIRECT_HELP "write with O_DIRECT, past the page cache"
#define FROM_HELP "copy the files below this directory, in order of their names, as if they were one; required"

static const struct workload_option net_options[] = {
    {"from", OPTION_TEXT, NULL, FROM_HELP},
    {"streams", OPTION_COUNT, "1", "threads that copy, each a part of the files to a new file of its own"},
    {"size", OPTION_SIZE, COPY_SIZE, SIZE_HELP},
    {"bs", OPTION_SIZE, "1M", BS_HELP},
    {"direct", OPTION_BOOL, "no", DIRECT_HELP},
    {.name = NULL}};

static const struct workload_option mix_options[] = {
    {"from", OPTION_TEXT, NULL, FROM_HELP},
    {"streams", OPTION_COUNT, "2", "threads that copy, each a part of the files to a new file of its own"},
    {"local", OPTION_COUNT, "1", "threads beside them that write as much each from the local source"},
    {"source", OPTION_TEXT, "random",
     "of the local streams: random (stamped, incompressible), zero, a file or a device"},
    {"size", OPTION_SIZE, COPY_SIZE, SIZE_HELP},
    {"bs", OPTION_SIZE, "1M", BS_HELP},
    {"direct", OPTION_BOOL, "no", DIRECT_HELP},
    {.name = NULL}};

static const struct metric net_metrics[] = {COPY_METRIC_ROWS, {.name = NULL}};

static const struct metric mix_metrics[] = {
    COPY_METRIC_ROWS,
    [BANDWIDTH_LOCAL] = {"bandwidth_local", "MB/s", BETTER_HIGHER,
			 "of the local streams together, to the end of their last sync"},
    [BANDWIDTH_NET] = {"bandwidth_net", "MB/s", BETTER_HIGHER,
		       "of the streams from the directory together, to the end of their last sync"},
    {.name = NULL}};

#define NET(id, about, its_options, its_metrics)                                                                       \
	const struct workload workload_##id = {                                                                        \
	    .name = #id,                                                                                               \
	    .summary = about,                                                                                          \
	    .options = its_options,                                                                                    \
	    .metrics = its_metrics,                                                                                    \
	    .primary = "bandwidth",                                                                                    \
	    .resolve = net_resolve,                                                                                    \
	    .unsupported = net_unsupported,                                                                            \
	    .space = net_space,                                                                                        \
	    .set_up = net_set_up,                                                                                      \
	    .run = net_run,                                                                                            \
	}

NET(net1, "1 stream from the files of a directory, as an NFS mount, to a new file, then fdatasync", net_options,
    net_metrics);
NET(mix3, "1 local stream of writes beside 2 that copy from a directory, as an NFS mount", mix_options, mix_metrics);
