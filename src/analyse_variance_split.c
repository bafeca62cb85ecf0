#include "analyse_variance.h"

#include <math.h>

#include "../stats/anova.h"
#include "../stats/components.h"

#define BOOTS_MIN 3        /* fewer are no sample of boots */
#define RUNS_MAX 1000000.0 /* in a boot: more is no plan */

static void test_boots(struct variance_report *report, const double *y, const gsize *sizes)
{
	g_autofree struct values *boots = g_new(struct values, report->boots);
	struct one_way table;

	for (guint i = 0; i < report->boots; y += sizes[i++])
		boots[i] = (struct values){y, sizes[i]};
	table = one_way(boots, report->boots, report->is_log ? 1 : 0);
	report->f = table.between.f;
	report->df = table.between.df;
	report->df_error = table.within.df;
	report->p = table.between.p;
}

static double boots_for(const struct components *c, const struct variance_report *report, double runs, double half)
{
	return components_units(components_variance(c, &runs), half, report->level);
}

/* So few boots that more runs in each do not make it fewer: then as few runs as will do. */
static double fewest_runs(const struct components *c, const struct variance_report *report, double runs, double half)
{
	double low = 0, high = 1;

	while (high < runs && high < RUNS_MAX && boots_for(c, report, high, half) > BOOTS_MIN) {
		low = high;
		high *= 2;
	}
	high = fmin(high, runs);
	while (high - low > 1) {
		double middle = floor((low + high) / 2);

		if (boots_for(c, report, middle, half) > BOOTS_MIN)
			low = middle;
		else
			high = middle;
	}
	return high;
}

static void plan_split(struct variance_report *report, const struct components *c, double half)
{
	const double cost[] = {report->is_cost_measured ? report->run_cost_s : 1,
			       report->is_cost_measured ? report->boot_cost_s : 1};
	double runs;

	components_split(c, cost, &runs);
	if (isnan(runs))
		return;
	if (isinf(runs) || boots_for(c, report, runs, half) <= BOOTS_MIN)
		runs = fewest_runs(c, report, runs, half);
	report->runs_per_boot = runs;
	report->boots_needed = fmax(BOOTS_MIN, boots_for(c, report, runs, half));
	if (report->is_cost_measured)
		report->time_s = report->boots_needed * (cost[1] + runs * cost[0]);
}

void variance_report_fill(struct variance_report *report, const double *y, const gsize *sizes, double centre)
{
	const size_t boots = report->boots;
	const size_t *const nested_sizes[] = {sizes, &boots};
	const struct nested nested = {.y = y, .n = report->runs, .levels = 2, .sizes = nested_sizes};
	g_autofree double *work = g_new(double, report->runs);
	struct components c = components(&nested, work);
	double half = report->half_pct / 100, sum;

	half = report->is_log ? log1p(half) : half * fabs(centre);
	report->within = c.variance[0];
	report->between = c.variance[1];
	sum = fmax(0, report->between) + report->within;
	report->between_share = sum > 0 ? fmax(0, report->between) / sum : NAN;
	report->boots_needed = report->runs_per_boot = report->time_s = NAN;
	test_boots(report, y, sizes);
	if (sum > 0 && half > 0)
		plan_split(report, &c, half);
}
