#include "registry.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "err.h"
#include "kernel_file.h"
#include "tree.h"

#define DIRECTORY "/run/vmstat-bench"

/* A file for each store, named by a hash of its path. */
static struct {
	const char *directory;
	int fd;           /* of the directory; -1: there is none */
	int why_missing;  /* errno */
	guint depth;      /* of calls of registry_lock() */
} registry = {.directory = DIRECTORY, .fd = -1};

void registry_move(const char *directory)
{
	registry.directory = directory;
}

static gboolean check_directory(GError **error)
{
	struct stat st;

	if (fstat(registry.fd, &st) < 0)
		return err_errno(error, errno, "cannot look at '%s'", registry.directory);
	return (st.st_uid == 0 && !(st.st_mode & 077)) ||
	       err_runtime(error, "cannot trust '%s' with what is to be put back: others than root can get at it",
			   registry.directory);
}

static gboolean open_directory(GError **error)
{
	registry.why_missing = mkdir(registry.directory, 0700) < 0 && errno != EEXIST ? errno : 0;
	if (registry.why_missing)
		return TRUE;
	registry.fd = open(registry.directory, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (registry.fd < 0)
		return err_errno(error, errno, "cannot open the directory '%s'", registry.directory);
	return check_directory(error) && (flock(registry.fd, LOCK_EX) == 0 ||
					  err_errno(error, errno, "cannot lock '%s'", registry.directory));
}

static void close_directory(void)
{
	if (registry.fd >= 0)
		close(registry.fd);
	registry.fd = -1;
}

gboolean registry_lock(GError **error)
{
	if (registry.depth == 0 && geteuid() == 0 && !open_directory(error)) {
		close_directory();
		return FALSE;
	}
	registry.depth++;
	return TRUE;
}

void registry_unlock(void)
{
	if (--registry.depth == 0)
		close_directory();
}

static char *name_of(const char *path)
{
	return g_compute_checksum_for_string(G_CHECKSUM_SHA256, path, -1);
}

gboolean registry_add(const char *path, GError **error)
{
	struct account caller = process_caller();
	g_autofree char *name = name_of(path);
	g_autofree char *text = g_strdup_printf("%u %u %s\n", caller.uid, caller.gid, path);
	gboolean ok = FALSE;
	int fd;

	if (registry.fd < 0)
		return geteuid() != 0 ||
		       err_errno(error, registry.why_missing, "cannot make the directory '%s'", registry.directory);
	fd = openat(registry.fd, name, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (fd >= 0)
		ok = write(fd, text, strlen(text)) == (ssize_t)strlen(text);
	if (!ok)
		err_errno(error, errno, "cannot write to '%s/%s'", registry.directory, name);
	kernel_file_close(fd);
	return ok;
}

gboolean registry_remove(const char *path, GError **error)
{
	g_autofree char *name = name_of(path);

	return registry.fd < 0 || unlinkat(registry.fd, name, 0) == 0 || errno == ENOENT ||
	       err_errno(error, errno, "cannot remove '%s/%s'", registry.directory, name);
}

static void registered_free(gpointer data)
{
	struct registered *registered = data;

	g_free(registered->path);
	g_free(registered);
}

static gboolean read_id(const char *text, guint32 *id)
{
	guint64 number;
	gboolean ok = g_ascii_string_to_unsigned(text, 10, 0, G_MAXUINT32, &number, NULL);

	*id = (guint32)number;
	return ok;
}

/* NULL where it was not written whole: its writer was killed before it changed anything. */
static struct registered *parse(const char *name, const char *text)
{
	g_auto(GStrv) parts = g_strsplit(text, " ", 3);
	struct account caller;
	struct registered *registered;
	g_autofree char *whole = NULL;

	if (g_strv_length(parts) != 3 || !read_id(parts[0], &caller.uid) || !read_id(parts[1], &caller.gid))
		return NULL;
	whole = name_of(parts[2]);
	if (!g_str_equal(whole, name))
		return NULL;
	registered = g_new0(struct registered, 1);
	registered->path = g_strdup(parts[2]);
	registered->caller = caller;
	return registered;
}

static gboolean read_file(const char *name, GPtrArray *list, GError **error)
{
	int fd = openat(registry.fd, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
	g_autofree char *text = fd < 0 ? NULL : kernel_file_read(fd);
	struct registered *registered;

	kernel_file_close(fd);
	if (!text)
		return err_errno(error, errno, "cannot read '%s/%s'", registry.directory, name);
	registered = parse(name, text);
	if (registered)
		g_ptr_array_add(list, registered);
	return TRUE;
}

GPtrArray *registry_list(GError **error)
{
	g_autoptr(GPtrArray) list = g_ptr_array_new_with_free_func(registered_free);
	DIR *stream = registry.fd < 0 ? NULL : tree_open(registry.fd);
	gboolean ok = stream || registry.fd < 0 ||
		      err_errno(error, errno, "cannot read the directory '%s'", registry.directory);
	struct dirent *entry;

	while (ok && stream && (entry = readdir(stream)))
		ok = entry->d_name[0] == '.' || read_file(entry->d_name, list, error);
	if (stream)
		closedir(stream);
	return ok ? g_steal_pointer(&list) : NULL;
}
