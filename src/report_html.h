#ifndef REPORT_HTML_H
#define REPORT_HTML_H

#include <glib.h>

#include "comparison.h"
#include "flag.h"

struct report_page;

/* What report_html*.c share: HTML that is well-formed XML too. */

struct html {
	GString *out;
	GHashTable *short_names; /* name -> what stands for it, where it is too long to be repeated */
	GPtrArray *long_names;   /* const char *: in order of appearance */
};

/* Markup of ours, as it is. */
void html_add(struct html *html, const char *markup);
/* Text of any origin, as an element's text or within the quotes of an attribute: the one way that it gets here. */
void html_text(struct html *html, const char *text);
/* The same in an element. */
void html_element(struct html *html, const char *element, const char *text);
/* What stands for a name: itself, or its ends and a number under which the page has it in full. Lasts as long as
 * html. */
const char *html_name(struct html *html, const char *name);

/* A copy of a comparison that a sentence can be made of, whose names do not fill the page. */
struct comparison html_comparison(struct html *html, const struct comparison *c);

enum html_align { HTML_LEFT, HTML_RIGHT };
/* A table in a region of its own that scrolls; its header cells follow, then html_table_body(), rows and
 * html_table_close(). */
void html_table_open(struct html *html, const char *caption, gboolean is_sortable);
void html_table_head(struct html *html, const char *text, enum html_align align);
void html_table_body(struct html *html);
void html_table_close(struct html *html);

void html_head(struct html *html, const char *text); /* the cell that names its row */
void html_cell(struct html *html, const char *text);
void html_cell_over(struct html *html, const char *text, guint columns);
/* Four digits to read and all to sort by; "-" where not finite. */
void html_number(struct html *html, double value);
void html_count(struct html *html, guint64 count);
/* A cell of references to what the flags mean. */
void html_flags(struct html *html, flag_set flags);

/* "2026-11-30 20:50:00" in UTC; newly allocated, "" for 0. */
char *html_time(gint64 us);

/* The sections, in their order on the page. */
void html_verdicts(struct html *html, const struct report_page *page);
void html_caveats(struct html *html, const struct report_page *page);
void html_estimates(struct html *html, const struct report_page *page);
void html_effects(struct html *html, const struct report_page *page); /* which the page has */
void html_charts(struct html *html, const struct report_page *page);
void html_environment(struct html *html, const struct report_page *page);
void html_runs(struct html *html, const struct report_page *page);
void html_sittings(struct html *html, const struct report_page *page);
void html_data(struct html *html, const struct report_page *page);

/* report_html_style.c */
extern const char html_style[], html_script[];

#endif
