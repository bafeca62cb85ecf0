#include "terminal.h"

#include <string.h>

#include "../src/err.h"
#include "gnuplot_process.h"
#include "picture.h"

#define DEADLINE_S 60

/* A slide has fewer pixels that are larger. */
static double scale_of(const struct terminal *terminal, const struct picture *picture)
{
	return picture->size == PICTURE_SLIDE ? terminal->scale * 4 / 3 : terminal->scale;
}

static guint scaled(double scale, guint pixels)
{
	return (guint)(scale * pixels + 0.5);
}

/* Sizes in a terminal's own measure such that all look alike: points of a font are pixels of a screen in SVG. A font
 * has a size and no name: which ones there are is the machine's affair. */

static void set_svg(const struct terminal *terminal, const struct picture *picture, GString *script)
{
	g_string_append_printf(script, "noenhanced background rgb 'white' font ',12' size %u,%u", picture->width,
			       picture->height);
}

static void set_pngcairo(const struct terminal *terminal, const struct picture *picture, GString *script)
{
	char font[G_ASCII_DTOSTR_BUF_SIZE], wide[G_ASCII_DTOSTR_BUF_SIZE];
	double scale = scale_of(terminal, picture);

	g_string_append_printf(script, "noenhanced font ',12' fontscale %s linewidth %s pointscale %s size %u,%u",
			       g_ascii_formatd(font, sizeof font, "%g", 0.75 * scale),
			       g_ascii_formatd(wide, sizeof wide, "%g", scale), wide, scaled(scale, picture->width),
			       scaled(scale, picture->height));
}

/* Its letters are of one size. */
static void set_png(const struct terminal *terminal, const struct picture *picture, GString *script)
{
	double scale = scale_of(terminal, picture);

	g_string_append_printf(script, "noenhanced truecolor size %u,%u", scaled(scale, picture->width),
			       scaled(scale, picture->height));
}

#define INCHES_MORE 0.001 /* it drops fractions of a point */

static void set_pdfcairo(const struct terminal *terminal, const struct picture *picture, GString *script)
{
	char width[G_ASCII_DTOSTR_BUF_SIZE], height[G_ASCII_DTOSTR_BUF_SIZE];

	g_string_append_printf(script,
			       "noenhanced font ',12' fontscale 0.5625 linewidth 1.5 pointscale 0.75 size %sin,%sin",
			       g_ascii_formatd(width, sizeof width, "%.6g", picture->width / 96.0 + INCHES_MORE),
			       g_ascii_formatd(height, sizeof height, "%.6g", picture->height / 96.0 + INCHES_MORE));
}

static void set_dumb(const struct terminal *terminal, const struct picture *picture, GString *script)
{
	g_string_append_printf(script, "nofeed noenhanced mono size %u,%u aspect 1",
			       picture_columns(picture, picture->width), picture->height / picture->line);
}

/* Those of a format in the order in which they are wanted; an ending of another format last. */
static const struct terminal terminals[] = {
    {".svg", "svg", 1, set_svg},           {".png", "pngcairo", 1.5, set_pngcairo}, {".png", "png", 1.5, set_png},
    {".pdf", "pdfcairo", 1, set_pdfcairo}, {".txt", "dumb", 1, set_dumb},
};

/* What else will do for a format. */
static const char *const others[][2] = {{".png", ".svg"}, {".png", ".txt"}, {".svg", ".txt"}};

const char *terminal_ending(const char *output, GError **error)
{
	g_autofree char *lower = g_ascii_strdown(output, -1);

	for (gsize i = 0; i < G_N_ELEMENTS(terminals); i++)
		if (g_str_has_suffix(lower, terminals[i].ending))
			return terminals[i].ending;
	err_usage(error, "no picture format for '%s': the name must end in .svg, .png, .pdf or .txt", output);
	return NULL;
}

/* Names with a blank on either side; NULL where gnuplot cannot be asked. */
static const char *ask(void)
{
	static const char *const arguments[] = {"-e", "set print '-'; print ' '.GPVAL_TERMINALS.' '", NULL};
	static char *program, *names;
	g_autofree char *found = gnuplot_program(NULL);
	g_autoptr(GBytes) printed = NULL;

	if (g_strcmp0(found, program) == 0)
		return names;
	g_free(program);
	g_clear_pointer(&names, g_free);
	program = g_steal_pointer(&found);
	printed = program ? gnuplot_process(arguments, NULL, NULL, DEADLINE_S, NULL, NULL) : NULL;
	if (printed)
		names = g_strndup(g_bytes_get_data(printed, NULL), g_bytes_get_size(printed));
	return names;
}

static gboolean is_there(const struct terminal *terminal)
{
	g_autofree char *word = g_strdup_printf(" %s ", terminal->name);
	const char *names = ask();

	return !names || strstr(names, word);
}

static const struct terminal *first(const char *ending)
{
	const struct terminal *terminal = terminals;

	while (strcmp(terminal->ending, ending) != 0)
		terminal++;
	return terminal;
}

static const struct terminal *first_there(const char *ending)
{
	for (gsize i = 0; i < G_N_ELEMENTS(terminals); i++)
		if (!strcmp(terminals[i].ending, ending) && is_there(&terminals[i]))
			return &terminals[i];
	return NULL;
}

const struct terminal *terminal_choose(const char *ending, gboolean is_strict, char **note, GError **error)
{
	const struct terminal *chosen = first_there(ending);

	*note = NULL;
	for (gsize i = 0; !chosen && !is_strict && i < G_N_ELEMENTS(others); i++)
		if (!strcmp(others[i][0], ending))
			chosen = first_there(others[i][1]);
	if (!chosen) {
		err_runtime(error,
			    "gnuplot here has no '%s' terminal, which makes %s: install another build of it with "
			    "'apt install gnuplot-nox'",
			    first(ending)->name, ending);
		return NULL;
	}
	if (chosen != first(ending))
		*note = g_strdup_printf("no '%s' terminal here: drawn as %s with '%s'", first(ending)->name,
					chosen->ending, chosen->name);
	return chosen;
}

void terminal_set(const struct terminal *terminal, const struct picture *picture, GString *script)
{
	g_string_append_printf(script, "set terminal %s ", terminal->name);
	terminal->set(terminal, picture, script);
	g_string_append_c(script, '\n');
}
