#include "plan.h"

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>

#include "../workloads/workload.h"
#include "err.h"

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

static void treatment_free(gpointer data)
{
	struct treatment *treatment = data;

	g_ptr_array_unref(treatment->factor);
	g_ptr_array_unref(treatment->level);
	g_free(treatment);
}

static void config_free(gpointer config)
{
	workload_config_free(config);
}

struct plan *plan_new(void)
{
	struct plan *plan = g_new0(struct plan, 1);

	plan->workloads = g_ptr_array_new_with_free_func(config_free);
	plan->treatments = g_ptr_array_new_with_free_func(treatment_free);
	plan->runs = g_array_new(FALSE, TRUE, sizeof(struct planned_run));
	return plan;
}

void plan_free(struct plan *plan)
{
	if (!plan)
		return;
	g_ptr_array_unref(plan->workloads);
	g_ptr_array_unref(plan->treatments);
	g_array_unref(plan->runs);
	g_free(plan);
}

void plan_add_label(struct plan *plan, const char *label)
{
	struct treatment *treatment = g_new0(struct treatment, 1);

	treatment->factor = g_ptr_array_new_with_free_func(g_free);
	treatment->level = g_ptr_array_new_with_free_func(g_free);
	g_ptr_array_add(treatment->factor, g_strdup("label"));
	g_ptr_array_add(treatment->level, g_strdup(label));
	g_ptr_array_add(plan->treatments, treatment);
}

static void plan_add_cells(struct plan *plan, const guint *cells, guint n_cells, guint block)
{
	for (guint i = 0; i < n_cells; i++) {
		struct planned_run run = {
		    .position = plan->runs->len + 1,
		    .block = block,
		    .workload = cells[i] % plan->workloads->len,
		    .treatment = cells[i] / plan->workloads->len,
		    .warmup = block == 0,
		};
		g_array_append_val(plan->runs, run);
	}
}

gboolean plan_lay_out(struct plan *plan, GError **error)
{
	guint n_cells = plan->workloads->len * plan->treatments->len;
	guint64 n_runs = (guint64)n_cells * ((guint64)plan->repeat + plan->warmup);
	g_autofree guint *cells = g_new(guint, n_cells);
	gsl_rng *rng;

	if (n_runs > PLAN_RUNS_MAX)
		return err_usage(error, "%" G_GUINT64_FORMAT " runs are too many for one plan: at most %u", n_runs,
				 PLAN_RUNS_MAX);
	g_array_set_size(plan->runs, 0);
	for (guint i = 0; i < n_cells; i++)
		cells[i] = i;
	for (guint i = 0; i < plan->warmup; i++)
		plan_add_cells(plan, cells, n_cells, 0);
	rng = gsl_rng_alloc(gsl_rng_mt19937);
	gsl_rng_set(rng, plan->seed);
	for (guint block = 1; block <= plan->repeat; block++) {
		if (plan->order == ORDER_RANDOM)
			gsl_ran_shuffle(rng, cells, n_cells, sizeof *cells);
		else if (plan->order == ORDER_ABBA && block > 1)
			for (guint i = 0; i < n_cells / 2; i++) {
				guint swapped = cells[i];

				cells[i] = cells[n_cells - 1 - i];
				cells[n_cells - 1 - i] = swapped;
			}
		plan_add_cells(plan, cells, n_cells, block);
	}
	gsl_rng_free(rng);
	return TRUE;
}
