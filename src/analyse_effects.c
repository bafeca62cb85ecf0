#include "analyse_effects.h"

#include <math.h>

#include "analyse.h"
#include "analyse_layout.h"
#include "analyse_sample.h"
#include "dataset.h"
#include "err.h"
#include "flag.h"
#include "names.h"
#include "operand.h"
#include "shared.h"

/* A column of measured values has as many as there are runs, and the normal equations take their cube. */
#define LEVELS_MAX 1000u
#define CELLS_MAX 10000u

/* What the effects of one metric are computed from. */
struct setting {
	const struct dataset *dataset;
	const struct column *const *factors;
	const struct values *values;
	GArray *rows;    /* of one workload, with a level of each factor */
	GArray *samples; /* struct sample, parallel to the cells */
	double level;
};

static void effects_free(struct effects *effects)
{
	for (guint i = 0; i < effects->n_factors; i++)
		if (effects->levels[i])
			g_array_unref(effects->levels[i]);
	g_array_unref(effects->cells);
	g_array_unref(effects->terms);
	g_ptr_array_unref(effects->without_runs);
	g_ptr_array_unref(effects->mixed);
	g_ptr_array_unref(effects->confounded);
	g_free(effects);
}

static struct effects *effects_new(const char *workload, const struct metric *metric)
{
	struct effects *effects = g_new0(struct effects, 1);

	effects->workload = text_kept(workload);
	effects->metric = *metric;
	effects->cells = g_array_new(FALSE, FALSE, sizeof(struct effects_cell));
	effects->terms = g_array_new(FALSE, FALSE, sizeof(struct effects_term));
	effects->without_runs = g_ptr_array_new_with_free_func(g_free);
	effects->mixed = g_ptr_array_new();
	effects->confounded = g_ptr_array_new();
	return effects;
}

/* The rows of each level, in the order in which the column lists them. */
static GPtrArray *rows_by_level(const struct column *column, const GArray *rows)
{
	GPtrArray *lists = g_ptr_array_new_with_free_func((GDestroyNotify)g_array_unref);

	for (guint i = 0; i < column->level->len; i++)
		g_ptr_array_add(lists, g_array_new(FALSE, FALSE, sizeof(guint)));
	for (guint i = 0; i < rows->len; i++) {
		guint row = g_array_index(rows, guint, i);

		g_array_append_val((GArray *)g_ptr_array_index(lists, column_code(column, row)), row);
	}
	return lists;
}

/* The levels that have values, in the order in which the column lists them; a usage error for fewer than two. */
static GArray *levels_with_values(const struct setting *setting, const struct column *column, GError **error)
{
	g_autoptr(GArray) levels = g_array_new(FALSE, FALSE, sizeof(struct effects_level));
	g_autoptr(GPtrArray) lists = rows_by_level(column, setting->rows);

	for (guint i = 0; i < lists->len; i++) {
		struct effects_level level = {.level = g_ptr_array_index(column->level, i)};
		struct sample sample;

		sample_init(&sample, setting->dataset, g_ptr_array_index(lists, i), setting->values);
		if (sample.values->len)
			g_array_append_val(levels, level);
		sample_clear(&sample);
	}
	if (levels->len > LEVELS_MAX) {
		err_usage(error, "'%s' has %u levels, more than %u: is it a factor?", column->name, levels->len,
			  LEVELS_MAX);
		return NULL;
	}
	if (levels->len > 1)
		return g_steal_pointer(&levels);
	err_usage(error, "'%s' has no two levels to compare in complete runs with a value of '%s': there is %s%s%s",
		  column->name, setting->values->metric.name, levels->len ? "'" : "none",
		  levels->len ? g_array_index(levels, struct effects_level, 0).level : "", levels->len ? "'" : "");
	return NULL;
}

static void add_cell(struct effects *effects, struct setting *setting, const struct effects_cell *cell,
		     const GArray *rows)
{
	struct sample sample;

	sample_init(&sample, setting->dataset, rows, setting->values);
	effects->failed += sample.failed;
	effects->flags |= sample.failed ? FLAG_FAILURES : 0;
	if (sample.values->len) {
		effects->flags |= sample.flags;
		g_array_append_val(effects->cells, *cell);
		g_array_append_val(setting->samples, sample);
	} else {
		if (sample.failed)
			g_ptr_array_add(effects->without_runs,
					g_strconcat(cell->level[0], cell->level[1] ? "/" : NULL, cell->level[1], NULL));
		sample_clear(&sample);
	}
}

/* Cells of all rows of a level of the first factor. */
static void add_cells(struct effects *effects, struct setting *setting, const char *first, guint at, const GArray *rows)
{
	g_autoptr(GPtrArray) lists = NULL;
	const struct column *second = effects->n_factors > 1 ? setting->factors[1] : NULL;
	guint n_second = 0;

	if (!second) {
		add_cell(effects, setting, &(struct effects_cell){.level = {first, NULL}, .at = {at, 0}}, rows);
		return;
	}
	lists = rows_by_level(second, rows);
	for (guint i = 0; i < lists->len; i++) {
		const char *level = g_ptr_array_index(second->level, i);
		gboolean is_listed =
		    n_second < effects->levels[1]->len &&
		    g_str_equal(g_array_index(effects->levels[1], struct effects_level, n_second).level, level);

		add_cell(effects, setting, &(struct effects_cell){.level = {first, level}, .at = {at, n_second}},
			 g_ptr_array_index(lists, i));
		n_second += is_listed;
	}
}

static gboolean list_cells(struct effects *effects, struct setting *setting, GError **error)
{
	const struct column *first = setting->factors[0];
	g_autoptr(GPtrArray) lists = rows_by_level(first, setting->rows);
	guint at = 0, n_cells = 1;

	for (guint i = 0; i < effects->n_factors; i++) {
		effects->factor[i] = setting->factors[i]->name;
		effects->levels[i] = levels_with_values(setting, setting->factors[i], error);
		if (!effects->levels[i])
			return FALSE;
		n_cells *= effects->levels[i]->len;
	}
	if (n_cells > CELLS_MAX)
		return err_usage(error, "'%s' and '%s' have %u cells, more than %u: leave out levels",
				 effects->factor[0], effects->factor[1], n_cells, CELLS_MAX);
	for (guint i = 0; i < lists->len; i++) {
		const char *level = g_ptr_array_index(first->level, i);
		gboolean is_listed =
		    at < effects->levels[0]->len &&
		    g_str_equal(g_array_index(effects->levels[0], struct effects_level, at).level, level);

		add_cells(effects, setting, level, at, g_ptr_array_index(lists, i));
		at += is_listed;
	}
	return TRUE;
}

static gboolean check_logarithms(const struct setting *setting, GError **error)
{
	for (guint i = 0; i < setting->samples->len; i++)
		if (!sample_is_positive(&g_array_index(setting->samples, struct sample, i)))
			return err_usage(error,
					 "--scale log: a value of '%s' is zero or negative and has no logarithm: use "
					 "--scale raw",
					 setting->values->metric.name);
	return TRUE;
}

static gboolean is_varied(const struct column *column, const GArray *rows)
{
	for (guint i = 1; i < rows->len; i++)
		if (column_get(column, g_array_index(rows, guint, i)) !=
		    column_get(column, g_array_index(rows, guint, 0)))
			return TRUE;
	return FALSE;
}

/* Whether the runs of each level of a factor all came before or after those of each other. */
static gboolean is_confounded(const struct setting *setting, guint factor)
{
	g_autoptr(GHashTable) left = g_hash_table_new(NULL, NULL);
	const char *last = NULL;

	for (guint i = 0; i < setting->rows->len; i++) {
		guint row = g_array_index(setting->rows, guint, i);
		const char *level = column_get(setting->factors[factor], row);

		if (!dataset_ok(setting->dataset, row) || !isfinite(values_get(setting->values, row)) || level == last)
			continue;
		if (!g_hash_table_add(left, shared(level)))
			return FALSE;
		last = level;
	}
	return TRUE;
}

/* Whether some cells were measured in sittings in which others were not. */
static gboolean is_cross_sitting(const struct setting *setting)
{
	const struct column *sitting = setting->dataset->sitting;
	g_autoptr(GPtrArray) all = levels_among(sitting, setting->rows);

	for (guint i = 0; i < setting->samples->len; i++) {
		guint n = sample_count_levels(&g_array_index(setting->samples, struct sample, i), sitting);

		if (n && n < all->len)
			return TRUE;
	}
	return FALSE;
}

static void add_caveats(struct effects *effects, const struct setting *setting)
{
	const struct dataset *dataset = setting->dataset;

	for (guint i = 0; i < setting->samples->len; i++) {
		const struct sample *sample = &g_array_index(setting->samples, struct sample, i);
		guint boots = sample_count_levels(sample, dataset->boot);

		if (!g_str_equal(effects->unit, "boot") && (boots == 1 || boots == 2))
			effects->flags |= boots == 1 ? FLAG_ONE_BOOT : FLAG_FEW_BOOTS;
		for (guint j = 0; j < dataset->factors->len; j++) {
			const struct column *column = g_ptr_array_index(dataset->factors, j);

			if (is_varied(column, sample->rows))
				names_add_once(effects->mixed, column->name);
		}
	}
	if (effects->flags & FLAG_ONE_BOOT)
		effects->flags &= ~(flag_set)FLAG_FEW_BOOTS;
	for (guint i = 0; i < effects->n_factors; i++)
		if (is_confounded(setting, i))
			names_add(effects->confounded, effects->factor[i]);
	effects->flags |= effects->mixed->len ? FLAG_MIXED_LEVELS : 0;
	effects->flags |= effects->confounded->len ? FLAG_ORDER_CONFOUNDED : 0;
	if (g_str_equal(effects->unit, "run") && is_cross_sitting(setting))
		effects->flags |= FLAG_CROSS_SITTING;
}

static void compute(struct effects *effects, const struct setting *setting)
{
	struct layout layout;

	layout_init(&layout, setting->dataset, setting->samples, effects->is_log);
	effects->unit = layout.unit;
	effects->blocked_by = layout.blocked_by;
	effects->flags |= layout.flags;
	effects->n = layout.y->len;
	for (guint i = 0; i < effects->cells->len; i++)
		g_array_index(effects->cells, struct effects_cell, i).n =
		    (guint)(g_array_index(layout.first, gsize, i + 1) - g_array_index(layout.first, gsize, i));
	add_caveats(effects, setting);
	effects_test(effects, &layout, setting->level);
	layout_clear(&layout);
}

/* Those of the rows that have a level of each factor. */
static GArray *rows_with_levels(const GArray *rows, const struct column *const *factors, guint n_factors)
{
	GArray *chosen = g_array_new(FALSE, FALSE, sizeof(guint));

	for (guint i = 0; i < rows->len; i++) {
		guint row = g_array_index(rows, guint, i), n = 0;

		while (n < n_factors && column_get(factors[n], row))
			n++;
		if (n == n_factors)
			g_array_append_val(chosen, row);
	}
	return chosen;
}

static struct effects *effects_of(struct setting *setting, const char *workload, guint n_factors, gboolean is_log,
				  GError **error)
{
	struct effects *effects = effects_new(workload, &setting->values->metric);
	gboolean ok;

	effects->n_factors = n_factors;
	effects->is_log = is_log;
	setting->samples = g_array_new(FALSE, FALSE, sizeof(struct sample));
	g_array_set_clear_func(setting->samples, (GDestroyNotify)sample_clear);
	ok = list_cells(effects, setting, error) && (!is_log || check_logarithms(setting, error));
	if (ok)
		compute(effects, setting);
	g_array_unref(setting->samples);
	if (ok)
		return effects;
	effects_free(effects);
	return NULL;
}

void effects_analysis_free(struct effects_analysis *analysis)
{
	if (!analysis)
		return;
	g_ptr_array_unref(analysis->effects);
	g_ptr_array_unref(analysis->left_out);
	g_free(analysis);
}

static void add_workload(struct effects_analysis *analysis, struct setting *setting, guint n_factors, gboolean is_log,
			 const struct analyse_options *options, const struct workload_rows *rows)
{
	const char *workload = rows->name;
	g_autoptr(GArray) with_levels = rows_with_levels(rows->rows, setting->factors, n_factors);
	g_autoptr(GPtrArray) metrics = choose_metrics(setting->dataset, with_levels, workload, options, TRUE);

	setting->rows = with_levels;
	for (guint i = 0; i < metrics->len; i++) {
		g_autoptr(GError) error = NULL;
		struct effects *effects;

		setting->values = g_ptr_array_index(metrics, i);
		effects = effects_of(setting, workload, n_factors, is_log, &error);
		if (effects)
			g_ptr_array_add(analysis->effects, effects);
		else
			g_ptr_array_add(analysis->left_out,
					g_strdup_printf("%s%s%s", workload, *workload ? ": " : "", error->message));
	}
}

struct effects_analysis *analyse_effects(const struct dataset *dataset, const GArray *rows,
					 const struct column *const *factors, guint n_factors, gboolean is_log,
					 const struct analyse_options *options, GError **error)
{
	g_autoptr(GPtrArray) workloads = choose_workloads(dataset, rows, options, error);
	struct setting setting = {.dataset = dataset, .factors = factors, .level = options->level};
	g_autoptr(EffectsAnalysis) analysis = NULL;

	g_assert(n_factors >= 1 && n_factors <= EFFECTS_FACTORS);
	if (!workloads)
		return NULL;
	analysis = g_new0(struct effects_analysis, 1);
	analysis->level = options->level;
	analysis->effects = g_ptr_array_new_with_free_func((GDestroyNotify)effects_free);
	analysis->left_out = g_ptr_array_new_with_free_func(g_free);
	for (guint i = 0; i < workloads->len; i++)
		add_workload(analysis, &setting, n_factors, is_log, options, g_ptr_array_index(workloads, i));
	if (analysis->effects->len)
		return g_steal_pointer(&analysis);
	if (analysis->left_out->len)
		err_usage(error, "%s", (const char *)g_ptr_array_index(analysis->left_out, 0));
	else
		err_usage(error, "no effects to show: none of the metrics asked for was measured in these runs");
	return NULL;
}
