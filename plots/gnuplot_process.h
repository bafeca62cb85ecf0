#ifndef GNUPLOT_PROCESS_H
#define GNUPLOT_PROCESS_H

#include <glib.h>

/* Where gnuplot is; an error that names the package where it is not. */
char *gnuplot_program(GError **error);

/* Runs gnuplot in folder (NULL: here) with one argument more, a script or an option; what it prints, one byte at least.
 * Errors: gnuplot's own words. *warnings (NULL: not asked): what it said though it did not fail, else NULL. */
GBytes *gnuplot_process(const char *folder, const char *const *arguments, double deadline_s, char **warnings,
			GError **error);

#endif
