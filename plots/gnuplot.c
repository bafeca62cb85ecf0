#include "gnuplot.h"

#include <errno.h>
#include <string.h>

#include "../src/err.h"
#include "../src/unit.h"
#include "../src/whole_file.h"
#include "gnuplot_process.h"
#include "svg_inline.h"
#include "terminal.h"

#define DEADLINE_S 60

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

gboolean gnuplot_check_output(const char *output, GError **error)
{
	return terminal_ending(output, error) != NULL;
}

/* output: NULL for standard output. */
static GString *make_script(const struct picture *picture, const struct terminal *terminal, const char *data,
			    const char *output)
{
	GString *script = g_string_new("reset\nset encoding utf8\n");

	terminal_set(terminal, picture, script);
	if (output)
		g_string_append_printf(script, "set output '%s'\n", output);
	g_string_append_printf(script, "data = '%s'\n", data);
	return g_string_append_len(script, picture->script->str, (gssize)picture->script->len);
}

/* A text as an editor would leave it: no form feed, no blanks at the ends of lines, none of which is empty at the end.
 */
static GBytes *tidy(GBytes *bytes)
{
	g_autofree char *text = g_strndup(g_bytes_get_data(bytes, NULL), g_bytes_get_size(bytes));
	g_auto(GStrv) lines = g_strsplit(g_strdelimit(text, "\f", ' '), "\n", -1);
	GString *out = g_string_new(NULL);

	for (char **line = lines; *line; line++)
		g_string_append_printf(out, "%s\n", g_strchomp(*line));
	while (g_str_has_suffix(out->str, "\n\n"))
		g_string_truncate(out, out->len - 1);
	g_bytes_unref(bytes);
	return g_string_free_to_bytes(out);
}

/* gnuplot leaves a '>' of our texts as it is, which XML forbids after "]]". */
static GBytes *escape_svg(GBytes *bytes)
{
	GString *out = g_string_new_len(g_bytes_get_data(bytes, NULL), (gssize)g_bytes_get_size(bytes));

	g_string_replace(out, "]]>", "]]&gt;", 0);
	g_bytes_unref(bytes);
	return g_string_free_to_bytes(out);
}

static GBytes *draw(const struct picture *picture, const struct terminal *terminal, double deadline_s, char **warnings,
		    GError **error)
{
	static const char *const none[] = {NULL};
	g_autoptr(GString) script = make_script(picture, terminal, GNUPLOT_DATA, NULL);
	GBytes *bytes = gnuplot_process(none, script, picture->data, deadline_s > 0 ? deadline_s : DEADLINE_S, warnings,
					error);

	if (bytes && g_str_equal(terminal->ending, ".txt"))
		return tidy(bytes);
	return bytes && g_str_equal(terminal->ending, ".svg") ? escape_svg(bytes) : bytes;
}

/* plot.gp, which makes the picture again from data.dat. */
static gboolean make_kept(const struct picture *picture, const struct terminal *terminal, const char *folder,
			  GError **error)
{
	g_autofree char *output = g_strconcat("plot", terminal->ending, NULL);
	g_autofree char *script_path = g_build_filename(folder, "plot.gp", NULL);
	g_autofree char *data_path = g_build_filename(folder, "data.dat", NULL);
	g_autoptr(GString) script = make_script(picture, terminal, "data.dat", output);

	if (g_mkdir_with_parents(folder, 0777) < 0)
		return err_errno(error, errno, "cannot make the directory '%s'", folder);
	return whole_file_write(data_path, picture->data->str, picture->data->len, error) &&
	       whole_file_write(script_path, script->str, script->len, error);
}

/* The name with the ending of what is really in the file. */
static char *rename_ending(const char *output, const char *wanted, const char *ending)
{
	g_autofree char *stem = g_strndup(output, strlen(output) - strlen(wanted));

	return strcmp(wanted, ending) ? g_strconcat(stem, ending, NULL) : g_strdup(output);
}

static void add_warning(char **warnings, char *note, char *said)
{
	if (!warnings) {
		g_free(note);
		g_free(said);
	} else if (note && said) {
		*warnings = g_strdup_printf("%s; %s", note, said);
		g_free(note);
		g_free(said);
	} else {
		*warnings = note ? note : said;
	}
}

gboolean gnuplot_run(const struct picture *picture, const struct gnuplot_arg *arg, char **warnings, GError **error)
{
	const char *ending = terminal_ending(arg->output, error);
	char *note = NULL, *said = NULL;
	const struct terminal *terminal = ending ? terminal_choose(ending, FALSE, &note, error) : NULL;
	g_autofree char *output = terminal ? rename_ending(arg->output, ending, terminal->ending) : NULL;
	g_autoptr(GBytes) bytes = NULL;

	if (warnings)
		*warnings = NULL;
	if (!terminal)
		return FALSE;
	if (!arg->keep_dir || make_kept(picture, terminal, arg->keep_dir, error))
		bytes = draw(picture, terminal, arg->deadline_s, &said, error);
	add_warning(warnings, note, said);
	return bytes && whole_file_write(output, g_bytes_get_data(bytes, NULL), g_bytes_get_size(bytes), error);
}

GBytes *gnuplot_draw(const struct picture *picture, const char *ending, char **warnings, GError **error)
{
	char *note = NULL, *said = NULL;
	const struct terminal *terminal = terminal_choose(ending, TRUE, &note, error);
	GBytes *bytes = terminal ? draw(picture, terminal, 0, &said, error) : NULL;

	if (warnings)
		*warnings = NULL;
	add_warning(warnings, note, said);
	return bytes;
}

char *gnuplot_draw_inline(const struct picture *picture, const char *id, char **warnings, GError **error)
{
	g_autoptr(GBytes) bytes = gnuplot_draw(picture, ".svg", warnings, error);
	g_autofree char *document = bytes ? g_strndup(g_bytes_get_data(bytes, NULL), g_bytes_get_size(bytes)) : NULL;

	return document ? svg_inline(document, id, picture->title) : NULL;
}
