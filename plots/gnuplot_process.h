#ifndef GNUPLOT_PROCESS_H
#define GNUPLOT_PROCESS_H

#include <glib.h>

/* Where gnuplot is; an error that names the package where it is not. */
char *gnuplot_program(GError **error);

/* Runs gnuplot with these arguments more (NULL at the end), a script as its input and data that it reads as GNUPLOT_DATA
 * (NULL: none); what it prints, one byte at least. Errors: gnuplot's own words. *warnings (NULL: not asked): what it said
 * though it did not fail, else NULL. */
GBytes *gnuplot_process(const char *const *arguments, const GString *script, const GString *data, double deadline_s,
			char **warnings, GError **error);
#define GNUPLOT_DATA_FD 3
#define GNUPLOT_DATA "/dev/fd/3"

#endif
