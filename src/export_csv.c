#include "export.h"

#include "csv.h"
#include "dataset.h"
#include "outcome.h"
#include "unit.h"

/* A tidy table as import_table.c reads it: one row a run. */

static void append_level(GString *out, const struct column *column, guint row, const char *absent)
{
	const char *level = column_get(column, row);

	csv_field(out, level ? level : absent);
}

static void write_csv(const struct dataset *dataset, const GArray *rows, GString *out)
{
	const struct {
		const char *name;
		const struct column *column;
	} known[] = {{"workload", dataset->workload}, {"session", dataset->sitting}, {"block", dataset->block},
		     {"boot", dataset->boot},         {"outcome", dataset->outcome}};

	csv_field(out, "run");
	for (guint i = 0; i < G_N_ELEMENTS(known); i++)
		if (known[i].column)
			csv_field(out, known[i].name);
	for (guint i = 0; i < dataset->factors->len; i++)
		csv_field(out, ((const struct column *)dataset->factors->pdata[i])->name);
	for (guint i = 0; i < dataset->metrics->len; i++) {
		g_autofree char *name = metric_column(&((const struct values *)dataset->metrics->pdata[i])->metric);

		csv_field(out, name);
	}
	g_string_append_c(out, '\n');
	for (guint r = 0; r < rows->len; r++) {
		guint row = g_array_index(rows, guint, r);

		csv_count(out, r + 1);
		for (guint i = 0; i < G_N_ELEMENTS(known); i++)
			if (known[i].column)
				append_level(out, known[i].column, row,
					     known[i].column == dataset->outcome ? outcome_name(OUTCOME_OK) : "");
		for (guint i = 0; i < dataset->factors->len; i++)
			append_level(out, dataset->factors->pdata[i], row, "");
		for (guint i = 0; i < dataset->metrics->len; i++)
			csv_number(out, values_get(dataset->metrics->pdata[i], row));
		g_string_append_c(out, '\n');
	}
}

const struct exporter export_csv = {"csv", "a tidy table, one row a run", write_csv, FALSE};
