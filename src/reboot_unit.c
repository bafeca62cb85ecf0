#include "reboot_unit.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "err.h"
#include "kernel_file.h"
#include "machine.h"
#include "tool.h"
#include "undo.h"

#define WANTS "multi-user.target.wants"

static const char *unit_directory = "/etc/systemd/system";

void reboot_unit_move(const char *directory)
{
	unit_directory = directory;
}

char *reboot_unit_path(void)
{
	return g_build_filename(unit_directory, REBOOT_UNIT, NULL);
}

gboolean reboot_unit_is_there(void)
{
	g_autofree char *path = reboot_unit_path();
	struct stat st;

	return lstat(path, &st) == 0;
}

/* As one word of a unit file, of which systemd makes the text again. */
static char *quote(const char *text)
{
	g_autoptr(GString) quoted = g_string_new("\"");

	for (; *text; text++) {
		if (*text == '"' || *text == '\\')
			g_string_append_printf(quoted, "\\%c", *text);
		else if (*text == '%')
			g_string_append(quoted, "%%");
		else if (g_ascii_iscntrl(*text))
			g_string_append_printf(quoted, "\\x%02x", *text);
		else
			g_string_append_c(quoted, *text);
	}
	g_string_append_c(quoted, '"');
	return g_string_free(g_steal_pointer(&quoted), FALSE);
}

char *reboot_unit_text(const struct reboot_unit *unit)
{
	g_autofree char *program = quote(unit->program), *store = quote(unit->store), *dir = quote(unit->dir);
	g_autofree char *account =
	    unit->uid ? g_strdup_printf("Environment=SUDO_UID=%s SUDO_GID=%s\n", unit->uid, unit->gid) : g_strdup("");

	/* ":" keeps what follows "$" as it is */
	return g_strdup_printf(
	    "# Written by 'vmstat-bench run --reset reboot', and removed at the end of its plan. To stop it:\n"
	    "# 'vmstat-bench run --cancel', or 'vmstat-bench.stop' on the kernel's command line\n"
	    "[Unit]\n"
	    "Description=The next runs of a plan of vmstat-bench, and the next reboot\n"
	    "After=multi-user.target\n"
	    "RequiresMountsFor=%s %s\n"
	    "\n"
	    "[Service]\n"
	    "Type=exec\n"
	    "%s"
	    "ExecStart=:%s resume --after-boot --store %s\n"
	    "StandardOutput=journal+console\n"
	    "StandardError=journal+console\n"
	    "\n"
	    "[Install]\n"
	    "WantedBy=multi-user.target\n",
	    store, dir, account, program, store);
}

static gboolean write_file(int dirfd, const char *text, GError **error)
{
	int fd = openat(dirfd, REBOOT_UNIT, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0644);
	gboolean ok;

	if (fd < 0)
		return err_errno(error, errno, "cannot make the unit '%s/%s'", unit_directory, REBOOT_UNIT);
	ok = (write(fd, text, strlen(text)) == (ssize_t)strlen(text) && fsync(fd) == 0) ||
	     err_errno(error, errno, "cannot write to the unit '%s/%s'", unit_directory, REBOOT_UNIT);
	close(fd);
	if (!ok)
		unlinkat(dirfd, REBOOT_UNIT, 0);
	return ok;
}

/* What systemd starts with a target stands in a directory beside it. */
static gboolean enable(int dirfd, GError **error)
{
	int wants = -1;
	gboolean ok = (mkdirat(dirfd, WANTS, 0755) == 0 || errno == EEXIST) &&
		      (wants = openat(dirfd, WANTS, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)) >= 0 &&
		      (unlinkat(wants, REBOOT_UNIT, 0) == 0 || errno == ENOENT) &&
		      symlinkat("../" REBOOT_UNIT, wants, REBOOT_UNIT) == 0 && fsync(wants) == 0 && fsync(dirfd) == 0;

	if (!ok)
		err_errno(error, errno, "cannot enable the unit in '%s/%s'", unit_directory, WANTS);
	kernel_file_close(wants);
	return ok;
}

static int open_units(GError **error)
{
	int fd = open(unit_directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (fd < 0)
		err_errno(error, errno, "cannot open the directory '%s'", unit_directory);
	return fd;
}

char *reboot_unit_mark(const char *text)
{
	g_autofree char *canonical = kernel_value_canonical(text);

	return g_compute_checksum_for_string(G_CHECKSUM_SHA256, canonical, -1);
}

gboolean reboot_unit_install(const char *text, GError **error)
{
	int dirfd = open_units(error);
	gboolean ok = dirfd >= 0 && write_file(dirfd, text, error);

	if (ok && !enable(dirfd, error)) {
		unlinkat(dirfd, REBOOT_UNIT, 0);
		ok = FALSE;
	}
	if (dirfd >= 0)
		close(dirfd);
	return ok;
}

static gboolean reload(GError **error)
{
	g_autofree char *program = NULL;

	if (!machine_has_systemd())
		return TRUE;
	program = tool_find("systemctl", "systemd", error);
	return program && tool_run((char *const[]){program, (char[]){"daemon-reload"}, NULL}, AT_FDCWD, error);
}

/* Where it is enabled first: what is enabled and is not there would be told at every boot. */
static gboolean remove_unit(int dirfd, gboolean *is_changed, GError **error)
{
	if (unlinkat(dirfd, WANTS "/" REBOOT_UNIT, 0) < 0 && errno != ENOENT)
		return err_errno(error, errno, "cannot remove '%s/%s/%s'", unit_directory, WANTS, REBOOT_UNIT);
	*is_changed = unlinkat(dirfd, REBOOT_UNIT, 0) == 0;
	if (!*is_changed && errno != ENOENT)
		return err_errno(error, errno, "cannot remove the unit '%s/%s'", unit_directory, REBOOT_UNIT);
	return (fsync(dirfd) == 0 || err_errno(error, errno, "cannot write '%s' to the disk", unit_directory)) &&
	       (!*is_changed || reload(error));
}

static gboolean put_back(const struct undo *undo, gboolean *is_changed, char **left, GError **error)
{
	int dirfd = open_units(error),
	    fd = dirfd < 0 ? -1 : openat(dirfd, REBOOT_UNIT, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
	g_autofree char *text = fd < 0 ? NULL : kernel_file_read(fd), *mark = text ? reboot_unit_mark(text) : NULL;
	gboolean ok = dirfd >= 0;

	if (mark && !g_strv_contains((const char *const *)undo->ours, mark))
		*left = g_strdup_printf("unit '%s' is another by now: left as it is", undo->subject);
	else if (ok)
		ok = remove_unit(dirfd, is_changed, error);
	kernel_file_close(fd);
	kernel_file_close(dirfd);
	return ok;
}

const struct undo_kind undo_unit = {.name = "unit", .outlives_boot = TRUE, .put_back = put_back};
