#include "report_html.h"

#include <string.h>

#include "report_page.h"

/* The element with a name for those who do not see it. */
static void add_svg(struct html *html, const struct report_chart *chart)
{
	const char *begin = strstr(chart->svg, "<svg");

	html_add(html, "<svg role=\"img\" aria-label=\"");
	html_text(html, chart->name);
	html_add(html, ": ");
	html_text(html, chart->summary);
	html_add(html, "\"");
	html_add(html, begin + strlen("<svg"));
}

void html_charts(struct html *html, const struct report_page *page)
{
	for (guint i = 0; i < page->charts->len; i++) {
		const struct report_chart *chart = g_ptr_array_index(page->charts, i);

		html_add(html, "<figure>\n");
		if (chart->svg) {
			html_add(html, "<div class=\"scroll chart\" role=\"region\" tabindex=\"0\" aria-label=\"");
			html_text(html, chart->name);
			html_add(html, "\">");
			add_svg(html, chart);
			html_add(html, "</div>\n");
		} else {
			html_element(html, "p", chart->missing);
		}
		html_add(html, "<figcaption>");
		html_text(html, chart->name);
		html_add(html, ": ");
		html_text(html, chart->summary);
		html_add(html, "</figcaption>\n</figure>\n");
	}
}
