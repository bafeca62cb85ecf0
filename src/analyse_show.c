#include "analyse.h"

#include <math.h>
#include <string.h>

#include "dataset.h"
#include "err.h"
#include "analyse_sample.h"
#include "unit.h"

/* Rows of one combination of levels. */
struct treatment_group {
	GArray *rows;   /* guint */
	GArray *levels; /* struct level */
	char *name;
};

static void treatment_group_free(struct treatment_group *group)
{
	g_array_unref(group->rows);
	g_array_unref(group->levels);
	g_free(group->name);
	g_free(group);
}

static void estimate_row_free(struct estimate_row *row)
{
	g_free(row->treatment);
	g_array_unref(row->levels);
	g_array_unref(row->samples);
	g_free(row);
}

static GArray *levels_of_row(const struct dataset *dataset, guint row)
{
	GArray *levels = g_array_new(FALSE, FALSE, sizeof(struct level));

	for (guint i = 0; i < dataset->factors->len; i++) {
		const struct column *column = g_ptr_array_index(dataset->factors, i);
		struct level level = {column->name, column_get(column, row)};

		if (level.level)
			g_array_append_val(levels, level);
	}
	return levels;
}

static char *key_of_row(const struct dataset *dataset, guint row)
{
	GString *key = g_string_new(NULL);

	for (guint i = 0; i < dataset->factors->len; i++)
		g_string_append_printf(key, "%p ",
				       (const void *)column_get(g_ptr_array_index(dataset->factors, i), row));
	return g_string_free(key, FALSE);
}

static gboolean is_varied(const struct column *column, const GArray *rows)
{
	for (guint i = 1; i < rows->len; i++)
		if (column_get(column, g_array_index(rows, guint, i)) !=
		    column_get(column, g_array_index(rows, guint, 0)))
			return TRUE;
	return FALSE;
}

/* "6.1" or "6.1 swap=200": the first level that differs between the rows speaks for itself unless it is a number. */
static char *name_of_row(const struct dataset *dataset, const GArray *rows, guint row)
{
	GString *name = g_string_new(NULL);

	for (guint i = 0; i < dataset->factors->len; i++) {
		const struct column *column = g_ptr_array_index(dataset->factors, i);
		const char *level = column_get(column, row);
		double number;

		if (!level || !is_varied(column, rows))
			continue;
		if (name->len || (number_parse(level, &number) && !g_str_equal(column->name, "label")))
			g_string_append_printf(name, "%s%s=%s", name->len ? " " : "", column->name, level);
		else
			g_string_append(name, level);
	}
	if (!name->len && dataset->factors->len) {
		const char *level = column_get(g_ptr_array_index(dataset->factors, 0), row);

		g_string_append(name, level ? level : "");
	}
	return g_string_free(name, FALSE);
}

/* Treatments among the rows of one workload in order of appearance; all: the rows that names must tell apart. */
static GPtrArray *group_by_treatment(const struct dataset *dataset, const GArray *rows, const GArray *all)
{
	GPtrArray *groups = g_ptr_array_new_with_free_func((GDestroyNotify)treatment_group_free);
	g_autoptr(GHashTable) index = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);

	for (guint i = 0; i < rows->len; i++) {
		guint row = g_array_index(rows, guint, i);
		g_autofree char *key = key_of_row(dataset, row);
		struct treatment_group *group = g_hash_table_lookup(index, key);

		if (!group) {
			group = g_new0(struct treatment_group, 1);
			group->rows = g_array_new(FALSE, FALSE, sizeof(guint));
			group->levels = levels_of_row(dataset, row);
			group->name = name_of_row(dataset, all, row);
			g_ptr_array_add(groups, group);
			g_hash_table_insert(index, g_steal_pointer(&key), group);
		}
		g_array_append_val(group->rows, row);
	}
	return groups;
}

static int ascending(gconstpointer a, gconstpointer b)
{
	const double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static void describe_sample(struct estimate_row *row)
{
	guint n = row->samples->len;
	const double *x = (const double *)(gconstpointer)row->samples->data;
	g_autofree double *work = g_new(double, n + 1);

	row->summary = describe(x, n, work);
	/* one value has no spread, though its median absolute deviation is 0 */
	if (n < 2)
		row->summary.mad = NAN;
	if (n)
		memcpy(work, x, n * sizeof(double));
	qsort(work, n, sizeof(double), ascending);
	row->q1 = quantile_sorted(work, n, 0.25);
	row->q3 = quantile_sorted(work, n, 0.75);
}

static void estimate_mean(struct estimate_row *row, const struct dataset *dataset, const struct sample *sample,
			  double level)
{
	const struct column *column = sample_replicate(dataset, &sample, 1);
	struct units units;

	units_init(&units, sample, column, FALSE);
	row->ci = mean_interval((const double *)(gconstpointer)units.values->data, units.values->len, level);
	row->ci_method = !column ? "t" : column == dataset->boot ? "t-boot" : "t-sitting";
	units_clear(&units);
}

static struct estimate_row *estimate(const struct dataset *dataset, const struct treatment_group *group,
				     const char *workload, const struct values *values, double level)
{
	struct estimate_row *row = g_new0(struct estimate_row, 1);
	struct sample sample;

	sample_init(&sample, dataset, group->rows, values);
	row->workload = g_intern_string(workload);
	row->metric = values->metric;
	row->treatment = g_strdup(group->name);
	row->levels = g_array_ref(group->levels);
	row->samples = g_array_ref(sample.values);
	row->n = sample.values->len;
	row->failed = sample.failed;
	describe_sample(row);
	estimate_mean(row, dataset, &sample, level);
	row->flags = sample.flags;
	if (row->n)
		row->flags |= row->summary.flags | row->ci.flags;
	sample_clear(&sample);
	return row;
}

static gboolean has_ok_run(const struct dataset *dataset, const GArray *rows)
{
	for (guint i = 0; i < rows->len; i++)
		if (dataset_ok(dataset, g_array_index(rows, guint, i)))
			return TRUE;
	return FALSE;
}

static void show_workload(struct analysis *analysis, const struct dataset *dataset, const GArray *all,
			  const char *workload, const struct analyse_options *options)
{
	g_autoptr(GArray) rows = rows_of_workload(dataset, all, workload);
	g_autoptr(GPtrArray) groups = group_by_treatment(dataset, rows, all);
	g_autoptr(GPtrArray) metrics = choose_metrics(dataset, rows, workload, options, options->primary_only);

	for (guint i = 0; i < metrics->len; i++)
		for (guint j = 0; j < groups->len; j++) {
			const struct treatment_group *group = g_ptr_array_index(groups, j);
			struct estimate_row *row =
			    estimate(dataset, group, workload, g_ptr_array_index(metrics, i), options->level);

			/* A treatment whose runs are complete but have no such metric has nothing to say about it. */
			if (!row->n && has_ok_run(dataset, group->rows))
				estimate_row_free(row);
			else
				g_ptr_array_add(analysis->estimates, row);
		}
}

struct analysis *analyse_show(const struct dataset *dataset, const GArray *rows, const struct analyse_options *options,
			      GError **error)
{
	g_autoptr(GPtrArray) workloads = choose_workloads(dataset, rows, options, error);
	g_autoptr(Analysis) analysis = g_new0(struct analysis, 1);

	if (!workloads)
		return NULL;
	analysis->level = options->level;
	analysis->margin_pct = options->margin_pct;
	analysis->estimates = g_ptr_array_new_with_free_func((GDestroyNotify)estimate_row_free);
	analysis->comparisons = g_ptr_array_new();
	for (guint i = 0; i < workloads->len; i++)
		show_workload(analysis, dataset, rows, g_ptr_array_index(workloads, i), options);
	if (!analysis->estimates->len) {
		err_usage(error, "nothing to show: none of the metrics asked for was measured in these runs");
		return NULL;
	}
	return g_steal_pointer(&analysis);
}
