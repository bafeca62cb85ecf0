#include "plan.h"

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>

#include "../workloads/workload.h"
#include "err.h"
#include "factor.h"

static const char *const order_names[] = {
    [ORDER_RANDOM] = "random", [ORDER_BLOCKED] = "blocked", [ORDER_ABBA] = "abba"};

const char *plan_order_name(enum plan_order order)
{
	return order_names[order];
}

const char *plan_purpose_name(enum plan_purpose purpose)
{
	static const char *const names[] = {[PURPOSE_RUN] = "run", [PURPOSE_CALIBRATE] = "calibrate"};

	return names[purpose];
}

gboolean plan_order_parse(const char *text, enum plan_order *order)
{
	for (guint i = 0; i < G_N_ELEMENTS(order_names); i++)
		if (g_str_equal(text, order_names[i])) {
			*order = (enum plan_order)i;
			return TRUE;
		}
	return FALSE;
}

struct treatment *treatment_new(void)
{
	struct treatment *treatment = g_new(struct treatment, 1);

	treatment->factor = g_ptr_array_new_with_free_func(g_free);
	treatment->level = g_ptr_array_new_with_free_func(g_free);
	return treatment;
}

void treatment_free(struct treatment *treatment)
{
	g_ptr_array_unref(treatment->factor);
	g_ptr_array_unref(treatment->level);
	g_free(treatment);
}

void treatment_add(struct treatment *treatment, const char *factor, const char *level)
{
	g_ptr_array_add(treatment->factor, g_strdup(factor));
	g_ptr_array_add(treatment->level, g_strdup(level));
}

const char *treatment_level(const struct treatment *treatment, const char *factor)
{
	for (guint i = 0; i < treatment->factor->len; i++)
		if (g_str_equal(treatment->factor->pdata[i], factor))
			return treatment->level->pdata[i];
	return NULL;
}

static void treatment_destroy(gpointer treatment)
{
	treatment_free(treatment);
}

static void config_free(gpointer config)
{
	workload_config_free(config);
}

static void cell_clear(gpointer cell)
{
	workload_config_free(((struct plan_cell *)cell)->config);
}

static void factor_destroy(gpointer factor)
{
	factor_free(factor);
}

struct plan *plan_new(void)
{
	struct plan *plan = g_new0(struct plan, 1);

	plan->baseline = -1;
	plan->factors = g_ptr_array_new_with_free_func(factor_destroy);
	plan->cells = g_array_new(FALSE, TRUE, sizeof(struct plan_cell));
	g_array_set_clear_func(plan->cells, cell_clear);
	plan->workloads = g_ptr_array_new_with_free_func(config_free);
	plan->treatments = g_ptr_array_new_with_free_func(treatment_destroy);
	plan->runs = g_array_new(FALSE, TRUE, sizeof(struct planned_run));
	return plan;
}

void plan_free(struct plan *plan)
{
	if (!plan)
		return;
	g_array_unref(plan->cells);
	g_ptr_array_unref(plan->factors);
	g_ptr_array_unref(plan->workloads);
	g_ptr_array_unref(plan->treatments);
	g_array_unref(plan->runs);
	g_free(plan);
}

gboolean plan_continues_boot(const struct plan *plan, guint index)
{
	const struct planned_run *run = &g_array_index(plan->runs, struct planned_run, index);

	return plan->runs_per_boot && index > 0 && run[-1].cell == run->cell && run[-1].block == run->block;
}

const struct factor *plan_factor(const struct plan *plan, const char *name)
{
	for (guint i = 0; i < plan->factors->len; i++)
		if (g_str_equal(((const struct factor *)plan->factors->pdata[i])->name, name))
			return plan->factors->pdata[i];
	return NULL;
}

const char *plan_level(const struct plan *plan, const struct treatment *treatment, const char *name)
{
	const struct factor *factor = plan_factor(plan, name);

	if (!factor)
		return NULL;
	return factor->is_fixed ? factor->levels->pdata[0] : treatment_level(treatment, name);
}

void plan_add_label(struct plan *plan, const char *label)
{
	struct treatment *treatment = treatment_new();

	treatment_add(treatment, "label", label);
	g_ptr_array_add(plan->treatments, treatment);
}

static const struct plan_cell *cell_at(const struct plan *plan, guint i)
{
	return &g_array_index(plan->cells, struct plan_cell, i);
}

static void add_run(struct plan *plan, guint cell, guint block, gboolean is_warmup)
{
	struct planned_run run = {.position = plan->runs->len + 1,
				  .block = block,
				  .workload = cell_at(plan, cell)->workload,
				  .treatment = cell_at(plan, cell)->treatment,
				  .cell = cell,
				  .warmup = is_warmup};

	g_array_append_val(plan->runs, run);
}

/* What a cell has in a block. */
static void add_cell_runs(struct plan *plan, guint cell, guint block)
{
	guint warmup = plan->runs_per_boot ? plan->warmup : block == 0;
	guint runs = plan->runs_per_boot ? plan->runs_per_boot : block > 0;

	for (guint i = 0; i < warmup + runs; i++)
		add_run(plan, cell, block, i < warmup);
}

/* Each cell once, in the order given but for those of the baseline, which come first. */
static void add_block(struct plan *plan, const guint *order, guint block)
{
	for (int later = plan->baseline < 0; later < 2; later++)
		for (guint i = 0; i < plan->cells->len; i++)
			if (((int)cell_at(plan, order[i])->workload != plan->baseline) == later)
				add_cell_runs(plan, order[i], block);
}

static void add_all_cells(struct plan *plan)
{
	for (guint t = 0; t < plan->treatments->len; t++)
		for (guint w = 0; w < plan->workloads->len; w++) {
			struct plan_cell cell = {w, t, workload_config_copy(plan->workloads->pdata[w])};

			g_array_append_val(plan->cells, cell);
		}
}

static void reverse(guint *values, guint n)
{
	for (guint i = 0; i < n / 2; i++) {
		guint swapped = values[i];

		values[i] = values[n - 1 - i];
		values[n - 1 - i] = swapped;
	}
}

gboolean plan_lay_out(struct plan *plan, GError **error)
{
	g_autofree guint *order = NULL;
	guint64 n_runs;
	gsl_rng *rng;

	if (!plan->cells->len)
		add_all_cells(plan);
	n_runs = plan->cells->len * (plan->runs_per_boot
					 ? (guint64)plan->repeat * ((guint64)plan->warmup + plan->runs_per_boot)
					 : (guint64)plan->repeat + plan->warmup);
	if (n_runs > PLAN_RUNS_MAX)
		return err_usage(error, "%" G_GUINT64_FORMAT " runs are too many for one plan: at most %u", n_runs,
				 PLAN_RUNS_MAX);
	g_array_set_size(plan->runs, 0);
	order = g_new0(guint, plan->cells->len);
	for (guint i = 0; i < plan->cells->len; i++)
		order[i] = i;
	for (guint i = 0; i < plan->warmup && !plan->runs_per_boot; i++)
		add_block(plan, order, 0);
	rng = gsl_rng_alloc(gsl_rng_mt19937);
	gsl_rng_set(rng, plan->seed);
	for (guint block = 1; block <= plan->repeat; block++) {
		if (plan->order == ORDER_RANDOM)
			gsl_ran_shuffle(rng, order, plan->cells->len, sizeof *order);
		else if (plan->order == ORDER_ABBA && block > 1)
			reverse(order, plan->cells->len);
		add_block(plan, order, block);
	}
	gsl_rng_free(rng);
	return TRUE;
}
