#include "report_html.h"

#include "report_conditions.h"
#include "report_page.h"

#define COLUMNS_MAX 24 /* sides, or sets of facts, shown beside each other */

/* One fact; what is the same everywhere stands once. is_different: only those that differ, or only the others. */
static gboolean add_fact(struct html *html, const GPtrArray *columns, const char *key, gboolean is_different)
{
	g_autoptr(GPtrArray) values = conditions_values(columns, key);
	gboolean differs = conditions_differ(values);

	if (differs != is_different)
		return FALSE;
	html_add(html, differs ? "<tr class=\"differs\"><th scope=\"row\">" : "<tr><th scope=\"row\">");
	html_text(html, key);
	html_add(html, differs
			   ? " <span class=\"badge differs\"><span aria-hidden=\"true\">≠</span> differs</span></th>"
			   : "</th>");
	for (guint i = 0; differs && i < MIN(columns->len, COLUMNS_MAX); i++)
		html_cell(html, values->pdata[i]);
	if (!differs)
		html_cell_over(html, values->pdata[0], MIN(columns->len, COLUMNS_MAX));
	html_add(html, "</tr>\n");
	return TRUE;
}

void html_environment(struct html *html, const struct report_page *page)
{
	g_autoptr(GPtrArray) columns = conditions_of(page), keys = conditions_keys(columns);
	guint n = 0;

	if (!keys->len) {
		html_add(html,
			 "<p>Nothing is known of the machine: these runs come from files that do not tell.</p>\n");
		return;
	}
	html_table_open(html, "The machine and its settings, side by side", FALSE);
	html_table_head(html, "fact", HTML_LEFT);
	for (guint i = 0; i < MIN(columns->len, COLUMNS_MAX); i++)
		html_table_head(html, html_name(html, ((const struct conditions *)columns->pdata[i])->name), HTML_LEFT);
	html_table_body(html);
	for (guint i = 0; i < keys->len; i++)
		n += add_fact(html, columns, keys->pdata[i], TRUE);
	for (guint i = 0; i < keys->len; i++)
		add_fact(html, columns, keys->pdata[i], FALSE);
	html_table_close(html);
	g_string_append_printf(html->out, "<p class=\"terms\">%u of %u facts differ between the columns", n, keys->len);
	if (columns->len > COLUMNS_MAX)
		g_string_append_printf(html->out, ", of which the first %u of %u are shown", COLUMNS_MAX, columns->len);
	html_add(html, ". A value with “;” has several among the runs of its column.</p>\n");
}
