#include "export.h"

#include <jansson.h>
#include <math.h>

#include "../stats/describe.h"
#include "analyse_sample.h"
#include "analyse_treatment.h"
#include "dataset.h"

/* What hyperfine --export-json writes: times of a command in seconds. Of each workload and treatment the metric elapsed
 * is taken, runs that failed are left out. */

static json_t *number(double value)
{
	return isfinite(value) ? json_real(value) : json_null();
}

static void append_result(json_t *results, const struct dataset *dataset, const char *workload, const char *treatment,
			  const GArray *rows)
{
	const struct values *elapsed = dataset_find_metric(dataset, "elapsed");
	g_autofree double *x = g_new(double, rows->len + 1), *work = g_new(double, rows->len + 1);
	json_t *times = json_array(), *codes = json_array();
	g_autofree char *command =
	    *treatment ? g_strdup_printf("%s [%s]", workload, treatment) : g_strdup(workload);
	struct description seen;
	guint n = 0;

	for (guint i = 0; elapsed && i < rows->len; i++) {
		guint row = g_array_index(rows, guint, i);
		double value = values_get(elapsed, row);

		if (!dataset_ok(dataset, row) || !isfinite(value))
			continue;
		x[n++] = value;
		json_array_append_new(times, json_real(value));
		json_array_append_new(codes, json_integer(0));
	}
	seen = describe(x, n, work);
	if (n)
		json_array_append_new(results,
				      json_pack("{s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "command", command, "mean",
						number(seen.mean), "stddev", number(seen.sd), "median", number(seen.median),
						"min", number(seen.min), "max", number(seen.max), "times", json_incref(times),
						"exit_codes", json_incref(codes)));
	json_decref(times);
	json_decref(codes);
}

static void write_hyperfine(const struct dataset *dataset, const GArray *rows, GString *out)
{
	json_t *results = json_array(), *object;
	g_autoptr(GPtrArray) groups = NULL;
	struct naming naming;
	char *text;

	naming_init(&naming, dataset, rows, NULL);
	groups = treatments_of(&naming, rows);
	naming_clear(&naming);
	for (guint i = 0; i < groups->len; i++) {
		const struct treatment_group *group = groups->pdata[i];
		g_autoptr(GPtrArray) workloads = g_ptr_array_new();

		for (guint j = 0; j < group->rows->len; j++) {
			const char *workload = column_get(dataset->workload, g_array_index(group->rows, guint, j));
			g_autoptr(GArray) of_workload = NULL;

			workload = workload ? workload : "";
			if (g_ptr_array_find_with_equal_func(workloads, workload, g_str_equal, NULL))
				continue;
			g_ptr_array_add(workloads, (gpointer)(gsize)workload);
			of_workload = rows_of_workload(dataset, group->rows, workload);
			append_result(results, dataset, workload, group->name, of_workload);
		}
	}
	object = json_pack("{s:o}", "results", results);
	text = json_dumps(object, JSON_INDENT(2));
	g_string_append_printf(out, "%s\n", text);
	free(text);
	json_decref(object);
}

const struct exporter export_hyperfine = {"hyperfine", "the metric elapsed, as hyperfine --export-json writes it",
					  write_hyperfine, FALSE};
