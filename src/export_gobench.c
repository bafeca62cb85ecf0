#include "export.h"

#include <math.h>

#include "dataset.h"
#include "unit.h"

/* The Go project's text format for benchmarks, which benchstat reads: one line a run, "Unit" lines for the direction.
 * source: golang.org/design/14313-benchmark-format */

/* A word of it: no blanks, and no slash or dash that would begin a part of a name. */
static void append_word(GString *out, const char *text)
{
	for (; *text; text += g_utf8_skip[(guchar)*text]) {
		gunichar c = g_utf8_get_char(text);

		g_string_append_unichar(out, g_unichar_isspace(c) || !g_unichar_isprint(c) || c == '/' ? '_' : c);
	}
}

static char *unit_of(const struct metric *metric)
{
	GString *unit = g_string_new(NULL);

	append_word(unit, metric->name);
	if (*metric->unit)
		g_string_append_printf(unit, "-%s", metric->unit);
	return g_string_free(unit, FALSE);
}

static void append_run(const struct dataset *dataset, guint row, GString *out)
{
	const char *workload = column_get(dataset->workload, row);
	gboolean any = FALSE;
	g_autoptr(GString) line = g_string_new("Benchmark");

	/* the first letter behind "Benchmark" is a capital one */
	g_string_append_unichar(line, g_unichar_toupper(workload && *workload ? g_utf8_get_char(workload) : 'R'));
	append_word(line, workload && *workload ? workload + g_utf8_skip[(guchar)*workload] : "un");
	for (guint i = 0; i < dataset->factors->len; i++) {
		const struct column *factor = dataset->factors->pdata[i];
		const char *level = column_get(factor, row);

		if (!level)
			continue;
		g_string_append_c(line, '/');
		append_word(line, factor->name);
		g_string_append_c(line, '=');
		append_word(line, level);
	}
	g_string_append(line, " 1");
	for (guint i = 0; i < dataset->metrics->len; i++) {
		const struct values *values = dataset->metrics->pdata[i];
		g_autofree char *unit = unit_of(&values->metric);
		g_autofree char *value = number_format_full(values_get(values, row));

		if (values->only_by_name || !*value)
			continue;
		g_string_append_printf(line, " %s %s", value, unit);
		any = TRUE;
	}
	if (any)
		g_string_append_printf(out, "%s\n", line->str);
}

static void write_gobench(const struct dataset *dataset, const GArray *rows, GString *out)
{
	for (guint i = 0; i < dataset->metrics->len; i++) {
		const struct values *values = dataset->metrics->pdata[i];
		g_autofree char *unit = unit_of(&values->metric);

		if (values->metric.better != BETTER_NONE && !values->only_by_name)
			g_string_append_printf(out, "Unit %s better=%s\n", unit, better_name(values->metric.better));
	}
	for (guint i = 0; i < rows->len; i++)
		if (dataset_ok(dataset, g_array_index(rows, guint, i)))
			append_run(dataset, g_array_index(rows, guint, i), out);
}

const struct exporter export_gobench = {"go-bench", "text that benchstat reads; runs that failed are left out",
					write_gobench, FALSE};
