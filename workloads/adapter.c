#include "adapter.h"

#include "../src/tool.h"
#include "config.h"

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

gboolean adapter_end(struct workload_config *config, GPtrArray *words)
{
	g_ptr_array_add(words, NULL);
	g_strfreev(config->argv);
	config->argv = (char **)g_ptr_array_free(words, FALSE);
	return TRUE;
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
