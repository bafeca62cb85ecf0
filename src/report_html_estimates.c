#include "report_html.h"

#include <math.h>

#include "analyse.h"
#include "report_page.h"
#include "report_text.h"

static const struct estimate_row *nth(const struct report_page *page, guint i)
{
	return g_ptr_array_index(page->estimates->estimates, i);
}

static void add_heads(struct html *html)
{
	static const char *const numbers[] = {"n", "failed", "mean", "low", "high", "cv %", "median", "min", "max"};

	html_table_head(html, "treatment", HTML_LEFT);
	html_table_head(html, "metric", HTML_LEFT);
	html_table_head(html, "unit", HTML_LEFT);
	for (guint i = 0; i < G_N_ELEMENTS(numbers); i++)
		html_table_head(html, numbers[i], HTML_RIGHT);
	html_table_head(html, "caveats", HTML_LEFT);
}

static void add_row(struct html *html, const struct estimate_row *row, gboolean is_first)
{
	html_add(html, is_first ? "<tr class=\"first\">" : "<tr>");
	html_head(html, *row->treatment ? html_name(html, row->treatment) : "all runs");
	html_cell(html, html_name(html, row->metric.name));
	html_cell(html, row->metric.unit);
	html_count(html, row->n);
	html_count(html, row->failed);
	html_number(html, row->summary.mean);
	html_number(html, row->ci.low);
	html_number(html, row->ci.high);
	html_number(html, 100 * row->summary.cv);
	html_number(html, row->summary.median);
	html_number(html, row->summary.min);
	html_number(html, row->summary.max);
	html_flags(html, row->flags);
	html_add(html, "</tr>\n");
}

static gboolean is_other_metric(const struct estimate_row *a, const struct estimate_row *b)
{
	return !g_str_equal(a->metric.name, b->metric.name) || !g_str_equal(a->metric.unit, b->metric.unit);
}

/* The rows from first on that are of its workload; returns the first that is not. */
static guint add_workload(struct html *html, const struct report_page *page, guint first)
{
	const char *workload = nth(page, first)->workload;
	g_autofree char *caption = *workload ? g_strdup_printf("Estimates of %s", html_name(html, workload))
					     : g_strdup("Estimates by treatment");
	guint i;

	if (*workload)
		html_element(html, "h3", html_name(html, workload));
	html_table_open(html, caption, TRUE);
	add_heads(html);
	html_table_body(html);
	for (i = first; i < page->estimates->estimates->len && g_str_equal(nth(page, i)->workload, workload); i++)
		add_row(html, nth(page, i), i > first && is_other_metric(nth(page, i - 1), nth(page, i)));
	html_table_close(html);
	return i;
}

void html_estimates(struct html *html, const struct report_page *page)
{
	g_autofree char *level = percent_text(page->estimates->level);

	for (guint i = 0; i < page->estimates->estimates->len;)
		i = add_workload(html, page, i);
	g_string_append_printf(
	    html->out,
	    "<p class=\"terms\">low, high: %s confidence interval of the mean, from the means of boots "
	    "or sittings where there are three or more. cv: standard deviation in %% of the mean. Runs "
	    "that failed are counted, and in no mean.</p>\n",
	    level);
}
