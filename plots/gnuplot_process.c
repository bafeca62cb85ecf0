#include "gnuplot_process.h"

#include <errno.h>
#include <gio/gio.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../src/err.h"
#include "../src/shared.h"
#include "../src/unit.h"
#include "../src/whole_file.h"

struct conversation {
	GSubprocess *process;
	GMainLoop *loop;
	GBytes *out, *err;
	GError *error;
	gboolean timed_out;
};

static void conversation_clear(struct conversation *conversation)
{
	g_bytes_unref(conversation->out);
	g_bytes_unref(conversation->err);
	g_clear_error(&conversation->error);
}

static gboolean on_deadline(gpointer data)
{
	struct conversation *conversation = data;

	conversation->timed_out = TRUE;
	g_subprocess_force_exit(conversation->process);
	return G_SOURCE_CONTINUE;
}

static void on_end(GObject *source, GAsyncResult *result, gpointer data)
{
	struct conversation *conversation = data;

	g_subprocess_communicate_finish(G_SUBPROCESS(source), result, &conversation->out, &conversation->err,
					&conversation->error);
	g_main_loop_quit(conversation->loop);
}

static void converse(struct conversation *conversation, double deadline_s)
{
	g_autoptr(GMainContext) context = g_main_context_new();
	g_autoptr(GMainLoop) loop = g_main_loop_new(context, FALSE);
	g_autoptr(GSource) deadline = g_timeout_source_new((guint)(deadline_s * 1000));

	conversation->loop = loop;
	g_main_context_push_thread_default(context);
	g_source_set_callback(deadline, on_deadline, conversation, NULL);
	g_source_attach(deadline, context);
	g_subprocess_communicate_async(conversation->process, NULL, NULL, on_end, conversation);
	g_main_loop_run(loop);
	g_source_destroy(deadline);
	g_main_context_pop_thread_default(context);
}

/* What gnuplot said, on one line: it points at the fault with a caret on a line of its own. */
static char *said(GBytes *err)
{
	gsize length;
	const char *bytes = g_bytes_get_data(err, &length);
	g_autofree char *text = g_strndup(bytes ? bytes : "", length);
	g_auto(GStrv) lines = g_strsplit_set(text, "\r\n", -1);
	g_autoptr(GString) joined = g_string_new(NULL);

	for (char **line = lines; *line; line++) {
		g_strstrip(*line);
		if (**line && !g_str_equal(*line, "^"))
			g_string_append_printf(joined, "%s%s", joined->len ? "; " : "", *line);
	}
	return text_printable(joined->str);
}

static gboolean succeeded(const struct conversation *conversation, double deadline_s, char **warnings, GError **error)
{
	g_autofree char *words = NULL;
	int status;

	if (conversation->timed_out)
		return err_runtime(error, "gnuplot took longer than %.0f s and was ended", deadline_s);
	if (conversation->error)
		return err_runtime(error, "cannot read from gnuplot: %s", conversation->error->message);
	words = said(conversation->err);
	status = g_subprocess_get_status(conversation->process);
	if (WIFSIGNALED(status))
		return err_runtime(error, "gnuplot was killed by signal %d%s%s", WTERMSIG(status), *words ? ": " : "",
				   words);
	if (WEXITSTATUS(status))
		return err_runtime(error, "gnuplot failed with exit status %d: %s", WEXITSTATUS(status), words);
	if (!g_bytes_get_size(conversation->out))
		return err_runtime(error, "gnuplot made no picture%s%s", *words ? ": " : "", words);
	if (warnings && *words)
		*warnings = g_steal_pointer(&words);
	return TRUE;
}

char *gnuplot_program(GError **error)
{
	g_autofree char *found = g_find_program_in_path("gnuplot");

	if (found)
		return g_canonicalize_filename(found, NULL);
	err_runtime(error, "gnuplot not found in PATH: install it with 'apt install gnuplot-nox'");
	return NULL;
}

/* In memory, so that nothing is left whatever happens. -1 with an error. */
static int open_text(const GString *text, GError **error)
{
	int fd = memfd_create("for gnuplot", MFD_CLOEXEC);

	if (fd >= 0 && whole_file_put(fd, text->str, text->len) && lseek(fd, 0, SEEK_SET) == 0)
		return fd;
	err_errno(error, errno, "cannot keep what gnuplot is to read in memory");
	if (fd >= 0)
		close(fd);
	return -1;
}

static gboolean give(GSubprocessLauncher *launcher, const GString *text, int target, GError **error)
{
	int fd = text ? open_text(text, error) : -1;

	if (fd >= 0 && target == STDIN_FILENO)
		g_subprocess_launcher_take_stdin_fd(launcher, fd);
	else if (fd >= 0)
		g_subprocess_launcher_take_fd(launcher, fd, target);
	return !text || fd >= 0;
}

static GSubprocess *start(const char *const *arguments, const GString *script, const GString *data, GError **error)
{
	g_autofree char *program = gnuplot_program(error);
	g_autoptr(GSubprocessLauncher) launcher =
	    g_subprocess_launcher_new(G_SUBPROCESS_FLAGS_STDOUT_PIPE | G_SUBPROCESS_FLAGS_STDERR_PIPE);
	g_autoptr(GPtrArray) argv = g_ptr_array_new();
	g_autoptr(GError) cause = NULL;
	GSubprocess *process;

	if (!program || !give(launcher, script, STDIN_FILENO, error) || !give(launcher, data, GNUPLOT_DATA_FD, error))
		return NULL;
	g_ptr_array_add(argv, program);
	g_ptr_array_add(argv, shared("--default-settings"));
	for (; *arguments; arguments++)
		g_ptr_array_add(argv, shared(*arguments));
	g_ptr_array_add(argv, NULL);
	/* In a locale of another encoding it warns of "set encoding utf8". */
	g_subprocess_launcher_setenv(launcher, "LC_ALL", "C.UTF-8", TRUE);
	process = g_subprocess_launcher_spawnv(launcher, (const char *const *)(gconstpointer)argv->pdata, &cause);
	if (!process)
		err_runtime(error, "cannot start '%s': %s", program, cause->message);
	return process;
}

/* The picture is what it prints, so that a full disk is seen by us, which gnuplot overlooks. */
GBytes *gnuplot_process(const char *const *arguments, const GString *script, const GString *data, double deadline_s,
			char **warnings, GError **error)
{
	g_autoptr(GSubprocess) process = start(arguments, script, data, error);
	struct conversation conversation = {.process = process};
	GBytes *printed = NULL;

	if (!process)
		return NULL;
	converse(&conversation, deadline_s);
	if (succeeded(&conversation, deadline_s, warnings, error))
		printed = g_bytes_ref(conversation.out);
	conversation_clear(&conversation);
	return printed;
}
