#include "chart.h"

#include <math.h>
#include <string.h>

#include "../src/dataset.h"
#include "../src/err.h"
#include "../src/flag.h"
#include "../src/run_series.h"
#include "frame.h"
#include "picture.h"
#include "xy.h"

#define PLOT_LINES 8  /* of text, as high as a panel is, */
#define SLIDE_LINES 5 /* and on a slide */
#define LINES_MAX 5
#define CROWD 60 /* above this number of looks they are no points */

/* What belongs together. KiB are drawn as MiB. */
static const struct {
	const char *title, *unit;
	const char *columns[LINES_MAX]; /* of vmstat; ends with NULL where there are fewer */
} panels[] = {
    {"processor", "%", {"us", "sy", "wa", "st", "id"}},
    {"processes", "", {"r", "b"}},
    {"block devices", "MiB/s", {"bi", "bo"}},
    {"memory", "MiB", {"free", "buff", "cache"}},
    {"swap", "MiB/s", {"si", "so"}},
    {"swap in use", "MiB", {"swpd"}},
};

/* vmstat's short words, said in full. */
static const struct {
	const char *column, *text;
} words[] = {
    {"us", "user"},       {"sy", "kernel"},      {"wa", "waiting for I/O"}, {"st", "stolen by the host"},
    {"id", "idle"},       {"r", "running"},      {"b", "waiting for I/O"},  {"bi", "read"},
    {"bo", "written"},    {"free", "free"},      {"buff", "buffers"},       {"cache", "cache"},
    {"si", "swapped in"}, {"so", "swapped out"}, {"swpd", "in use"},
};

static const char *words_of(const char *column)
{
	for (gsize i = 0; i < G_N_ELEMENTS(words); i++)
		if (g_str_equal(words[i].column, column))
			return words[i].text;
	return column;
}

static void add_line(struct xy *xy, const struct series_line *line, guint look)
{
	g_autoptr(GString) records = g_string_new(NULL);
	double scale = g_str_has_prefix(line->metric.unit, "KiB") ? 1 / 1024.0 : 1;
	gboolean has_points = line->value->len <= CROWD;
	const char *name = line->metric.name, *said = words_of(name);
	g_autofree char *text = g_str_equal(name, said)
				    ? g_strdup_printf("%s (n = %u)", name, line->value->len)
				    : g_strdup_printf("%s: %s (n = %u)", name, said, line->value->len);

	for (guint i = 0; i < line->value->len; i++) {
		double at[] = {g_array_index(line->at_s, double, i), scale * g_array_index(line->value, double, i)};

		if (xy_see(xy, at[0], at[1]))
			picture_record(records, at, 2);
	}
	xy_plot_look(xy, records, "seconds value", has_points ? "linespoints lw 2 ps 0.7" : "lines lw 2", look);
	xy_legend(xy, look, has_points ? XY_POINT | XY_LINE : XY_LINE, text);
}

/* The workload's start and end; a text has no room above the line. */
static void add_phases(struct xy *xy, double elapsed_s)
{
	const double at_s[] = {0, elapsed_s};
	char at[G_ASCII_DTOSTR_BUF_SIZE];

	for (guint i = 0; i < 2; i++)
		if (isfinite(at_s[i])) {
			g_ascii_dtostr(at, sizeof at, at_s[i]);
			g_string_append_printf(
			    xy->setup,
			    "set arrow from first %s, graph 0 to first %s, graph %s nohead dt 3 lw 2 "
			    "lc rgb '#444444'\n",
			    at, at, xy->picture->size == PICTURE_TEXT ? "0.95" : "1");
		}
}

static gboolean is_zero(const struct run_series *series, guint panel)
{
	for (guint i = 0; i < LINES_MAX && panels[panel].columns[i]; i++) {
		const struct series_line *line = run_series_find(series, panels[panel].columns[i]);

		for (guint j = 0; line && j < line->value->len; j++)
			if (g_array_index(line->value, double, j) != 0)
				return FALSE;
	}
	return TRUE;
}

static gboolean has_line(const struct run_series *series, guint panel)
{
	for (guint i = 0; i < LINES_MAX && panels[panel].columns[i]; i++)
		if (run_series_find(series, panels[panel].columns[i]))
			return TRUE;
	return FALSE;
}

static struct xy *panel_new(struct picture *picture, const struct run_series *series, double elapsed_s, guint panel)
{
	const char *unit = panels[panel].unit;
	g_autofree char *label =
	    g_strdup_printf("%s%s%s%s", panels[panel].title, *unit ? " (" : "", unit, *unit ? ")" : "");
	struct xy *xy = xy_new(picture, panels[panel].title, "seconds since the run began", label);

	for (guint i = 0; i < LINES_MAX && panels[panel].columns[i]; i++) {
		const struct series_line *line = run_series_find(series, panels[panel].columns[i]);

		if (line)
			add_line(xy, line, i);
	}
	xy->height = (picture->size == PICTURE_SLIDE ? SLIDE_LINES : PLOT_LINES) * picture->line;
	/* from nothing on, so that heights can be compared */
	axis_see(AXIS_LINEAR, 0, &xy->y_low, &xy->y_high);
	add_phases(xy, elapsed_s);
	return xy;
}

/* Panels that would show nothing but zeros are left to a note, but where nothing else is left. */
static void add_panels(struct picture *picture, const struct run_series *series, double elapsed_s, GPtrArray *all,
		       GPtrArray *notes)
{
	g_autoptr(GString) zero = g_string_new(NULL);

	for (guint i = 0; i < G_N_ELEMENTS(panels); i++) {
		if (!has_line(series, i))
			continue;
		if (all->len && is_zero(series, i))
			g_string_append_printf(zero, "%s%s", zero->len ? ", " : "Always 0: ", panels[i].title);
		else
			g_ptr_array_add(all, panel_new(picture, series, elapsed_s, i));
	}
	if (zero->len)
		g_ptr_array_add(notes, g_strdup_printf("%s.", zero->str));
}

/* All panels have one time axis, from the run's start to its end or what was seen last. */
static void share_time(const GPtrArray *all, double elapsed_s)
{
	double low = 0, high = 0;

	if (isfinite(elapsed_s))
		axis_see(AXIS_LINEAR, elapsed_s, &low, &high);
	for (guint i = 0; i < all->len; i++)
		high = fmax(high, ((const struct xy *)g_ptr_array_index(all, i))->x_high);
	for (guint i = 0; i < all->len; i++) {
		struct xy *xy = g_ptr_array_index(all, i);

		xy->x_low = low;
		xy->x_high = high;
	}
}

/* The one asked for, else the last. */
static const struct run_series *choose(const struct chart_data *data, GError **error)
{
	for (guint i = 0; i < data->series->len && data->run; i++) {
		const struct run_series *series = g_ptr_array_index(data->series, i);

		if (series->number == data->run)
			return series;
	}
	if (data->run) {
		err_usage(error,
			  "nothing to plot: run %" G_GINT64_FORMAT
			  " is none of these, or ended before it was looked at: see 'vmstat-bench list runs'",
			  data->run);
		return NULL;
	}
	if (data->series->len)
		return g_ptr_array_index(data->series, data->series->len - 1);
	err_usage(error,
		  "nothing to plot: none of these runs was looked at while it ran: those of a store are, if they "
		  "take a second or more, and a file that 'vmstat-bench export --format json' wrote has them");
	return NULL;
}

static char *describe(const struct dataset *runs, const struct run_series *series)
{
	guint row = series->row;
	GString *text = g_string_new(NULL);
	const char *workload = column_get(runs->workload, row), *outcome = column_get(runs->outcome, row);

	g_string_printf(text, "Run %" G_GINT64_FORMAT, series->number);
	if (workload)
		g_string_append_printf(text, ", %s", workload);
	for (guint i = 0; i < runs->factors->len; i++) {
		const struct column *factor = g_ptr_array_index(runs->factors, i);

		if (column_get(factor, row))
			g_string_append_printf(text, ", %s=%s", factor->name, column_get(factor, row));
	}
	g_string_append_printf(text, ": %s.", outcome ? outcome : "ok");
	return g_string_free(text, FALSE);
}

static GPtrArray *notes_of(const struct dataset *runs, const struct run_series *series)
{
	GPtrArray *notes = g_ptr_array_new_with_free_func(g_free);

	g_ptr_array_add(notes, describe(runs, series));
	g_ptr_array_add(notes,
			g_strdup("Each value is of the time since the one before, but processes and memory are of "
				 "the moment. n: looks, about one a second. Dotted: start and end of the workload."));
	if (runs->flags && series->row < runs->flags->len)
		frame_add_caveats(notes, g_array_index(runs->flags, flag_set, series->row));
	return notes;
}

static gboolean timeline_draw(const struct chart_data *data, struct picture *picture, GError **error)
{
	const struct run_series *series = choose(data, error);
	g_autoptr(GPtrArray) all = g_ptr_array_new_with_free_func((GDestroyNotify)xy_free), notes = NULL;
	const struct values *elapsed = dataset_find_metric(data->runs, "elapsed");
	double elapsed_s;

	if (!series)
		return FALSE;
	elapsed_s = elapsed ? values_get(elapsed, series->row) : NAN;
	notes = notes_of(data->runs, series);
	add_panels(picture, series, elapsed_s, all, notes);
	share_time(all, elapsed_s);
	return xy_draw(all, notes, picture, error);
}

const struct chart chart_timeline = {
    .name = "timeline",
    .summary = "what vmstat shows in the course of one run (--run N): processor, devices, memory, swap",
    .needs = CHART_RUNS | CHART_SERIES,
    .draw = timeline_draw,
};
