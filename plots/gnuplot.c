#include "gnuplot.h"

#include <errno.h>
#include <fcntl.h>
#include <gio/gio.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../src/err.h"
#include "../src/unit.h"

#define DEADLINE_S 60

/* Sizes in a terminal's own measure such that both look alike: points of a font are pixels of a screen in SVG, and a
 * PNG has three pixels for two, to be sharp. Older or smaller builds of gnuplot lack the cairo terminals. */
static const struct terminal {
	const char *ending;
	int scale_num, scale_den;
	const char *set; /* width and height follow once for each branch */
} terminals[] = {
    {".svg", 1, 1, "set terminal svg noenhanced background rgb 'white' font ',12' size %1$u,%2$u\n"},
    {".png", 3, 2,
     "if (strstrt(GPVAL_TERMINALS, 'pngcairo') > 0) {\n"
     "    set terminal pngcairo noenhanced font ',12' fontscale 1.125 linewidth 1.5 pointscale 1.5 size %1$u,%2$u\n"
     "} else {\n"
     "    set terminal png noenhanced truecolor size %1$u,%2$u\n"
     "}\n"},
};

void picture_init(struct picture *picture)
{
	*picture = (struct picture){.script = g_string_new(NULL), .data = g_string_new(NULL)};
}

void picture_clear(struct picture *picture)
{
	g_string_free(g_steal_pointer(&picture->script), TRUE);
	g_string_free(g_steal_pointer(&picture->data), TRUE);
}

char *gnuplot_quote(const char *text)
{
	g_autofree char *printable = text_printable(text);
	g_autofree gunichar *chars = g_utf8_to_ucs4_fast(printable, -1, NULL);
	GString *out = g_string_new("'");

	for (const gunichar *c = chars; *c; c++) {
		if (*c == '\'')
			/* The manual's way, doubling it, fails in gnuplot 5.4 for two in a row and for one in front. */
			g_string_append(out, "'.\"'\".'");
		else if ((*c & 0xfffe) == 0xfffe)
			/* No characters at all, and not allowed in XML. */
			g_string_append_printf(out, "\\u{%04x}", *c);
		else
			g_string_append_unichar(out, *c);
	}
	return g_string_free(g_string_append_c(out, '\''), FALSE);
}

static const struct terminal *terminal_of(const char *output, GError **error)
{
	g_autofree char *lower = g_ascii_strdown(output, -1);

	for (gsize i = 0; i < G_N_ELEMENTS(terminals); i++)
		if (g_str_has_suffix(lower, terminals[i].ending))
			return &terminals[i];
	err_usage(error, "no picture format for '%s': the name must end in .svg or .png", output);
	return NULL;
}

gboolean gnuplot_check_output(const char *output, GError **error)
{
	return terminal_of(output, error) != NULL;
}

static gboolean write_all(int fd, const char *bytes, gsize length)
{
	while (length) {
		ssize_t n = write(fd, bytes, length);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return FALSE;
		bytes += n;
		length -= (gsize)n;
	}
	return TRUE;
}

/* Whole or not at all: made under another name beside path, flushed, renamed. */
static gboolean write_file(const char *path, const char *bytes, gsize length, GError **error)
{
	g_autofree char *folder = g_path_get_dirname(path);
	g_autofree char *name = g_strdup_printf(".vmstat-bench-%d.tmp", (int)getpid());
	g_autofree char *temporary = g_build_filename(folder, name, NULL);
	int fd, saved;
	gboolean ok;

	/* Left over from a killed process that had our number. */
	unlink(temporary);
	fd = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
	if (fd < 0)
		return err_errno(error, errno, "cannot write '%s'", path);
	ok = write_all(fd, bytes, length) && fsync(fd) == 0;
	saved = errno;
	if (close(fd) < 0 && ok) {
		ok = FALSE;
		saved = errno;
	}
	if (ok && rename(temporary, path) < 0) {
		ok = FALSE;
		saved = errno;
	}
	if (!ok) {
		unlink(temporary);
		return err_errno(error, saved, "cannot write '%s'", path);
	}
	return TRUE;
}

/* plot.gp and data.dat in folder. Without output name the picture goes to standard output. */
static gboolean write_script(const char *folder, const struct picture *picture, const struct terminal *terminal,
			     gboolean named, GError **error)
{
	g_autoptr(GString) script = g_string_new("reset\nset encoding utf8\n");
	g_autofree char *script_path = g_build_filename(folder, "plot.gp", NULL);
	g_autofree char *data_path = g_build_filename(folder, "data.dat", NULL);

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
	g_string_append_printf(script, terminal->set, picture->width * terminal->scale_num / terminal->scale_den,
			       picture->height * terminal->scale_num / terminal->scale_den);
#pragma GCC diagnostic pop
	if (named)
		g_string_append_printf(script, "set output 'plot%s'\n", terminal->ending);
	g_string_append_len(script, picture->script->str, (gssize)picture->script->len);
	return write_file(data_path, picture->data->str, picture->data->len, error) &&
	       write_file(script_path, script->str, script->len, error);
}

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

/* Runs plot.gp in folder; the picture is what it prints, so that a full disk is seen by us, which gnuplot overlooks. */
static GBytes *run_script(const char *folder, double deadline_s, char **warnings, GError **error)
{
	g_autofree char *found = g_find_program_in_path("gnuplot");
	g_autofree char *program = found ? g_canonicalize_filename(found, NULL) : NULL;
	g_autoptr(GSubprocessLauncher) launcher =
	    g_subprocess_launcher_new(G_SUBPROCESS_FLAGS_STDOUT_PIPE | G_SUBPROCESS_FLAGS_STDERR_PIPE);
	g_autoptr(GError) cause = NULL;
	g_autoptr(GSubprocess) process = NULL;
	struct conversation conversation = {0};
	GBytes *picture = NULL;

	if (!program) {
		err_runtime(error, "gnuplot not found in PATH: install it with 'apt install gnuplot-nox'");
		return NULL;
	}
	g_subprocess_launcher_set_cwd(launcher, folder);
	/* In a locale of another encoding it warns of "set encoding utf8". */
	g_subprocess_launcher_setenv(launcher, "LC_ALL", "C.UTF-8", TRUE);
	process = g_subprocess_launcher_spawn(launcher, &cause, program, "--default-settings", "plot.gp", NULL);
	if (!process) {
		err_runtime(error, "cannot start '%s': %s", program, cause->message);
		return NULL;
	}
	conversation.process = process;
	converse(&conversation, deadline_s);
	if (succeeded(&conversation, deadline_s, warnings, error))
		picture = g_bytes_ref(conversation.out);
	conversation_clear(&conversation);
	return picture;
}

static void remove_folder(const char *folder)
{
	static const char *const names[] = {"plot.gp", "data.dat"};

	for (gsize i = 0; i < G_N_ELEMENTS(names); i++) {
		g_autofree char *path = g_build_filename(folder, names[i], NULL);

		unlink(path);
	}
	rmdir(folder);
}

static GBytes *draw(const struct picture *picture, const struct terminal *terminal, double deadline_s, char **warnings,
		    GError **error)
{
	g_autoptr(GError) cause = NULL;
	g_autofree char *folder = g_dir_make_tmp("vmstat-bench-XXXXXX", &cause);
	GBytes *bytes = NULL;

	if (!folder) {
		err_runtime(error, "cannot make a temporary directory: %s", cause->message);
		return NULL;
	}
	if (write_script(folder, picture, terminal, FALSE, error))
		bytes = run_script(folder, deadline_s, warnings, error);
	remove_folder(folder);
	return bytes;
}

gboolean gnuplot_run(const struct picture *picture, const struct gnuplot_arg *arg, char **warnings, GError **error)
{
	const struct terminal *terminal = terminal_of(arg->output, error);
	g_autoptr(GBytes) bytes = NULL;

	if (warnings)
		*warnings = NULL;
	if (!terminal)
		return FALSE;
	if (arg->keep_dir) {
		if (g_mkdir_with_parents(arg->keep_dir, 0777) < 0)
			return err_errno(error, errno, "cannot make the directory '%s'", arg->keep_dir);
		if (!write_script(arg->keep_dir, picture, terminal, TRUE, error))
			return FALSE;
	}
	bytes = draw(picture, terminal, arg->deadline_s > 0 ? arg->deadline_s : DEADLINE_S, warnings, error);
	return bytes && write_file(arg->output, g_bytes_get_data(bytes, NULL), g_bytes_get_size(bytes), error);
}
