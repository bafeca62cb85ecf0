#include "chart.h"

#include <math.h>

#include "../src/analyse.h"
#include "../src/analyse_distribution.h"
#include "look.h"
#include "panel.h"
#include "picture.h"
#include "xy.h"

#define PLOT_LINES 6 /* of text, as high as a panel is */
#define RUG 0.06     /* of that */
#define CROWD 100    /* above this number of runs strokes are pale */

/* What the panels of one metric share: the x axis. */
static void see_values(struct xy *range, const struct distribution *distribution)
{
	const GArray *values = distribution->values, *density = distribution->density;
	double low, high;

	if (!values->len)
		return;
	low = g_array_index(values, double, 0);
	high = g_array_index(values, double, values->len - 1);
	axis_see(AXIS_LINEAR, low, &range->x_low, &range->x_high);
	axis_see(AXIS_LINEAR, high, &range->x_low, &range->x_high);
	if (!density->len)
		return;
	/* what is never negative has no density there to show */
	if (low < 0 || g_array_index(density, struct density_point, 0).at > 0)
		axis_see(AXIS_LINEAR, g_array_index(density, struct density_point, 0).at, &range->x_low,
			 &range->x_high);
	axis_see(AXIS_LINEAR, g_array_index(density, struct density_point, density->len - 1).at, &range->x_low,
		 &range->x_high);
}

static void add_bins(struct xy *xy, const struct distribution *distribution, guint32 colour)
{
	g_autoptr(GString) bars = g_string_new(NULL);
	double low = distribution->values->len ? g_array_index(distribution->values, double, 0) : 0;

	for (guint i = 0; i < distribution->bins->len; i++) {
		double left = low + i * distribution->bin_width, top = g_array_index(distribution->bins, double, i);

		if (top > 0 && xy_see(xy, left, top))
			picture_record(bars, (double[]){left, 0, left, left + distribution->bin_width, 0, top, colour},
				       7);
	}
	xy_plot(xy, bars, "left zero left right zero density colour",
		"1:2:3:4:5:6:7 with boxxyerror fs transparent solid 0.3 border lw 1 lc rgb variable");
}

static void add_density(struct xy *xy, const struct distribution *distribution)
{
	g_autoptr(GString) line = g_string_new(NULL);

	for (guint i = 0; i < distribution->density->len; i++) {
		const struct density_point *point = &g_array_index(distribution->density, struct density_point, i);

		if (point->at >= xy->x_low && xy_see(xy, point->at, point->density))
			picture_record(line, (double[]){point->at, point->density}, 2);
	}
	xy_plot(xy, line, "value density", "1:2 with lines lw 2 lc rgb '#000000'");
}

/* A stroke for each run; values that are alike are nothing but one. */
static void add_rug(struct xy *xy, const struct distribution *distribution)
{
	g_autoptr(GString) rug = g_string_new(NULL);
	gboolean is_flat = !(xy->y_low <= xy->y_high);
	double height = is_flat ? 1 : RUG * xy->y_high;

	for (guint i = 0; i < distribution->values->len; i++) {
		double value = g_array_index(distribution->values, double, i);

		if (xy_see(xy, value, height) && (!is_flat || !rug->len))
			picture_record(rug, (double[]){value, height}, 2);
	}
	xy_plot(xy, rug, "value height",
		is_flat                             ? "1:2 with impulses lw 3 lc rgb '#000000'"
		: distribution->values->len > CROWD ? "1:2 with impulses lw 1 lc rgb '#b0000000'"
						    : "1:2 with impulses lw 1 lc rgb '#000000'");
	if (distribution->values->len && is_flat)
		g_string_append(xy->setup, "unset ytics\n");
}

static struct xy *panel_new(struct picture *picture, const struct panel *panel, const struct estimate_row *row,
			    const struct distribution *distribution)
{
	const char *unit = panel->metric.unit;
	gboolean is_flat = row->n && !distribution->bins->len;
	g_autofree char *count = panel_count(row), *label = axis_label(&panel->metric);
	g_autofree char *title = g_strdup_printf("%s: %s", panel_title(panel), panel_treatment(row));
	g_autofree char *y_label =
	    g_strdup_printf("%s; density%s%s%s%s", count, *unit ? " (per " : "", unit, *unit ? ")" : "",
			    !is_flat      ? ""
			    : row->n == 1 ? ": none of one run"
					  : ": none, all runs are alike");

	return xy_new(picture, title, label, y_label);
}

static void add_panel(const struct chart_data *data, const struct panel *panel, GHashTable *looks,
		      struct picture *picture, GPtrArray *panels)
{
	guint first = panels->len;

	for (guint i = 0; i < panel->rows->len; i++) {
		const struct estimate_row *row = g_ptr_array_index(panel->rows, i);
		struct xy *xy = panel_new(picture, panel, row, chart_distribution(data, row));

		g_ptr_array_add(panels, xy);
		xy->height = PLOT_LINES * picture->line;
		see_values(g_ptr_array_index(panels, first), chart_distribution(data, row));
	}
	for (guint i = 0; i < panel->rows->len; i++) {
		const struct estimate_row *row = g_ptr_array_index(panel->rows, i);
		const struct distribution *distribution = chart_distribution(data, row);
		const struct xy *range = g_ptr_array_index(panels, first);
		struct xy *xy = g_ptr_array_index(panels, first + i);

		xy->x_low = range->x_low;
		xy->x_high = range->x_high;
		add_bins(xy, distribution, look_colour(look_of_name(looks, row->treatment)));
		add_density(xy, distribution);
		add_rug(xy, distribution);
		xy->y_low = fmin(xy->y_low, xy->y_high >= 0 ? 0 : INFINITY);
	}
}

static gboolean histogram_draw(const struct chart_data *data, struct picture *picture, GError **error)
{
	g_autoptr(GPtrArray) estimates = panels_of(data->estimates);
	g_autoptr(GPtrArray) notes =
	    panels_notes(data->estimates, "Bars: share of runs, as density. Line: density with Gaussian kernels "
					  "(bandwidth: R's nrd0). Strokes at the axis: runs.");
	g_autoptr(GPtrArray) panels = g_ptr_array_new_with_free_func((GDestroyNotify)xy_free);
	g_autoptr(GHashTable) looks = look_names_new();

	for (guint i = 0; i < estimates->len; i++)
		add_panel(data, g_ptr_array_index(estimates, i), looks, picture, panels);
	return xy_draw(panels, notes, picture, error);
}

const struct chart chart_histogram = {
    .name = "histogram",
    .summary = "how the runs of each treatment are distributed: bars, density and every run",
    .needs = CHART_ESTIMATES | CHART_DISTRIBUTIONS,
    .draw = histogram_draw,
};
