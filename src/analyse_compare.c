#include "analyse.h"

#include <math.h>

#include "dataset.h"
#include "err.h"
#include "analyse_verdict.h"

static void fact_difference_free(struct fact_difference *difference)
{
	g_ptr_array_unref(difference->baseline);
	g_ptr_array_unref(difference->other);
	g_free(difference);
}

static void comparison_free(struct comparison *comparison)
{
	g_ptr_array_unref(comparison->facts_differ);
	g_ptr_array_unref(comparison->mixed);
	g_free(comparison);
}

static void trial_clear(struct trial *trial)
{
	design_clear(&trial->design);
}

static struct side side_of(const struct selection *selection, const struct sample *sample, guint n_units)
{
	double sum = 0;

	for (guint i = 0; i < sample->values->len; i++)
		sum += g_array_index(sample->values, double, i) / sample->values->len;
	return (struct side){.name = g_intern_string(selection->name),
			     .n = sample->values->len,
			     .failed = sample->failed,
			     .n_units = n_units,
			     .mean = sample->values->len ? sum : NAN};
}

static struct comparison *compare(const struct dataset *dataset, const struct selection *const sides[2],
				  const struct sample samples[2], const struct analyse_options *options,
				  struct trial *trial)
{
	struct comparison *c = g_new0(struct comparison, 1);

	c->facts_differ = g_ptr_array_new_with_free_func((GDestroyNotify)fact_difference_free);
	c->mixed = g_ptr_array_new();
	c->flags = samples[0].flags | samples[1].flags;
	*trial = (struct trial){.comparison = c};
	design_init(&trial->design, dataset, &samples[0], &samples[1]);
	c->design = trial->design.is_paired ? "blocked" : "independent";
	c->unit_of_replication = trial->design.unit;
	c->baseline = side_of(sides[0], &samples[0], trial->design.baseline->len);
	c->other = side_of(sides[1], &samples[1], trial->design.other->len);
	caveats_add(c, dataset, &samples[0], &samples[1], sides[0], options->order_unknown);
	trial_test(trial, options->margin_pct);
	return c;
}

static void compare_metric(struct analysis *analysis, GArray *trials, const struct dataset *dataset,
			   const struct selection *const sides[2], GArray *const rows[2], const char *workload,
			   const struct values *values, const struct analyse_options *options)
{
	struct sample samples[2];
	struct trial trial;
	struct comparison *c;

	sample_init(&samples[0], dataset, rows[0], values);
	sample_init(&samples[1], dataset, rows[1], values);
	c = compare(dataset, sides, samples, options, &trial);
	c->workload = g_intern_string(workload);
	c->metric = values->metric;
	g_ptr_array_add(analysis->comparisons, c);
	g_array_append_val(trials, trial);
	sample_clear(&samples[0]);
	sample_clear(&samples[1]);
}

static GArray *all_rows(const struct selection *baseline, const GPtrArray *others)
{
	GArray *rows = g_array_new(FALSE, FALSE, sizeof(guint));

	g_array_append_vals(rows, baseline->rows->data, baseline->rows->len);
	for (guint i = 0; i < others->len; i++) {
		const struct selection *other = g_ptr_array_index(others, i);

		g_array_append_vals(rows, other->rows->data, other->rows->len);
	}
	return rows;
}

static void compare_workload(struct analysis *analysis, GArray *trials, const struct dataset *dataset,
			     const struct selection *baseline, const GPtrArray *others, const char *workload,
			     const struct analyse_options *options)
{
	g_autoptr(GArray) all = all_rows(baseline, others);
	g_autoptr(GArray) rows = rows_of_workload(dataset, all, workload);
	g_autoptr(GArray) of_baseline = rows_of_workload(dataset, baseline->rows, workload);
	g_autoptr(GPtrArray) metrics = choose_metrics(dataset, rows, workload, options, TRUE);

	for (guint i = 0; i < metrics->len; i++)
		for (guint j = 0; j < others->len; j++) {
			const struct selection *other = g_ptr_array_index(others, j);
			g_autoptr(GArray) of_other = rows_of_workload(dataset, other->rows, workload);

			if (of_baseline->len || of_other->len)
				compare_metric(analysis, trials, dataset, (const struct selection *[]){baseline, other},
					       (GArray *[]){of_baseline, of_other}, workload,
					       g_ptr_array_index(metrics, i), options);
		}
}

struct analysis *analyse_compare(const struct dataset *dataset, const struct selection *baseline,
				 const GPtrArray *others, const struct analyse_options *options, GError **error)
{
	g_autoptr(GArray) rows = all_rows(baseline, others);
	g_autoptr(GPtrArray) workloads = choose_workloads(dataset, rows, options, error);
	g_autoptr(GArray) trials = g_array_new(FALSE, FALSE, sizeof(struct trial));
	g_autoptr(Analysis) analysis = g_new0(struct analysis, 1);

	if (!workloads)
		return NULL;
	analysis->baseline = g_intern_string(baseline->name);
	analysis->level = options->level;
	analysis->margin_pct = options->margin_pct;
	analysis->estimates = g_ptr_array_new();
	analysis->comparisons = g_ptr_array_new_with_free_func((GDestroyNotify)comparison_free);
	g_array_set_clear_func(trials, (GDestroyNotify)trial_clear);
	for (guint i = 0; i < workloads->len; i++)
		compare_workload(analysis, trials, dataset, baseline, others, g_ptr_array_index(workloads, i), options);
	if (!analysis->comparisons->len) {
		err_usage(error, "nothing to compare: none of the metrics asked for was measured in these runs");
		return NULL;
	}
	trials_settle(trials, options->level, options->margin_pct);
	return g_steal_pointer(&analysis);
}

void analysis_free(struct analysis *analysis)
{
	if (!analysis)
		return;
	if (analysis->estimates)
		g_ptr_array_unref(analysis->estimates);
	if (analysis->comparisons)
		g_ptr_array_unref(analysis->comparisons);
	g_free(analysis);
}
