#include "machine.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <sys/utsname.h>
#include <sys/vfs.h>
#include <sys/wait.h>
#include <unistd.h>

#include "err.h"
#include "exec.h"
#include "tool.h"
#include "unit.h"

#define REST_S 300.0
#define UPTIME_MAX_S 900.0 /* of a boot that is a fresh one */

gboolean machine_has_systemd(void)
{
	return access("/run/systemd/system", F_OK) == 0;
}

static gboolean is_container(void)
{
	/* source: systemd.io "Container Interface"; podman(1); the file that Docker makes */
	static const char *const marks[] = {"/run/systemd/container", "/run/.containerenv", "/.dockerenv"};
	gboolean found = FALSE;

	for (gsize i = 0; i < G_N_ELEMENTS(marks); i++)
		found |= access(marks[i], F_OK) == 0;
	return found;
}

gboolean machine_check_reboot(GError **error)
{
	if (geteuid() != 0)
		return err_runtime(error, "cannot reboot this machine: only root may");
	if (!machine_has_systemd())
		return err_runtime(error, "cannot reboot this machine and go on: its first process is not systemd");
	return !is_container() || err_runtime(error, "cannot reboot this machine: this is a container");
}

gboolean machine_check_kept(const char *path, const char *what, GError **error)
{
	struct statfs fs;

	if (statfs(path, &fs) < 0)
		return err_errno(error, errno, "cannot look at %s '%s'", what, path);
	return (fs.f_type != TMPFS_MAGIC && fs.f_type != RAMFS_MAGIC) ||
	       err_runtime(error, "%s '%s' lies in memory (tmpfs), which a reboot empties", what, path);
}

char *machine_program(GError **error)
{
	return g_file_read_link("/proc/self/exe", error);
}

gboolean machine_is_told(const char *word)
{
	g_autofree char *text = NULL;
	g_auto(GStrv) words = NULL;

	if (!g_file_get_contents("/proc/cmdline", &text, NULL, NULL))
		return FALSE;
	words = g_strsplit_set(text, " \n", -1);
	return g_strv_contains((const char *const *)words, word);
}

gboolean machine_rest(GError **error)
{
	g_autofree char *program = tool_find("systemctl", "systemd", error);
	char *const argv[] = {program, (char[]){"is-system-running"}, (char[]){"--wait"}, NULL};
	const struct exec_watch watch = {.timeout_s = REST_S};
	g_autoptr(GString) output = g_string_new(NULL);
	struct exec_result result;

	/* it fails where a unit of the machine has failed, which is none of our affairs */
	return program && exec_command(argv, AT_FDCWD, FALSE, output, &watch, &result, error);
}

static gboolean read_number(const char *path, double *number)
{
	g_autofree char *text = NULL;

	if (!g_file_get_contents(path, &text, NULL, NULL))
		return FALSE;
	*number = g_ascii_strtod(text, NULL);
	return TRUE;
}

/* source: Documentation/admin-guide/tainted-kernels.rst of Linux */
static const char *find_taint(void)
{
	static const struct {
		guint bit;
		const char *what;
	} marks[] = {{4, "a machine check"}, {5, "a bad page"}, {7, "an oops"}, {14, "a soft lockup"}};
	double taint;

	for (gsize i = 0; read_number("/proc/sys/kernel/tainted", &taint) && i < G_N_ELEMENTS(marks); i++)
		if ((guint64)taint & G_GUINT64_CONSTANT(1) << marks[i].bit)
			return marks[i].what;
	return NULL;
}

char *machine_find_trouble(const char *release)
{
	const char *taint = find_taint();
	struct utsname names;
	double uptime_s;

	if (uname(&names) < 0)
		return g_strdup_printf("the kernel's release cannot be told: %s", g_strerror(errno));
	if (release && !g_str_equal(names.release, release))
		return g_strdup_printf("booted kernel %s, not %s", names.release, release);
	if (taint)
		return g_strdup_printf("the kernel has had %s since it booted", taint);
	if (read_number("/proc/uptime", &uptime_s) && uptime_s > UPTIME_MAX_S) {
		g_autofree char *uptime = duration_format(uptime_s);

		return g_strdup_printf("the machine has been up for %s: this is no fresh boot", uptime);
	}
	return NULL;
}

gboolean machine_reboot(const char *verb, GError **error)
{
	g_autofree char *program = tool_find("systemctl", "systemd", error), *argument = g_strdup(verb);
	char *const argv[] = {program, argument, NULL};

	g_autoptr(GError) failure = NULL;

	sync();
	if (!program)
		return FALSE;
	/* where the reboot is quick it ends systemctl and us before that has its answer */
	if (tool_run(argv, AT_FDCWD, &failure) || exec_stop_signal())
		return TRUE;
	g_propagate_error(error, g_steal_pointer(&failure));
	return FALSE;
}
