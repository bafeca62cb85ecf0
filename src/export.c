#include "export.h"

#include "err.h"

extern const struct exporter export_json, export_csv, export_gobench, export_hyperfine;

const struct exporter *const exporter_table[] = {&export_json, &export_csv, &export_gobench, &export_hyperfine, NULL};

const struct exporter *exporter_find(const char *name, GError **error)
{
	g_autoptr(GString) names = g_string_new(NULL);

	for (const struct exporter *const *row = exporter_table; *row; row++) {
		if (g_str_equal((*row)->name, name))
			return *row;
		g_string_append_printf(names, "%s%s", names->len ? ", " : "", (*row)->name);
	}
	err_usage(error, "no format '%s': there are %s", name, names->str);
	return NULL;
}
