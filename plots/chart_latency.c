#include "chart.h"

#include <math.h>
#include <string.h>

#include "../src/analyse.h"
#include "../src/err.h"
#include "../src/flag.h"
#include "../src/shared.h"
#include "../src/unit.h"
#include "frame.h"
#include "look.h"
#include "panel.h"
#include "picture.h"
#include "xy.h"

#define IDLE "idle" /* the workload that shows the machine at rest */
#define BEYOND 4    /* the greatest latency stands so many times further than the last percentile */
#define SPREAD 1.3  /* over which the lines of one percentile are shifted, so that bars do not hide each other */

/* What a name like "fsync_p99" or "fsync_max" says. */
struct percentile {
	char *probe;    /* "fsync" */
	char *name;     /* "p99" */
	double inverse; /* 1 / (1 - p); infinite: the greatest */
};

static void percentile_clear(struct percentile *percentile)
{
	g_free(percentile->probe);
	g_free(percentile->name);
}

/* False where the name is another. */
static gboolean percentile_parse(const char *metric, struct percentile *percentile)
{
	const char *last = strrchr(metric, '_');
	double percent = 0;

	if (!last || last == metric)
		return FALSE;
	if (g_str_equal(last, "_max"))
		percent = 100;
	else if (last[1] != 'p' || !number_parse(last + 2, &percent) || !(percent > 0 && percent < 100))
		return FALSE;
	*percentile = (struct percentile){g_strndup(metric, last - metric), g_strdup(last + 1), 100 / (100 - percent)};
	return TRUE;
}

/* One treatment at one percentile of a panel. */
struct latency {
	const struct estimate_row *row;
	struct percentile percentile;
	gboolean is_idle;
};

struct group {
	const char *workload;
	char *probe;
	GArray *latencies; /* struct latency: of the workload and of IDLE */
	double last;       /* the greatest inverse that is finite */
};

static void latency_clear(gpointer data)
{
	percentile_clear(&((struct latency *)data)->percentile);
}

static void group_free(gpointer data)
{
	struct group *group = data;

	g_free(group->probe);
	g_array_unref(group->latencies);
	g_free(group);
}

static const struct latency *latency_at(const struct group *group, guint i)
{
	return &g_array_index(group->latencies, struct latency, i);
}

static gboolean is_idle(const char *workload)
{
	return g_str_equal(workload, IDLE) || g_str_has_prefix(workload, IDLE ":");
}

static struct group *group_of(GPtrArray *groups, const char *workload, const char *probe)
{
	struct group *group;

	for (guint i = 0; i < groups->len; i++) {
		group = g_ptr_array_index(groups, i);
		if (g_str_equal(group->workload, workload) && g_str_equal(group->probe, probe))
			return group;
	}
	group = g_new(struct group, 1);
	*group = (struct group){workload, g_strdup(probe), g_array_new(FALSE, FALSE, sizeof(struct latency)), 1};
	g_array_set_clear_func(group->latencies, latency_clear);
	g_ptr_array_add(groups, group);
	return group;
}

/* A greatest value alone is no percentile plot. */
static gboolean has_percentile(const struct analysis *estimates, const char *probe)
{
	for (guint i = 0; i < estimates->estimates->len; i++) {
		const struct estimate_row *row = g_ptr_array_index(estimates->estimates, i);
		struct percentile percentile;
		gboolean found = FALSE;

		if (!percentile_parse(row->metric.name, &percentile))
			continue;
		found = isfinite(percentile.inverse) && g_str_equal(percentile.probe, probe);
		percentile_clear(&percentile);
		if (found)
			return TRUE;
	}
	return FALSE;
}

static void add_row(struct group *group, const struct estimate_row *row)
{
	struct latency latency = {.row = row, .is_idle = is_idle(row->workload) && !is_idle(group->workload)};

	percentile_parse(row->metric.name, &latency.percentile);
	if (isfinite(latency.percentile.inverse))
		group->last = fmax(group->last, latency.percentile.inverse);
	g_array_append_val(group->latencies, latency);
}

/* Where it can, IDLE stands beside other workloads that were looked at by the same probe. */
static gboolean add_beside(GPtrArray *groups, const struct estimate_row *row, const char *probe)
{
	gboolean is_beside = FALSE;

	for (guint i = 0; i < groups->len; i++) {
		struct group *group = g_ptr_array_index(groups, i);

		if (is_idle(group->workload) || !g_str_equal(group->probe, probe))
			continue;
		add_row(group, row);
		is_beside = TRUE;
	}
	return is_beside;
}

static void add_workloads(GPtrArray *groups, const struct analysis *estimates, gboolean of_idle)
{
	for (guint i = 0; i < estimates->estimates->len; i++) {
		const struct estimate_row *row = g_ptr_array_index(estimates->estimates, i);
		struct percentile percentile;

		if (is_idle(row->workload) != of_idle || !percentile_parse(row->metric.name, &percentile))
			continue;
		if ((!of_idle || !add_beside(groups, row, percentile.probe)) &&
		    has_percentile(estimates, percentile.probe))
			add_row(group_of(groups, row->workload, percentile.probe), row);
		percentile_clear(&percentile);
	}
}

/* struct group: by workload and probe. */
static GPtrArray *groups_of(const struct analysis *estimates)
{
	GPtrArray *groups = g_ptr_array_new_with_free_func(group_free);

	add_workloads(groups, estimates, FALSE);
	add_workloads(groups, estimates, TRUE);
	return groups;
}

static double place(const struct group *group, const struct latency *latency)
{
	return isfinite(latency->percentile.inverse) ? latency->percentile.inverse : BEYOND * group->last;
}

static int by_percentile(gconstpointer a, gconstpointer b)
{
	const struct latency *x = a, *y = b;

	return (x->percentile.inverse > y->percentile.inverse) - (x->percentile.inverse < y->percentile.inverse);
}

static void name_percentiles(struct xy *xy, const struct group *group)
{
	g_autoptr(GString) tics = g_string_new(NULL);
	char x[G_ASCII_DTOSTR_BUF_SIZE];

	for (guint i = 0; i < group->latencies->len; i++) {
		const struct latency *latency = latency_at(group, i);

		if (i && latency->percentile.inverse == latency_at(group, i - 1)->percentile.inverse)
			continue;
		g_string_append_printf(tics, "%s'%s' %s", tics->len ? ", " : "", latency->percentile.name,
				       g_ascii_dtostr(x, sizeof x, place(group, latency)));
	}
	g_string_append_printf(xy->setup, "unset mxtics\nset xtics format '%%g' nomirror (%s)\n", tics->str);
}

/* One treatment of the workload, or of IDLE. Returns a row of it; NULL: there is none. */
static const struct estimate_row *add_line(struct xy *xy, const struct group *group, const char *treatment,
					   gboolean of_idle, double shift, guint look)
{
	g_autoptr(GString) line = g_string_new(NULL), bars = g_string_new(NULL);
	g_autofree char *dotted = g_strdup_printf("1:2 with lines lw 2 dt 3 lc rgb '#%06x'", look_colour(look));
	const struct estimate_row *row = NULL;

	for (guint i = 0; i < group->latencies->len; i++) {
		const struct latency *latency = latency_at(group, i);
		const struct estimate *ci = &latency->row->ci;
		double x = shift * place(group, latency);

		if (latency->is_idle != of_idle || !g_str_equal(latency->row->treatment, treatment))
			continue;
		row = latency->row;
		if (!row->n || !xy_see(xy, x, ci->value)) {
			if (!of_idle)
				xy_cross(xy, x, look);
			continue;
		}
		picture_record(line, (double[]){x, ci->value}, 2);
		if (row->n > 1 && !of_idle && xy_see(xy, x, ci->low) && xy_see(xy, x, ci->high))
			picture_record(bars, (double[]){x, ci->value, ci->low, ci->high, look_colour(look)}, 5);
	}
	xy_plot(xy, bars, "x mean low high colour", "1:2:3:4:5 with yerrorbars pt 0 lw 1.5 lc rgb variable");
	if (of_idle)
		xy_plot(xy, line, "x mean", dotted);
	else
		xy_plot_look(xy, line, "x mean", "linespoints lw 2", look);
	return row;
}

static void add_treatment(struct xy *xy, const struct group *group, const char *treatment, double shift, guint look)
{
	const struct estimate_row *at_rest = add_line(xy, group, treatment, TRUE, shift, look);
	const struct estimate_row *row = add_line(xy, group, treatment, FALSE, shift, look);
	g_autofree char *name = panel_legend(row ? row : at_rest);
	g_autofree char *rest = at_rest ? g_strdup_printf("; idle: n = %u", at_rest->n) : g_strdup("");
	g_autofree char *text = row ? g_strconcat(name, rest, NULL) : g_strdup_printf("%s: idle alone", name);

	xy_legend(xy, look, XY_POINT | XY_LINE, text);
}

static void add_group(struct xy *xy, struct group *group, GHashTable *looks)
{
	g_autoptr(GPtrArray) treatments = g_ptr_array_new();

	g_array_sort(group->latencies, by_percentile);
	for (guint i = 0; i < group->latencies->len; i++) {
		const char *treatment = latency_at(group, i)->row->treatment;

		if (!g_ptr_array_find_with_equal_func(treatments, treatment, g_str_equal, NULL))
			g_ptr_array_add(treatments, shared(treatment));
		/* the axis holds percentiles without a value, too */
		axis_see(xy->x_scale, place(group, latency_at(group, i)), &xy->x_low, &xy->x_high);
	}
	for (guint i = 0; i < treatments->len; i++)
		add_treatment(xy, group, treatments->pdata[i],
			      pow(SPREAD, (i - (treatments->len - 1) / 2.0) / treatments->len),
			      look_of_name(looks, treatments->pdata[i]));
	name_percentiles(xy, group);
}

static GPtrArray *notes_of(const struct analysis *estimates, const GPtrArray *groups)
{
	g_autofree char *percent = number_format(100 * estimates->level);
	GPtrArray *notes = g_ptr_array_new_with_free_func(g_free);
	gboolean has_idle = FALSE;
	guint64 flags = 0;

	for (guint i = 0; i < groups->len; i++) {
		const struct group *group = g_ptr_array_index(groups, i);

		for (guint j = 0; j < group->latencies->len; j++) {
			has_idle |= latency_at(group, j)->is_idle;
			flags |= latency_at(group, j)->row->flags;
		}
	}
	g_ptr_array_add(notes,
			g_strdup_printf("Point: mean of the runs. Bar: its %s%% confidence interval, none where n "
					"= 1 or it reaches 0. Cross at the axis: no value above 0.",
					percent));
	if (has_idle)
		g_ptr_array_add(notes, g_strdup("Dotted: the same while nothing but the probes ran (workload idle)."));
	frame_add_caveats(notes, flags);
	return notes;
}

static gboolean latency_draw(const struct chart_data *data, struct picture *picture, GError **error)
{
	g_autoptr(GPtrArray) groups = groups_of(data->estimates), notes = notes_of(data->estimates, groups);
	g_autoptr(GPtrArray) panels = g_ptr_array_new_with_free_func((GDestroyNotify)xy_free);
	g_autoptr(GHashTable) looks = look_names_new();

	if (!groups->len)
		return err_usage(error, "nothing to plot: no latency at a percentile, as 'run --probe' measures it, is "
					"among these metrics");
	for (guint i = 0; i < groups->len; i++) {
		struct group *group = g_ptr_array_index(groups, i);
		const char *unit = latency_at(group, 0)->row->metric.unit;
		g_autofree char *title =
		    g_strdup_printf("%s%s%s", group->workload, *group->workload ? ": " : "", group->probe);
		g_autofree char *label =
		    g_strdup_printf("latency%s%s%s, lower is better", *unit ? " (" : "", unit, *unit ? ")" : "");
		struct xy *xy = xy_new(picture, title, "percentile p, at 1 / (1 - p) on a logarithmic axis", label);

		g_ptr_array_add(panels, xy);
		xy->x_scale = xy->y_scale = AXIS_LOG10;
		xy->empty = "no value above 0";
		add_group(xy, group, looks);
	}
	return xy_draw(panels, notes, picture, error);
}

const struct chart chart_latency = {
    .name = "latency",
    .summary = "latencies of probes at their percentiles, a line for each treatment, with the machine at rest",
    .needs = CHART_ESTIMATES | CHART_ALL_METRICS,
    .draw = latency_draw,
};
