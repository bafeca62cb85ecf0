#include "chart.h"

#include <math.h>

#include "../src/analyse_trend.h"
#include "../src/unit.h"
#include "frame.h"
#include "gnuplot.h"
#include "label.h"
#include "picture.h"
#include "xy.h"

#define CROWD 100      /* above this number of runs points are small */
#define CHANGES_MAX 12 /* that the notes tell */
#define NAME_COLUMNS 6 /* of a label's name below the axis, at least */
#define LABELS_MAX 60  /* that the notes name where there is no room below the axis */
#define HEADROOM 0.08
#define BESIDE 14 /* columns that the axis is narrower than the picture, at least */

static char *title_of(const struct trend_series *series)
{
	const char *name = *series->workload ? series->workload : series->metric.name;

	return *series->treatment ? g_strdup_printf("%s: %s", name, series->treatment) : g_strdup(name);
}

static void add_runs(struct xy *xy, const struct trend_series *series)
{
	g_autoptr(GString) points = g_string_new(NULL);
	guint n = series->values->len;
	g_autofree char *failed = series->failed ? g_strdup_printf(", %u failed", series->failed) : g_strdup("");
	gboolean is_flat = n > 1 && series->segments->len == 1 &&
			   g_array_index(series->segments, struct trend_segment, 0).mean.flags & EST_CONSTANT;
	g_autofree char *text = g_strdup_printf("run (n = %u%s%s)", n, failed, is_flat ? ", all alike" : "");

	for (guint i = 0; i < n; i++) {
		double at[] = {i + 1, g_array_index(series->values, double, i)};

		if (xy_see(xy, at[0], at[1]))
			picture_record(points, at, 2);
	}
	xy_plot_look(xy, points, "run value", n > CROWD ? "points ps 0.4" : "points ps 1.1", 0);
	xy_legend(xy, 0, XY_POINT, text);
}

static void add_segments(struct xy *xy, const struct trend_series *series)
{
	g_autoptr(GString) bands = g_string_new(NULL), means = g_string_new(NULL);

	for (guint i = 0; i < series->segments->len; i++) {
		const struct trend_segment *segment = &g_array_index(series->segments, struct trend_segment, i);
		const struct estimate *mean = &segment->mean;
		double from = segment->from + 0.5, to = segment->from + segment->n + 0.5;

		if (!xy_see(xy, from, mean->value) || !xy_see(xy, to, mean->value))
			continue;
		/* an empty line parts it from the one before */
		if (means->len)
			g_string_append_c(means, '\n');
		picture_record(means, (double[]){from, mean->value}, 2);
		picture_record(means, (double[]){to, mean->value}, 2);
		if (xy_see(xy, from, mean->low) && xy_see(xy, to, mean->high))
			picture_record(bands, (double[]){from, mean->value, from, to, mean->low, mean->high}, 6);
	}
	if (xy->picture->size != PICTURE_TEXT)
		xy_plot(xy, bands, "first mean first end low high",
			"1:2:3:4:5:6 with boxxyerror fs solid noborder lc rgb '#e0e0e0'");
	xy_plot(xy, means, "run mean", "1:2 with lines lw 1.5 lc rgb '#000000'");
}

static void add_changes(struct xy *xy, const struct trend_series *series)
{
	for (guint i = 0; i < series->changes->len; i++) {
		const struct trend_change *change = g_ptr_array_index(series->changes, i);

		xy_divide(xy, change->index, "lw 2 lc rgb '#d55e00'");
		g_string_append_printf(
		    xy->setup,
		    "set label '%u' at first %u.5, graph 1 front noenhanced left offset 0.5,-0.7 tc rgb '#d55e00'\n",
		    i + 1, change->index);
	}
}

static guint end_of_label(const struct trend_series *series, guint i)
{
	return i + 1 < series->starts->len ? (guint)g_array_index(series->starts, gsize, i + 1) : series->values->len;
}

/* Columns of text below the runs of the label. */
static guint room_of(const struct trend_series *series, guint i, const struct picture *picture)
{
	guint n = end_of_label(series, i) - (guint)g_array_index(series->starts, gsize, i);
	guint all = picture_columns(picture, picture->width) - BESIDE;

	return all * n / series->values->len;
}

static gboolean has_room(const struct trend_series *series, const struct picture *picture)
{
	for (guint i = 0; i < series->labels->len; i++) {
		g_autofree char *printable = text_printable(g_ptr_array_index(series->labels, i));

		if (room_of(series, i, picture) <= MIN(NAME_COLUMNS, text_width(printable)))
			return FALSE;
	}
	return TRUE;
}

/* A dotted line where one label ends and the next begins, and names below the axis where they have room. */
static void add_labels(struct xy *xy, const struct trend_series *series)
{
	g_autoptr(GString) tics = g_string_new(NULL);

	for (guint i = 0; i < series->labels->len; i++) {
		guint from = (guint)g_array_index(series->starts, gsize, i), to = end_of_label(series, i);
		g_autofree char *cut =
		    label_cut(g_ptr_array_index(series->labels, i), MAX(2, room_of(series, i, xy->picture)) - 1);
		/* a name is a format here */
		g_auto(GStrv) parts = g_strsplit(cut, "%", -1);
		g_autofree char *name = g_strjoinv("%%", parts), *quoted = gnuplot_quote(name);

		if (i)
			xy_divide(xy, from, "dt 3 lw 1.5 lc rgb '#444444'");
		g_string_append_printf(tics, "%s%s %u.%u", i ? ", " : "", quoted, (from + to + 1) / 2,
				       (from + to + 1) % 2 * 5);
	}
	if (tics->len && has_room(series, xy->picture))
		g_string_append_printf(xy->setup, "set xtics nomirror scale 0 (%s)\n", tics->str);
}

static struct xy *panel_new(struct picture *picture, const struct trend_analysis *trend,
			    const struct trend_series *series)
{
	g_autofree char *title = title_of(series), *label = axis_label(&series->metric);
	struct xy *xy = xy_new(picture, title,
			       trend->by_label ? "runs in the order of their labels" : "runs in their order", label);

	xy->empty = "no complete run";
	xy->has_whole_x = TRUE;
	add_segments(xy, series);
	add_runs(xy, series);
	add_changes(xy, series);
	/* room for the numbers of changes above the runs */
	if (series->changes->len)
		axis_see(AXIS_LINEAR, xy->y_high + HEADROOM * (xy->y_high - xy->y_low), &xy->y_low, &xy->y_high);
	add_labels(xy, series);
	return xy;
}

static char *ratio_text(const struct trend_change *change)
{
	gboolean has_ratio = isfinite(change->ratio.estimate);
	const struct interval_estimate *by = has_ratio ? &change->ratio : &change->difference;
	g_autofree char *estimate = number_format(by->estimate), *low = number_format(by->low);
	g_autofree char *high = number_format(by->high);

	return g_strdup_printf("%s%s (%s to %s)", estimate, has_ratio ? "x" : " more", low, high);
}

static void note_changes(const struct trend_series *series, GPtrArray *notes, guint *n)
{
	g_autofree char *title = title_of(series);

	for (guint i = 0; i < series->changes->len; i++) {
		const struct trend_change *change = g_ptr_array_index(series->changes, i);
		g_autofree char *ratio = ratio_text(change), *p = number_format(change->p);

		if ((*n)++ < CHANGES_MAX)
			g_ptr_array_add(notes, g_strdup_printf("%s, change %u at %s: %s, %s, p = %s.", title, i + 1,
							       change->at, ratio, verdict_name(change->verdict), p));
	}
}

/* Of labels that have no room below their runs. */
static void note_labels(const struct trend_series *series, const struct picture *picture, GPtrArray *notes)
{
	g_autofree char *title = title_of(series);
	g_autoptr(GString) text = g_string_new(NULL);

	if (has_room(series, picture))
		return;
	g_string_append_printf(text, "%s, labels:", title);
	for (guint i = 0; i < MIN(series->labels->len, LABELS_MAX); i++)
		g_string_append_printf(text, "%s %s from run %u", i ? "," : "",
				       (const char *)g_ptr_array_index(series->labels, i),
				       (guint)g_array_index(series->starts, gsize, i) + 1);
	if (series->labels->len > LABELS_MAX)
		g_string_append_printf(text, " and %u more", series->labels->len - LABELS_MAX);
	g_string_append_c(text, '.');
	g_ptr_array_add(notes, g_string_free(g_steal_pointer(&text), FALSE));
}

static GPtrArray *notes_of(const struct trend_analysis *trend, const struct picture *picture)
{
	GPtrArray *notes = g_ptr_array_new_with_free_func(g_free);
	g_autofree char *percent = number_format(100 * trend->level);
	gboolean is_text = picture->size == PICTURE_TEXT;
	guint64 flags = 0;
	guint n = 0;

	g_ptr_array_add(
	    notes, g_strdup_printf("Level line: mean of the runs between two changes%s. Line with a number: "
				   "change.%s",
				   is_text ? "" : ", in its interval", trend->by_label ? " Dotted: next label." : ""));
	for (guint i = 0; i < trend->series->len; i++) {
		const struct trend_series *series = g_ptr_array_index(trend->series, i);

		note_changes(series, notes, &n);
		note_labels(series, picture, notes);
		flags |= series->flags | (series->is_autocorrelated ? FLAG_AUTOCORRELATED : 0);
	}
	g_ptr_array_add(notes, n > CHANGES_MAX
				   ? g_strdup_printf("%u more changes: 'trend' tells them.", n - CHANGES_MAX)
			       : n ? g_strdup_printf("Ratios and means with %s%% intervals.", percent)
				   : g_strdup_printf("No change was found. Means with %s%% intervals.", percent));
	frame_add_caveats(notes, flags);
	return notes;
}

static gboolean trend_draw(const struct chart_data *data, struct picture *picture, GError **error)
{
	g_autoptr(GPtrArray) panels = g_ptr_array_new_with_free_func((GDestroyNotify)xy_free);
	g_autoptr(GPtrArray) notes = notes_of(data->trend, picture);

	for (guint i = 0; i < data->trend->series->len; i++)
		g_ptr_array_add(panels, panel_new(picture, data->trend, g_ptr_array_index(data->trend->series, i)));
	return xy_draw(panels, notes, picture, error);
}

const struct chart chart_trend = {
    .name = "trend",
    .summary = "values in their order with the places where they changed, and the mean between two of these (--order)",
    .needs = CHART_TREND,
    .draw = trend_draw,
};
