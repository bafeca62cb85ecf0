#include "report_html.h"

#include <math.h>

#include "analyse_effects.h"
#include "report_page.h"
#include "report_text_effects.h"

static void add_test(struct html *html, const char *source, const struct effects_term *term)
{
	g_autofree char *p = effects_p_text(term->p);

	html_add(html, "<tr>");
	html_head(html, html_name(html, source));
	html_number(html, term->df);
	html_number(html, term->df_error);
	html_number(html, term->ss);
	html_number(html, term->ms);
	html_number(html, term->f);
	g_string_append_printf(html->out, "<td class=\"n\">%s</td></tr>\n", isnan(term->p) ? "–" : p);
}

static void add_terms(struct html *html, const struct effects *effects)
{
	static const char *const numbers[] = {"df", "error", "SS", "MS", "F", "p"};
	const struct test *other = &effects->nonadditivity, *kruskal = &effects->kruskal;

	html_table_open(html, "Analysis of variance", FALSE);
	html_table_head(html, "source", HTML_LEFT);
	for (guint i = 0; i < G_N_ELEMENTS(numbers); i++)
		html_table_head(html, numbers[i], HTML_RIGHT);
	html_table_body(html);
	for (guint i = 0; i < effects->terms->len; i++) {
		const struct effects_term *term = &g_array_index(effects->terms, struct effects_term, i);

		add_test(html, term->source, term);
	}
	if (!isnan(kruskal->p))
		add_test(html, "Kruskal-Wallis",
			 &(struct effects_term){.df = kruskal->df,
						.df_error = NAN,
						.ss = NAN,
						.ms = NAN,
						.f = kruskal->statistic,
						.p = kruskal->p});
	if (effects->has_nonadditivity)
		add_test(html, "non-additivity",
			 &(struct effects_term){.df = other->df,
						.df_error = other->df_error,
						.ss = NAN,
						.ms = NAN,
						.f = other->statistic,
						.p = other->p});
	html_table_close(html);
}

static void add_levels(struct html *html, const struct effects *effects, guint factor)
{
	const char *name = html_name(html, effects->factor[factor]);
	g_autofree char *caption = g_strdup_printf("Means by %s", name);

	html_table_open(html, caption, TRUE);
	html_table_head(html, name, HTML_LEFT);
	html_table_head(html, "n", HTML_RIGHT);
	html_table_head(html, "mean", HTML_RIGHT);
	html_table_body(html);
	for (guint i = 0; i < effects->levels[factor]->len; i++) {
		const struct effects_level *level = &g_array_index(effects->levels[factor], struct effects_level, i);

		html_add(html, "<tr>");
		html_head(html, html_name(html, level->level));
		html_count(html, level->n);
		html_number(html, level->mean);
		html_add(html, "</tr>\n");
	}
	html_table_close(html);
}

static const char *level_name(struct html *html, const struct effects *effects, guint factor, guint i)
{
	return html_name(html, g_array_index(effects->levels[factor], struct effects_level, i).level);
}

/* A row for each level of the first factor, whose cells are listed row by row. */
static void add_grid(struct html *html, const struct effects *effects)
{
	const char *down = html_name(html, effects->factor[0]), *across = html_name(html, effects->factor[1]);
	g_autofree char *caption = g_strdup_printf("Means of cells: %s down, %s across", down, across);
	guint columns = effects->levels[1]->len, next = 0;

	html_table_open(html, caption, FALSE);
	html_table_head(html, down, HTML_LEFT);
	for (guint j = 0; j < columns; j++) {
		html_table_head(html, level_name(html, effects, 1, j), HTML_RIGHT);
		html_table_head(html, "", HTML_LEFT);
	}
	html_table_body(html);
	for (guint i = 0; i < effects->levels[0]->len; i++) {
		html_add(html, "<tr>");
		html_head(html, level_name(html, effects, 0, i));
		for (guint j = 0; j < columns; j++) {
			const struct effects_cell *cell =
			    next < effects->cells->len ? &g_array_index(effects->cells, struct effects_cell, next)
						       : NULL;
			gboolean is_here = cell && cell->at[0] == i && cell->at[1] == j;

			html_number(html, is_here ? cell->mean : NAN);
			html_cell(html, is_here ? effects_mark(cell) : "");
			next += is_here;
		}
		html_add(html, "</tr>\n");
	}
	html_table_close(html);
	if (effects->metric.better != BETTER_NONE)
		html_add(html, "<p class=\"terms\">*: the best. =: cannot be told from it.</p>\n");
}

static void add_effects(struct html *html, const struct effects *effects, double level)
{
	g_autofree char *heading = effects_heading(effects);
	g_autoptr(GPtrArray) said = effects_sentences(effects, level);

	html_element(html, "h3", heading);
	for (guint i = 0; i < said->len; i++)
		html_element(html, "p", said->pdata[i]);
	add_grid(html, effects);
	add_terms(html, effects);
	for (guint i = 0; i < EFFECTS_FACTORS; i++)
		add_levels(html, effects, i);
	for (const struct flag_info *info = flag_table; info->flag; info++)
		if (effects->flags & info->flag)
			g_string_append_printf(html->out, "<p><a class=\"flag\" href=\"#flag-%s\">%s</a></p>\n",
					       info->name, info->name);
}

void html_effects(struct html *html, const struct report_page *page)
{
	for (guint i = 0; i < page->effects->effects->len; i++)
		add_effects(html, page->effects->effects->pdata[i], page->effects->level);
	for (guint i = 0; i < page->effects->left_out->len; i++) {
		g_autofree char *line = g_strconcat("left out: ", page->effects->left_out->pdata[i], NULL);

		html_element(html, "p", line);
	}
}
