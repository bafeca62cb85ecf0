#include "../plots/chart.h"
#include "../plots/gnuplot.h"
#include "analyse.h"
#include "cmd.h"
#include "cmd_reading.h"
#include "cmd_report_page.h"
#include "report_page.h"

#define POINTS_MAX 20000 /* runs: more points make a page that browsers are slow with */

/* Those that a report shows, in their order. */
static const struct kind {
	const char *name;
	gboolean has_points; /* one a run */
} kinds[] = {{"forest", FALSE}, {"heatmap", FALSE}, {"interval", FALSE}, {"box", TRUE}, {"order", TRUE}};

static void chart_free(gpointer data)
{
	struct report_chart *chart = data;

	g_free(chart->svg);
	g_free(chart->missing);
	g_free(chart);
}

static char *draw(const struct chart *chart, const struct chart_data *data, GError **error)
{
	g_autofree char *warnings = NULL;
	g_autofree char *id = g_strdup_printf("chart-%s", chart->name);
	struct picture picture;
	char *svg = NULL;

	picture_init(&picture, PICTURE_PAGE);
	if (chart->draw(data, &picture, error))
		svg = gnuplot_draw_inline(&picture, id, &warnings, error);
	picture_clear(&picture);
	if (warnings)
		cmd_warn("gnuplot: %s", warnings);
	return svg;
}

static struct report_chart *chart_new(const struct chart *chart, const struct chart_data *data, gboolean has_points)
{
	g_autoptr(GError) error = NULL;
	struct report_chart *drawn = g_new0(struct report_chart, 1);

	drawn->name = chart->name;
	drawn->summary = chart->summary;
	if (has_points && data->rows->len > POINTS_MAX)
		drawn->missing =
		    g_strdup_printf("This chart has a point for each of %u runs, which is too much for a page: "
				    "'vmstat-bench plot %s' draws it.",
				    data->rows->len, chart->name);
	else
		drawn->svg = draw(chart, data, &error);
	if (error)
		drawn->missing = g_strdup_printf("This chart could not be drawn: %s.", error->message);
	return drawn;
}

GPtrArray *report_charts_draw(const struct report_page *page, const struct reading *reading)
{
	GPtrArray *charts = g_ptr_array_new_with_free_func(chart_free);
	struct analyse_options options = reading->analyse;
	struct chart_data data = {.comparisons = page->comparison,
				  .effects = page->effects,
				  .runs = page->dataset,
				  .rows = page->rows};
	guint has = CHART_ESTIMATES | CHART_RUNS | (page->comparison ? CHART_COMPARISONS : 0) |
		    (page->effects ? CHART_EFFECTS : 0);
	g_autoptr(Analysis) estimates = NULL;

	options.primary_only = TRUE;
	data.estimates = estimates = analyse_show(page->dataset, page->rows, &options, NULL);
	for (guint i = 0; estimates && i < G_N_ELEMENTS(kinds); i++) {
		const struct chart *chart = chart_find(kinds[i].name, NULL);

		if ((chart->needs & has) == chart->needs)
			g_ptr_array_add(charts, chart_new(chart, &data, kinds[i].has_points));
	}
	return charts;
}
