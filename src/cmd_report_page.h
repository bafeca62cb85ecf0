#ifndef CMD_REPORT_PAGE_H
#define CMD_REPORT_PAGE_H

#include <glib.h>

struct reading;
struct report_page;

struct report_options {
	char *output, *title, *by, *baseline, *margin; /* NULL: not given */
};

/* Loads and analyses what a report holds. is_full: with charts, and the runs themselves. The page points into reading,
 * which is to outlive it; on an error, too, it is to be cleared. */
gboolean report_page_make(struct report_page *page, struct reading *reading, const struct report_options *options,
			  gboolean is_full, GError **error);
void report_page_clear(struct report_page *page);

/* A chart (struct report_chart *) of each kind that the page's analyses can fill. */
GPtrArray *report_charts_draw(const struct report_page *page, const struct reading *reading);

#endif
