#include "report_text.h"

#include <math.h>

#include "document.h"
#include "unit.h"
#include "variance.h"

static void append_plan(GString *line, const struct variance_report *report)
{
	g_autofree char *half = percent_text(report->half_pct / 100), *level = percent_text(report->level);

	g_string_append_printf(line, "; a %s interval of +-%s takes %.0f boots of %.0f run%s", level, half,
			       report->boots_needed, report->runs_per_boot, report->runs_per_boot == 1 ? "" : "s");
	if (report->is_cost_measured) {
		g_autofree char *time = duration_format(report->time_s), *boot = duration_format(report->boot_cost_s),
				*run = duration_format(report->run_cost_s);

		g_string_append_printf(line, ", %s (a boot takes %s, a run %s)", time, boot, run);
	} else {
		g_string_append(line, ", if a boot costs as much as a run (not measured)");
	}
}

/* "elapsed of 6.1: 63% of the variance is between 3 boots, 37% within (F = 5.1 on 2 and 6, p = 0.0506); ..." */
void text_variance(const struct variance_report *report, const char *what, struct document *to)
{
	g_autoptr(GString) line = g_string_new(what);

	if (isnan(report->between_share))
		return;
	g_string_append_printf(line, ": %.0f%% of the variance is between %u boots, %.0f%% within",
			       100 * report->between_share, report->boots, 100 - 100 * report->between_share);
	if (isfinite(report->f)) {
		g_autofree char *f = number_format(report->f), *p = text_of_p(report->p);

		g_string_append_printf(line, " (F = %s on %.0f and %.0f, p %s%s)", f, report->df, report->df_error,
				       *p == '<' ? "" : "= ", p);
	}
	if (isfinite(report->boots_needed))
		append_plan(line, report);
	document_say(to, line->str);
}
