#include "names.h"
#include "shared.h"

#define NAMES_SHOWN 20

void names_add(GPtrArray *names, const char *name)
{
	/* GPtrArray has no const elements; by way of a number nothing is cast away. */
	g_ptr_array_add(names, shared(name));
}

void names_add_once(GPtrArray *names, const char *name)
{
	if (!names_have(names, name, NULL))
		names_add(names, name);
}

gboolean names_have(const GPtrArray *names, const char *name, guint *at)
{
	for (guint i = 0; i < names->len; i++)
		if (g_str_equal(g_ptr_array_index(names, i), name)) {
			if (at)
				*at = i;
			return TRUE;
		}
	return FALSE;
}

char *names_quoted(const GPtrArray *names)
{
	GString *text = g_string_new(NULL);
	guint shown = MIN(names->len, NAMES_SHOWN);

	for (guint i = 0; i < shown; i++)
		g_string_append_printf(text, "%s'%s'", i ? ", " : "", (const char *)g_ptr_array_index(names, i));
	if (shown < names->len)
		g_string_append_printf(text, " and %u more", names->len - shown);
	return g_string_free(text, FALSE);
}

char *names_join(const GPtrArray *names, const char *separator)
{
	GString *text = g_string_new(NULL);

	for (guint i = 0; i < names->len; i++)
		g_string_append_printf(text, "%s%s", i ? separator : "", (const char *)g_ptr_array_index(names, i));
	return g_string_free(text, FALSE);
}
