#include "chart.h"

#include "../src/analyse.h"
#include "../src/analyse_distribution.h"
#include "look.h"
#include "panel.h"
#include "picture.h"
#include "xy.h"

/* Up to this number of runs each is a point. */
#define POINTS_MAX 40

static void add_treatment(struct xy *xy, const struct estimate_row *row, const struct distribution *distribution,
			  guint look)
{
	const GArray *values = distribution->values;
	g_autoptr(GString) steps = g_string_new(NULL), points = g_string_new(NULL);
	g_autofree char *text = panel_legend(row);
	gboolean has_points = values->len <= POINTS_MAX;

	for (guint i = 0; i < values->len; i++) {
		double value = g_array_index(values, double, i), share = (i + 1.0) / values->len;

		/* runs that are alike are one step */
		if (!xy_see(xy, value, share) || (i + 1 < values->len && g_array_index(values, double, i + 1) == value))
			continue;
		if (!steps->len)
			picture_record(steps, (double[]){value, 0}, 2);
		picture_record(steps, (double[]){value, share}, 2);
		if (has_points)
			picture_record(points, (double[]){value, share}, 2);
	}
	xy_plot_look(xy, steps, "value share", "steps lw 2", look);
	xy_plot_look(xy, points, "value share", "points ps 0.8", look);
	xy_legend(xy, look, has_points ? XY_POINT | XY_LINE : XY_LINE, text);
}

static gboolean ecdf_draw(const struct chart_data *data, struct picture *picture, GError **error)
{
	g_autoptr(GPtrArray) estimates = panels_of(data->estimates);
	g_autoptr(GPtrArray) notes =
	    panels_notes(data->estimates, "Line: share of the complete runs that are not above the value.");
	g_autoptr(GPtrArray) panels = g_ptr_array_new_with_free_func((GDestroyNotify)xy_free);
	g_autoptr(GHashTable) looks = look_names_new();

	for (guint i = 0; i < estimates->len; i++) {
		const struct panel *panel = g_ptr_array_index(estimates, i);
		g_autofree char *label = axis_label(&panel->metric);
		struct xy *xy = xy_new(picture, panel_title(panel), label, "share of runs");

		g_ptr_array_add(panels, xy);
		for (guint j = 0; j < panel->rows->len; j++) {
			const struct estimate_row *row = g_ptr_array_index(panel->rows, j);

			add_treatment(xy, row, chart_distribution(data, row), look_of_name(looks, row->treatment));
		}
		xy->y_low = 0;
		xy->y_high = 1;
	}
	return xy_draw(panels, notes, picture, error);
}

const struct chart chart_ecdf = {
    .name = "ecdf",
    .summary = "the share of runs up to each value, a step line for each treatment",
    .needs = CHART_ESTIMATES | CHART_DISTRIBUTIONS,
    .draw = ecdf_draw,
};
