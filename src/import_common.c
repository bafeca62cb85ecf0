#include "import_common.h"

#include <math.h>

#include "dataset.h"
#include "outcome.h"
#include "shared.h"
#include "unit.h"

#define QUOTE_MAX 60 /* bytes of a quoted text */

void import_workload(struct dataset *dataset, guint row, const char *workload)
{
	if (!dataset->workload)
		dataset->workload = column_new("workload");
	column_set(dataset->workload, row, workload);
}

void import_primary(struct dataset *dataset, const char *workload, const char *metric)
{
	g_hash_table_insert(dataset->primary, text_kept(workload), shared(g_intern_string(metric)));
}

guint import_run(struct dataset *dataset, const char *workload)
{
	guint row = dataset_add_run(dataset);

	import_workload(dataset, row, workload);
	return row;
}

void import_failed(struct dataset *dataset, guint row)
{
	if (!dataset->outcome)
		dataset->outcome = column_new("outcome");
	column_set(dataset->outcome, row, outcome_name(OUTCOME_FAILED));
}

static struct values *make_metric(struct dataset *dataset, guint row, const struct metric *metric)
{
	const char *workload = column_get(dataset->workload, row);
	struct values *values = dataset_metric(dataset, metric);

	if (!g_hash_table_contains(dataset->primary, workload))
		g_hash_table_insert(dataset->primary, shared(workload), shared(values->metric.name));
	return values;
}

void import_metric(struct dataset *dataset, guint row, const struct metric *metric)
{
	make_metric(dataset, row, metric);
}

void import_value(struct dataset *dataset, guint row, const struct metric *metric, double value)
{
	if (!isnan(value))
		values_set(make_metric(dataset, row, metric), row, value);
}

void import_started(struct dataset *dataset, guint row, gint64 started_us)
{
	if (!dataset->started_us)
		dataset->started_us = g_array_new(FALSE, TRUE, sizeof(gint64));
	if (row >= dataset->started_us->len)
		g_array_set_size(dataset->started_us, row + 1);
	g_array_index(dataset->started_us, gint64, row) = started_us;
}

char *import_quote(const char *text, gsize length)
{
	g_autofree char *start = g_strndup(text, MIN(length, QUOTE_MAX)), *shown = NULL;
	const char *end;

	/* a character that was cut in two is left out */
	if (length > QUOTE_MAX && !g_utf8_validate(start, -1, &end) && start + QUOTE_MAX - end < 4)
		start[end - start] = '\0';
	shown = text_printable(start);
	return g_strconcat(shown, length > QUOTE_MAX ? "…" : NULL, NULL);
}
