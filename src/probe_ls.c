#include "probe_internal.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>

#include "err.h"

static gboolean ls_parse(struct probe *probe, const char *argument, GError **error)
{
	DIR *stream;

	if (!argument || !*argument)
		return err_usage(error, "no directory is given: ls:DIR");
	stream = opendir(argument);
	if (!stream)
		return err_usage(error, "cannot open directory '%s': %s", argument, g_strerror(errno));
	closedir(stream);
	probe->config = g_canonicalize_filename(argument, NULL);
	return TRUE;
}

/* errno of the first failure, or 0. An entry that was removed meanwhile is none of the directory's any more. */
static int look_at_entries(DIR *stream)
{
	struct dirent *entry;
	struct stat st;

	for (;;) {
		errno = 0;
		entry = readdir(stream);
		if (!entry || (fstatat(dirfd(stream), entry->d_name, &st, AT_SYMLINK_NOFOLLOW) < 0 && errno != ENOENT))
			return errno;
	}
}

static gboolean ls_request(struct probe *probe, GError **error)
{
	const char *path = probe->config;
	DIR *stream = opendir(path);
	int failure = stream ? look_at_entries(stream) : errno;

	if (stream)
		closedir(stream);
	return !failure || err_errno(error, failure, "cannot list '%s'", path);
}

static const struct metric ls_metrics[] = LATENCY_METRICS("ls", "readdir of a directory and lstat of its entries");

const struct probe_kind probe_ls = {
    .name = "ls",
    .argument = "DIR",
    .summary = "lists a directory as 'ls -l' does every second",
    .metrics = ls_metrics,
    .period_ns = 1000 * PROBE_MS,
    .parse = ls_parse,
    .request = ls_request,
};
