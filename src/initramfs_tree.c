#include "initramfs_tree.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>

#include "cpio.h"
#include "err.h"
#include "module_file.h"

#define SYMLINKS_MAX 40 /* on the way to a file, as for the kernel */

static int compare_paths(gconstpointer a, gconstpointer b, gpointer data)
{
	return strcmp(a, b);
}

static void node_free(gpointer data)
{
	struct tree_node *node = data;

	g_free(node->text);
	g_free(node->source);
	g_free(node);
}

GTree *initramfs_tree_new(void)
{
	return g_tree_new_full(compare_paths, NULL, g_free, node_free);
}

static struct tree_node *add_node(GTree *tree, const char *path, mode_t mode)
{
	struct tree_node *node = g_new0(struct tree_node, 1);

	node->mode = mode;
	g_tree_insert(tree, g_strdup(path), node);
	return node;
}

void initramfs_tree_directory(GTree *tree, const char *path, mode_t permissions)
{
	if (!g_tree_lookup(tree, path))
		add_node(tree, path, S_IFDIR | permissions);
}

void initramfs_tree_text(GTree *tree, const char *path, const char *text)
{
	add_node(tree, path, S_IFREG | 0644)->text = g_strdup(text);
}

void initramfs_tree_symlink(GTree *tree, const char *path, const char *target)
{
	add_node(tree, path, S_IFLNK | 0777)->text = g_strdup(target);
}

void initramfs_tree_device(GTree *tree, const char *path, mode_t mode, dev_t device)
{
	add_node(tree, path, mode)->device = device;
}

gboolean initramfs_tree_source(GTree *tree, const char *path, const char *source, gboolean is_module, GError **error)
{
	struct stat status;
	struct tree_node *node;

	if (stat(source, &status) < 0)
		return err_errno(error, errno, "cannot find '%s' for the guest", source);
	if (!S_ISREG(status.st_mode))
		return err_runtime(error, "'%s' cannot be given to the guest: it is neither a file nor a directory", source);
	if (status.st_size > G_MAXUINT32)
		return err_runtime(error, "'%s' cannot be given to the guest: it has more than 4 GiB", source);
	node = add_node(tree, path, S_IFREG | (status.st_mode & 0777));
	node->source = g_strdup(source);
	node->status = status;
	node->is_module = is_module;
	return TRUE;
}

/* What is at one step of a path: path has no symlink before its last component. A symlink becomes a node, and *target
 * where it leads. */
static gboolean add_step(GTree *tree, const char *path, char **target, GError **error)
{
	char text[PATH_MAX];
	struct stat status;
	ssize_t length;

	*target = NULL;
	if (lstat(path, &status) < 0)
		return err_errno(error, errno, "cannot find '%s' for the guest", path);
	if (S_ISDIR(status.st_mode))
		initramfs_tree_directory(tree, path, 0755);
	else if (!S_ISLNK(status.st_mode))
		return initramfs_tree_source(tree, path, path, FALSE, error);
	if (!S_ISLNK(status.st_mode))
		return TRUE;
	length = readlink(path, text, sizeof text);
	if (length < 0)
		return err_errno(error, errno, "cannot read the symlink '%s'", path);
	*target = g_strndup(text, (gsize)length);
	initramfs_tree_symlink(tree, path, *target);
	return TRUE;
}

gboolean initramfs_tree_path(GTree *tree, const char *path, GError **error)
{
	g_autoptr(GString) done = g_string_new(NULL), rest = g_string_new(path);
	guint links = 0;

	if (!g_path_is_absolute(path))
		return err_usage(error, "'%s' cannot be given to the guest: its path is not absolute", path);
	while (rest->len > 0) {
		gsize length = strcspn(rest->str, "/"), before = done->len;
		g_autofree char *name = g_strndup(rest->str, length), *target = NULL;

		g_string_erase(rest, 0, (gssize)MIN(length + 1, rest->len));
		if (!*name || g_str_equal(name, "."))
			continue;
		if (g_str_equal(name, "..")) {
			g_string_truncate(done, (gsize)(MAX(strrchr(done->str, '/'), done->str) - done->str));
			continue;
		}
		g_string_append_printf(done, "/%s", name);
		if (!add_step(tree, done->str, &target, error))
			return FALSE;
		if (!target)
			continue;
		if (++links > SYMLINKS_MAX)
			return err_errno(error, ELOOP, "cannot find '%s' for the guest", path);
		g_string_prepend_c(rest, '/');
		g_string_prepend(rest, target);
		g_string_truncate(done, *target == '/' ? 0 : before);
	}
	return TRUE;
}

static void key_number(GChecksum *sum, guint64 number)
{
	g_checksum_update(sum, (const guchar *)&number, sizeof number);
}

static gboolean key_node(gpointer path, gpointer data, gpointer sum)
{
	const struct tree_node *node = data;
	const char *text = node->text ? node->text : "";

	/* the NUL bytes keep neighbours apart */
	g_checksum_update(sum, path, (gssize)strlen(path) + 1);
	g_checksum_update(sum, (const guchar *)text, (gssize)strlen(text) + 1);
	key_number(sum, node->mode);
	key_number(sum, node->device);
	if (!node->source)
		return FALSE;
	key_number(sum, node->status.st_dev);
	key_number(sum, node->status.st_ino);
	key_number(sum, (guint64)node->status.st_size);
	/* the time of change, not of modification: nobody can set it */
	key_number(sum, (guint64)node->status.st_ctim.tv_sec);
	key_number(sum, (guint64)node->status.st_ctim.tv_nsec);
	return FALSE;
}

char *initramfs_tree_key(GTree *tree)
{
	g_autoptr(GChecksum) sum = g_checksum_new(G_CHECKSUM_SHA256);

	g_tree_foreach(tree, key_node, sum);
	return g_strdup(g_checksum_get_string(sum));
}

struct writing {
	FILE *file;
	guint32 number;
	gboolean ok;
	GError **error;
};

/* Exactly as many bytes as the file had when it was looked at. */
static gboolean copy_source(const struct tree_node *node, FILE *file, GError **error)
{
	static char buffer[1 << 18];
	guint64 left = (guint64)node->status.st_size;
	int fd = open(node->source, O_RDONLY | O_CLOEXEC);
	ssize_t got = 1;

	if (fd < 0)
		return err_errno(error, errno, "cannot open '%s' for the guest", node->source);
	while (left > 0 && (got = read(fd, buffer, MIN(left, sizeof buffer))) > 0) {
		fwrite(buffer, 1, (gsize)got, file);
		left -= (guint64)got;
	}
	if (got < 0)
		err_errno(error, errno, "cannot read '%s' for the guest", node->source);
	else if (left > 0)
		err_runtime(error, "'%s' has become shorter while it was read for the guest", node->source);
	close(fd);
	return left == 0;
}

static gboolean write_contents(const struct tree_node *node, struct cpio_member *member, struct writing *writing)
{
	g_autoptr(GBytes) module = node->is_module ? module_file_read(node->source, writing->error) : NULL;
	gsize size = 0;
	const char *text = module ? g_bytes_get_data(module, &size) : node->text;

	if (node->is_module && !module)
		return FALSE;
	if (!module)
		size = node->source ? (gsize)node->status.st_size : text ? strlen(text) : 0;
	member->size = (guint32)size;
	cpio_begin(writing->file, member, writing->number++);
	if (text)
		fwrite(text, 1, size, writing->file);
	else if (node->source && !copy_source(node, writing->file, writing->error))
		return FALSE;
	cpio_pad(writing->file, member->size);
	return TRUE;
}

static gboolean write_node(gpointer path, gpointer data, gpointer user)
{
	const struct tree_node *node = data;
	struct writing *writing = user;
	struct cpio_member member = {.path = path, .mode = node->mode,
				     .time_s = (guint32)node->status.st_mtim.tv_sec,
				     .device = node->device};

	writing->ok = write_contents(node, &member, writing);
	return !writing->ok;
}

gboolean initramfs_tree_write(GTree *tree, FILE *file, GError **error)
{
	struct writing writing = {.file = file, .number = 1, .ok = TRUE, .error = error};

	g_tree_foreach(tree, write_node, &writing);
	if (writing.ok)
		cpio_end(file);
	return writing.ok;
}
