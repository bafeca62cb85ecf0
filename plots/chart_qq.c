#include "chart.h"

#include "../src/analyse.h"
#include "../src/analyse_distribution.h"
#include "look.h"
#include "panel.h"
#include "picture.h"
#include "xy.h"

/* Above this number of runs points are small. */
#define CROWD 100

static void add_treatment(struct xy *xy, const struct estimate_row *row, const struct distribution *distribution,
			  guint look)
{
	guint n = distribution->values->len;
	g_autoptr(GString) points = g_string_new(NULL), line = g_string_new(NULL);
	g_autofree char *text = panel_legend(row);

	for (guint i = 0; i < n; i++) {
		double at[] = {g_array_index(distribution->scores, double, i),
			       g_array_index(distribution->values, double, i)};

		if (xy_see(xy, at[0], at[1]))
			picture_record(points, at, 2);
	}
	for (guint i = 0; i < 2 && n > 1; i++) {
		double at[] = {g_array_index(distribution->scores, double, i ? n - 1 : 0), distribution->line[i]};

		if (xy_see(xy, at[0], at[1]))
			picture_record(line, at, 2);
	}
	xy_plot_look(xy, line, "score value", "lines lw 1.5", look);
	xy_plot_look(xy, points, "score value", n > CROWD ? "points ps 0.5" : "points ps 0.9", look);
	xy_legend(xy, look, XY_POINT | XY_LINE, text);
}

static gboolean qq_draw(const struct chart_data *data, struct picture *picture, GError **error)
{
	g_autoptr(GPtrArray) estimates = panels_of(data->estimates);
	g_autoptr(GPtrArray) notes = panels_notes(
	    data->estimates, "Point: run. Line: through the quartiles. Points along it are as normal values would be; "
			     "ends that leave it are long or short tails, and steps are several speeds.");
	g_autoptr(GPtrArray) panels = g_ptr_array_new_with_free_func((GDestroyNotify)xy_free);
	g_autoptr(GHashTable) looks = look_names_new();

	for (guint i = 0; i < estimates->len; i++) {
		const struct panel *panel = g_ptr_array_index(estimates, i);
		g_autofree char *metric = axis_label(&panel->metric);
		g_autofree char *label = g_strconcat(metric, data->is_log ? ", logarithmic" : "", NULL);
		struct xy *xy = xy_new(picture, panel_title(panel), "standard normal quantile", label);

		g_ptr_array_add(panels, xy);
		xy->y_scale = data->is_log ? AXIS_LOG10 : AXIS_LINEAR;
		for (guint j = 0; j < panel->rows->len; j++) {
			const struct estimate_row *row = g_ptr_array_index(panel->rows, j);

			add_treatment(xy, row, chart_distribution(data, row), look_of_name(looks, row->treatment));
		}
		/* one run stands in the middle */
		axis_see(AXIS_LINEAR, -1, &xy->x_low, &xy->x_high);
		axis_see(AXIS_LINEAR, 1, &xy->x_low, &xy->x_high);
	}
	return xy_draw(panels, notes, picture, error);
}

const struct chart chart_qq = {
    .name = "qq",
    .summary = "values against normal quantiles, with a line through the quartiles; --scale log: their logarithms",
    .needs = CHART_ESTIMATES | CHART_DISTRIBUTIONS | CHART_SCALE,
    .draw = qq_draw,
};
