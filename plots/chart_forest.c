#include "chart.h"

#include <math.h>
#include <string.h>

#include "../src/analyse.h"
#include "../src/shared.h"
#include "../src/unit.h"
#include "axis.h"
#include "picture.h"
#include "rows.h"

#define ROW_HEIGHT 28
#define LOG_SPAN 8    /* of the ratios: beyond it the axis is logarithmic */
#define SHOWN_MAX 1e3 /* of a ratio, and its inverse: what is beyond is cut */

/* A verdict is told by shape as well as by colour, and filled where there is a decision. */
static const struct look {
	guint32 colour;
	int shape;
} looks[] = {
    [VERDICT_BETTER] = {0x0072b2, 9}, [VERDICT_WORSE] = {0xd55e00, 11},    [VERDICT_CHANGED] = {0x000000, 13},
    [VERDICT_SAME] = {0x009e73, 5},   [VERDICT_UNDECIDED] = {0x444444, 6}, [VERDICT_UNTESTABLE] = {0x444444, 2},
};

/* Comparisons of one workload and metric. */
struct group {
	GPtrArray *comparisons; /* const struct comparison * */
};

static void group_free(gpointer data)
{
	struct group *group = data;

	g_ptr_array_unref(group->comparisons);
	g_free(group);
}

static gboolean is_of(const struct group *group, const struct comparison *c)
{
	const struct comparison *first = g_ptr_array_index(group->comparisons, 0);

	return !strcmp(first->workload, c->workload) && !strcmp(first->metric.name, c->metric.name) &&
	       !strcmp(first->metric.unit, c->metric.unit);
}

/* In order of appearance. */
static GPtrArray *groups_of(const struct analysis *analysis)
{
	GPtrArray *groups = g_ptr_array_new_with_free_func(group_free);

	for (guint i = 0; i < analysis->comparisons->len; i++) {
		const struct comparison *c = g_ptr_array_index(analysis->comparisons, i);
		struct group *group = NULL;

		for (guint j = 0; j < groups->len && !group; j++)
			if (is_of(g_ptr_array_index(groups, j), c))
				group = g_ptr_array_index(groups, j);
		if (!group) {
			group = g_new(struct group, 1);
			group->comparisons = g_ptr_array_new();
			g_ptr_array_add(groups, group);
		}
		g_ptr_array_add(group->comparisons, shared(c));
	}
	return groups;
}

static char *name_of(const struct analysis *analysis, const struct comparison *c)
{
	return analysis->baseline ? g_strdup(c->other.name)
				  : g_strdup_printf("%s / %s", c->other.name, c->baseline.name);
}

static gboolean has_ratio(const struct comparison *c)
{
	return !isnan(c->ratio.estimate);
}

static char *verdict_of(const struct comparison *c)
{
	g_autofree char *ratio = has_ratio(c) ? number_format(c->ratio.estimate) : g_strdup("no ratio,");
	guint failed = c->baseline.failed + c->other.failed;
	g_autofree char *failures = failed ? g_strdup_printf(", %u failed", failed) : g_strdup("");

	return g_strdup_printf("%s %s, n = %u and %u%s", ratio, verdict_name(c->verdict), c->baseline.n, c->other.n,
			       failures);
}

static double shown(double ratio)
{
	return CLAMP(ratio, 1 / SHOWN_MAX, SHOWN_MAX);
}

static gboolean is_cut(const struct comparison *c)
{
	return has_ratio(c) && shown(c->ratio.estimate) != c->ratio.estimate;
}

static gboolean has_interval(const struct comparison *c)
{
	return has_ratio(c) && !isnan(c->ratio.low) && !isnan(c->ratio.high);
}

/* [low, high] of ratios that are called the same: on the scale of logarithms where they were tested on it. */
static void margin_of(const struct analysis *analysis, double *low, double *high)
{
	const struct comparison *first = g_ptr_array_index(analysis->comparisons, 0);
	double margin = analysis->margin_pct / 100;
	gboolean is_plain = first->ratio.method && !g_str_has_suffix(first->ratio.method, "-log");

	*high = 1 + margin;
	*low = is_plain ? 1 - margin : 1 / (1 + margin);
}

/* One axis for all, so that panels can be compared. What has no finite end reaches the axis's. */
static struct axis axis_of(const struct analysis *analysis, guint columns)
{
	double low, high;
	enum axis_scale scale;

	margin_of(analysis, &low, &high);
	for (guint i = 0; i < analysis->comparisons->len; i++) {
		const struct comparison *c = g_ptr_array_index(analysis->comparisons, i);

		if (!has_ratio(c))
			continue;
		axis_see(AXIS_LINEAR, shown(c->ratio.estimate), &low, &high);
		if (has_interval(c) && isfinite(c->ratio.high) && c->ratio.low > 0) {
			axis_see(AXIS_LINEAR, shown(c->ratio.low), &low, &high);
			axis_see(AXIS_LINEAR, shown(c->ratio.high), &low, &high);
		}
	}
	scale = low > 0 && high / low > LOG_SPAN ? AXIS_LOG2 : AXIS_LINEAR;
	return axis_make(scale, low, high, columns);
}

/* In a text the band cannot be told from marks. */
static void add_background(const struct analysis *analysis, const struct axis *axis, const struct picture *picture)
{
	GString *script = picture->script;
	double low, high;
	char from[G_ASCII_DTOSTR_BUF_SIZE], to[G_ASCII_DTOSTR_BUF_SIZE];

	margin_of(analysis, &low, &high);
	if (picture->size != PICTURE_TEXT)
		g_string_append_printf(
		    script,
		    "set object rectangle from first %s, graph 0 to first %s, graph 1 behind fs solid 0.5 "
		    "noborder fc rgb '#dddddd'\n",
		    g_ascii_formatd(from, sizeof from, "%.6g", fmax(low, axis->low)),
		    g_ascii_formatd(to, sizeof to, "%.6g", fmin(high, axis->high)));
	g_string_append(script, "set arrow from first 1, graph 0 to first 1, graph 1 nohead lw 1.5 lc rgb '#444444'\n");
}

static void add_marks(const struct group *group, const struct axis *axis, struct picture *picture, GString *elements)
{
	g_autoptr(GString) bars = g_string_new(NULL), points = g_string_new(NULL);

	for (guint i = 0; i < group->comparisons->len; i++) {
		const struct comparison *c = g_ptr_array_index(group->comparisons, i);
		const struct look *look = &looks[c->verdict];
		double low = CLAMP(c->ratio.low, axis->low, axis->high),
		       high = CLAMP(c->ratio.high, axis->low, axis->high);

		if (!has_ratio(c))
			continue;
		if (has_interval(c))
			picture_record(bars, (double[]){shown(c->ratio.estimate), i + 1, low, high, look->colour}, 5);
		picture_record(points, (double[]){shown(c->ratio.estimate), i + 1, look->shape, look->colour}, 4);
	}
	picture_plot(picture, elements, bars, "ratio row low high colour",
		     "1:2:3:4:5 with xerrorbars pt 0 lw 2 lc rgb variable");
	picture_plot(picture, elements, points, "ratio row shape colour",
		     "1:2:3:4 with points ps 1.3 pt variable lc rgb variable");
}

static char *title_of(const struct comparison *c)
{
	const char *better = better_name(c->metric.better);

	return g_strdup_printf("%s%s%s%s%s%s", c->workload, *c->workload ? ": " : "", c->metric.name,
			       better ? ", " : "", better ? better : "", better ? " is better" : "");
}

static void draw_group(const struct analysis *analysis, struct rows *rows, const struct group *group)
{
	g_autoptr(GString) elements = g_string_new(NULL);
	struct axis axis = axis_of(analysis, rows_columns(rows));
	g_autofree char *title = title_of(g_ptr_array_index(group->comparisons, 0));
	g_autofree char *label = analysis->baseline ? g_strdup_printf("ratio to %s", analysis->baseline)
						    : g_strdup("ratio of the first to the second");

	rows_panel(rows, title, group->comparisons->len);
	for (guint i = 0; i < group->comparisons->len; i++) {
		const struct comparison *c = g_ptr_array_index(group->comparisons, i);
		g_autofree char *name = name_of(analysis, c), *verdict = verdict_of(c);

		rows_text(rows, i + 1, name, verdict, NULL);
	}
	rows_axis(rows, &axis, label);
	add_background(analysis, &axis, rows->frame.picture);
	add_marks(group, &axis, rows->frame.picture, elements);
	frame_plot(&rows->frame, elements);
}

static GPtrArray *notes_of(const struct analysis *analysis, gboolean is_text)
{
	GPtrArray *notes = g_ptr_array_new_with_free_func(g_free);
	g_autofree char *percent = number_format(100 * analysis->level), *margin = number_format(analysis->margin_pct);
	gboolean any_cut = FALSE;
	flag_set all = 0;

	for (guint i = 0; i < analysis->comparisons->len; i++) {
		const struct comparison *c = g_ptr_array_index(analysis->comparisons, i);

		all |= c->flags;
		any_cut |= is_cut(c);
	}
	g_ptr_array_add(notes,
			g_strdup_printf("%s Bar: interval that agrees with the verdict (%s%% over all). %s of "
					"%s%%. n: complete runs of either side.",
					is_text ? "Letter: ratio."
						: "Point: ratio, up: better, down: worse, square: same, diamond: "
						  "changed, hollow: undecided, cross: untestable.",
					percent, is_text ? "Margin" : "Band: margin", margin));
	if (any_cut)
		g_ptr_array_add(
		    notes, g_strdup_printf("A ratio above %g or below 1/%g is drawn as that.", SHOWN_MAX, SHOWN_MAX));
	frame_add_caveats(notes, all);
	return notes;
}

static gboolean forest_draw(const struct chart_data *data, struct picture *picture, GError **error)
{
	const struct analysis *analysis = data->comparisons;
	g_autoptr(GPtrArray) groups = groups_of(analysis), notes = notes_of(analysis, picture->size == PICTURE_TEXT);
	struct rows rows;

	rows_init(&rows, picture, ROW_HEIGHT);
	for (guint i = 0; i < analysis->comparisons->len; i++) {
		const struct comparison *c = g_ptr_array_index(analysis->comparisons, i);
		g_autofree char *name = name_of(analysis, c), *verdict = verdict_of(c);

		rows_measure(&rows, name, verdict);
	}
	if (!rows_begin(&rows, groups->len, notes, error))
		return FALSE;
	for (guint i = 0; i < groups->len; i++)
		draw_group(analysis, &rows, g_ptr_array_index(groups, i));
	frame_end(&rows.frame);
	return TRUE;
}

const struct chart chart_forest = {
    .name = "forest",
    .summary = "ratios of a comparison with their intervals and verdicts, the margin as a band",
    .needs = CHART_COMPARISONS,
    .draw = forest_draw,
};
