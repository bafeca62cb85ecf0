#include "report_text_effects.h"

#include <math.h>

#include "analyse_effects.h"
#include "document.h"
#include "report_text.h"
#include "table.h"
#include "unit.h"

#define GRID_COLUMNS 10 /* levels of the second factor in one table */

static void table_fixed(struct table *table, double value, const char *format)
{
	char buffer[G_ASCII_DTOSTR_BUF_SIZE];

	table_cell(table, isfinite(value) ? g_ascii_formatd(buffer, sizeof(buffer), format, value) : "-");
}

char *effects_p_text(double p)
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
	g_autofree char *p_value = effects_p_text(p);

	table_cell(table, source);
	table_number(table, df);
	table_number(table, df_error);
	table_number(table, NAN);
	table_number(table, NAN);
	table_fixed(table, f, "%.3f");
	table_cell(table, p_value);
}

static void print_terms(const struct effects *effects, struct document *to)
{
	static const char *const numbers[] = {"df", "error", "SS", "MS", "F", "p"};
	const struct test *kruskal = &effects->kruskal, *other = &effects->nonadditivity;
	g_autoptr(Table) table = table_new();

	table_column(table, "source", TABLE_LABEL);
	for (guint i = 0; i < G_N_ELEMENTS(numbers); i++)
		table_column(table, numbers[i], TABLE_RIGHT);
	for (guint i = 0; i < effects->terms->len; i++) {
		const struct effects_term *term = &g_array_index(effects->terms, struct effects_term, i);
		g_autofree char *p = effects_p_text(term->p);

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
	document_table(to, table);
	document_gap(to);
}

static void print_levels(const struct effects *effects, guint factor, struct document *to)
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
	document_table(to, table);
	document_gap(to);
}

const char *effects_mark(const struct effects_cell *cell)
{
	return cell->is_best ? "*" : cell->is_as_good ? "=" : "";
}

static void print_list(const struct effects *effects, struct document *to)
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
		table_cell(table, effects_mark(cell));
	}
	document_table(to, table);
}

static struct table *new_grid(const struct effects *effects)
{
	struct table *table = table_new();
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
			table_cell(table, is_here ? effects_mark(cell) : "");
			next += is_here;
		}
	}
	return table;
}

static void print_cells(const struct effects *effects, struct document *to)
{
	g_autoptr(Table) grid =
	    effects->n_factors > 1 && effects->levels[1]->len <= GRID_COLUMNS ? new_grid(effects) : NULL;

	if (grid && (to->is_markdown || table_width(grid) <= DOCUMENT_COLUMNS))
		document_table(to, grid);
	else
		print_list(effects, to);
	if (effects->metric.better != BETTER_NONE)
		document_paragraph(to, "* the best  = cannot be told from it");
	document_gap(to);
}

void effects_print_tables(const struct effects *effects, struct document *to)
{
	print_terms(effects, to);
	for (guint i = 0; effects->n_factors > 1 && i < effects->n_factors; i++)
		print_levels(effects, i, to);
	print_cells(effects, to);
}
