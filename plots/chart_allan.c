#include "chart.h"

#include <math.h>

#include "../src/analyse.h"
#include "../src/err.h"
#include "../src/profile.h"
#include "../src/shared.h"
#include "look.h"
#include "picture.h"
#include "xy.h"

#define PROFILES_MAX 30

static char *name_of(const struct profile *profile)
{
	return g_strdup_printf("%s%s%s (%u runs%s%s)", profile->workload, *profile->workload ? ", " : "",
			       profile->metric.name, profile->n, profile->instrument ? ", " : "",
			       profile->instrument ? profile->instrument : "");
}

/* The curve, and the straight line of white noise that starts where it does. */
static void add_profile(struct xy *xy, const struct profile *profile, guint number)
{
	g_autoptr(GString) curve = g_string_new(NULL), white = g_string_new(NULL);
	g_autofree char *name = name_of(profile);
	g_autofree char *dotted = g_strdup_printf("1:2 with lines dt 3 lc rgb '#%06x'", look_colour(number));
	double first = NAN;

	for (guint i = 0; i < profile->allan->len; i++) {
		const struct allan_point *point = &g_array_index(profile->allan, struct allan_point, i);
		double percent = 100 * point->deviation, size = point->size;

		if (isnan(first) && percent > 0)
			first = percent * sqrt(size);
		if (xy_see(xy, size, percent))
			picture_record(curve, (double[]){size, percent}, 2);
		if (xy_see(xy, size, first / sqrt(size)))
			picture_record(white, (double[]){size, first / sqrt(size)}, 2);
	}
	xy_plot(xy, white, "batch white", dotted);
	xy_plot_look(xy, curve, "batch deviation", "linespoints lw 2", number);
	xy_legend(xy, number, XY_POINT | XY_LINE, name);
}

static gboolean allan_draw(const struct chart_data *data, struct picture *picture, GError **error)
{
	static const char *const note = "Dotted: white noise. Where a curve is flat or rises, more runs of one side "
					"before the other do not help.";
	guint n = data->profiles->profiles ? data->profiles->profiles->len : 0;
	g_autoptr(GPtrArray) panels = g_ptr_array_new_with_free_func((GDestroyNotify)xy_free);
	g_autoptr(GPtrArray) notes = g_ptr_array_new();
	struct xy *xy;

	if (!n)
		return err_usage(error, "nothing to plot");
	if (n > PROFILES_MAX)
		return err_usage(error, "%u profiles are more than the %d that a picture holds: choose with --workload",
				 n, PROFILES_MAX);
	xy = xy_new(picture, "noise of batches of runs", "runs in a batch", "Allan deviation of their mean (%)");
	xy->x_scale = xy->y_scale = AXIS_LOG10;
	xy->empty = "no variation at all";
	g_ptr_array_add(panels, xy);
	g_ptr_array_add(notes, shared(note));
	for (guint i = 0; i < n; i++)
		add_profile(xy, g_ptr_array_index(data->profiles->profiles, i), i);
	return xy_draw(panels, notes, picture, error);
}

const struct chart chart_allan = {
    .name = "allan",
    .summary = "how far batches of runs are apart for no reason, against their size: what 'calibrate' keeps",
    .needs = CHART_PROFILES,
    .draw = allan_draw,
};
