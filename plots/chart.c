#include "chart.h"

#include "../src/analyse.h"
#include "../src/err.h"

extern const struct chart chart_interval, chart_box, chart_allan, chart_scaling, chart_forest, chart_order,
    chart_histogram, chart_ecdf, chart_qq, chart_heatmap, chart_latency, chart_trend, chart_timeline;

const struct chart *const chart_table[] = {
    &chart_interval, &chart_box, &chart_allan,   &chart_scaling, &chart_forest, &chart_order,    &chart_histogram,
    &chart_ecdf,     &chart_qq,  &chart_heatmap, &chart_latency, &chart_trend,  &chart_timeline, NULL};

const struct distribution *chart_distribution(const struct chart_data *data, const struct estimate_row *row)
{
	guint i = 0;

	g_assert(g_ptr_array_find(data->estimates->estimates, row, &i));
	return g_ptr_array_index(data->distributions, i);
}

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
