#include "until.h"

#include <math.h>

#include "../stats/anytime.h"
#include "../stats/describe.h"
#include "../stats/ttest.h"
#include "err.h"
#include "plan.h"
#include "unit.h"

#define WIDTH_N_MIN 10  /* fewer values say too little about their own spread to end on it */
#define EFFECT_SCALE 1. /* looks for effects as large as the noise of a pair */

/* One treatment of one workload. */
struct cell {
	GArray *values; /* double, a block; NaN where it has none */
	gboolean is_planned, is_decided;
};

struct until {
	struct stopping_rule rule;
	const struct plan *plan;
	struct cell *cells; /* a treatment after the other, the workloads in each */
	guint *baseline;    /* a workload: the first treatment that it runs under */
	guint n_pairs;      /* of a baseline and another treatment, over all workloads */
};

gboolean stopping_rule_parse(const char *text, struct stopping_rule *rule, GError **error)
{
	*rule = (struct stopping_rule){.kind = UNTIL_DECIDED, .level = 0.95};
	if (g_str_equal(text, "decided"))
		return TRUE;
	rule->kind = UNTIL_WIDTH;
	return percent_parse(text, "--until", 0, 100, &rule->width_pct, error);
}

gboolean stopping_rule_check(const struct stopping_rule *rule, const struct plan *plan, GError **error)
{
	if (rule->kind == UNTIL_DECIDED && plan->treatments->len < 2)
		return err_usage(error,
				 "--until decided: there is nothing to decide between, the plan has one treatment; "
				 "give --until a percentage to stop at an interval that narrow");
	return TRUE;
}

static struct cell *cell_of(const struct until *until, guint workload, guint treatment)
{
	return &until->cells[treatment * until->plan->workloads->len + workload];
}

/* Cells that are not in the plan have nothing to decide, nor has the one that the others are told from. */
static void plan_cells(struct until *until)
{
	for (guint i = 0; i < until->plan->cells->len; i++) {
		const struct plan_cell *planned = &g_array_index(until->plan->cells, struct plan_cell, i);

		cell_of(until, planned->workload, planned->treatment)->is_planned = TRUE;
	}
	for (guint w = 0; w < until->plan->workloads->len; w++) {
		gboolean found = FALSE;

		for (guint t = 0; t < until->plan->treatments->len; t++) {
			struct cell *cell = cell_of(until, w, t);

			cell->is_decided = !cell->is_planned || (!found && until->rule.kind == UNTIL_DECIDED);
			until->n_pairs += cell->is_planned && found;
			if (cell->is_planned && !found)
				until->baseline[w] = t;
			found = found || cell->is_planned;
		}
	}
}

struct until *until_new(const struct stopping_rule *rule, const struct plan *plan)
{
	struct until *until = g_new(struct until, 1);
	guint n_workloads = plan->workloads->len, n_cells = n_workloads * plan->treatments->len;

	*until = (struct until){.rule = *rule,
				.plan = plan,
				.cells = g_new0(struct cell, n_cells),
				.baseline = g_new0(guint, n_workloads)};
	for (guint i = 0; i < n_cells; i++)
		until->cells[i].values = g_array_new(FALSE, FALSE, sizeof(double));
	plan_cells(until);
	return until;
}

void until_free(struct until *until)
{
	if (!until)
		return;
	for (guint i = 0; i < until->plan->workloads->len * until->plan->treatments->len; i++)
		g_array_unref(until->cells[i].values);
	g_free(until->cells);
	g_free(until->baseline);
	g_free(until);
}

void until_add(struct until *until, guint index, double value)
{
	const struct planned_run *run = &g_array_index(until->plan->runs, struct planned_run, index);
	GArray *values = cell_of(until, run->workload, run->treatment)->values;
	const double none = NAN;

	if (run->warmup || !isfinite(value))
		return;
	while (values->len < run->block)
		g_array_append_val(values, none);
	g_array_index(values, double, run->block - 1) = value;
}

static double value_at(const GArray *values, guint block)
{
	return block < values->len ? g_array_index(values, double, block) : NAN;
}

static void look_at_width(const struct until *until, struct look *look)
{
	const GArray *values = cell_of(until, look->workload, look->treatment)->values;
	g_autofree double *x = g_new(double, values->len + 1);
	struct estimate mean;

	for (guint i = 0; i < values->len; i++)
		if (isfinite(value_at(values, i)))
			x[look->n++] = value_at(values, i);
	mean = mean_interval(x, look->n, until->rule.level);
	look->statistic = 100 * (mean.high - mean.value) / fabs(mean.value);
	look->threshold = until->rule.width_pct;
	look->is_decided = look->n >= WIDTH_N_MIN && look->statistic <= look->threshold;
}

static void look_at_pairs(const struct until *until, struct look *look)
{
	const GArray *x = cell_of(until, look->workload, until->baseline[look->workload])->values;
	const GArray *y = cell_of(until, look->workload, look->treatment)->values;
	gsize most = MIN(x->len, y->len);
	guint n = 0;
	g_autofree double *pairs = g_new(double, 4 * most + 1);
	double *a = pairs, *b = pairs + most;
	gboolean is_log = TRUE;
	struct contrast contrast;

	for (guint i = 0; i < (guint)most; i++) {
		if (!isfinite(value_at(x, i)) || !isfinite(value_at(y, i)))
			continue;
		a[n] = value_at(x, i);
		b[n] = value_at(y, i);
		is_log = is_log && a[n] > 0 && b[n] > 0;
		n++;
	}
	contrast = is_log ? paired_log(a, b, n, pairs + 2 * most) : paired(a, b, n);
	look->n = n;
	look->statistic = anytime_t(&contrast, EFFECT_SCALE).statistic;
	look->threshold = log(until->n_pairs / (1 - until->rule.level));
	look->is_decided = look->statistic >= look->threshold;
}

void until_look(struct until *until, guint block, GArray *looks)
{
	for (guint w = 0; w < until->plan->workloads->len; w++)
		for (guint t = 0; t < until->plan->treatments->len; t++) {
			struct look look = {.block = block, .workload = w, .treatment = t};
			struct cell *cell = cell_of(until, w, t);

			if (cell->is_decided)
				continue;
			(until->rule.kind == UNTIL_DECIDED ? look_at_pairs : look_at_width)(until, &look);
			cell->is_decided = look.is_decided;
			g_array_append_val(looks, look);
		}
}

gboolean until_is_done(const struct until *until, guint workload)
{
	for (guint t = 0; t < until->plan->treatments->len; t++)
		if (!cell_of(until, workload, t)->is_decided)
			return FALSE;
	return TRUE;
}

char *look_text(const struct stopping_rule *rule, const struct look *look)
{
	char buffer[G_ASCII_DTOSTR_BUF_SIZE];

	if (rule->kind == UNTIL_DECIDED)
		return g_strdup_printf("decided after %u pairs", look->n);
	return g_strdup_printf("within %s%% after %u runs",
			       g_ascii_formatd(buffer, sizeof buffer, "%.2g", look->statistic), look->n);
}
