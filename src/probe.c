#include "probe_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../stats/stream.h"
#include "err.h"

#define PIECE (1u << 20) /* of a file, written by one call */

#define PROBES(row) row(timer) row(read) row(fsync) row(mmap) row(exec) row(ls) row(audio)
#define DECLARE(name) extern const struct probe_kind probe_##name;
#define ADDRESS(name) &probe_##name,

PROBES(DECLARE)

const struct probe_kind *const probe_table[] = {PROBES(ADDRESS) NULL};

static const struct probe_kind *find_kind(const char *name)
{
	for (const struct probe_kind *const *row = probe_table; *row; row++)
		if (g_str_equal((*row)->name, name))
			return *row;
	return NULL;
}

static gboolean no_kind(const char *name, GError **error)
{
	g_autoptr(GString) names = g_string_new(NULL);

	for (const struct probe_kind *const *row = probe_table; *row; row++) {
		g_string_append_printf(names, "%s%s", names->len ? ", " : "", (*row)->name);
		if ((*row)->argument)
			g_string_append_printf(names, ":%s", (*row)->argument);
	}
	return err_usage(error, "no probe '%s': there are %s", name, names->str);
}

static gboolean parse_spec(struct probes *probes, const char *spec, GError **error)
{
	const char *colon = strchr(spec, ':');
	g_autofree char *name = colon ? g_strndup(spec, (gsize)(colon - spec)) : g_strdup(spec);
	struct probe *probe = &probes->all[probes->n];

	probe->kind = find_kind(name);
	if (!probe->kind)
		return no_kind(name, error);
	for (guint i = 0; i < probes->n; i++)
		if (probes->all[i].kind == probe->kind)
			return err_usage(error, "probe '%s' is given twice", name);
	if (colon && !probe->kind->argument)
		return err_usage(error, "probe '%s' is its name alone, without ':%s'", name, colon + 1);
	probes->n++;
	if (probe->kind->parse && !probe->kind->parse(probe, colon ? colon + 1 : NULL, error)) {
		g_prefix_error(error, "probe '%s': ", spec);
		return FALSE;
	}
	for (const struct metric *metric = probe->kind->metrics; metric->name; metric++)
		g_array_append_vals(probes->metrics, metric, 1);
	return TRUE;
}

struct probes *probes_parse(char *const *specs, GError **error)
{
	struct probes *probes = g_new0(struct probes, 1);

	/* each kind comes once at most */
	probes->all = g_new0(struct probe, G_N_ELEMENTS(probe_table));
	probes->metrics = g_array_new(FALSE, FALSE, sizeof(struct metric));
	for (; *specs; specs++) {
		if (!parse_spec(probes, *specs, error)) {
			probes_free(probes);
			return NULL;
		}
	}
	return probes;
}

void probes_free(struct probes *probes)
{
	if (!probes)
		return;
	for (guint i = 0; i < probes->n; i++) {
		g_free(probes->all[i].config);
		if (probes->all[i].shared)
			munmap(probes->all[i].shared, sizeof *probes->all[i].shared);
	}
	g_free(probes->all);
	g_array_unref(probes->metrics);
	g_free(probes);
}

const GArray *probes_metrics(const struct probes *probes)
{
	return probes->metrics;
}

static char *file_name(const struct probe *probe)
{
	return g_strconcat("probe.", probe->kind->name, NULL);
}

/* Fills a new file with what no device can compress, brings it to the device and out of the cache; errno, or 0. */
static int fill_file(int fd, guint64 size)
{
	g_autofree guint64 *piece = g_malloc(PIECE);
	struct stream random;

	if (getrandom(&random, sizeof random, 0) != sizeof random)
		return errno;
	for (guint64 at = 0; at < size;) {
		gsize length = (gsize)MIN(size - at, PIECE);
		ssize_t n;

		for (gsize i = 0; i < PIECE / sizeof *piece; i++)
			piece[i] = stream_bits(&random);
		n = pwrite(fd, piece, length, (off_t)at);
		if (n < 0)
			return errno;
		at += (guint64)n;
	}
	return fsync(fd) < 0 ? errno : posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
}

static gboolean make_file(const struct probe *probe, int dirfd, GError **error)
{
	g_autofree char *name = file_name(probe);
	struct stat st;
	int fd, failure;

	if (fstatat(dirfd, name, &st, AT_SYMLINK_NOFOLLOW) == 0) {
		if (S_ISREG(st.st_mode) && (guint64)st.st_size == probe->kind->file_bytes)
			return TRUE;
		if (unlinkat(dirfd, name, 0) < 0)
			return err_errno(error, errno, "probe '%s': cannot remove '%s'", probe->kind->name, name);
	}
	fd = openat(dirfd, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (fd < 0)
		return err_errno(error, errno, "probe '%s': cannot make '%s'", probe->kind->name, name);
	failure = fill_file(fd, probe->kind->file_bytes);
	if (close(fd) < 0 && !failure)
		failure = errno;
	if (!failure)
		return TRUE;
	unlinkat(dirfd, name, 0);
	return err_errno(error, failure, "probe '%s': cannot write '%s'", probe->kind->name, name);
}

gboolean probes_prepare(struct probes *probes, int dirfd, GError **error)
{
	for (guint i = 0; i < probes->n; i++)
		if (probes->all[i].kind->file_bytes && !make_file(&probes->all[i], dirfd, error))
			return FALSE;
	return TRUE;
}

gboolean probe_open_file(struct probe *probe, int dirfd, int flags, GError **error)
{
	g_autofree char *name = file_name(probe);

	probe->fd = openat(dirfd, name, flags | O_NOFOLLOW | O_CLOEXEC);
	return probe->fd >= 0 || err_errno(error, errno, "cannot open '%s'", name);
}
