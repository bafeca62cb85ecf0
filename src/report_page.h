#ifndef REPORT_PAGE_H
#define REPORT_PAGE_H

#include <glib.h>

struct analysis;
struct dataset;
struct effects_analysis;

/* A picture, or why there is none. */
struct report_chart {
	const char *name, *summary;
	char *svg;     /* an element, for HTML; NULL: none */
	char *missing; /* a sentence where there is none */
};

/* What a whole report holds. It is written by a function for each format. */
struct report_page {
	char *title;
	struct analysis *comparison; /* NULL: nothing is compared */
	char *why_not;               /* a sentence where nothing is compared */
	GPtrArray *sides;            /* struct selection *, the baseline first; NULL where nothing is compared */
	struct analysis *estimates;
	struct effects_analysis *effects; /* of two factors; NULL: there are no two */
	const struct dataset *dataset;
	const GArray *rows;  /* guint: the runs, in run order */
	GPtrArray *charts;   /* struct report_chart * */
	GPtrArray *sittings; /* struct past_sitting *: those of the store that made the runs; empty for files */
	GString *runs;       /* the runs as export writes them, nothing lost; NULL where not wanted */
	gint64 made_us;      /* since 1970 */
};

/* One file that asks for nothing outside it: well-formed as HTML and as XML. */
void report_html_page(const struct report_page *page, GString *out);
/* Headings, and what compare and show print; without charts, runs and data. */
void report_text_page(const struct report_page *page, GString *out);
void report_markdown_page(const struct report_page *page, GString *out);

#endif
