#ifndef GNUPLOT_H
#define GNUPLOT_H

#include <glib.h>

/* What a chart draws: plot commands, without terminal and output, and the numbers that they read as 'data.dat'. */
struct picture {
	GString *script, *data;
	guint n_blocks;      /* blocks in data so far, "index" of the next one */
	guint width, height; /* pixels of a 96 dpi screen */
};
void picture_init(struct picture *picture);
void picture_clear(struct picture *picture);

/* text as a gnuplot string expression: shows as itself, whatever it holds, where the text is drawn "noenhanced" and is
 * no format (tic labels are); control characters are made visible. */
char *gnuplot_quote(const char *text);

/* A usage error, naming the known ones, unless the ending of output chooses a terminal. */
gboolean gnuplot_check_output(const char *output, GError **error);

struct gnuplot_arg {
	const char *output;   /* its ending chooses the terminal: .svg or .png; appears whole or not at all */
	const char *keep_dir; /* NULL: none; made where missing; keeps plot.gp and data.dat, so that "gnuplot plot.gp"
			       * there makes the same picture as plot.svg or plot.png */
	double deadline_s;    /* 0: 60 */
};

/* Draws. Errors: no gnuplot, naming the package; gnuplot's own words where it failed; a file that cannot be written.
 * *warnings (NULL: not asked) is what gnuplot said though it did not fail, else NULL. */
gboolean gnuplot_run(const struct picture *picture, const struct gnuplot_arg *arg, char **warnings, GError **error);

#endif
