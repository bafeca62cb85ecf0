#ifndef GNUPLOT_H
#define GNUPLOT_H

#include <glib.h>

/* text as a gnuplot string literal: shows as itself, whatever it holds; control characters are made visible. */
char *gnuplot_quote(const char *text);

/* Draws to output, whose ending chooses the terminal: .svg or .png. keep_dir (NULL: none) keeps plot.gp and data.dat there,
 * so that "gnuplot plot.gp" makes the same picture again. The file appears whole or not at all. Errors: no gnuplot, naming the
 * package; gnuplot's own words where it failed. */
gboolean gnuplot_run(const char *script, const char *data, const char *output, const char *keep_dir, GError **error);

#endif
