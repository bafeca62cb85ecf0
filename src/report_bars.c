#include <math.h>

#include "analyse.h"
#include "document.h"
#include "report.h"
#include "report_text.h"
#include "table.h"
#include "unit.h"

/* Means as bars of stars, the way results were posted to mailing lists, with the interval of each mean drawn in:
 *
 *     2.4.18pre4aa1  *******|--*--|  25.2 MB/s
 */

#define BAR_CELLS 30 /* at least; what labels and numbers leave is added */

static const struct estimate_row *row_at(const GPtrArray *estimates, guint i)
{
	return g_ptr_array_index(estimates, i);
}

static gboolean is_same_group(const struct estimate_row *x, const struct estimate_row *y)
{
	return g_str_equal(x->workload, y->workload) && g_str_equal(x->metric.name, y->metric.name) &&
	       g_str_equal(x->metric.unit, y->metric.unit);
}

static gboolean has_interval(const struct estimate_row *row)
{
	return isfinite(row->ci.low) && isfinite(row->ci.high);
}

static gboolean has_bar(const struct estimate_row *row)
{
	return isfinite(row->summary.mean) && row->summary.mean >= 0;
}

/* What the axis ends with: the largest mean or upper bound. */
static double scale_of(const GPtrArray *group)
{
	double scale = 0;

	for (guint i = 0; i < group->len; i++) {
		const struct estimate_row *row = row_at(group, i);

		if (has_bar(row))
			scale = fmax(scale, has_interval(row) ? row->ci.high : row->summary.mean);
	}
	return scale;
}

static guint cell_of(double value, double scale, guint cells)
{
	return scale > 0 ? (guint)lround(CLAMP(value / scale, 0, 1) * (cells - 1)) : 0;
}

/* Stars up to the mean, or up to the interval and then that: "*****|--*--|". An end that lies below 0 is "<". */
static char *bar_of(const struct estimate_row *row, double scale, guint cells)
{
	guint mean = cell_of(row->summary.mean, scale, cells), low, high;
	char *bar = g_strnfill(cells, '\0');

	for (guint i = 0; i <= mean; i++)
		bar[i] = '*';
	if (!has_interval(row))
		return bar;
	low = cell_of(row->ci.low, scale, cells);
	high = cell_of(row->ci.high, scale, cells);
	for (guint i = low; i <= high; i++)
		bar[i] = '-';
	if (low < mean)
		bar[low] = row->ci.low < 0 ? '<' : '|';
	if (high > mean)
		bar[high] = '|';
	bar[mean] = '*';
	return bar;
}

/* "25.2 MB/s" */
static char *value_of(const struct estimate_row *row)
{
	g_autofree char *mean = number_format(row->summary.mean);
	gboolean has_unit = *row->metric.unit && isfinite(row->summary.mean);

	return g_strdup_printf("%s%s%s", mean, has_unit ? " " : "", has_unit ? row->metric.unit : "");
}

static char *note_of(const struct estimate_row *row)
{
	if (isfinite(row->summary.mean) && row->summary.mean < 0)
		return g_strdup("below 0");
	if (!row->failed)
		return g_strdup(row->n == 1 ? "one run" : "");
	return g_strdup_printf("%u of %u failed", row->failed, row->n + row->failed);
}

/* The numbers at the ends of the axis. */
static char *axis_of(double scale, guint cells)
{
	g_autofree char *end = number_format(scale);
	int pad = MAX(1, (int)cells - 1 - (int)text_width(end));

	return g_strdup_printf("0%*s%s", pad, "", end);
}

static struct table *new_table(const GPtrArray *group, guint cells)
{
	struct table *table = table_new();
	double scale = scale_of(group);
	g_autofree char *axis = axis_of(scale, cells);

	table_column(table, "", TABLE_WHOLE);
	table_column(table, axis, TABLE_LEFT);
	table_column(table, "mean", TABLE_RIGHT);
	table_column(table, "", TABLE_LEFT);
	for (guint i = 0; i < group->len; i++) {
		const struct estimate_row *row = row_at(group, i);
		g_autofree char *value = value_of(row), *note = note_of(row);
		g_autofree char *bar = has_bar(row) ? bar_of(row, scale, cells) : g_strdup(note);

		table_cell(table, row->treatment);
		table_cell(table, bar);
		table_cell(table, value);
		table_cell(table, has_bar(row) ? note : "");
	}
	return table;
}

static void print_group(const GPtrArray *group, struct document *to)
{
	const struct estimate_row *first = row_at(group, 0);
	const char *better = better_name(first->metric.better);
	g_autoptr(Table) least = new_table(group, BAR_CELLS), table = NULL;
	g_autofree char *line =
	    g_strdup_printf("%s%s%s%s%s%s%s%s", first->workload, *first->workload ? ": " : "", first->metric.name,
			    *first->metric.unit ? " in " : "", first->metric.unit, better ? ", " : "",
			    better ? better : "", better ? " is better" : "");

	table = new_table(
	    group, BAR_CELLS + (table_width(least) < DOCUMENT_COLUMNS ? DOCUMENT_COLUMNS - table_width(least) : 0));
	document_paragraph(to, line);
	document_table(to, table);
	document_gap(to);
}

static void show(const struct analysis *analysis, struct document *to)
{
	const GPtrArray *estimates = analysis->estimates;
	g_autofree char *level = percent_text(analysis->level);
	g_autofree char *legend =
	    g_strdup_printf("|--*--| %s confidence interval of the mean; <--*--| one that begins below 0", level);

	for (guint i = 0; i < estimates->len; i++) {
		g_autoptr(GPtrArray) group = NULL;
		gboolean is_known = FALSE;

		for (guint j = 0; j < i && !is_known; j++)
			is_known = is_same_group(row_at(estimates, j), row_at(estimates, i));
		if (is_known)
			continue;
		group = g_ptr_array_new();
		for (guint j = i; j < estimates->len; j++)
			if (is_same_group(row_at(estimates, i), row_at(estimates, j)))
				g_ptr_array_add(group, estimates->pdata[j]);
		print_group(group, to);
	}
	if (estimates->len)
		document_paragraph(to, legend);
}

extern const struct report_format report_bars;
const struct report_format report_bars = {
    .name = "bars",
    .summary = "means as bars of stars, for mail",
    .show = show,
};
