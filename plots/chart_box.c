#include "chart.h"

#include <math.h>

#include "../src/analyse.h"
#include "axis.h"
#include "panel.h"

/* Half heights in rows: of the box, of a whisker's end, and of the band that the runs spread over. */
#define BOX 0.32
#define WHISKER_END 0.13
#define SPREAD 0.26

/* Above this number of runs a row's points are small and pale, to leave the box visible. */
#define CROWD 100
#define PALE 0xb0000000u /* alpha: 255 is invisible */

static gboolean box_range(const struct estimate_row *row, double *low, double *high)
{
	gboolean any = FALSE;

	for (guint i = 0; i < row->samples->len; i++)
		any |= axis_see(AXIS_LINEAR, g_array_index(row->samples, double, i), low, high);
	return any;
}

/* From the top of the band down in run order: points do not hide each other, and a drift from run to run is seen. */
static double run_y(const struct panel_row *row, guint run, guint n)
{
	return row->y + SPREAD * ((2.0 * run + 1) / n - 1);
}

struct box_records {
	GString *boxes, *whiskers, *medians, *runs;
};

static void add_vector(GString *records, double x, double y, double dx, double dy, guint32 colour)
{
	picture_record(records, (double[]){x, y, dx, dy, colour}, 5);
}

static void add_box(const struct panel_row *row, struct box_records *records)
{
	const struct estimate_row *estimate = row->estimate;
	double min = estimate->summary.min, max = estimate->summary.max, median = estimate->summary.median;

	if (estimate->n < 2 || !isfinite(min) || !isfinite(max))
		return;
	picture_record(records->boxes,
		       (double[]){median, row->y, estimate->q1, estimate->q3, row->y - BOX, row->y + BOX, row->colour},
		       7);
	add_vector(records->whiskers, min, row->y, estimate->q1 - min, 0, row->colour);
	add_vector(records->whiskers, estimate->q3, row->y, max - estimate->q3, 0, row->colour);
	add_vector(records->whiskers, min, row->y - WHISKER_END, 0, 2 * WHISKER_END, row->colour);
	add_vector(records->whiskers, max, row->y - WHISKER_END, 0, 2 * WHISKER_END, row->colour);
	add_vector(records->medians, median, row->y - BOX, 0, 2 * BOX, row->colour);
}

static void add_runs(const struct panel_row *row, struct box_records *records)
{
	const GArray *samples = row->estimate->samples;
	gboolean crowd = samples->len > CROWD;

	for (guint i = 0; i < samples->len; i++) {
		double value = g_array_index(samples, double, i), low = INFINITY, high = -INFINITY;

		if (axis_see(AXIS_LINEAR, value, &low, &high))
			picture_record(records->runs,
				       (double[]){value, run_y(row, i, samples->len), crowd ? 0.4 : 0.75, row->shape,
						  row->colour | (crowd ? PALE : 0)},
				       5);
	}
}

static void box_plot(const GArray *rows, struct picture *picture, GString *elements)
{
	g_autoptr(GString) boxes = g_string_new(NULL);
	g_autoptr(GString) whiskers = g_string_new(NULL);
	g_autoptr(GString) medians = g_string_new(NULL);
	g_autoptr(GString) runs = g_string_new(NULL);
	struct box_records records = {boxes, whiskers, medians, runs};

	for (guint i = 0; i < rows->len; i++) {
		const struct panel_row *row = &g_array_index(rows, struct panel_row, i);

		add_box(row, &records);
		add_runs(row, &records);
	}
	picture_plot(picture, elements, runs, "value row size shape colour",
		     "1:2:3:4:5 with points ps variable pt variable lc rgb variable");
	picture_plot(picture, elements, boxes, "median row quartile1 quartile3 top bottom colour",
		     "1:2:3:4:5:6:7 with boxxyerror fs transparent solid 0.2 border lw 1 lc rgb variable");
	picture_plot(picture, elements, whiskers, "x row dx drow colour",
		     "1:2:3:4:5 with vectors nohead lw 1.5 lc rgb variable");
	picture_plot(picture, elements, medians, "median row dx drow colour",
		     "1:2:3:4:5 with vectors nohead lw 3 lc rgb variable");
}

static gboolean box_draw(const struct chart_data *data, struct picture *picture, GError **error)
{
	static const struct panel_style style = {.row_height = 44, .range = box_range, .plot = box_plot};

	return panels_draw(
	    data->estimates, &style,
	    "Box: quartiles and median. Whiskers: least and greatest. Points: runs, the first one on top. "
	    "n: complete runs.",
	    picture, error);
}

const struct chart chart_box = {
    .name = "box",
    .summary = "boxes of the quartiles with every run as a point, a row for each treatment",
    .needs = CHART_ESTIMATES,
    .draw = box_draw,
};
