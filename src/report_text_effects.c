#include "report_text.h"

#include <math.h>

#include "analyse_effects.h"
#include "document.h"
#include "flag.h"
#include "names.h"
#include "report_text_effects.h"
#include "unit.h"

#define NAMED_MAX 8 /* cells named in a sentence */
#define ALPHA 0.05

/* "kernel matters (p = 2.0e-11)" */
static void say_terms(const struct effects *effects, GString *line)
{
	for (guint i = 0; i + 1 < effects->terms->len; i++) {
		const struct effects_term *term = &g_array_index(effects->terms, struct effects_term, i);
		double value = i == 0 && effects->welch_leads ? effects->welch.p : term->p;
		g_autofree char *p = effects_p_text(value);

		if (effects->blocked_by && term->source == g_intern_string(effects->blocked_by))
			continue;
		if (line->len)
			g_string_append(line, "; ");
		if (isnan(value))
			g_string_append_printf(line, "nothing can be said of %s", term->source);
		else
			g_string_append_printf(line, "%s %s (p = %s%s)", term->source,
					       value < ALPHA ? "matters" : "is not seen to matter", p,
					       i == 0 && effects->welch_leads ? " by Welch's test" : "");
	}
}

static char *cell_name(const struct effects *effects, const struct effects_cell *cell)
{
	if (effects->n_factors == 1)
		return g_strdup(cell->level[0]);
	return g_strdup_printf("%s/%s", cell->level[0], cell->level[1]);
}

static guint count_peers(const struct effects *effects)
{
	guint n = 0;

	for (guint i = 0; i < effects->cells->len; i++) {
		const struct effects_cell *cell = &g_array_index(effects->cells, struct effects_cell, i);

		n += cell->is_as_good && !cell->is_best;
	}
	return n;
}

/* "80/90, 90/90 and 3 more" */
static char *peers_of(const struct effects *effects)
{
	g_autoptr(GPtrArray) names = g_ptr_array_new_with_free_func(g_free);
	guint n = count_peers(effects);
	g_autofree char *list = NULL;

	for (guint i = 0; i < effects->cells->len && names->len < NAMED_MAX; i++) {
		const struct effects_cell *cell = &g_array_index(effects->cells, struct effects_cell, i);

		if (cell->is_as_good && !cell->is_best)
			g_ptr_array_add(names, cell_name(effects, cell));
	}
	list = names_join(names, ", ");
	return n > names->len ? g_strdup_printf("%s and %u more", list, n - names->len) : g_steal_pointer(&list);
}

static char *replicates_text(const struct effects *effects)
{
	guint low = G_MAXUINT, high = 0;

	for (guint i = 0; i < effects->cells->len; i++) {
		guint n = g_array_index(effects->cells, struct effects_cell, i).n;

		low = MIN(low, n);
		high = MAX(high, n);
	}
	if (low != high)
		return g_strdup_printf("%u to %u %ss each", low, high, effects->unit);
	return high == 1 ? g_strdup_printf("one %s each", effects->unit)
			 : g_strdup_printf("%u %ss each", high, effects->unit);
}

/* The best of many is lucky: what to run again. */
static void advise(const struct effects *effects, GPtrArray *said)
{
	g_autoptr(GString) line = g_string_new(NULL);
	double luck = effects->luck / sqrt((double)effects->n / effects->cells->len);
	char buffer[G_ASCII_DTOSTR_BUF_SIZE];
	g_autofree char *replicates = replicates_text(effects);

	if (count_peers(effects) == 0 || !isfinite(effects->sd))
		return;
	g_string_append_printf(line, "the best of %u cells of %s beats a named cell by %s sd", effects->cells->len,
			       replicates, g_ascii_formatd(buffer, sizeof(buffer), "%.1f", luck));
	if (effects->is_log) {
		g_autofree char *percent = percent_text(round(1000 * expm1(luck * effects->sd)) / 1000);

		g_string_append_printf(line, " (%s here)", percent);
	} else {
		g_autofree char *here = number_format(luck * effects->sd);

		g_string_append_printf(line, " (%s%s%s here)", here, *effects->metric.unit ? " " : "",
				       effects->metric.unit);
	}
	g_string_append(
	    line, " on average with no effect at all: re-run it and those that cannot be told from it before choosing");
	g_ptr_array_add(said, g_strdup(line->str));
}

static void say_no_best(const struct effects *effects, GPtrArray *said)
{
	g_autoptr(GString) line = g_string_new("no cell is best: neither way is better for ");

	g_string_append(line, effects->metric.name);
	g_ptr_array_add(said, g_strdup(line->str));
}

static void say_best(const struct effects *effects, double level, GPtrArray *said)
{
	g_autoptr(GString) line = g_string_new(NULL);
	g_autofree char *confidence = percent_text(level), *peers = peers_of(effects);
	guint n = count_peers(effects);

	for (guint i = 0; i < effects->cells->len; i++) {
		const struct effects_cell *cell = &g_array_index(effects->cells, struct effects_cell, i);
		g_autofree char *name = cell_name(effects, cell), *mean = number_format(cell->mean);

		if (cell->is_best)
			g_string_append_printf(line, "best is %s (%s%s%s)", name, mean,
					       *effects->metric.unit ? " " : "", effects->metric.unit);
	}
	if (!isfinite(effects->sd))
		g_string_append(line, ", but with one run of each no cell can be told from another");
	else if (n == effects->cells->len - 1)
		g_string_append_printf(line, "; no other can be told from it (Tukey, %s)", confidence);
	else if (n)
		g_string_append_printf(line, "; %u of the other %u cannot be told from it (Tukey, %s): %s", n,
				       effects->cells->len - 1, confidence, peers);
	else
		g_string_append_printf(line, ", better than each of the other %u (Tukey, %s)", effects->cells->len - 1,
				       confidence);
	g_ptr_array_add(said, g_strdup(line->str));
}

static void say_about_model(const struct effects *effects, GPtrArray *said)
{
	g_autoptr(GString) line = g_string_new(NULL);

	if (effects->n_factors > 1 && !effects->is_replicated) {
		g_string_append(line, "one run a cell: the residual of the additive model is taken for noise");
		if (effects->has_nonadditivity && effects->nonadditivity.p < ALPHA)
			g_string_append(line, ", but the factors do not add up (non-additivity): run cells again to "
					      "see noise and interaction apart");
		g_ptr_array_add(said, g_strdup(line->str));
	}
	if (isfinite(effects->welch.p) &&
	    (effects->welch.p < ALPHA) != (g_array_index(effects->terms, struct effects_term, 0).p < ALPHA)) {
		g_string_assign(line, "the classical and Welch's test disagree: more runs are needed");
		g_ptr_array_add(said, g_strdup(line->str));
	}
}

GPtrArray *effects_sentences(const struct effects *effects, double level)
{
	GPtrArray *said = g_ptr_array_new_with_free_func(g_free);
	g_autoptr(GString) line = g_string_new(NULL);

	say_terms(effects, line);
	g_ptr_array_add(said, g_strdup(line->str));
	say_about_model(effects, said);
	if (effects->metric.better == BETTER_NONE) {
		say_no_best(effects, said);
	} else {
		say_best(effects, level, said);
		advise(effects, said);
	}
	return said;
}

static char *detail(const struct effects *effects, flag_set flag)
{
	g_autofree char *names = NULL;

	if (flag == FLAG_MIXED_LEVELS)
		return names_join(effects->mixed, ", ");
	if (flag == FLAG_ORDER_CONFOUNDED)
		return names_join(effects->confounded, ", ");
	if (flag != FLAG_FAILURES)
		return g_strdup("");
	names = names_join(effects->without_runs, ", ");
	return g_strdup_printf("%u%s%s", effects->failed, *names ? ", all of " : "", names);
}

static void print_caveats(const struct effects *effects, struct document *to)
{
	for (const struct flag_info *info = flag_table; info->flag; info++) {
		g_autofree char *more = NULL;
		g_autoptr(GString) line = NULL;

		if (!(effects->flags & info->flag))
			continue;
		more = detail(effects, info->flag);
		line = g_string_new(NULL);
		g_string_append_printf(line, "%s: %s%s%s", info->name, info->text, *more ? ": " : "", more);
		document_caveat(to, effects->workload, 2, line->str);
	}
}

char *effects_heading(const struct effects *effects)
{
	const char *better = better_name(effects->metric.better);
	GString *line = g_string_new(effects->workload);

	g_string_append_printf(line, "%s%s%s%s", *effects->workload ? ": " : "", effects->metric.name,
			       *effects->metric.unit ? " in " : "", effects->metric.unit);
	if (better)
		g_string_append_printf(line, ", %s is better", better);
	g_string_append_printf(line, "; %s by %s", effects->is_log ? "logarithms" : "values", effects->factor[0]);
	if (effects->n_factors > 1)
		g_string_append_printf(line, " and %s", effects->factor[1]);
	g_string_append_printf(line, ", %u %s%s", effects->n, effects->unit, effects->n == 1 ? "" : "s");
	if (effects->blocked_by)
		g_string_append_printf(line, ", compared within each %s", effects->blocked_by);
	return g_string_free(line, FALSE);
}

void report_text_effects(const struct effects_analysis *analysis, struct document *to)
{
	for (guint i = 0; i < analysis->effects->len; i++) {
		const struct effects *effects = g_ptr_array_index(analysis->effects, i);
		g_autoptr(GPtrArray) said = effects_sentences(effects, analysis->level);
		g_autofree char *heading = effects_heading(effects);

		if (i)
			document_gap(to);
		document_paragraph(to, heading);
		document_gap(to);
		effects_print_tables(effects, to);
		for (guint j = 0; j < said->len; j++)
			document_say(to, said->pdata[j]);
		print_caveats(effects, to);
	}
	for (guint i = 0; i < analysis->left_out->len; i++) {
		g_autoptr(GString) line = g_string_new("left out: ");

		g_string_append(line, g_ptr_array_index(analysis->left_out, i));
		document_gap(to);
		document_say(to, line->str);
	}
}
