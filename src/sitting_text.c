#include "sitting.h"

#include <string.h>

#include "../workloads/workload.h"
#include "factor.h"
#include "reset.h"
#include "unit.h"

static void describe_factors(const struct plan *plan, GString *out)
{
	for (guint i = 0; i < plan->factors->len; i++) {
		const struct factor *factor = plan->factors->pdata[i];
		g_autoptr(GString) levels = g_string_new(NULL);
		g_autofree char *name = text_printable(factor->name), *shown = NULL;

		for (guint j = 0; j < factor->levels->len; j++)
			g_string_append_printf(levels, "%s%s", j ? ", " : "", (const char *)factor->levels->pdata[j]);
		shown = text_printable(levels->str);
		g_string_append_printf(out, "%s %s: %s\n", factor->is_fixed ? "set" : "factor", name, shown);
	}
}

void sitting_describe(const struct sitting *sitting, GString *out)
{
	const struct plan *plan = sitting->plan;
	g_autofree char *label = text_printable(sitting->label);

	g_string_append_printf(out, "plan: %u run%s, label %s, order %s, seed %" G_GUINT64_FORMAT ", reset %s\n",
			       plan->runs->len, plan->runs->len == 1 ? "" : "s", label, plan_order_name(plan->order),
			       plan->seed, sitting->reset->name);
	describe_factors(plan, out);
	for (guint i = 0; i < plan->workloads->len; i++) {
		const struct workload_config *config = plan->workloads->pdata[i];
		g_autofree char *settled = workload_config_describe(config), *spec = text_printable(config->spec);
		g_autofree char *shown = text_printable(settled);

		g_string_append_printf(out, "workload %s%s%s\n", spec, *shown ? ": " : "", shown);
	}
}

void sitting_describe_end(const struct sitting *sitting, const struct runner_summary *summary, GString *out)
{
	const struct plan *plan = sitting->plan;
	guint pending = plan->runs->len - summary->done - summary->done_before - summary->skipped;

	for (guint i = 0; summary->decisions && i < summary->decisions->len; i++) {
		const struct look *look = &g_array_index(summary->decisions, struct look, i);
		const struct workload_config *config = plan->workloads->pdata[look->workload];
		g_autofree char *seen = look_text(&sitting->rule, look), *spec = text_printable(config->spec);

		g_string_append_printf(out, "%s: %s\n", spec, seen);
	}
	if (summary->skipped)
		g_string_append_printf(out, "%u runs were not needed and left out\n", summary->skipped);
	for (guint w = 0; w < plan->workloads->len && w < 64 && !pending; w++) {
		const struct workload_config *config = plan->workloads->pdata[w];
		g_autofree char *spec = text_printable(config->spec);

		if (summary->undecided & (G_GUINT64_CONSTANT(1) << w))
			g_string_append_printf(out, "%s: %s after all %u blocks\n", spec,
					       sitting->rule.kind == UNTIL_DECIDED ? "not decided" : "not within the width",
					       plan->repeat);
	}
	if (summary->out_of_time)
		g_string_append_printf(out, "time is up (--max-time): %u of %u runs done, %u left pending\n",
				       summary->done + summary->done_before, plan->runs->len, pending);
}

char *sitting_join_command(char *const *argv)
{
	g_autoptr(GString) text = g_string_new(NULL);

	for (; *argv; argv++) {
		g_autofree char *quoted = g_shell_quote(*argv);

		g_string_append_printf(text, "%s%s", text->len ? " " : "",
				       strpbrk(*argv, " '\"\\$`|&;<>()*?[]#~\n\t") ? quoted : *argv);
	}
	return g_utf8_make_valid(text->str, (gssize)text->len);
}
