#include "report.h"

#include "err.h"

extern const struct report_format report_text, report_markdown, report_csv, report_bars, report_json;

const struct report_format *const report_table[] = {&report_text, &report_markdown, &report_csv, &report_bars,
							  &report_json, NULL};

const struct report_format *report_find(const char *name, GError **error)
{
	return report_find_for(name, REPORT_ANSWER(name), error);
}

const struct report_format *report_find_for(const char *name, glong answer, GError **error)
{
	g_autoptr(GString) known = g_string_new(NULL);

	for (const struct report_format *const *row = report_table; *row; row++) {
		if (!*(const void *const *)((const char *)*row + answer))
			continue;
		if (g_str_equal((*row)->name, name))
			return *row;
		g_string_append_printf(known, "%s%s", known->len ? ", " : "", (*row)->name);
	}
	err_usage(error, "no format '%s': there are %s", name, known->str);
	return NULL;
}
