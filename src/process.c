#include "process.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "err.h"
#include "facts.h"

/* False where there is none or it has ended and nobody has asked for its status yet.
 * source: proc_pid_stat(5), fields 3 (state) and 22 (starttime) */
static gboolean read_start(gint64 pid, gint64 *start)
{
	g_autofree char *path = g_strdup_printf("/proc/%" G_GINT64_FORMAT "/stat", pid);
	g_autofree char *text = NULL;
	g_auto(GStrv) fields = NULL;
	const char *behind_name;

	if (!g_file_get_contents(path, &text, NULL, NULL) || !(behind_name = strrchr(text, ')')))
		return FALSE;
	fields = g_strsplit(behind_name, " ", -1);
	if (g_strv_length(fields) < 21 || strchr("ZXx", *fields[1]))
		return FALSE;
	return g_ascii_string_to_signed(fields[20], 10, 0, G_MAXINT64, start, NULL);
}

gboolean process_start_time(gint64 *start, GError **error)
{
	return read_start(getpid(), start) ||
	       err_runtime(error, "cannot read the start time of this process in '/proc/self/stat': is /proc mounted?");
}

gboolean process_lives(const char *boot_id, gint64 pid, gint64 start)
{
	gint64 now;

	if (!g_str_equal(boot_id, facts_boot_id()) || pid <= 0 || pid > G_MAXINT)
		return FALSE;
	if (read_start(pid, &now))
		return now == start;
	/* /proc may hide the processes of others (hidepid) */
	return kill((pid_t)pid, 0) < 0 && errno == EPERM;
}

static guint32 id_of(const char *variable)
{
	const char *text = geteuid() == 0 ? g_getenv(variable) : NULL;
	guint64 id;

	return text && g_ascii_string_to_unsigned(text, 10, 0, G_MAXUINT32, &id, NULL) ? (guint32)id : 0;
}

struct account process_caller(void)
{
	return (struct account){id_of("SUDO_UID"), id_of("SUDO_GID")};
}
