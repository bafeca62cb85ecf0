#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>

#include "err.h"
#include "kernel_file.h"
#include "setting_file.h"
#include "setting_kinds.h"

#define ROOT "/proc/sys"
#define PREFIX "sysctl:"

/* The path below ROOT: dots are slashes, and a slash is a dot of a component, as in "net.ipv4.conf.eth0/1.rp_filter".
 * NULL where the name has other than printable ASCII characters.   source: sysctl(8) */
static char *path_of(const char *name)
{
	char *path = g_strdup(name);

	for (char *c = path; *c; c++) {
		if (!g_ascii_isgraph(*c)) {
			g_free(path);
			return NULL;
		}
		*c = *c == '.' ? '/' : *c == '/' ? '.' : *c;
	}
	return path;
}

static int open_sysctl(const char *name, int flags)
{
	g_autofree char *path = path_of(name);

	if (path)
		return kernel_file_open(ROOT, path, flags);
	errno = EINVAL;
	return -1;
}

/* Of two of the same quantity in two units one is in force, and the other 0.   source:
 * Documentation/admin-guide/sysctl/vm.rst of Linux */
static const char *partner_of(const char *name)
{
	static const char *const pairs[][2] = {
	    {"vm.dirty_ratio", "vm.dirty_bytes"},
	    {"vm.dirty_background_ratio", "vm.dirty_background_bytes"},
	    {"vm.overcommit_ratio", "vm.overcommit_kbytes"},
	};

	for (guint i = 0; i < G_N_ELEMENTS(pairs); i++)
		for (guint j = 0; j < 2; j++)
			if (g_str_equal(pairs[i][j], name))
				return pairs[i][1 - j];
	return NULL;
}

static const struct setting_file_kind files = {.undo = &undo_sysctl, .open = open_sysctl, .partner = partner_of};

/* Whether the file behind fd is a setting: one that can be read and written. */
static gboolean check_file(const char *name, int fd, GError **error)
{
	struct stat st;
	const char *why = NULL;

	if (fstat(fd, &st) < 0)
		return err_errno(error, errno, "cannot look at sysctl '%s'", name);
	if (S_ISDIR(st.st_mode))
		why = "it is a group of them";
	else if (!S_ISREG(st.st_mode))
		why = "it is no file";
	else if (!(st.st_mode & 0222))
		why = "it can only be read";
	else if (!(st.st_mode & 0444))
		why = "it can only be written, and could not be put back";
	return !why || err_usage(error, "setting '" PREFIX "%s' is not available here: %s", name, why);
}

static gboolean check(const char *name, const char *level, GError **error)
{
	int fd = open_sysctl(name, O_PATH);
	gboolean ok;

	/* what cannot be looked at without root is for begin() to find */
	if (fd < 0 && errno == EINVAL)
		return err_usage(error, "'" PREFIX "%s' cannot be the name of a sysctl", name);
	if (fd < 0 && errno != EACCES)
		return err_usage(error, "setting '" PREFIX "%s' is not available here: 'sysctl -a' lists those of this kernel", name);
	ok = fd < 0 || check_file(name, fd, error);
	kernel_file_close(fd);
	return ok && setting_file_check_level(PREFIX, name, level, error);
}

/* Those of memory management are among the facts (facts.c). */
static char *fact(const char *name)
{
	return g_str_has_prefix(name, "vm.") ? g_strdup(name) : NULL;
}

static gboolean begin(struct setting *setting, struct setting_env *env, GError **error)
{
	return setting_file_begin(setting, &files, setting->rest, FALSE, env, error);
}

const struct setting_kind setting_sysctl = {
    .name = PREFIX,
    .summary = "a setting of the kernel, named as by sysctl(8): sysctl:vm.dirty_ratio",
    .levels = "what the kernel takes",
    .check = check,
    .fact = fact,
    .begin = begin,
    .apply = setting_file_apply,
    .changed = setting_file_changed,
    .end = setting_file_end,
};

static gboolean put_back(const struct undo *undo, gboolean *is_changed, char **left, GError **error)
{
	return setting_file_put_back(&files, undo, is_changed, left, error);
}

const struct undo_kind undo_sysctl = {.name = "sysctl", .put_back = put_back};
