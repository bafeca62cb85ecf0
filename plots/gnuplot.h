#ifndef GNUPLOT_H
#define GNUPLOT_H

#include <glib.h>

#include "picture.h"

/* text as a gnuplot string expression: shows as itself, whatever it holds, where the text is drawn "noenhanced" and is
 * no format (tic labels are); control characters are made visible. */
char *gnuplot_quote(const char *text);

/* A usage error, naming the known ones, unless the ending of output chooses a format: .svg, .png, .pdf or .txt. */
gboolean gnuplot_check_output(const char *output, GError **error);

struct gnuplot_arg {
	const char *output;   /* its ending chooses the format; appears whole or not at all */
	const char *keep_dir; /* NULL: none; made where missing; keeps plot.gp and data.dat, so that "gnuplot plot.gp"
			       * there makes the same picture as plot.svg or plot.png */
	double deadline_s;    /* 0: 60 */
};

/* Draws into a file. Where gnuplot lacks the terminals of a format the next best is taken, with another ending where
 * that is another format, and *warnings says so. Errors: no gnuplot, or none that can, naming the package; gnuplot's
 * own words where it failed; a file that cannot be written. *warnings (NULL: not asked) is that, and what gnuplot said
 * though it did not fail; else NULL. */
gboolean gnuplot_run(const struct picture *picture, const struct gnuplot_arg *arg, char **warnings, GError **error);

/* Draws into memory, in the format of the ending (".svg") and no other. Else as above. */
GBytes *gnuplot_draw(const struct picture *picture, const char *ending, char **warnings, GError **error);

/* Draws an <svg> element to be put into a page of HTML as it is: it refers to nothing outside, has the picture's title,
 * and each id in it begins with the id given (a letter, then letters, digits, '-'), which is to be the only such one on
 * the page. */
char *gnuplot_draw_inline(const struct picture *picture, const char *id, char **warnings, GError **error);

#endif
