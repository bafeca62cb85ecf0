#include "err.h"

#include <stdarg.h>

G_DEFINE_QUARK(vmstat-bench-error-quark, err)

static void err_fill(GError **error, int code, char *message)
{
	if (error)
		*error = g_error_new_literal(ERR, code, message);
	g_free(message);
}

gboolean err_usage(GError **error, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	err_fill(error, ERR_USAGE, g_strdup_vprintf(format, args));
	va_end(args);
	return FALSE;
}

gboolean err_runtime(GError **error, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	err_fill(error, ERR_RUNTIME, g_strdup_vprintf(format, args));
	va_end(args);
	return FALSE;
}

gboolean err_errno(GError **error, int errno_value, const char *format, ...)
{
	g_autofree char *what = NULL;
	va_list args;

	va_start(args, format);
	what = g_strdup_vprintf(format, args);
	va_end(args);
	err_fill(error, ERR_RUNTIME, g_strdup_printf("%s: %s", what, g_strerror(errno_value)));
	return FALSE;
}

int err_exit_code(const GError *error)
{
	if (error->domain == ERR)
		return error->code;
	return error->domain == G_OPTION_ERROR || error->domain == G_KEY_FILE_ERROR ? EXIT_USAGE : EXIT_RUNTIME;
}
