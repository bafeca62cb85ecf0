#include "document.h"
#include "report.h"
#include "report_text.h"

/* The reports for people, as markdown: only the document differs. */

static void show(const struct analysis *analysis, struct document *to)
{
	to->is_markdown = TRUE;
	report_text_show(analysis, to);
	document_end(to);
}

static void compare(const struct analysis *analysis, struct document *to)
{
	to->is_markdown = TRUE;
	report_text_compare(analysis, to);
	document_end(to);
}

static void effects(const struct effects_analysis *analysis, struct document *to)
{
	to->is_markdown = TRUE;
	report_text_effects(analysis, to);
	document_end(to);
}

static void power(const struct power_analysis *analysis, struct document *to)
{
	to->is_markdown = TRUE;
	report_text_power(analysis, to);
	document_end(to);
}

static void trend(const struct trend_analysis *analysis, struct document *to)
{
	to->is_markdown = TRUE;
	report_text_trend(analysis, to);
	document_end(to);
}

static void calibrate(const struct analysis *analysis, struct document *to)
{
	to->is_markdown = TRUE;
	report_text_calibrate(analysis, to);
	document_end(to);
}

static void aa(const struct aa_analysis *analysis, struct document *to)
{
	to->is_markdown = TRUE;
	report_text_aa(analysis, to);
	document_end(to);
}

extern const struct report_format report_markdown;
const struct report_format report_markdown = {
    .name = "markdown",
    .summary = "the same tables and sentences for an issue or a merge request",
    .show = show,
    .compare = compare,
    .effects = effects,
    .power = power,
    .trend = trend,
    .calibrate = calibrate,
    .aa = aa,
};
