#include "report_html.h"

#include <math.h>

#include "analyse.h"
#include "report_page.h"
#include "report_text.h"
#include "shared.h"

/* Word, shape and colour (by its class) say the same. */
static const char *const shapes[] = {
    [VERDICT_BETTER] = "✓", [VERDICT_WORSE] = "✕",     [VERDICT_CHANGED] = "◆",
    [VERDICT_SAME] = "=",   [VERDICT_UNDECIDED] = "?", [VERDICT_UNTESTABLE] = "–",
};

static void add_badge(struct html *html, enum verdict verdict, guint count)
{
	g_string_append_printf(html->out, "<span class=\"badge %s\"><span aria-hidden=\"true\">%s</span> ",
			       verdict_name(verdict), shapes[verdict]);
	if (count)
		g_string_append_printf(html->out, "%u ", count);
	g_string_append_printf(html->out, "%s</span>", verdict_name(verdict));
}

static const struct comparison *nth(const struct report_page *page, guint i)
{
	return g_ptr_array_index(page->comparison->comparisons, i);
}

/* How many there are of each verdict. */
static void add_tally(struct html *html, const struct report_page *page)
{
	guint count[G_N_ELEMENTS(shapes)] = {0};

	for (guint i = 0; i < page->comparison->comparisons->len; i++)
		count[nth(page, i)->verdict]++;
	html_add(html, "<p class=\"tally\">");
	for (guint verdict = 0; verdict < G_N_ELEMENTS(count); verdict++)
		if (count[verdict]) {
			add_badge(html, verdict, count[verdict]);
			html_add(html, "\n");
		}
	html_add(html, "</p>\n");
}

static void add_heads(struct html *html, gboolean has_workloads)
{
	static const char *const texts[] = {"metric", "unit", "better"};
	static const char *const numbers[] = {"ratio", "low", "high", "p adj.", "mean", "baseline", "n", "failed"};

	html_table_head(html, "verdict", HTML_LEFT);
	html_table_head(html, "side", HTML_LEFT);
	if (has_workloads)
		html_table_head(html, "workload", HTML_LEFT);
	for (guint i = 0; i < G_N_ELEMENTS(texts); i++)
		html_table_head(html, texts[i], HTML_LEFT);
	for (guint i = 0; i < G_N_ELEMENTS(numbers); i++)
		html_table_head(html, numbers[i], HTML_RIGHT);
}

static void add_p(struct html *html, double p)
{
	g_autofree char *text = text_of_p(p);
	char full[G_ASCII_DTOSTR_BUF_SIZE];

	if (!isfinite(p)) {
		html_number(html, p);
		return;
	}
	g_string_append_printf(html->out, "<td class=\"n\" data-value=\"%s\">", g_ascii_dtostr(full, sizeof full, p));
	html_text(html, text);
	html_add(html, "</td>");
}

static void add_row(struct html *html, const struct comparison *c, gboolean has_workloads)
{
	const char *better = better_name(c->metric.better);

	html_add(html, "<tr><td>");
	add_badge(html, c->verdict, 0);
	html_add(html, "</td>");
	html_head(html, html_name(html, c->other.name));
	if (has_workloads)
		html_cell(html, html_name(html, c->workload));
	html_cell(html, html_name(html, c->metric.name));
	html_cell(html, c->metric.unit);
	html_cell(html, better ? better : "neither");
	html_number(html, c->ratio.estimate);
	html_number(html, c->ratio.low);
	html_number(html, c->ratio.high);
	add_p(html, c->p_adjusted);
	html_number(html, c->other.mean);
	html_number(html, c->baseline.mean);
	html_count(html, c->other.n);
	html_count(html, c->other.failed);
	html_add(html, "</tr>\n");
}

struct comparison html_comparison(struct html *html, const struct comparison *c)
{
	struct comparison copy = *c;

	copy.workload = html_name(html, c->workload);
	copy.metric.name = html_name(html, c->metric.name);
	copy.baseline.name = html_name(html, c->baseline.name);
	copy.other.name = html_name(html, c->other.name);
	if (c->ran_first)
		copy.ran_first = c->ran_first == c->baseline.name ? copy.baseline.name : copy.other.name;
	return copy;
}

static void add_sentence(struct html *html, const struct report_page *page, const struct comparison *c)
{
	struct comparison copy = html_comparison(html, c);
	g_autofree char *contrast = text_contrast(page->comparison, &copy);
	g_autofree char *failures = text_failures(page->comparison, &copy);

	g_string_append_printf(html->out, "<li class=\"%s\">", verdict_name(c->verdict));
	html_text(html, contrast);
	if (failures) {
		html_add(html, "<br/>");
		html_text(html, failures);
	}
	html_add(html, "</li>\n");
}

static void add_summary(struct html *html, const GArray *summary)
{
	for (guint i = 0; i < summary->len; i++) {
		struct summary_row row = g_array_index(summary, struct summary_row, i);
		g_autofree char *text = NULL;

		row.baseline = html_name(html, row.baseline);
		row.other = html_name(html, row.other);
		text = text_summary(&row);
		html_add(html, "<li>");
		html_text(html, text);
		html_add(html, "</li>\n");
	}
}

void html_verdicts(struct html *html, const struct report_page *page)
{
	g_autofree char *terms = NULL, *caption = NULL;
	gboolean has_workloads = FALSE;

	if (!page->comparison || !page->comparison->comparisons->len) {
		html_element(html, "p", page->why_not ? page->why_not : "there is nothing to compare");
		return;
	}
	terms = text_terms(page->comparison);
	caption = g_strdup_printf("Each side against the baseline %s", html_name(html, page->comparison->baseline));
	for (guint i = 0; i < page->comparison->comparisons->len; i++)
		has_workloads |= *nth(page, i)->workload != 0;
	add_tally(html, page);
	html_table_open(html, caption, TRUE);
	add_heads(html, has_workloads);
	html_table_body(html);
	for (guint i = 0; i < page->comparison->comparisons->len; i++)
		add_row(html, nth(page, i), has_workloads);
	html_table_close(html);
	html_add(html, "<ul class=\"sentences\">\n");
	for (guint i = 0; i < page->comparison->comparisons->len; i++)
		add_sentence(html, page, nth(page, i));
	add_summary(html, page->comparison->summary);
	html_add(html, "</ul>\n<p class=\"terms\">");
	html_text(html, terms);
	html_add(html,
		 ". Ratio: geometric mean of the side by that of the baseline; low and high: its interval.</p>\n");
}
