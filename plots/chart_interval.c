#include "chart.h"

#include <math.h>

#include "../src/analyse.h"
#include "../src/unit.h"
#include "axis.h"
#include "panel.h"

static gboolean has_bar(const struct estimate_row *row, double *low, double *high)
{
	double l = *low, h = *high;

	if (row->n < 2 || !axis_see(AXIS_LINEAR, row->ci.low, &l, &h) || !axis_see(AXIS_LINEAR, row->ci.high, &l, &h))
		return FALSE;
	*low = l;
	*high = h;
	return TRUE;
}

static gboolean interval_range(const struct estimate_row *row, double *low, double *high)
{
	if (!row->n || !axis_see(AXIS_LINEAR, row->ci.value, low, high))
		return FALSE;
	has_bar(row, low, high);
	return TRUE;
}

static void interval_plot(const GArray *rows, struct picture *picture, GString *elements)
{
	g_autoptr(GString) bars = g_string_new(NULL);
	g_autoptr(GString) points = g_string_new(NULL);

	for (guint i = 0; i < rows->len; i++) {
		const struct panel_row *row = &g_array_index(rows, struct panel_row, i);
		const struct estimate *ci = &row->estimate->ci;
		double low = INFINITY, high = -INFINITY;

		if (has_bar(row->estimate, &low, &high))
			picture_record(bars, (double[]){ci->value, row->y, ci->low, ci->high, row->colour}, 5);
		picture_record(points, (double[]){ci->value, row->y, row->shape, row->colour}, 4);
	}
	picture_plot(picture, elements, bars, "mean row low high colour",
		     "1:2:3:4:5 with xerrorbars pt 0 lw 2 lc rgb variable");
	picture_plot(picture, elements, points, "mean row shape colour",
		     "1:2:3:4 with points ps 1.2 pt variable lc rgb variable");
}

static gboolean interval_draw(const struct chart_data *data, struct picture *picture, GError **error)
{
	static const struct panel_style style = {.row_height = 28, .range = interval_range, .plot = interval_plot};
	g_autofree char *percent = number_format(100 * data->estimates->level);
	g_autofree char *note =
	    g_strdup_printf("Point: mean. Bar: %s%% confidence interval of the mean, none where n = 1. "
			    "n: complete runs.",
			    percent);

	return panels_draw(data->estimates, &style, note, picture, error);
}

const struct chart chart_interval = {
    .name = "interval",
    .summary = "means with their confidence intervals, a row for each treatment",
    .needs = CHART_ESTIMATES,
    .draw = interval_draw,
};
