#include "plan.h"

#include <string.h>

#include "../workloads/workload.h"
#include "err.h"
#include "factor.h"

static gboolean concerns(const struct factor *factor, const struct workload_config *config)
{
	return factor->kind != FACTOR_OPTION || g_str_equal(factor->workload, config->workload->name);
}

/* A level for a workload's option, where the spec has not settled it. */
static gboolean set_option(struct workload_config *config, const struct factor *factor, const char *level, GError **error)
{
	g_autofree char *settled = g_strdup_printf(":%s=", factor->option);

	if (strstr(config->spec, settled))
		return err_usage(error, "factor '%s': the spec '%s' has settled that option: leave one of them out",
				 factor->name, config->spec);
	if (workload_config_set(config, factor->option, level, error))
		return TRUE;
	g_prefix_error(error, "factor '%s': ", factor->name);
	return FALSE;
}

static gboolean check_workloads(const struct plan *plan, const struct factor *factor, GError **error)
{
	for (guint w = 0; w < plan->workloads->len; w++)
		if (concerns(factor, plan->workloads->pdata[w]))
			return TRUE;
	return err_usage(error, "factor '%s': there is no workload '%s' in the plan", factor->name, factor->workload);
}

/* Names are unique, options have their workload; what is fixed is set. */
static gboolean prepare_factors(struct plan *plan, GError **error)
{
	for (guint i = 0; i < plan->factors->len; i++) {
		const struct factor *factor = plan->factors->pdata[i];

		for (guint j = 0; j < i; j++)
			if (g_str_equal(((const struct factor *)plan->factors->pdata[j])->name, factor->name))
				return err_usage(error, "factor '%s' was given twice", factor->name);
		if (!check_workloads(plan, factor, error))
			return FALSE;
		for (guint w = 0; factor->kind == FACTOR_OPTION && factor->is_fixed && w < plan->workloads->len; w++)
			if (concerns(factor, plan->workloads->pdata[w]) &&
			    !set_option(plan->workloads->pdata[w], factor, factor->levels->pdata[0], error))
				return FALSE;
	}
	return TRUE;
}

static gboolean same_levels(const struct treatment *a, const struct treatment *b)
{
	gboolean same = a->factor->len == b->factor->len;

	for (guint i = 0; same && i < a->factor->len; i++)
		same = g_str_equal(a->factor->pdata[i], b->factor->pdata[i]) &&
		       g_str_equal(a->level->pdata[i], b->level->pdata[i]);
	return same;
}

/* Takes the treatment; the number of the one that is like it. */
static guint find_or_add(struct plan *plan, struct treatment *treatment)
{
	for (guint i = 0; i < plan->treatments->len; i++)
		if (same_levels(plan->treatments->pdata[i], treatment)) {
			treatment_free(treatment);
			return i;
		}
	g_ptr_array_add(plan->treatments, treatment);
	return plan->treatments->len - 1;
}

/* The varied factors that concern a workload, "label" first: tables begin with it. */
static GPtrArray *factors_of(const struct plan *plan, const struct workload_config *config)
{
	GPtrArray *factors = g_ptr_array_new();

	for (guint i = 0; i < plan->factors->len; i++) {
		struct factor *factor = plan->factors->pdata[i];

		if (!factor->is_fixed && concerns(factor, config))
			g_ptr_array_insert(factors, factor->kind == FACTOR_LABEL ? 0 : -1, factor);
	}
	return factors;
}

/* One combination: number counts through the levels, those of the last factor fastest. */
static gboolean add_cell(struct plan *plan, guint workload, const GPtrArray *factors, guint64 number, const char *label,
			 GError **error)
{
	struct plan_cell cell = {.workload = workload};
	struct treatment *treatment = treatment_new();
	guint64 below = 1;

	cell.config = workload_config_copy(plan->workloads->pdata[workload]);
	for (guint i = 0; i < factors->len; i++)
		below *= ((const struct factor *)factors->pdata[i])->levels->len;
	if (label)
		treatment_add(treatment, "label", label);
	for (guint i = 0; i < factors->len; i++) {
		const struct factor *factor = factors->pdata[i];
		const char *level;

		below /= factor->levels->len;
		level = factor->levels->pdata[number / below % factor->levels->len];
		treatment_add(treatment, factor->name, level);
		if (factor->kind == FACTOR_OPTION && !set_option(cell.config, factor, level, error)) {
			treatment_free(treatment);
			workload_config_free(cell.config);
			return FALSE;
		}
	}
	cell.treatment = find_or_add(plan, treatment);
	g_array_append_val(plan->cells, cell);
	return TRUE;
}

static gboolean cross_workload(struct plan *plan, guint workload, const char *label, GError **error)
{
	g_autoptr(GPtrArray) factors = factors_of(plan, plan->workloads->pdata[workload]);
	guint64 n = 1;

	if (factors->len && ((const struct factor *)factors->pdata[0])->kind == FACTOR_LABEL)
		label = NULL;
	for (guint i = 0; i < factors->len; i++) {
		n *= ((const struct factor *)factors->pdata[i])->levels->len;
		if (n > PLAN_RUNS_MAX)
			return err_usage(error, "the levels of the factors make more than %u combinations", PLAN_RUNS_MAX);
	}
	for (guint64 i = 0; i < n; i++)
		if (!add_cell(plan, workload, factors, i, label, error))
			return FALSE;
	return TRUE;
}

static gint by_treatment(gconstpointer a, gconstpointer b)
{
	const struct plan_cell *x = a, *y = b;

	if (x->treatment != y->treatment)
		return x->treatment < y->treatment ? -1 : 1;
	return x->workload < y->workload ? -1 : x->workload > y->workload;
}

/* Two spellings of one size would be compared with themselves. */
static gboolean check_distinct(const struct plan *plan, GError **error)
{
	g_autoptr(GHashTable) seen = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);

	for (guint i = 0; i < plan->cells->len; i++) {
		const struct plan_cell *cell = &g_array_index(plan->cells, struct plan_cell, i);
		const struct treatment *treatment = plan->treatments->pdata[cell->treatment];
		g_autofree char *options = workload_config_describe(cell->config);
		g_autoptr(GString) key = g_string_new(NULL);

		g_string_printf(key, "%u %s", cell->workload, options);
		for (guint j = 0; j < treatment->factor->len; j++)
			if (!strchr(treatment->factor->pdata[j], '.') || strchr(treatment->factor->pdata[j], ':'))
				g_string_append_printf(key, " %s", (const char *)treatment->level->pdata[j]);
		if (!g_hash_table_add(seen, g_strdup(key->str)))
			return err_usage(error, "two levels of a factor make the same of workload '%s': %s", cell->config->spec,
					 options);
	}
	return TRUE;
}

gboolean plan_cross(struct plan *plan, GError **error)
{
	const struct treatment *base = plan->treatments->len ? plan->treatments->pdata[0] : NULL;
	g_autofree char *label = g_strdup(base ? treatment_level(base, "label") : NULL);

	if (!prepare_factors(plan, error))
		return FALSE;
	g_ptr_array_set_size(plan->treatments, 0);
	for (guint w = 0; w < plan->workloads->len; w++)
		if (!cross_workload(plan, w, label, error))
			return FALSE;
	g_array_sort(plan->cells, by_treatment);
	return check_distinct(plan, error);
}
