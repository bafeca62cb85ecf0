#include "chart.h"

#include <math.h>
#include <string.h>

#include "../src/analyse.h"
#include "../src/column.h"
#include "../src/err.h"
#include "../src/shared.h"
#include "../src/unit.h"
#include "look.h"
#include "panel.h"
#include "picture.h"
#include "xy.h"

#define LOG_SPAN 8      /* greatest level over least, above which the axis is logarithmic */
#define DODGE 0.006     /* of the axis, between two lines, so that bars do not hide each other */
#define LEVELS_MAX 12   /* that are named each; more get divisions as any axis */
#define LEVELS_GAP 0.06 /* of the axis, between levels that are named */

/* One treatment with its place on the axis. */
struct level_point {
	const struct estimate_row *row;
	double x;
	const char *level;
	char *line; /* the other levels */
};

static void point_clear(gpointer data)
{
	g_free(((struct level_point *)data)->line);
}

/* A number or a size. */
static gboolean parse_level(const char *text, double *value)
{
	guint64 bytes;

	if (number_parse(text, value))
		return TRUE;
	if (!size_parse(text, &bytes, NULL))
		return FALSE;
	*value = bytes;
	return TRUE;
}

static const char *level_of(const struct estimate_row *row, const char *factor)
{
	for (guint i = 0; i < row->levels->len; i++) {
		const struct level *level = &g_array_index(row->levels, struct level, i);

		if (!strcmp(level->factor, factor))
			return level->level;
	}
	return NULL;
}

static gboolean is_varied(const struct analysis *estimates, const char *factor)
{
	const char *first = level_of(g_ptr_array_index(estimates->estimates, 0), factor);

	for (guint i = 1; i < estimates->estimates->len; i++)
		if (g_strcmp0(first, level_of(g_ptr_array_index(estimates->estimates, i), factor)))
			return TRUE;
	return FALSE;
}

/* The levels of other factors that differ somewhere: "2.4.17 swap=200". */
static char *line_of(const struct analysis *estimates, const struct estimate_row *row, const char *factor)
{
	GString *name = g_string_new(NULL);
	double number;

	for (guint i = 0; i < row->levels->len; i++) {
		const struct level *level = &g_array_index(row->levels, struct level, i);

		if (!strcmp(level->factor, factor) || !is_varied(estimates, level->factor))
			continue;
		if (name->len)
			g_string_append_c(name, ' ');
		if (parse_level(level->level, &number) && strcmp(level->factor, "label") != 0)
			g_string_append_printf(name, "%s=", level->factor);
		g_string_append(name, level->level);
	}
	return g_string_free(name->len ? name : g_string_assign(name, "all runs"), FALSE);
}

static int by_x(gconstpointer a, gconstpointer b)
{
	double x = ((const struct level_point *)a)->x, y = ((const struct level_point *)b)->x;

	return (x > y) - (x < y);
}

/* Those of a panel that have a number for the factor, ascending: struct level_point. */
static GArray *points_of(const struct analysis *estimates, const struct panel *panel, const char *factor)
{
	GArray *points = g_array_new(FALSE, FALSE, sizeof(struct level_point));

	g_array_set_clear_func(points, point_clear);
	for (guint i = 0; i < panel->rows->len; i++) {
		const struct estimate_row *row = g_ptr_array_index(panel->rows, i);
		struct level_point point = {.row = row, .level = level_of(row, factor)};

		if (!point.level || !parse_level(point.level, &point.x))
			continue;
		point.line = line_of(estimates, row, factor);
		g_array_append_val(points, point);
	}
	g_array_sort(points, by_x);
	return points;
}

static const struct level_point *point_at(const GArray *points, guint i)
{
	return &g_array_index(points, struct level_point, i);
}

static gboolean wants_log(const GArray *points)
{
	return points->len && point_at(points, 0)->x > 0 &&
	       point_at(points, points->len - 1)->x > LOG_SPAN * point_at(points, 0)->x;
}

/* From 0 to 1 along the axis. */
static double place(const struct xy *xy, const GArray *points, double x)
{
	double low = point_at(points, 0)->x, high = point_at(points, points->len - 1)->x;

	if (high <= low)
		return 0.5;
	return xy->x_scale == AXIS_LINEAR ? (x - low) / (high - low) : log(x / low) / log(high / low);
}

/* Each level is named below the axis where there is room. */
static void name_levels(struct xy *xy, const GArray *points)
{
	g_autoptr(GString) tics = g_string_new(NULL);
	guint n = 0;

	for (guint i = 0; i < points->len; i++) {
		const struct level_point *point = point_at(points, i);
		char x[G_ASCII_DTOSTR_BUF_SIZE];

		if (i && point->x == point_at(points, i - 1)->x)
			continue;
		if (i && place(xy, points, point->x) - place(xy, points, point_at(points, i - 1)->x) < LEVELS_GAP)
			return;
		g_string_append_printf(tics, "%s'%s' %s", n++ ? ", " : "", point->level,
				       g_ascii_dtostr(x, sizeof x, point->x));
	}
	if (n && n <= LEVELS_MAX)
		g_string_append_printf(xy->setup, "unset mxtics\nset xtics format '%%g' nomirror (%s)\n", tics->str);
}

/* A little beside its level, by the number of the line. */
static double dodge(const struct xy *xy, const GArray *points, double x, guint line, guint n_lines)
{
	double low = point_at(points, 0)->x, high = point_at(points, points->len - 1)->x;
	double shift = DODGE * (line - (n_lines - 1) / 2.0);

	if (high <= low)
		high = xy->x_scale == AXIS_LINEAR ? low + fabs(low) : 2 * low;
	return xy->x_scale == AXIS_LINEAR ? x + shift * (high - low) : x * pow(high / low, shift);
}

struct line_count {
	guint n_min, n_max, failed;
};

static void count(struct line_count *counts, const struct estimate_row *row)
{
	counts->n_min = MIN(counts->n_min, row->n);
	counts->n_max = MAX(counts->n_max, row->n);
	counts->failed += row->failed;
}

static void add_legend(struct xy *xy, guint look, const char *name, const struct line_count *counts)
{
	g_autofree char *low = counts->n_min < counts->n_max ? g_strdup_printf("%u to ", counts->n_min) : g_strdup("");
	g_autofree char *failed = counts->failed ? g_strdup_printf(", %u failed", counts->failed) : g_strdup("");
	g_autofree char *text = g_strdup_printf("%s (n = %s%u a point%s)", name, low, counts->n_max, failed);

	xy_legend(xy, look, XY_POINT | XY_LINE, text);
}

static void add_line(struct xy *xy, const GArray *points, const char *name, guint line, guint n_lines, guint look)
{
	g_autoptr(GString) means = g_string_new(NULL), bars = g_string_new(NULL);
	struct line_count counts = {.n_min = G_MAXUINT};

	for (guint i = 0; i < points->len; i++) {
		const struct level_point *point = point_at(points, i);
		const struct estimate *ci = &point->row->ci;
		double x;

		if (strcmp(point->line, name) != 0)
			continue;
		x = dodge(xy, points, point->x, line, n_lines);
		count(&counts, point->row);
		if (!point->row->n || !xy_see(xy, x, ci->value)) {
			xy_cross(xy, x, look);
			/* one empty line breaks the line */
			if (means->len && !g_str_has_suffix(means->str, "\n\n"))
				g_string_append_c(means, '\n');
			continue;
		}
		picture_record(means, (double[]){x, ci->value}, 2);
		if (point->row->n > 1 && xy_see(xy, x, ci->low) && xy_see(xy, x, ci->high))
			picture_record(bars, (double[]){x, ci->value, ci->low, ci->high, look_colour(look)}, 5);
	}
	xy_plot(xy, bars, "x mean low high colour", "1:2:3:4:5 with yerrorbars pt 0 lw 1.5 lc rgb variable");
	xy_plot_look(xy, means, "x mean", "linespoints lw 2", look);
	add_legend(xy, look, name, &counts);
}

static void add_panel(struct xy *xy, const GArray *points, GHashTable *looks)
{
	g_autoptr(GPtrArray) names = g_ptr_array_new();

	xy->x_scale = wants_log(points) ? AXIS_LOG2 : AXIS_LINEAR;
	for (guint i = 0; i < points->len; i++) {
		const char *line = point_at(points, i)->line;

		if (!g_ptr_array_find_with_equal_func(names, line, g_str_equal, NULL))
			g_ptr_array_add(names, shared(line));
	}
	/* the axis holds levels without a value, too */
	for (guint i = 0; i < points->len; i++)
		axis_see(xy->x_scale, point_at(points, i)->x, &xy->x_low, &xy->x_high);
	for (guint i = 0; i < names->len; i++)
		add_line(xy, points, names->pdata[i], i, names->len, look_of_name(looks, names->pdata[i]));
	name_levels(xy, points);
}

static gboolean scaling_draw(const struct chart_data *data, struct picture *picture, GError **error)
{
	g_autofree char *percent = number_format(100 * data->estimates->level);
	g_autofree char *note =
	    g_strdup_printf("Point: mean. Bar: %s%% confidence interval of the mean, none where n = "
			    "1. Cross at the axis: no complete run.",
			    percent);
	g_autoptr(GPtrArray) estimates = panels_of(data->estimates), notes = panels_notes(data->estimates, note);
	g_autoptr(GPtrArray) panels = g_ptr_array_new_with_free_func((GDestroyNotify)xy_free);
	g_autoptr(GHashTable) looks = look_names_new();
	guint n_left_out = 0;

	for (guint i = 0; i < estimates->len; i++) {
		const struct panel *panel = g_ptr_array_index(estimates, i);
		g_autoptr(GArray) points = points_of(data->estimates, panel, data->factor->name);
		g_autofree char *label = axis_label(&panel->metric);

		n_left_out += panel->rows->len - points->len;
		if (!points->len)
			continue;
		g_ptr_array_add(panels, xy_new(picture, panel_title(panel), data->factor->name, label));
		add_panel(g_ptr_array_index(panels, panels->len - 1), points, looks);
	}
	if (!panels->len && estimates->len)
		return err_usage(error, "'%s' has no level that is a number: 'plot interval' draws levels of any kind",
				 data->factor->name);
	if (n_left_out)
		g_ptr_array_add(notes, g_strdup_printf("%u not drawn: their level of %s is no number.", n_left_out,
						       data->factor->name));
	return xy_draw(panels, notes, picture, error);
}

const struct chart chart_scaling = {
    .name = "scaling",
    .summary = "means against the levels of a numeric factor (--by), with their intervals, a line for each treatment",
    .needs = CHART_ESTIMATES | CHART_FACTOR,
    .draw = scaling_draw,
};
