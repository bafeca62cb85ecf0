#include "adapter.h"

#include <math.h>
#include <string.h>

#include "../src/err.h"
#include "../src/tool.h"
#include "workload.h"

#define TIME_MAX 86400.0 /* seconds */
#define SECTOR 512       /* bytes, the least that a device moves. source: O_DIRECT in open(2) */

GPtrArray *adapter_begin(const char *program)
{
	GPtrArray *words = g_ptr_array_new_with_free_func(g_free);
	char *path = tool_find(program, program, NULL);

	g_ptr_array_add(words, path ? path : g_build_filename("/usr/bin", program, NULL));
	return words;
}

void adapter_add(GPtrArray *words, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	g_ptr_array_add(words, g_strdup_vprintf(format, arguments));
	va_end(arguments);
}

static gboolean end(char ***vector, GPtrArray *words)
{
	g_ptr_array_add(words, NULL);
	g_strfreev(*vector);
	*vector = (char **)g_ptr_array_free(words, FALSE);
	return TRUE;
}

gboolean adapter_end(struct workload_config *config, GPtrArray *words)
{
	return end(&config->argv, words);
}

gboolean adapter_end_prepare(struct workload_config *config, GPtrArray *words)
{
	return end(&config->prepare, words);
}

gboolean adapter_check_time(const struct workload_config *config, guint min, GError **error)
{
	double time_s = workload_option_value(config, "time")->seconds;

	return (time_s == floor(time_s) && time_s >= min && time_s <= TIME_MAX) ||
	       err_usage(error, "option 'time': %s takes whole seconds, from %u to %g", config->workload->name, min,
			 TIME_MAX);
}

gboolean adapter_check_max(const struct workload_config *config, const char *option, guint64 max, GError **error)
{
	guint64 number = workload_option_value(config, option)->number;

	return number <= max || err_usage(error, "option '%s': %" G_GUINT64_FORMAT " is above %" G_GUINT64_FORMAT,
					  option, number, max);
}

char *adapter_misaligned(const struct workload_config *config, const char *option)
{
	guint64 bytes = workload_option_value(config, option)->number;

	if (!workload_option_value(config, "direct")->flag || bytes % SECTOR == 0)
		return NULL;
	return g_strdup_printf("around the page cache '%s' is a multiple of %d bytes, which %" G_GUINT64_FORMAT
			       " is not",
			       option, SECTOR, bytes);
}

char *adapter_objection(const struct workload_config *config, const char *check_only, int dirfd)
{
	guint n = g_strv_length(config->argv);
	g_autofree char **argv = g_new0(char *, n + 2), *last = g_strdup(check_only);
	g_autoptr(GError) error = NULL;

	memcpy(argv, config->argv, n * sizeof *argv);
	argv[n] = last;
	return tool_run(argv, dirfd, &error) ? NULL : g_strdup(error->message);
}

char *const *adapter_argv(const struct workload_config *config)
{
	return config->argv;
}

char *adapter_missing(const char *program, const char *package)
{
	g_autoptr(GError) error = NULL;
	g_autofree char *path = tool_find(program, package, &error);

	return path ? NULL : g_strdup(error->message);
}
