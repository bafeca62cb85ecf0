#include "chart.h"

#include "../src/err.h"

extern const struct chart chart_interval, chart_box, chart_allan, chart_scaling, chart_forest, chart_order;

const struct chart *const chart_table[] = {&chart_interval, &chart_box,   &chart_allan, &chart_scaling,
					   &chart_forest,   &chart_order, NULL};

const struct chart *chart_find(const char *name, GError **error)
{
	g_autoptr(GString) known = g_string_new(NULL);

	for (const struct chart *const *chart = chart_table; *chart; chart++) {
		if (!strcmp(name, (*chart)->name))
			return *chart;
		g_string_append_printf(known, "%s%s", known->len ? ", " : "", (*chart)->name);
	}
	err_usage(error, "no chart '%s': choose one of %s", name, known->str);
	return NULL;
}
