#include <errno.h>
#include <fcntl.h>
#include <libmount/libmount.h>
#include <linux/fs.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <unistd.h>

#include "err.h"
#include "place_internal.h"
#include "tool.h"
#include "unit.h"

#define UNMOUNT_TRIES 9 /* 2.6 s: what was killed may still be ending */
#define UNMOUNT_PAUSE_US 5000

/* A filesystem that can be made. */
struct fs_type {
	const char *name, *program, *package, *module;
	const char *quiet, *force;
	guint64 smallest_bytes;
	const char *option; /* it is always mounted with; NULL: none */
};

/* source: smallest sizes: what mkfs refuses, of e2fsprogs 1.47 (and ext4 has a journal from there on), xfsprogs 6.1 and
 * btrfs-progs 6.2 */
static const struct fs_type fs_types[] = {
    {"ext2", "mkfs.ext2", "e2fsprogs", "ext4", "-q", "-F", 256 << 10, NULL},
    /* else the kernel writes inode tables during the first runs */
    {"ext4", "mkfs.ext4", "e2fsprogs", "ext4", "-q", "-F", 2 << 20, "noinit_itable"},
    {"xfs", "mkfs.xfs", "xfsprogs", "xfs", "-q", "-f", 300 << 20, NULL},
    {"btrfs", "mkfs.btrfs", "btrfs-progs", "btrfs", "-q", "-f", 114294784, NULL},
};

/* What "ext4+noatime+data=journal" asks for. */
struct fs_spec {
	const struct fs_type *type;
	char **options;      /* as given */
	unsigned long flags; /* of mount(2) */
	GString *data;       /* those for the filesystem, as mount(2) takes them */
};

typedef struct fs_spec FsSpec; /* for g_auto(FsSpec) */

static void fs_spec_clear(struct fs_spec *spec)
{
	g_strfreev(spec->options);
	if (spec->data)
		g_string_free(spec->data, TRUE);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(FsSpec, fs_spec_clear)

static const struct fs_type *find_type(const char *name, GError **error)
{
	g_autoptr(GString) names = g_string_new(NULL);

	for (gsize i = 0; i < G_N_ELEMENTS(fs_types); i++) {
		if (g_str_equal(fs_types[i].name, name))
			return &fs_types[i];
		g_string_append_printf(names, "%s%s", names->len ? ", " : "", fs_types[i].name);
	}
	err_usage(error, "no filesystem '%s' can be made: there are %s, with mount options behind a '+' each", name,
		  names->str);
	return NULL;
}

/* Sorts an option to the flags of mount(2) or to the filesystem's. False where it is for neither: for mount(8), which
 * mounts files, repeats and rebinds; or where runs would not work with it or could become what we do not let them be.
 */
static gboolean add_option(struct fs_spec *spec, const char *option)
{
	static const char *const refused[] = {"ro", "suid", "dev", NULL};
	const unsigned long allowed = MS_NOSUID | MS_NODEV | MS_NOEXEC | MS_SYNCHRONOUS | MS_DIRSYNC | MS_MANDLOCK |
				      MS_NOATIME | MS_NODIRATIME | MS_RELATIME | MS_STRICTATIME | MS_LAZYTIME |
				      MS_SILENT | MS_I_VERSION;
	char *for_mount8 = NULL, *for_kernel = NULL, *for_fs = NULL;
	gboolean ok = *option && !strpbrk(option, ", \t\n\"'\\") && !g_strv_contains(refused, option) &&
		      mnt_split_optstr(option, &for_mount8, &for_kernel, &for_fs, 0, 0) == 0 && !for_mount8;

	if (ok && for_kernel)
		ok = mnt_optstr_get_flags(for_kernel, &spec->flags, mnt_get_builtin_optmap(MNT_LINUX_MAP)) == 0 &&
		     !(spec->flags & ~allowed);
	if (ok && for_fs)
		g_string_append_printf(spec->data, "%s%s", spec->data->len ? "," : "", for_fs);
	free(for_mount8);
	free(for_kernel);
	free(for_fs);
	return ok;
}

/* To be cleared also where it fails. */
static gboolean fs_spec_parse(const char *fs, struct fs_spec *spec, GError **error)
{
	g_auto(GStrv) words = g_strsplit(fs, "+", -1);

	spec->type = find_type(*words ? *words : "", error);
	if (!spec->type)
		return FALSE;
	spec->options = g_strdupv(words + 1);
	spec->data = g_string_new(spec->type->option);
	for (char **option = spec->options; *option; option++)
		if (!add_option(spec, *option))
			return err_usage(error, "filesystem '%s': '%s' is no mount option that can be used here", fs,
					 *option);
	spec->flags |= MS_NOSUID | MS_NODEV;
	return TRUE;
}

gboolean place_fs_find_needs(const char *fs, struct place_fs_needs *needs, GError **error)
{
	g_auto(FsSpec) spec = {0};

	if (!fs_spec_parse(fs, &spec, error))
		return FALSE;
	*needs = (struct place_fs_needs){spec.type->program, spec.type->package, spec.type->module, spec.type->smallest_bytes};
	return TRUE;
}

gboolean place_check_fs(const char *fs, GError **error)
{
	g_auto(FsSpec) spec = {0};

	return fs_spec_parse(fs, &spec, error);
}

gboolean place_check_make(const struct place *place, const char *fs, GError **error)
{
	g_auto(FsSpec) spec = {0};
	g_autofree char *program = NULL, *need = NULL, *have = NULL;
	guint64 bytes;

	if (!fs_spec_parse(fs, &spec, error))
		return FALSE;
	program = tool_find(spec.type->program, spec.type->package, error);
	if (!program)
		return FALSE;
	if (ioctl(place->device_fd, BLKGETSIZE64, &bytes) < 0)
		return err_errno(error, errno, "cannot tell the size of '%s'", place->device);
	if (bytes >= spec.type->smallest_bytes)
		return TRUE;
	need = size_format(spec.type->smallest_bytes);
	have = size_format(bytes);
	return err_runtime(error, "%s needs %s, and %s has %s", spec.type->name, need,
			   place->undo ? "the image" : place->device, have);
}

static gboolean run_mkfs(const struct place *place, const struct fs_type *type, GError **error)
{
	g_autofree char *program = tool_find(type->program, type->package, error);
	g_autofree char *quiet = g_strdup(type->quiet), *force = g_strdup(type->force);
	char *const argv[] = {program, quiet, force, place->device, NULL};

	if (program && tool_run(argv, AT_FDCWD, error))
		return TRUE;
	g_prefix_error(error, "cannot make %s on '%s': ", type->name, place->device);
	return FALSE;
}

/* Where it is mounted, by way of the private directory's descriptor, which nobody can replace. */
static char *mount_point(const struct place *place)
{
	return g_strdup_printf("/proc/self/fd/%d/" PLACE_MOUNT, place->scratch.fd);
}

/* Whether two values of an option are the same: "1m" and "1024k", "zstd" and "zstd:3". */
static gboolean is_same_value(const char *asked, const char *shown)
{
	g_autofree char *a = g_ascii_strup(asked, -1), *b = g_ascii_strup(shown, -1);
	guint64 a_bytes, b_bytes;

	if (g_str_equal(a, b) || (g_str_has_prefix(b, a) && b[strlen(a)] == ':'))
		return TRUE;
	return size_parse(a, &a_bytes, NULL) && size_parse(b, &b_bytes, NULL) && a_bytes == b_bytes;
}

/* Whether the kernel shows the contrary of an option. One that is not shown is a default of the filesystem. */
static gboolean is_contradicted(const char *option, const char *shown)
{
	g_auto(GStrv) pair = g_strsplit(option, "=", 2);
	g_autofree char *contrary =
	    g_str_has_prefix(option, "no") ? g_strdup(option + 2) : g_strconcat("no", option, NULL);
	g_autofree char *text = NULL;
	char *value;
	size_t length;

	if (!pair[1])
		return mnt_optstr_get_option(shown, contrary, NULL, NULL) == 0;
	if (mnt_optstr_get_option(shown, pair[0], &value, &length) != 0)
		return FALSE;
	text = g_strndup(value, length);
	return !is_same_value(pair[1], text);
}

static gboolean check_mounted(const struct place *place, const struct fs_spec *spec, GError **error)
{
	g_autofree char *target = g_build_filename(place->scratch.path, PLACE_MOUNT, NULL);
	struct libmnt_table *table = mnt_new_table_from_file("/proc/self/mountinfo");
	struct libmnt_fs *mounted = table ? mnt_table_find_target(table, target, MNT_ITER_BACKWARD) : NULL;
	const char *type = mounted ? mnt_fs_get_fstype(mounted) : NULL,
		   *shown = mounted ? mnt_fs_get_options(mounted) : NULL;
	gboolean ok = type && shown && g_str_equal(type, spec->type->name);

	if (!ok)
		err_runtime(error, "'%s' was mounted as %s, and is %s", target, spec->type->name,
			    type ? type : "not mounted");
	for (char **option = spec->options; ok && *option; option++)
		if (is_contradicted(*option, shown))
			ok = err_runtime(error, "mount option '%s' did not take: %s is mounted with '%s'", *option,
					 type, shown);
	mnt_unref_table(table);
	return ok;
}

static gboolean mount_fs(struct place *place, const struct fs_spec *spec, GError **error)
{
	g_autofree char *target = mount_point(place);
	int fd;
	gboolean ok;

	if (mount(place->device, target, spec->type->name, spec->flags, spec->data->str) < 0) {
		if (errno == ENODEV)
			return err_runtime(error, "this kernel has no filesystem '%s'", spec->type->name);
		return err_errno(error, errno, "cannot mount '%s' as %s with '%s' (dmesg may say why)", place->device,
				 spec->type->name, spec->data->str);
	}
	fd = openat(place->scratch.fd, PLACE_MOUNT, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	ok = fd >= 0 || err_errno(error, errno, "cannot open the filesystem made on '%s'", place->device);
	ok = ok && check_mounted(place, spec, error) && place_open_runs(place, fd, error);
	if (fd >= 0)
		close(fd);
	if (!ok)
		place_unmount(place, NULL);
	return ok;
}

gboolean place_unmount(struct place *place, GError **error)
{
	g_autofree char *target = mount_point(place);
	gulong pause_us = UNMOUNT_PAUSE_US;

	place_close_runs(place);
	for (guint i = 0; umount2(target, UMOUNT_NOFOLLOW) < 0; i++) {
		if (errno == EINVAL)
			return TRUE;
		if (errno != EBUSY)
			return err_errno(error, errno, "cannot unmount '%s'", place->device);
		if (i == UNMOUNT_TRIES)
			return err_runtime(error, "cannot unmount '%s': a process that a run left is still using it",
					   place->device);
		g_usleep(pause_us);
		pause_us *= 2;
	}
	/* what was cached of the device as such; a filesystem that needs it reads it again */
	ioctl(place->device_fd, BLKFLSBUF);
	return TRUE;
}

void place_abandon(struct place *place)
{
	g_autofree char *target = mount_point(place);

	umount2(target, MNT_DETACH | UMOUNT_NOFOLLOW);
}

/* There is nothing on the device that runs could take place on. */
static void forget_fs(struct place *place)
{
	g_clear_pointer(&place->fs, g_free);
	place->is_stale = TRUE;
}

gboolean place_make(struct place *place, const char *fs, GError **error)
{
	g_autofree char *made = g_strdup(fs); /* may be place->fs */
	g_auto(FsSpec) spec = {0};

	if (!fs_spec_parse(made, &spec, error) || !place_check_make(place, made, error) || !place_unmount(place, error))
		return FALSE;
	forget_fs(place);
	if (!run_mkfs(place, spec.type, error) || !mount_fs(place, &spec, error))
		return FALSE;
	place->fs = g_steal_pointer(&made);
	place->is_stale = FALSE;
	return TRUE;
}

gboolean place_remount(struct place *place, GError **error)
{
	g_auto(FsSpec) spec = {0};

	if (!fs_spec_parse(place->fs, &spec, error) || !place_unmount(place, error))
		return FALSE;
	if (mount_fs(place, &spec, error))
		return TRUE;
	forget_fs(place);
	return FALSE;
}
