#include "report_text.h"

#include <math.h>

#include "analyse_effects.h"
#include "flag.h"
#include "names.h"
#include "table.h"
#include "unit.h"

#define NAMED_MAX 8     /* cells named in a sentence */
#define GRID_COLUMNS 10 /* levels of the second factor in one table */
#define ALPHA 0.05

static void table_fixed(struct table *table, double value, const char *format)
{
	char buffer[G_ASCII_DTOSTR_BUF_SIZE];

	table_cell(table, isfinite(value) ? g_ascii_formatd(buffer, sizeof(buffer), format, value) : "-");
}

static char *p_text(double p)
{
	char buffer[G_ASCII_DTOSTR_BUF_SIZE];

	if (isnan(p))
		return g_strdup("-");
	if (p == 0)
		return g_strdup("<1e-307");
	return g_strdup(p < 1e-4 ? g_ascii_formatd(buffer, sizeof(buffer), "%.1e", p)
				 : g_ascii_formatd(buffer, sizeof(buffer), "%.4f", p));
}

static void add_test(struct table *table, const char *source, double df, double df_error, double f, double p)
{
	g_autofree char *p_value = p_text(p);

	table_cell(table, source);
	table_number(table, df);
	table_number(table, df_error);
	table_number(table, NAN);
	table_number(table, NAN);
	table_fixed(table, f, "%.3f");
	table_cell(table, p_value);
}

static void print_terms(const struct effects *effects, GString *out)
{
	static const char *const numbers[] = {"df", "error", "SS", "MS", "F", "p"};
	const struct test *kruskal = &effects->kruskal, *other = &effects->nonadditivity;
	g_autoptr(Table) table = table_new();

	table_column(table, "source", TABLE_LABEL);
	for (guint i = 0; i < G_N_ELEMENTS(numbers); i++)
		table_column(table, numbers[i], TABLE_RIGHT);
	for (guint i = 0; i < effects->terms->len; i++) {
		const struct effects_term *term = &g_array_index(effects->terms, struct effects_term, i);
		g_autofree char *p = p_text(term->p);

		table_cell(table, term->source);
		table_number(table, term->df);
		table_number(table, term->df_error);
		table_number(table, term->ss);
		table_number(table, term->ms);
		table_fixed(table, term->f, "%.3f");
		table_cell(table, p);
	}
	if (!isnan(effects->welch.p))
		add_test(table, "Welch", effects->welch.df, effects->welch.df_error, effects->welch.statistic,
			 effects->welch.p);
	if (!isnan(kruskal->p))
		add_test(table, "Kruskal-Wallis", kruskal->df, NAN, kruskal->statistic, kruskal->p);
	if (effects->has_nonadditivity)
		add_test(table, "non-additivity", other->df, other->df_error, other->statistic, other->p);
	table_print(table, TEXT_COLUMNS, out);
	g_string_append_c(out, '\n');
}

static void print_levels(const struct effects *effects, guint factor, GString *out)
{
	g_autoptr(Table) table = table_new();

	table_column(table, effects->factor[factor], TABLE_LABEL);
	table_column(table, "n", TABLE_RIGHT);
	table_column(table, "mean", TABLE_RIGHT);
	for (guint i = 0; i < effects->levels[factor]->len; i++) {
		const struct effects_level *level = &g_array_index(effects->levels[factor], struct effects_level, i);

		table_cell(table, level->level);
		table_count(table, level->n);
		table_number(table, level->mean);
	}
	table_print(table, TEXT_COLUMNS, out);
	g_string_append_c(out, '\n');
}

static const char *mark_of(const struct effects_cell *cell)
{
	return cell->is_best ? "*" : cell->is_as_good ? "=" : "";
}

static void print_list(const struct effects *effects, GString *out)
{
	g_autoptr(Table) table = table_new();

	for (guint i = 0; i < effects->n_factors; i++)
		table_column(table, effects->factor[i], TABLE_LABEL);
	table_column(table, "n", TABLE_RIGHT);
	table_column(table, "mean", TABLE_RIGHT);
	table_column(table, "", TABLE_LEFT);
	for (guint i = 0; i < effects->cells->len; i++) {
		const struct effects_cell *cell = &g_array_index(effects->cells, struct effects_cell, i);

		for (guint j = 0; j < effects->n_factors; j++)
			table_cell(table, cell->level[j]);
		table_count(table, cell->n);
		table_number(table, cell->mean);
		table_cell(table, mark_of(cell));
	}
	table_print(table, TEXT_COLUMNS, out);
}

static void print_grid(const struct effects *effects, GString *out)
{
	g_autoptr(Table) table = table_new();
	g_autofree char *corner = g_strdup_printf("%s \\ %s", effects->factor[0], effects->factor[1]);
	guint columns = effects->levels[1]->len, next = 0;

	table_column(table, corner, TABLE_LABEL);
	for (guint i = 0; i < columns; i++) {
		table_column(table, g_array_index(effects->levels[1], struct effects_level, i).level, TABLE_RIGHT);
		table_column(table, "", TABLE_LEFT);
	}
	for (guint i = 0; i < effects->levels[0]->len; i++) {
		table_cell(table, g_array_index(effects->levels[0], struct effects_level, i).level);
		for (guint j = 0; j < columns; j++) {
			const struct effects_cell *cell =
			    next < effects->cells->len ? &g_array_index(effects->cells, struct effects_cell, next)
						       : NULL;
			gboolean is_here = cell && cell->at[0] == i && cell->at[1] == j;

			table_number(table, is_here ? cell->mean : NAN);
			table_cell(table, is_here ? mark_of(cell) : "");
			next += is_here;
		}
	}
	table_print(table, TEXT_COLUMNS, out);
}

static gboolean fits_grid(const struct effects *effects)
{
	gsize width = 0;

	for (guint i = 0; i < effects->levels[1]->len; i++)
		width += 5 + MAX(5, text_width(g_array_index(effects->levels[1], struct effects_level, i).level));
	return effects->levels[1]->len <= GRID_COLUMNS && width <= TEXT_COLUMNS - 16;
}

static void print_cells(const struct effects *effects, GString *out)
{
	if (effects->n_factors > 1 && fits_grid(effects))
		print_grid(effects, out);
	else
		print_list(effects, out);
	if (effects->metric.better != BETTER_NONE)
		g_string_append(out, "* the best  = cannot be told from it\n");
	g_string_append_c(out, '\n');
}

/* "kernel matters (p = 2.0e-11)" */
static void say_terms(const struct effects *effects, GString *line)
{
	for (guint i = 0; i + 1 < effects->terms->len; i++) {
		const struct effects_term *term = &g_array_index(effects->terms, struct effects_term, i);
		double value = i == 0 && effects->welch_leads ? effects->welch.p : term->p;
		g_autofree char *p = p_text(value);

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

static void say(const GString *line, guint indent, GString *out)
{
	g_autofree char *printable = text_printable(line->str);

	text_wrap(printable, indent, TEXT_COLUMNS, out);
}

static char *cell_name(const struct effects *effects, const struct effects_cell *cell)
{
	if (effects->n_factors == 1)
		return g_strdup(cell->level[0]);
	return g_strdup_printf("%s/%s", cell->level[0], cell->level[1]);
}

/* "80/90, 90/90 and 3 more" */
static char *peers_of(const struct effects *effects, guint *n)
{
	g_autoptr(GString) names = g_string_new(NULL);

	*n = 0;
	for (guint i = 0; i < effects->cells->len; i++) {
		const struct effects_cell *cell = &g_array_index(effects->cells, struct effects_cell, i);
		g_autofree char *name = cell_name(effects, cell);

		if (cell->is_best || !cell->is_as_good)
			continue;
		if ((*n)++ < NAMED_MAX)
			g_string_append_printf(names, "%s%s", *n > 1 ? ", " : "", name);
	}
	if (*n > NAMED_MAX)
		g_string_append_printf(names, " and %u more", *n - NAMED_MAX);
	return g_string_free(g_steal_pointer(&names), FALSE);
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
static void advise(const struct effects *effects, GString *out)
{
	g_autoptr(GString) line = g_string_new(NULL);
	double luck = effects->luck / sqrt((double)effects->n / effects->cells->len);
	char buffer[G_ASCII_DTOSTR_BUF_SIZE];
	guint n;
	g_autofree char *replicates = replicates_text(effects), *peers = peers_of(effects, &n);

	if (n == 0 || !isfinite(effects->sd))
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
	say(line, 0, out);
}

static void say_best(const struct effects *effects, double level, GString *out)
{
	g_autoptr(GString) line = g_string_new(NULL);
	guint n;
	g_autofree char *confidence = percent_text(level), *peers = peers_of(effects, &n);

	if (effects->metric.better == BETTER_NONE) {
		g_string_append_printf(line, "no cell is best: neither way is better for %s", effects->metric.name);
		say(line, 0, out);
		return;
	}
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
	say(line, 0, out);
}

static void say_about_model(const struct effects *effects, GString *out)
{
	g_autoptr(GString) line = g_string_new(NULL);

	if (effects->n_factors > 1 && !effects->is_replicated) {
		g_string_append(line, "one run a cell: the residual of the additive model is taken for noise");
		if (effects->has_nonadditivity && effects->nonadditivity.p < ALPHA)
			g_string_append(line, ", but the factors do not add up (non-additivity): run cells again to "
					      "see noise and interaction apart");
		say(line, 0, out);
	}
	if (isfinite(effects->welch.p) &&
	    (effects->welch.p < ALPHA) != (g_array_index(effects->terms, struct effects_term, 0).p < ALPHA)) {
		g_string_assign(line, "the classical and Welch's test disagree: more runs are needed");
		say(line, 0, out);
	}
}

static char *detail(const struct effects *effects, guint32 flag)
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

static void print_caveats(const struct effects *effects, GString *out)
{
	for (const struct flag_info *info = flag_table; info->flag; info++) {
		g_autofree char *more = NULL;
		g_autoptr(GString) line = NULL;

		if (!(effects->flags & info->flag))
			continue;
		more = detail(effects, info->flag);
		line = g_string_new(NULL);
		g_string_append_printf(line, "%s: %s%s%s", info->name, info->text, *more ? ": " : "", more);
		say(line, 2, out);
	}
}

static void print_heading(const struct effects *effects, GString *out)
{
	const char *better = better_name(effects->metric.better);
	g_autoptr(GString) line = g_string_new(effects->workload);

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
	say(line, 0, out);
	g_string_append_c(out, '\n');
}

void report_text_effects(const struct effects_analysis *analysis, GString *out)
{
	for (guint i = 0; i < analysis->effects->len; i++) {
		const struct effects *effects = g_ptr_array_index(analysis->effects, i);
		g_autoptr(GString) line = g_string_new(NULL);

		if (i)
			g_string_append(out, "\n");
		print_heading(effects, out);
		print_terms(effects, out);
		for (guint j = 0; effects->n_factors > 1 && j < effects->n_factors; j++)
			print_levels(effects, j, out);
		print_cells(effects, out);
		say_terms(effects, line);
		say(line, 0, out);
		say_about_model(effects, out);
		say_best(effects, analysis->level, out);
		if (effects->metric.better != BETTER_NONE)
			advise(effects, out);
		print_caveats(effects, out);
	}
	for (guint i = 0; i < analysis->left_out->len; i++) {
		g_autoptr(GString) line = g_string_new("left out: ");

		g_string_append(line, g_ptr_array_index(analysis->left_out, i));
		g_string_append_c(out, '\n');
		say(line, 0, out);
	}
}
