#include "analyse.h"

#include "dataset.h"
#include "err.h"
#include "shared.h"
#include "analyse_calibration.h"
#include "analyse_comparison.h"
#include "analyse_family.h"
#include "analyse_summary.h"
#include "analyse_verdict.h"

static void trial_clear(struct trial *trial)
{
	design_clear(&trial->design);
	noise_free(trial->noise);
}

/* What one command compares. */
struct setting {
	const struct dataset *dataset;
	const struct analyse_options *options;
	const GPtrArray *selections; /* struct selection *, the baseline first */
	struct analysis *analysis;
	GArray *trials;      /* struct trial, parallel to the comparisons */
	GPtrArray *families; /* struct family * */
};

/* The sides of one workload and metric. */
struct field {
	const char *workload;
	const struct values *values;
	GArray *samples;        /* struct sample */
	GArray *sides;          /* struct side */
	struct family *family;  /* NULL: they are compared two by two */
	struct pairing pairing; /* of the family */
};

static void compare(struct setting *setting, const struct field *field, guint i, guint j)
{
	const struct sample samples[] = {g_array_index(field->samples, struct sample, i),
					 g_array_index(field->samples, struct sample, j)};
	struct trial trial = {.family = field->family, .sides = {i, j}, .verdict_only = setting->options->verdict_only};
	struct pairing pairing = field->pairing;
	struct comparison *c;

	if (!field->family)
		pairing = pairing_of(setting->dataset, (const struct sample *[]){&samples[0], &samples[1]}, 2);
	design_init(&trial.design, setting->dataset, &pairing, &samples[0], &samples[1]);
	c = trial.comparison = comparison_new(&g_array_index(field->sides, struct side, i),
					      &g_array_index(field->sides, struct side, j), &trial.design);
	c->flags = samples[0].flags | samples[1].flags;
	c->workload = field->workload;
	c->metric = field->values->metric;
	caveats_add(c, setting->dataset, &samples[0], &samples[1], g_ptr_array_index(setting->selections, i),
		    setting->options->order_unknown);
	if (!setting->options->verdict_only)
		comparison_add_series(c, &trial.design);
	trial.noise = calibration_find(setting->options->calibration, c, setting->dataset, samples);
	trial_test(&trial, setting->options->margin_pct);
	g_ptr_array_add(setting->analysis->comparisons, c);
	g_array_append_val(setting->trials, trial);
}

static void field_init(struct field *field, struct setting *setting, const GPtrArray *rows)
{
	const struct analyse_options *options = setting->options;

	field->samples = g_array_new(FALSE, FALSE, sizeof(struct sample));
	field->sides = g_array_new(FALSE, FALSE, sizeof(struct side));
	g_array_set_clear_func(field->samples, (GDestroyNotify)sample_clear);
	g_array_set_clear_func(field->sides, (GDestroyNotify)side_clear);
	for (guint i = 0; i < rows->len; i++) {
		struct sample sample;
		struct side side;

		sample_init(&sample, setting->dataset, g_ptr_array_index(rows, i), field->values);
		side_init(&side, setting->dataset, g_ptr_array_index(setting->selections, i), &sample, options);
		g_array_append_val(field->samples, sample);
		g_array_append_val(field->sides, side);
	}
	if (!options->all_pairs && !options->use_dunnett)
		return;
	field->family = family_new(setting->dataset, field->samples, options->use_dunnett, &field->pairing);
	g_ptr_array_add(setting->families, field->family);
}

static void compare_metric(struct setting *setting, const char *workload, const struct values *values,
			   const GPtrArray *rows)
{
	struct field field = {.workload = text_kept(workload), .values = values};

	field_init(&field, setting, rows);
	for (guint i = 0; i < (setting->options->all_pairs ? rows->len : 1); i++)
		for (guint j = i + 1; j < rows->len; j++) {
			const GArray *x = g_ptr_array_index(rows, i), *y = g_ptr_array_index(rows, j);

			if (x->len || y->len)
				compare(setting, &field, i, j);
		}
	g_array_unref(field.samples);
	g_array_unref(field.sides);
}

static GArray *all_rows(const GPtrArray *selections)
{
	GArray *rows = g_array_new(FALSE, FALSE, sizeof(guint));

	for (guint i = 0; i < selections->len; i++) {
		const struct selection *selection = g_ptr_array_index(selections, i);

		g_array_append_vals(rows, selection->rows->data, selection->rows->len);
	}
	return rows;
}

/* What is compared: workloads (struct workload_rows *) and, parallel to them, GPtrArrays of their metrics. FALSE with an
 * error. */
static gboolean choose(const struct setting *setting, GPtrArray **workloads, GPtrArray *metrics, GError **error)
{
	g_autoptr(GArray) all = all_rows(setting->selections);

	*workloads = choose_workloads(setting->dataset, all, setting->options, error);
	for (guint i = 0; *workloads && i < (*workloads)->len; i++) {
		const struct workload_rows *workload = g_ptr_array_index(*workloads, i);

		g_ptr_array_add(metrics, choose_metrics(setting->dataset, workload->rows, workload->name,
							setting->options, TRUE));
	}
	return *workloads != NULL;
}

static void compare_workload(struct setting *setting, const char *workload, const GPtrArray *metrics)
{
	g_autoptr(GPtrArray) rows = g_ptr_array_new_with_free_func((GDestroyNotify)g_array_unref);

	for (guint i = 0; i < setting->selections->len; i++) {
		const struct selection *selection = g_ptr_array_index(setting->selections, i);

		g_ptr_array_add(rows, rows_of_workload(setting->dataset, selection->rows, workload));
	}
	for (guint i = 0; i < metrics->len; i++)
		compare_metric(setting, workload, g_ptr_array_index(metrics, i), rows);
}

static void note_corrections(struct setting *setting)
{
	struct analysis *analysis = setting->analysis;

	for (guint i = 0; i < setting->families->len; i++) {
		const struct family *family = g_ptr_array_index(setting->families, i);

		analysis->corrections |= 1u << family->correction;
	}
	if (!setting->families->len)
		analysis->corrections = 1u << CORRECTION_HOLM;
	analysis->families = trials_count_families(setting->trials);
}

static struct analysis *analysis_new(const struct selection *baseline, const struct analyse_options *options)
{
	struct analysis *analysis = g_new0(struct analysis, 1);

	analysis->baseline = options->all_pairs ? NULL : g_intern_string(baseline->name);
	analysis->level = options->level;
	analysis->margin_pct = options->margin_pct;
	analysis->estimates = g_ptr_array_new();
	analysis->comparisons = g_ptr_array_new_with_free_func((GDestroyNotify)comparison_free);
	return analysis;
}

struct analysis *analyse_compare(const struct dataset *dataset, const struct selection *baseline,
				 const GPtrArray *others, const struct analyse_options *options, GError **error)
{
	g_autoptr(GPtrArray) selections = g_ptr_array_new();
	g_autoptr(GArray) trials = g_array_new(FALSE, FALSE, sizeof(struct trial));
	g_autoptr(GPtrArray) workloads = NULL, metrics = NULL, families = NULL;
	g_autoptr(Analysis) analysis = analysis_new(baseline, options);
	struct setting setting;

	g_ptr_array_add(selections, shared(baseline));
	g_ptr_array_extend(selections, shared(others), NULL, NULL);
	families = g_ptr_array_new_with_free_func((GDestroyNotify)family_free);
	g_array_set_clear_func(trials, (GDestroyNotify)trial_clear);
	setting = (struct setting){dataset, options, selections, analysis, trials, families};
	metrics = g_ptr_array_new_with_free_func((GDestroyNotify)g_ptr_array_unref);
	if (!choose(&setting, &workloads, metrics, error))
		return NULL;
	for (guint i = 0; i < workloads->len; i++)
		compare_workload(&setting, ((const struct workload_rows *)workloads->pdata[i])->name, metrics->pdata[i]);
	if (!analysis->comparisons->len) {
		err_usage(error, "nothing to compare: none of the metrics asked for was measured in these runs");
		return NULL;
	}
	trials_settle(trials, options->level, options->margin_pct);
	note_corrections(&setting);
	failures_compare(analysis->comparisons);
	analysis->summary = summary_new(analysis->comparisons);
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
	if (analysis->summary)
		g_array_unref(analysis->summary);
	if (analysis->profiles)
		g_ptr_array_unref(analysis->profiles);
	g_free(analysis);
}
