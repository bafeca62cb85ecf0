#include "tool.h"

#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "err.h"
#include "exec.h"
#include "unit.h"

#define VERSION_TIME_S 5

char *tool_find(const char *program, const char *package, GError **error)
{
	static const char *const beside[] = {"/usr/sbin", "/sbin"};
	g_autofree char *found = g_find_program_in_path(program);
	/* PATH may have relative directories in it */
	char *path = found ? g_canonicalize_filename(found, NULL) : NULL;

	for (gsize i = 0; !path && i < G_N_ELEMENTS(beside); i++) {
		path = g_build_filename(beside[i], program, NULL);
		if (access(path, X_OK) < 0)
			g_clear_pointer(&path, g_free);
	}
	if (!path)
		err_runtime(error, "%s is not installed: apt install %s", program, package);
	return path;
}

/* What went wrong is told first; advice on usage may follow. */
static char *first_line(const char *text)
{
	g_autofree char *line = NULL;

	text += strspn(text, " \t\r\n");
	line = g_strndup(text, strcspn(text, "\r\n"));
	return text_printable(line);
}

gboolean tool_run(char *const *argv, int dirfd, GError **error)
{
	const struct exec_watch watch = {0};
	g_autofree char *name = g_path_get_basename(argv[0]), *complaint = NULL;
	g_autoptr(GString) output = g_string_new(NULL);
	struct exec_result result;

	if (!exec_command(argv, dirfd, FALSE, output, &watch, &result, error))
		return FALSE;
	if (result.interrupted)
		return err_runtime(error, "%s was interrupted", name);
	if (WIFEXITED(result.status) && WEXITSTATUS(result.status) == 0)
		return TRUE;
	complaint = first_line(output->str);
	if (*complaint)
		return err_runtime(error, "%s failed: %s", name, complaint);
	return WIFSIGNALED(result.status)
		   ? err_runtime(error, "%s was ended by signal %d", name, WTERMSIG(result.status))
		   : err_runtime(error, "%s failed with exit status %d", name, WEXITSTATUS(result.status));
}

char *tool_version(const char *path, const char *argument, int dirfd)
{
	const struct exec_watch watch = {.timeout_s = VERSION_TIME_S};
	g_autofree char *program = g_strdup(path), *option = g_strdup(argument), *text = NULL, *word = NULL;
	char *const argv[] = {program, option, NULL};
	g_autoptr(GString) output = g_string_new(NULL);
	g_autoptr(GRegex) regex = g_regex_new("[^\\s(,;]*[0-9]\\.[0-9][^\\s),;]*", 0, 0, NULL);
	g_autoptr(GMatchInfo) match = NULL;
	struct exec_result result;

	/* some take the argument for a mistake and exit with it */
	if (!exec_command(argv, dirfd, TRUE, output, &watch, &result, NULL) || result.timed_out || result.interrupted)
		return NULL;
	text = g_utf8_make_valid(output->str, (gssize)output->len);
	if (g_regex_match(regex, text, 0, &match))
		word = g_match_info_fetch(match, 0);
	return word ? text_printable(word) : NULL;
}
