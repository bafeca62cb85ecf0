#include "chart.h"

#include <math.h>

#include "../src/analyse.h"
#include "../src/err.h"
#include "../src/profile.h"
#include "label.h"
#include "panel.h"

/* Pixels. */
#define WIDTH 1000
#define HEIGHT 620
#define ROW_HEIGHT 19

#define NAME_COLUMNS 90
#define PROFILES_MAX 30

/* Okabe & Ito's palette without its yellow. */
static const guint32 colours[] = {0x0072b2, 0xd55e00, 0x009e73, 0xcc79a7, 0xe69f00, 0x56b4e9, 0x000000};
static const int shapes[] = {7, 5, 9, 13, 11};

static char *name_of(const struct profile *profile)
{
	g_autofree char *text = g_strdup_printf(
	    "%s%s%s (%u runs%s%s)", profile->workload, *profile->workload ? ", " : "", profile->metric.name, profile->n,
	    profile->instrument ? ", " : "", profile->instrument ? profile->instrument : "");
	g_autofree char *cut = label_cut(text, NAME_COLUMNS);

	return gnuplot_quote(cut);
}

/* Percentages that a logarithmic axis can hold. */
static gboolean can_draw(double percent)
{
	return percent > 1e-12 && percent < 1e12;
}

/* The curve, and the straight line of white noise that starts where it does. */
static void add_profile(struct panel_plot *plot, const struct profile *profile, guint number)
{
	g_autoptr(GString) curve = g_string_new(NULL);
	g_autoptr(GString) white = g_string_new(NULL);
	g_autofree char *name = name_of(profile);
	g_autofree char *line = NULL, *points = NULL;
	guint32 colour = colours[number % G_N_ELEMENTS(colours)];
	double first = NAN;

	for (guint i = 0; i < profile->allan->len; i++) {
		const struct allan_point *point = &g_array_index(profile->allan, struct allan_point, i);
		double percent = 100 * point->deviation, size = point->size;

		if (isnan(first) && can_draw(percent))
			first = percent * sqrt(size);
		if (can_draw(percent))
			panel_record(curve, (double[]){size, percent}, 2);
		if (can_draw(first / sqrt(size)))
			panel_record(white, (double[]){size, first / sqrt(size)}, 2);
	}
	line = g_strdup_printf("1:2 with lines dt 2 lc rgb '#%06x'", colour);
	points = g_strdup_printf("1:2 with linespoints lw 2 pt %d lc rgb '#%06x'",
				 shapes[number % G_N_ELEMENTS(shapes)], colour);
	panel_plot_add(plot, white, "batch white", line);
	panel_plot_add(plot, curve, "batch deviation", points);
	g_string_append_printf(
	    plot->picture->script, "set label %u %s at screen 0.09, screen %u. / %u left noenhanced tc rgb '#%06x'\n",
	    number + 1, name, plot->picture->height - 20 - number * ROW_HEIGHT, plot->picture->height, colour);
}

static gboolean allan_draw(const struct analysis *analysis, struct picture *picture, GError **error)
{
	guint n = analysis->profiles ? analysis->profiles->len : 0;
	g_autoptr(GString) elements = g_string_new(NULL);
	struct panel_plot plot = {picture, elements};

	if (!n)
		return err_usage(error, "nothing to plot");
	if (n > PROFILES_MAX)
		return err_usage(error, "%u profiles are more than the %d that a picture holds: choose with --workload",
				 n, PROFILES_MAX);
	picture->width = WIDTH;
	picture->height = HEIGHT + n * ROW_HEIGHT;
	g_string_append_printf(picture->script,
			       "unset key\nset border 3 lc rgb '#444444'\nset grid lt 1 lc rgb '#dddddd'\n"
			       "set logscale xy\nset format y '%%g%%%%'\nset xtics nomirror\nset ytics nomirror\n"
			       "set tmargin at screen 1 - %u. / %u\nset lmargin at screen 0.09\n"
			       "set xlabel 'runs in a batch' noenhanced\n"
			       "set ylabel 'Allan deviation of their mean' noenhanced\n",
			       30 + n * ROW_HEIGHT, picture->height);
	g_string_append(picture->script,
			"set label 1000 'Dashed: white noise. Where a curve is flat or rises, more runs "
			"of one side before the other do not help.' at graph 0, graph -0.11 left noenhanced "
			"tc rgb '#444444' font ',11'\nset bmargin at screen 0.14\n");
	for (guint i = 0; i < n; i++)
		add_profile(&plot, g_ptr_array_index(analysis->profiles, i), i);
	/* without a point logarithmic axes have no range of their own */
	if (!elements->len)
		g_string_append(picture->script,
				"set xrange [1:10]\nset yrange [1:10]\nset label 1001 'no variation at "
				"all' at graph 0.5, graph 0.5 center noenhanced tc rgb '#444444'\n");
	g_string_append_printf(picture->script, "plot %s\n", elements->len ? elements->str : "-1 notitle");
	return TRUE;
}

const struct chart chart_allan = {
    .name = "allan",
    .summary = "how far batches of runs are apart for no reason, against their size: what 'calibrate' keeps",
    .of_profiles = TRUE,
    .draw = allan_draw,
};
