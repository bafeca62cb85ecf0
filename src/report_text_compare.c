#include "report_text.h"

#include <math.h>

#include "analyse.h"
#include "document.h"
#include "table.h"
#include "unit.h"

#define HEADER_CELLS 10 /* of a side's name above a column of numbers; a longer one is left to the sentences */

static gboolean has_several(const GPtrArray *comparisons,
			    gboolean (*is_same)(const struct comparison *, const struct comparison *))
{
	for (guint i = 1; i < comparisons->len; i++)
		if (!is_same(g_ptr_array_index(comparisons, 0), g_ptr_array_index(comparisons, i)))
			return TRUE;
	return FALSE;
}

static gboolean same_other(const struct comparison *x, const struct comparison *y)
{
	return g_str_equal(x->other.name, y->other.name);
}

static gboolean same_baseline(const struct comparison *x, const struct comparison *y)
{
	return g_str_equal(x->baseline.name, y->baseline.name);
}

static gboolean same_workload(const struct comparison *x, const struct comparison *y)
{
	return g_str_equal(x->workload, y->workload);
}

static gboolean same_metric(const struct comparison *x, const struct comparison *y)
{
	return g_str_equal(x->metric.name, y->metric.name) && g_str_equal(x->metric.unit, y->metric.unit);
}

static gboolean has_workloads(const GPtrArray *comparisons)
{
	return has_several(comparisons, same_workload) ||
	       *((struct comparison *)g_ptr_array_index(comparisons, 0))->workload;
}

static void table_p(struct table *table, double p)
{
	g_autofree char *text = text_of_p(p);

	table_cell(table, isnan(p) ? "-" : text);
}

static void side_column(struct table *table, const char *name, const char *role)
{
	g_autofree char *printable = text_printable(name);

	table_column(table, text_width(printable) <= HEADER_CELLS ? name : role, TABLE_RIGHT);
}

static enum table_tint tint_of(enum verdict verdict)
{
	static const enum table_tint tints[] = {
	    [VERDICT_BETTER] = TINT_GOOD, [VERDICT_WORSE] = TINT_BAD,      [VERDICT_CHANGED] = TINT_STRONG,
	    [VERDICT_SAME] = TINT_NONE,   [VERDICT_UNDECIDED] = TINT_NONE, [VERDICT_UNTESTABLE] = TINT_NONE};

	return tints[verdict];
}

void table_verdict(struct table *table, enum verdict verdict)
{
	table_cell_tinted(table, verdict_name(verdict), tint_of(verdict));
}

/* A name in each row where sides differ, else above the column. Two names leave no room for means. */
static struct table *new_table(const GPtrArray *comparisons)
{
	const struct comparison *first = g_ptr_array_index(comparisons, 0);
	gboolean has_baseline = has_several(comparisons, same_baseline),
		 has_other = has_several(comparisons, same_other);
	struct table *table = table_new();

	if (has_workloads(comparisons))
		table_column(table, "workload", TABLE_LABEL);
	table_column(table, "metric", TABLE_LABEL);
	if (has_baseline) {
		table_column(table, "baseline", TABLE_LABEL);
		table_column(table, "other", TABLE_LABEL);
	} else {
		if (has_other)
			table_column(table, "other", TABLE_LABEL);
		side_column(table, first->baseline.name, "baseline");
		side_column(table, has_other ? "mean" : first->other.name, "other");
	}
	table_column(table, "ratio", TABLE_RIGHT);
	table_column(table, "low", TABLE_RIGHT);
	table_column(table, "high", TABLE_RIGHT);
	table_column(table, "p adj.", TABLE_RIGHT);
	table_column(table, "verdict", TABLE_LEAD);
	return table;
}

static void print_table(const GPtrArray *comparisons, struct document *to)
{
	gboolean has_workload = has_workloads(comparisons), has_baseline = has_several(comparisons, same_baseline),
		 has_other = has_several(comparisons, same_other);
	g_autoptr(Table) table = new_table(comparisons);

	for (guint i = 0; i < comparisons->len; i++) {
		const struct comparison *c = g_ptr_array_index(comparisons, i);

		if (has_workload)
			table_cell(table, c->workload);
		table_cell(table, c->metric.name);
		if (has_baseline)
			table_cell(table, c->baseline.name);
		if (has_baseline || has_other)
			table_cell(table, c->other.name);
		if (!has_baseline) {
			table_number(table, c->baseline.mean);
			table_number(table, c->other.mean);
		}
		table_number(table, c->ratio.estimate);
		table_number(table, c->ratio.low);
		table_number(table, c->ratio.high);
		table_p(table, c->p_adjusted);
		table_verdict(table, c->verdict);
	}
	document_table(to, table);
	document_gap(to);
}

/* "baseline 2.4.7; throughput in MB/s, higher is better" */
static void print_legend(const struct analysis *analysis, struct document *to)
{
	g_autoptr(GString) line = g_string_new(NULL);

	if (analysis->baseline)
		g_string_append_printf(line, "baseline %s", analysis->baseline);
	else
		g_string_append(line, "all pairs");
	for (guint i = 0; i < analysis->comparisons->len; i++) {
		const struct comparison *c = g_ptr_array_index(analysis->comparisons, i);
		const char *better = better_name(c->metric.better);
		gboolean is_known = FALSE;

		for (guint j = 0; j < i && !is_known; j++)
			is_known = same_metric(g_ptr_array_index(analysis->comparisons, j), c);
		if (is_known)
			continue;
		g_string_append_printf(line, "; %s%s%s", c->metric.name, *c->metric.unit ? " in " : "", c->metric.unit);
		if (better)
			g_string_append_printf(line, ", %s is better", better);
	}
	document_paragraph(to, line->str);
	document_gap(to);
}

static void append_interval(GString *line, const struct interval_estimate *interval, const struct analysis *analysis)
{
	g_autofree char *low = number_format(interval->low), *high = number_format(interval->high);

	if (isnan(interval->low))
		return;
	g_string_append_printf(line, " (%s to %s", low, high);
	if (fabs(interval->level - analysis->level) > 1e-12) {
		g_autofree char *level = percent_text(interval->level);

		g_string_append_printf(line, ", %s interval", level);
	}
	g_string_append_c(line, ')');
}

static void append_contrast(GString *line, const struct comparison *c, const struct analysis *analysis)
{
	if (isfinite(c->ratio.estimate)) {
		g_autofree char *ratio = number_format(c->ratio.estimate);

		g_string_append_printf(line, "%s is %sx", c->other.name, ratio);
		append_interval(line, &c->ratio, analysis);
		g_string_append_printf(line, " of %s", c->baseline.name);
	} else if (isfinite(c->difference.estimate)) {
		g_autofree char *difference = number_format(c->difference.estimate);

		g_string_append_printf(line, "%s differs from %s by %s%s%s", c->other.name, c->baseline.name,
				       difference, *c->metric.unit ? " " : "", c->metric.unit);
		append_interval(line, &c->difference, analysis);
	} else {
		g_string_append_printf(line, "%s against %s", c->other.name, c->baseline.name);
	}
}

static char *replicates_text(const struct comparison *c)
{
	guint x = c->baseline.n_units, y = c->other.n_units;
	const char *pairs = g_str_equal(c->design, "blocked") ? " in pairs" : "";

	if (x != y)
		return g_strdup_printf("%u and %u %ss", x, y, c->unit_of_replication);
	return g_strdup_printf("%u %s%s a side%s", x, c->unit_of_replication, x == 1 ? "" : "s", pairs);
}

static void append_undecided(GString *line, const struct comparison *c, const char *replicates, double margin_pct)
{
	g_string_append(line, ": undecided");
	if (isfinite(c->detectable_pct)) {
		g_autofree char *detectable = text_of_rough(c->detectable_pct);

		g_string_append_printf(line, ": %s could have detected %s", replicates, detectable);
	}
	if (isfinite(c->runs_needed) && c->runs_needed > MIN(c->baseline.n_units, c->other.n_units)) {
		g_autofree char *margin = percent_text(margin_pct / 100), *needed = text_of_count(c->runs_needed);

		g_string_append_printf(line, "; about %s%s are needed for %s", needed,
				       c->baseline.n_units == c->other.n_units ? "" : " a side", margin);
	}
}

static void append_verdict(GString *line, const struct comparison *c, double margin_pct)
{
	static const char *const material[] = {
	    [MATERIAL_NO] = "not material", [MATERIAL_YES] = "material", [MATERIAL_UNKNOWN] = "perhaps material"};
	g_autofree char *replicates = replicates_text(c), *margin = percent_text(margin_pct / 100);

	switch (c->verdict) {
	case VERDICT_UNDECIDED:
		append_undecided(line, c, replicates, margin_pct);
		break;
	case VERDICT_UNTESTABLE:
		g_string_append_printf(line, ": untestable, %s (%s)", c->reason, replicates);
		break;
	case VERDICT_SAME:
		g_string_append_printf(line, ": same within %s, %s", margin, replicates);
		break;
	default:
		g_string_append_printf(line, ": %s, %s, %s", verdict_name(c->verdict), material[c->material],
				       replicates);
	}
}

char *text_contrast(const struct analysis *analysis, const struct comparison *c)
{
	GString *line = g_string_new(NULL);

	if (has_several(analysis->comparisons, same_workload))
		g_string_append_printf(line, "%s ", c->workload);
	if (has_several(analysis->comparisons, same_workload) || has_several(analysis->comparisons, same_metric))
		g_string_append_printf(line, "%s: ", c->metric.name);
	append_contrast(line, c, analysis);
	append_verdict(line, c, analysis->margin_pct);
	return g_string_free(line, FALSE);
}

char *text_failures(const struct analysis *analysis, const struct comparison *c)
{
	const struct failure_rate *rate = &c->failure_rate;
	g_autoptr(GString) line = g_string_new(NULL);
	g_autofree char *p = text_of_p(rate->p_adjusted);
	const char *seen = rate->other > rate->baseline ? "more often" : "less often";

	if (rate->is_repeat || !(c->baseline.failed || c->other.failed))
		return NULL;
	if (!(rate->p_adjusted < 1 - analysis->level))
		seen = "that can be chance";
	if (has_several(analysis->comparisons, same_workload))
		g_string_append_printf(line, "%s: ", c->workload);
	g_string_append_printf(line, "%s failed in %u of %u runs, %s in %u of %u: %s (p %s%s)", c->other.name,
			       c->other.failed, c->other.runs, c->baseline.name, c->baseline.failed, c->baseline.runs,
			       seen, *p == '<' ? "" : "= ", p);
	return g_string_free(g_steal_pointer(&line), FALSE);
}

char *text_summary(const struct summary_row *row)
{
	g_autofree char *ratio = number_format(row->ratio);

	return g_strdup_printf("over %u workloads %s is %sx of %s, more is better (geometric mean)", row->workloads,
			       row->other, ratio, row->baseline);
}

static void print_summary(const GArray *summary, struct document *to)
{
	for (guint i = 0; i < summary->len; i++) {
		g_autofree char *line = text_summary(&g_array_index(summary, struct summary_row, i));

		document_say(to, line);
	}
}

/* Each side once, though it stands in several comparisons. */
static void print_variances(const GPtrArray *comparisons, struct document *to)
{
	g_autoptr(GHashTable) seen = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);

	for (guint i = 0; i < comparisons->len; i++) {
		const struct comparison *c = g_ptr_array_index(comparisons, i);
		const struct side *const sides[] = {&c->baseline, &c->other};

		for (guint j = 0; j < G_N_ELEMENTS(sides); j++) {
			g_autofree char *what = g_strdup_printf(
			    "%s%s%s of %s", has_several(comparisons, same_workload) ? c->workload : "",
			    has_several(comparisons, same_workload) ? " " : "", c->metric.name, sides[j]->name);

			if (sides[j]->variance && !g_hash_table_contains(seen, what)) {
				text_variance(sides[j]->variance, what, to);
				g_hash_table_add(seen, g_steal_pointer(&what));
			}
		}
	}
}

static guint count_tested(const GPtrArray *comparisons)
{
	guint n = 0;

	for (guint i = 0; i < comparisons->len; i++)
		n += !((const struct comparison *)g_ptr_array_index(comparisons, i))->reason;
	return n;
}

static void append_correction(GString *line, const struct analysis *analysis, guint n_tested)
{
	static const char *const names[] = {[CORRECTION_HOLM] = "Holm's correction",
					    [CORRECTION_DUNNETT] = "Dunnett's correction",
					    [CORRECTION_GAMES_HOWELL] = "Games and Howell's correction",
					    [CORRECTION_TUKEY] = "Tukey's correction"};
	const char *separator = "";

	for (int i = CORRECTION_HOLM; i <= CORRECTION_TUKEY; i++)
		if (analysis->corrections & 1u << i) {
			g_string_append_printf(line, "%s%s", separator, names[i]);
			separator = " or ";
		}
	g_string_append_printf(line, " over %u %s", n_tested, analysis->baseline ? "comparisons" : "pairs");
	if (analysis->families > 1)
		g_string_append_printf(line, ", each workload and metric by itself, and Bonferroni's over these %u",
				       analysis->families);
}

char *text_terms(const struct analysis *analysis)
{
	g_autofree char *level = percent_text(analysis->level), *margin = percent_text(analysis->margin_pct / 100);
	guint n_tested = count_tested(analysis->comparisons);
	GString *line = g_string_new(NULL);

	g_string_append_printf(line, "%s confidence, margin %s, ", level, margin);
	if (n_tested > 1)
		append_correction(line, analysis, n_tested);
	else
		g_string_append(line, n_tested ? "one comparison" : "no comparison could be tested");
	return g_string_free(line, FALSE);
}

void report_text_compare(const struct analysis *analysis, struct document *to)
{
	const GPtrArray *comparisons = analysis->comparisons;
	g_autofree char *terms = NULL;
	flag_set shared, flags = 0;

	if (!comparisons->len)
		return;
	shared = text_shared_flags(comparisons);
	print_legend(analysis, to);
	print_table(comparisons, to);
	for (guint i = 0; i < comparisons->len; i++) {
		const struct comparison *c = g_ptr_array_index(comparisons, i);

		g_autofree char *contrast = text_contrast(analysis, c), *failures = text_failures(analysis, c);

		document_say(to, contrast);
		if (failures)
			document_say(to, failures);
		if (to->is_verbose)
			text_reasons(analysis, c, to);
		text_own_caveats(c, comparisons, shared, to);
		flags |= c->flags;
	}
	text_shared_caveats(comparisons, shared, to);
	print_variances(comparisons, to);
	print_summary(analysis->summary, to);
	if (to->is_verbose) {
		text_shared_reasons(analysis, to);
		text_remedies(flags, to);
	}
	terms = text_terms(analysis);
	document_gap(to);
	document_paragraph(to, terms);
}
