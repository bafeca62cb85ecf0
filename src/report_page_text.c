#include "report_page.h"
#include "report.h"
#include "analyse.h"
void report_text_page(const struct report_page *page, GString *out) { report_find("text", NULL)->show(page->estimates, out); }
void report_markdown_page(const struct report_page *page, GString *out) { report_text_page(page, out); }
