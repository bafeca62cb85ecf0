#include "chart.h"

#include <math.h>
#include <string.h>

#include "../src/analyse.h"
#include "../src/dataset.h"
#include "../src/shared.h"
#include "look.h"
#include "panel.h"
#include "picture.h"
#include "xy.h"

/* Above this number of runs points are small. */
#define CROWD 100
#define BLOCKS_MAX 100
/* Above this number of runs a point is left out where one of its treatment covers it: within 2 pixels, less than a
 * small point is wide. */
#define MANY 20000
#define COVERED 2
#define PLACES 160 /* of a panel's height */

/* A run of one panel, of whatever treatment. */
struct ordered_run {
	guint row; /* of the dataset */
	gint64 started_us;
	const struct estimate_row *estimate;
	double value; /* NaN where it failed */
	gboolean stands_out;
};

static void add_run(GArray *runs, const struct dataset *dataset, const struct estimate_row *estimate, guint row,
		    double value)
{
	struct ordered_run run = {row, dataset_started_us(dataset, row), estimate, value, FALSE};

	g_array_append_val(runs, run);
}

static void add_estimate(GArray *runs, const struct dataset *dataset, const struct estimate_row *estimate)
{
	guint first = runs->len;

	for (guint i = 0; i < estimate->rows->len; i++)
		add_run(runs, dataset, estimate, g_array_index(estimate->rows, guint, i),
			g_array_index(estimate->samples, double, i));
	for (guint i = 0; i < estimate->outlying->len; i++)
		g_array_index(runs, struct ordered_run, first + g_array_index(estimate->outlying, guint, i))
		    .stands_out = TRUE;
	for (guint i = 0; i < estimate->failed_rows->len; i++)
		add_run(runs, dataset, estimate, g_array_index(estimate->failed_rows, guint, i), NAN);
}

static int by_time(gconstpointer a, gconstpointer b)
{
	const struct ordered_run *x = a, *y = b;

	if (x->started_us && y->started_us && x->started_us != y->started_us)
		return x->started_us < y->started_us ? -1 : 1;
	return (x->row > y->row) - (x->row < y->row);
}

static const struct ordered_run *run_at(const GArray *runs, guint i)
{
	return &g_array_index(runs, struct ordered_run, i);
}

/* struct ordered_run: by their starts where all are known, else as the data lists them. */
static GArray *runs_of(const struct dataset *dataset, const struct panel *panel)
{
	GArray *runs = g_array_new(FALSE, FALSE, sizeof(struct ordered_run));
	gboolean has_times = TRUE;

	for (guint i = 0; i < panel->rows->len; i++)
		add_estimate(runs, dataset, g_ptr_array_index(panel->rows, i));
	for (guint i = 0; i < runs->len; i++)
		has_times &= run_at(runs, i)->started_us != 0;
	for (guint i = 0; i < runs->len && !has_times; i++)
		g_array_index(runs, struct ordered_run, i).started_us = 0;
	g_array_sort(runs, by_time);
	return runs;
}

static gboolean differs(const struct column *column, const GArray *runs, guint i)
{
	return i && column_code(column, run_at(runs, i)->row) != column_code(column, run_at(runs, i - 1)->row);
}

/* Bands behind every second block; none where each run is a block of its own, or bands were too narrow to be seen. */
static void add_blocks(struct xy *xy, const struct column *block, const GArray *runs)
{
	g_autoptr(GString) bands = g_string_new(NULL);
	gboolean is_banded = TRUE, has_two = FALSE;
	guint from = 0, n = 0;

	for (guint i = 1; i <= runs->len; i++) {
		if (i < runs->len && !differs(block, runs, i)) {
			has_two = TRUE;
			continue;
		}
		n++;
		is_banded = !is_banded;
		if (is_banded)
			g_string_append_printf(bands,
					       "set object rectangle from first %u.5, graph 0 to first %u.5, graph 1 "
					       "behind fs solid noborder fc rgb '#eeeeee'\n",
					       from, i);
		from = i;
	}
	if (has_two && block && n <= BLOCKS_MAX && xy->picture->size != PICTURE_TEXT)
		g_string_append(xy->setup, bands->str);
}

static void add_lines(struct xy *xy, const struct column *column, const GArray *runs, const char *style)
{
	for (guint i = 1; column && i < runs->len; i++)
		if (differs(column, runs, i))
			xy_divide(xy, i, style);
}

/* Whether what is drawn for the same treatment hides this run. cells: those drawn so far. */
static gboolean is_covered(GHashTable *cells, const struct xy *xy, const GArray *runs, guint i)
{
	double height = xy->y_high - xy->y_low, value = run_at(runs, i)->value;
	guint column = (guint)((double)i / runs->len * xy->picture->width / COVERED), place = PLACES + 1;

	if (runs->len <= MANY)
		return FALSE;
	if (value >= xy->y_low && value <= xy->y_high)
		place = height > 0 ? (guint)((value - xy->y_low) / height * PLACES) : 0;
	return !g_hash_table_add(cells, GUINT_TO_POINTER(column * (PLACES + 2) + place));
}

static void add_treatment(struct xy *xy, const struct estimate_row *estimate, const GArray *runs, guint look)
{
	g_autoptr(GString) points = g_string_new(NULL), rings = g_string_new(NULL);
	g_autoptr(GHashTable) drawn = g_hash_table_new(NULL, NULL), ringed = g_hash_table_new(NULL, NULL);
	g_autofree char *count = panel_count(estimate);
	g_autofree char *text = g_strdup_printf("%s (%s)", panel_treatment(estimate), count);

	for (guint i = 0; i < runs->len; i++) {
		const struct ordered_run *run = run_at(runs, i);

		if (run->estimate != estimate)
			continue;
		if (!xy_see(xy, i + 1, run->value)) {
			if (!is_covered(drawn, xy, runs, i))
				xy_cross(xy, i + 1, look);
			continue;
		}
		if (!is_covered(drawn, xy, runs, i))
			picture_record(points, (double[]){i + 1, run->value}, 2);
		if (run->stands_out && !is_covered(ringed, xy, runs, i))
			picture_record(rings, (double[]){i + 1, run->value}, 2);
	}
	xy_plot_look(xy, points, "run value", runs->len > CROWD ? "points ps 0.5" : "points ps 1", look);
	xy_plot(xy, rings, "run value", "1:2 with points pt 6 ps 2.4 lw 1.5 lc rgb '#000000'");
	xy_legend(xy, look, XY_POINT, text);
}

static void add_panel(struct xy *xy, const struct dataset *dataset, const struct panel *panel, GHashTable *looks)
{
	g_autoptr(GArray) runs = runs_of(dataset, panel);

	add_blocks(xy, dataset->block, runs);
	add_lines(xy, dataset->sitting, runs, "dt 3 lw 1.5 lc rgb '#444444'");
	add_lines(xy, dataset->boot, runs, "lw 1.5 lc rgb '#444444'");
	xy->has_whole_x = TRUE;
	/* the axis holds failed runs, too */
	if (runs->len) {
		xy->x_low = fmin(xy->x_low, 1);
		xy->x_high = fmax(xy->x_high, runs->len);
	}
	/* what covers what depends on the whole range */
	for (guint i = 0; i < runs->len; i++)
		xy_see(xy, i + 1, run_at(runs, i)->value);
	for (guint i = 0; i < panel->rows->len; i++) {
		const struct estimate_row *estimate = g_ptr_array_index(panel->rows, i);

		add_treatment(xy, estimate, runs, look_of_name(looks, estimate->treatment));
	}
}

static gboolean order_draw(const struct chart_data *data, struct picture *picture, GError **error)
{
	g_autoptr(GPtrArray) estimates = panels_of(data->estimates);
	g_autoptr(GPtrArray) notes = panels_notes(
	    data->estimates, "Point: run. Ring: stands out. Cross at the axis: failed. Bands: blocks. Line: "
			     "reboot; dotted: next sitting.");
	g_autoptr(GPtrArray) panels = g_ptr_array_new_with_free_func((GDestroyNotify)xy_free);
	g_autoptr(GHashTable) looks = look_names_new();

	for (guint i = 0; i < estimates->len; i++) {
		const struct panel *panel = g_ptr_array_index(estimates, i);
		g_autofree char *label = axis_label(&panel->metric);

		g_ptr_array_add(
		    panels, xy_new(picture, panel_title(panel), "runs in the order in which they were made", label));
		add_panel(g_ptr_array_index(panels, i), data->runs, panel, looks);
	}
	return xy_draw(panels, notes, picture, error);
}

const struct chart chart_order = {
    .name = "order",
    .summary =
	"every run in the order in which they were made, with blocks, sittings and boots: does the machine drift?",
    .needs = CHART_ESTIMATES | CHART_RUNS,
    .draw = order_draw,
};
