#include "report_text.h"

#include <math.h>

#include "analyse.h"
#include "document.h"
#include "unit.h"

/* Why a verdict is what it is. */

static gboolean is_log(const struct comparison *c)
{
	return c->ratio.method != NULL;
}

static const char *method_of(const struct comparison *c)
{
	return is_log(c) ? c->ratio.method : c->difference.method;
}

static void say_design(const struct comparison *c, struct document *to)
{
	static const struct {
		const char *method, *text;
	} designs[] = {
	    {"welch", "Welch's t test of two independent sides, which may differ in spread"},
	    {"paired", "t test of pairs, so that what differs between them does not count as noise"},
	    {"pooled", "t test of independent sides, with one spread for all"},
	    {"blocks", "analysis of variance with blocks, so that what differs between them does not count as noise"},
	};
	g_autoptr(GString) line = g_string_new("test: ");

	for (guint i = 0; i < G_N_ELEMENTS(designs); i++)
		if (g_str_has_prefix(method_of(c), designs[i].method))
			g_string_append(line, designs[i].text);
	g_string_append(line, is_log(c) ? "; of logarithms, as effects are ratios"
					: "; of values as they are, since not all are above 0");
	document_detail(to, line->str);
}

static void say_unit(const struct comparison *c, struct document *to)
{
	static const struct {
		const char *unit, *reason;
	} units[] = {
	    {"run", "there are not three boots or sittings a side to count instead"},
	    {"block", "the mean of its runs"},
	    {"sitting", "the mean of its runs, as machines drift between sittings"},
	    {"boot", "the mean of its runs, as runs of one boot are not independent of each other"},
	};
	g_autoptr(GString) line = g_string_new(NULL);

	g_string_append_printf(line, "replicate: the %s", c->unit_of_replication);
	for (guint i = 0; i < G_N_ELEMENTS(units); i++)
		if (g_str_equal(c->unit_of_replication, units[i].unit))
			g_string_append_printf(line, "; %s", units[i].reason);
	document_detail(to, line->str);
}

static void append_p(GString *line, double p)
{
	g_autofree char *text = text_of_p(p);

	g_string_append_printf(line, "p %s%s", *text == '<' ? "" : "= ", text);
}

/* "difference: p = 0.0486, as one of 3 comparisons 0.1458, not below 0.05: the 98.33% interval holds 1" */
static void say_level(const struct analysis *analysis, const struct comparison *c, struct document *to)
{
	char alpha[G_ASCII_DTOSTR_BUF_SIZE];
	g_autofree char *level = percent_text(is_log(c) ? c->ratio.level : c->difference.level);
	g_autoptr(GString) line = g_string_new("difference: ");
	gboolean is_seen = c->p_adjusted < 1 - analysis->level;

	g_ascii_formatd(alpha, sizeof(alpha), "%.4g", 1 - analysis->level);
	append_p(line, c->p);
	if (c->p_adjusted > c->p) {
		g_autofree char *adjusted = text_of_p(c->p_adjusted);

		g_string_append_printf(line, ", as one of %u comparisons %s", analysis->comparisons->len, adjusted);
	}
	g_string_append_printf(line, ", %s %s: the %s interval %s %s", is_seen ? "below" : "not below", alpha, level,
			       is_seen ? "leaves out" : "holds", is_log(c) ? "1" : "0");
	document_detail(to, line->str);
}

static void say_margin(const struct analysis *analysis, const struct comparison *c, struct document *to)
{
	static const char *const meaning[] = {[MATERIAL_NO] = "the difference lies within it, too small to matter",
					      [MATERIAL_YES] = "the whole interval lies beyond it",
					      [MATERIAL_UNKNOWN] = "the interval reaches over its edge"};
	g_autofree char *margin = percent_text(analysis->margin_pct / 100);
	g_autofree char *low = number_format(1 / (1 + analysis->margin_pct / 100));
	g_autofree char *high = number_format(1 + analysis->margin_pct / 100);
	g_autoptr(GString) line = g_string_new(NULL);

	g_string_append_printf(line, "margin: %s", margin);
	if (is_log(c))
		g_string_append_printf(line, ", from %s to %s", low, high);
	g_string_append_printf(line, ": %s", meaning[c->material]);
	if (c->material == MATERIAL_NO) {
		g_string_append(line, " (two one-sided tests, ");
		append_p(line, c->equivalence_p_adjusted);
		g_string_append_c(line, ')');
	}
	document_detail(to, line->str);
}

static void append_interval(GString *line, const char *name, const struct interval_estimate *interval)
{
	g_autofree char *low = number_format(interval->low), *high = number_format(interval->high);

	g_string_append_printf(line, "%s%s (%s to %s", line->len ? ", " : "", name, low, high);
}

static void say_cross_check(const struct comparison *c, struct document *to)
{
	const struct cross_check *check = &c->cross_check;
	g_autoptr(GString) line = g_string_new(NULL);

	if (check->hodges_lehmann.method && isfinite(check->hodges_lehmann.low)) {
		append_interval(line, "Hodges and Lehmann's interval", &check->hodges_lehmann);
		g_string_append(line, check->hodges_lehmann_disagrees ? ") disagrees" : ") agrees");
	}
	if (isfinite(check->permutation_p)) {
		g_string_append_printf(line, "%sthe permutation test (", line->len ? ", " : "");
		append_p(line, check->permutation_p);
		g_string_append_printf(line, "%s) %s", check->is_exact ? ", exact" : "",
				       check->permutation_disagrees ? "disagrees" : "agrees");
	} else if (isfinite(check->least_p)) {
		g_autofree char *least = text_of_p(check->least_p);

		g_string_append_printf(line,
				       "%swith so few replicates the permutation test cannot give less than p = %s",
				       line->len ? ", " : "", least);
	}
	if (check->bca.method && isfinite(check->bca.low)) {
		append_interval(line, "the bootstrap's interval", &check->bca);
		g_string_append(line, ") is only shown");
	}
	if (!line->len)
		return;
	g_string_prepend(line, "checks: ");
	document_detail(to, line->str);
}

/* Whether one sentence about the test does for all. */
static gboolean has_one_design(const GPtrArray *comparisons)
{
	const struct comparison *first = g_ptr_array_index(comparisons, 0);

	for (guint i = 1; i < comparisons->len; i++) {
		const struct comparison *c = g_ptr_array_index(comparisons, i);

		if (g_strcmp0(method_of(c), method_of(first)) != 0 ||
		    !g_str_equal(c->unit_of_replication, first->unit_of_replication))
			return FALSE;
	}
	return comparisons->len > 1;
}

static void say_how(const struct comparison *c, struct document *to)
{
	if (method_of(c))
		say_design(c, to);
	say_unit(c, to);
}

void text_reasons(const struct analysis *analysis, const struct comparison *c, struct document *to)
{
	if (!has_one_design(analysis->comparisons))
		say_how(c, to);
	if (c->verdict == VERDICT_UNTESTABLE)
		return;
	say_level(analysis, c, to);
	say_margin(analysis, c, to);
	say_cross_check(c, to);
}

void text_shared_reasons(const struct analysis *analysis, struct document *to)
{
	if (!has_one_design(analysis->comparisons))
		return;
	document_say(to, "how all of these were told:");
	say_how(g_ptr_array_index(analysis->comparisons, 0), to);
}

void text_remedies(flag_set flags, struct document *to)
{
	gboolean is_first = TRUE;

	for (const struct flag_info *info = flag_table; info->flag; info++) {
		g_autofree char *line = g_strdup_printf("%s: %s", info->name, info->remedy ? info->remedy : "");

		if (!(flags & info->flag) || !info->remedy)
			continue;
		if (is_first)
			document_say(to, "what to do:");
		is_first = FALSE;
		document_detail(to, line);
	}
}
