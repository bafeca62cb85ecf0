#include "report_html.h"

#include <string.h>

#include "analyse.h"
#include "dataset.h"
#include "report_page.h"
#include "version.h"

static const struct section {
	const char *id, *title;
	void (*write)(struct html *html, const struct report_page *page);
} sections[] = {
    {"verdicts", "Verdicts", html_verdicts},
    {"caveats", "What cannot be concluded", html_caveats},
    {"estimates", "Estimates", html_estimates},
    {"effects", "Effects", html_effects},
    {"charts", "Charts", html_charts},
    {"environment", "Environment", html_environment},
    {"runs", "Runs", html_runs},
    {"method", "How it was run", html_sittings},
    {"data", "Data", html_data},
};

static gboolean is_there(const struct section *section, const struct report_page *page)
{
	return section->write != html_effects || page->effects;
}

/* Allows what is written into the page, and no request: the script by its digest. */
static void add_policy(struct html *html)
{
	g_autoptr(GChecksum) checksum = g_checksum_new(G_CHECKSUM_SHA256);
	guint8 digest[32];
	gsize length = sizeof digest;
	g_autofree char *encoded = NULL;

	g_checksum_update(checksum, (const guchar *)html_script, (gssize)strlen(html_script));
	g_checksum_get_digest(checksum, digest, &length);
	encoded = g_base64_encode(digest, length);
	g_string_append_printf(html->out,
			       "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
			       "style-src 'unsafe-inline'; script-src 'sha256-%s'; img-src data:; base-uri 'none'; "
			       "form-action 'none'\"/>\n",
			       encoded);
}

static void add_head(struct html *html, const struct report_page *page)
{
	html_add(html, "<!DOCTYPE html>\n<html lang=\"en\" xmlns=\"http://www.w3.org/1999/xhtml\">\n<head>\n"
		       "<meta charset=\"utf-8\"/>\n");
	add_policy(html);
	html_add(html, "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
		       "<meta name=\"generator\" content=\"vmstat-bench " VERSION "\"/>\n"
		       "<link rel=\"icon\" href=\"data:,\"/>\n");
	html_element(html, "title", html_name(html, page->title));
	g_string_append_printf(html->out, "<style>\n%s</style>\n</head>\n<body>\n", html_style);
}

static void add_lead(struct html *html, const struct report_page *page)
{
	g_autofree char *made = html_time(page->made_us);
	guint failed = 0;

	for (guint i = 0; i < page->rows->len; i++) {
		guint row = g_array_index(page->rows, guint, i);

		failed += !dataset_ok(page->dataset, row) && !dataset_skipped(page->dataset, row);
	}
	html_add(html, "<p class=\"lead\">");
	if (page->sides)
		g_string_append_printf(html->out, "%u sides, ", page->sides->len);
	g_string_append_printf(html->out, "%u %s, %u failed. Written %s UTC by vmstat-bench " VERSION ".</p>\n",
			       page->rows->len, page->rows->len == 1 ? "run" : "runs", failed, made);
}

static void add_contents(struct html *html, const struct report_page *page)
{
	html_add(html, "<div class=\"tools\"><nav aria-label=\"Contents\"><ul>\n");
	for (guint i = 0; i < G_N_ELEMENTS(sections); i++)
		if (is_there(&sections[i], page))
			g_string_append_printf(html->out, "<li><a href=\"#%s\">%s</a></li>\n", sections[i].id,
					       sections[i].title);
	html_add(html, "</ul></nav></div>\n");
}

static void add_long_names(struct html *html)
{
	if (!html->long_names->len)
		return;
	html_add(
	    html,
	    "<section id=\"names\" aria-labelledby=\"names-title\"><h2 id=\"names-title\">Long names</h2>\n<dl>\n");
	for (guint i = 0; i < html->long_names->len; i++) {
		g_string_append_printf(html->out, "<dt>[%u]</dt><dd>", i + 1);
		html_text(html, html->long_names->pdata[i]);
		html_add(html, "</dd>\n");
	}
	html_add(html, "</dl></section>\n");
}

void report_html_page(const struct report_page *page, GString *out)
{
	struct html html = {out, g_hash_table_new_full(g_str_hash, g_str_equal, NULL, g_free), g_ptr_array_new()};

	add_head(&html, page);
	html_add(&html, "<a class=\"skip\" href=\"#verdicts\">Skip to the verdicts</a>\n<header>\n");
	html_element(&html, "h1", html_name(&html, page->title));
	add_lead(&html, page);
	add_contents(&html, page);
	html_add(&html, "</header>\n<main>\n");
	for (guint i = 0; i < G_N_ELEMENTS(sections); i++) {
		const struct section *section = &sections[i];

		if (!is_there(section, page))
			continue;
		g_string_append_printf(out,
				       "<section id=\"%s\" aria-labelledby=\"%s-title\"><h2 id=\"%s-title\">%s</h2>\n",
				       section->id, section->id, section->id, section->title);
		section->write(&html, page);
		html_add(&html, "</section>\n");
	}
	add_long_names(&html);
	html_add(&html,
		 "</main>\n<footer>This file is complete in itself: it asks for nothing from anywhere.</footer>\n");
	g_string_append_printf(out, "<script>%s</script>\n</body>\n</html>\n", html_script);
	g_hash_table_unref(html.short_names);
	g_ptr_array_unref(html.long_names);
}
