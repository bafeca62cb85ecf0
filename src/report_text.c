#include "report.h"

#include <math.h>

#include "analyse.h"
#include "document.h"
#include "report_text.h"
#include "table.h"
#include "unit.h"

#define MARKS "abcdefghijklmnopqrstuvwxyz"

#define ROUGH_MIN 1e9 /* from here on the size says all */

char *percent_text(double fraction)
{
	char buffer[G_ASCII_DTOSTR_BUF_SIZE];
	/* no confidence is 100% */
	const char *format = fraction >= 0.99995 && fraction < 1 ? "%.15g" : "%.4g";

	return g_strdup_printf("%s%%", g_ascii_formatd(buffer, sizeof(buffer), format, 100 * fraction));
}

char *text_of_count(double n)
{
	char buffer[G_ASCII_DTOSTR_BUF_SIZE];

	if (!isfinite(n))
		return g_strdup("-");
	return g_strdup(g_ascii_formatd(buffer, sizeof(buffer), n < ROUGH_MIN ? "%.0f" : "%.2g", n));
}

char *text_of_rough(double percent)
{
	char buffer[G_ASCII_DTOSTR_BUF_SIZE];
	g_autofree char *whole = text_of_count(percent);

	if (!isfinite(percent))
		return g_strdup("-");
	return g_strdup_printf("%s%%",
			       percent < 9.95 ? g_ascii_formatd(buffer, sizeof(buffer), "%.2g", percent) : whole);
}

char *text_of_p(double p)
{
	char buffer[G_ASCII_DTOSTR_BUF_SIZE];

	return g_strdup(p < 1e-4 ? "<0.0001" : g_ascii_formatd(buffer, sizeof(buffer), "%.4f", p));
}

void table_number(struct table *table, double value)
{
	g_autofree char *text = number_format(isfinite(value) ? value : NAN);

	table_cell(table, text);
}

void table_count(struct table *table, guint count)
{
	g_autofree char *text = g_strdup_printf("%u", count);

	table_cell(table, text);
}

/* What the rows have in common decides which columns are worth their width. */
struct outline {
	gboolean has_workloads, has_treatments, has_failures, has_means;
	flag_set flags;
};

static struct outline outline_of(const GPtrArray *estimates)
{
	const struct estimate_row *first = g_ptr_array_index(estimates, 0);
	struct outline outline = {0};

	for (guint i = 0; i < estimates->len; i++) {
		const struct estimate_row *row = g_ptr_array_index(estimates, i);

		outline.has_workloads |= !g_str_equal(row->workload, first->workload);
		outline.has_treatments |= !g_str_equal(row->treatment, first->treatment);
		outline.has_failures |= row->failed > 0;
		outline.has_means |= !g_str_equal(row->ci_method, "t");
		outline.flags |= row->flags;
	}
	return outline;
}

static struct table *new_table(const struct outline *outline)
{
	static const char *const numbers[] = {"mean", "low", "high", "cv"};
	struct table *table = table_new();

	if (outline->has_workloads)
		table_column(table, "workload", TABLE_LABEL);
	table_column(table, "metric", TABLE_LABEL);
	table_column(table, "unit", TABLE_LEFT);
	if (outline->has_treatments)
		table_column(table, "treatment", TABLE_LABEL);
	table_column(table, "n", TABLE_RIGHT);
	if (outline->has_failures)
		table_column(table, "failed", TABLE_RIGHT);
	for (guint i = 0; i < G_N_ELEMENTS(numbers); i++)
		table_column(table, numbers[i], TABLE_RIGHT);
	if (outline->flags)
		table_column(table, "note", TABLE_LEFT);
	return table;
}

/* A letter for each flag of the row; the letters go by the flags of the whole report. */
static void add_marks(struct table *table, flag_set flags, flag_set all)
{
	g_autoptr(GString) marks = g_string_new(NULL);
	const char *mark = MARKS;

	for (const struct flag_info *info = flag_table; info->flag && *mark; info++)
		if (all & info->flag) {
			if (flags & info->flag)
				g_string_append_c(marks, *mark);
			mark++;
		}
	table_cell(table, marks->str);
}

static void print_marks(flag_set all, struct document *to)
{
	const char *mark = MARKS;

	for (const struct flag_info *info = flag_table; info->flag && *mark; info++)
		if (all & info->flag) {
			g_autofree char *line = g_strdup_printf("%c  %s: %s", *mark, info->name, info->text);

			document_caveat(to, "", 0, line);
			mark++;
		}
}

static void add_row(struct table *table, const struct estimate_row *row, const struct outline *outline)
{
	const struct description *summary = &row->summary;
	char buffer[G_ASCII_DTOSTR_BUF_SIZE];
	g_autofree char *cv =
	    g_strdup_printf("%s%%", g_ascii_formatd(buffer, sizeof(buffer), "%.1f", 100 * summary->cv));

	if (outline->has_workloads)
		table_cell(table, row->workload);
	table_cell(table, row->metric.name);
	table_cell(table, row->metric.unit);
	if (outline->has_treatments)
		table_cell(table, row->treatment);
	table_count(table, row->n);
	if (outline->has_failures)
		table_count(table, row->failed);
	table_number(table, summary->mean);
	table_number(table, row->ci.low);
	table_number(table, row->ci.high);
	table_cell(table, isfinite(summary->cv) ? cv : "-");
	if (outline->flags)
		add_marks(table, row->flags, outline->flags);
}

/* What all rows share is said once. */
static void print_heading(const struct estimate_row *row, const struct outline *outline, struct document *to)
{
	const char *workload = outline->has_workloads ? "" : row->workload;
	const char *treatment = outline->has_treatments ? "" : row->treatment;
	g_autofree char *line = g_strdup_printf("%s%s%s", workload, *workload && *treatment ? ", " : "", treatment);

	if (*line)
		document_paragraph(to, line);
}

static void print_variances(const GPtrArray *estimates, const struct outline *outline, struct document *to)
{
	for (guint i = 0; i < estimates->len; i++) {
		const struct estimate_row *row = g_ptr_array_index(estimates, i);
		g_autofree char *what = g_strdup_printf("%s%s%s%s%s", outline->has_workloads ? row->workload : "",
							outline->has_workloads ? " " : "", row->metric.name,
							outline->has_treatments ? " of " : "",
							outline->has_treatments ? row->treatment : "");

		if (row->variance)
			text_variance(row->variance, what, to);
	}
}

void report_text_show(const struct analysis *analysis, struct document *to)
{
	const GPtrArray *estimates = analysis->estimates;
	g_autofree char *level = percent_text(analysis->level);
	g_autofree char *legend = NULL;
	g_autoptr(Table) table = NULL;
	struct outline outline;

	if (!estimates->len)
		return;
	outline = outline_of(estimates);
	table = new_table(&outline);
	for (guint i = 0; i < estimates->len; i++)
		add_row(table, g_ptr_array_index(estimates, i), &outline);
	print_heading(g_ptr_array_index(estimates, 0), &outline, to);
	document_table(to, table);
	document_gap(to);
	print_marks(outline.flags, to);
	print_variances(estimates, &outline, to);
	if (to->is_verbose)
		text_remedies(outline.flags, to);
	legend = g_strdup_printf(
	    "low, high: %s confidence interval of the mean%s", level,
	    outline.has_means ? ", from the means of boots or sittings where there are three or more" : "");
	document_paragraph(to, legend);
}

extern const struct report_format report_text;
const struct report_format report_text = {
    .name = "text",
    .summary = "tables and sentences for people",
    .show = report_text_show,
    .compare = report_text_compare,
    .effects = report_text_effects,
    .power = report_text_power,
    .trend = report_text_trend,
    .calibrate = report_text_calibrate,
    .aa = report_text_aa,
};
