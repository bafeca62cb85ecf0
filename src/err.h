#ifndef ERR_H
#define ERR_H

#include <glib.h>

/* Exit codes of the program; scripts rely on them. */
enum exit_code {
	EXIT_OK = 0,
	EXIT_GATE = 1,     /* a gate asked for with --fail-on failed */
	EXIT_USAGE = 2,    /* the command line, a spec or the contents of a given file are wrong */
	EXIT_RUNTIME = 3,  /* the world failed: a file, the kernel, a missing program */
	EXIT_SOME_FAILED = 4 /* some runs failed; the rest is stored */
};

/* GError codes of the project's one domain are exit codes: ERR_USAGE and ERR_RUNTIME. */
#define ERR (err_quark())
enum err_code { ERR_USAGE = EXIT_USAGE, ERR_RUNTIME = EXIT_RUNTIME };
GQuark err_quark(void);

/* Fill *error (message complete: lower case, what failed first, subject quoted, no full stop) and return false. */
gboolean err_usage(GError **error, const char *format, ...) G_GNUC_PRINTF(2, 3);
gboolean err_runtime(GError **error, const char *format, ...) G_GNUC_PRINTF(2, 3);
/* As err_runtime, with ": " and the text of errno_value (of errno as it was at the call) appended. */
gboolean err_errno(GError **error, int errno_value, const char *format, ...) G_GNUC_PRINTF(3, 4);

/* The exit code for an error of any domain: GOption and key-file errors are usage, everything else is runtime. */
int err_exit_code(const GError *error);

#endif
