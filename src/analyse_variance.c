#include "analyse_variance.h"

#include <math.h>

#include "analyse_sample.h"

#define BOOTS_MIN 3 /* as where boots are the replicates */

static int ascending(gconstpointer a, gconstpointer b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static double elapsed_s(const struct dataset *dataset, guint first, guint second)
{
	gint64 from = dataset_started_us(dataset, first), to = dataset_started_us(dataset, second);

	return from && to > from ? (double)(to - from) / G_USEC_PER_SEC : NAN;
}

static gboolean is_same(const struct column *column, guint first, guint second)
{
	return column_get(column, first) == column_get(column, second);
}

/* From one start to the next in the same sitting, reset and all: the median, for somebody may have taken a break. */
static double run_cost(const struct dataset *dataset, const struct sample *sample)
{
	g_autoptr(GArray) costs = g_array_new(FALSE, FALSE, sizeof(double));

	for (guint i = 0; i < sample->rows->len; i++) {
		guint row = g_array_index(sample->rows, guint, i);
		double cost = row + 1 < dataset->n_runs ? elapsed_s(dataset, row, row + 1) : NAN;

		if (isfinite(cost) && is_same(dataset->boot, row, row + 1) && is_same(dataset->sitting, row, row + 1))
			g_array_append_val(costs, cost);
	}
	g_array_sort(costs, ascending);
	return costs->len ? g_array_index(costs, double, costs->len / 2) : NAN;
}

/* From the end of the last run of one boot to the start of the next boot's first: the shortest, for the machine may
 * have stood idle. */
static double boot_cost(const struct dataset *dataset, double run_cost_s)
{
	double least = INFINITY;

	for (guint row = 0; row + 1 < dataset->n_runs; row++) {
		double cost = elapsed_s(dataset, row, row + 1) - run_cost_s;

		if (column_get(dataset->boot, row) && column_get(dataset->boot, row + 1) &&
		    !is_same(dataset->boot, row, row + 1) && cost > 0)
			least = fmin(least, cost);
	}
	return isfinite(least) ? least : NAN;
}

/* The values boot by boot. */
static void sort_by_boot(const struct dataset *dataset, const struct sample *sample, gboolean is_log, GArray *y,
			 GArray *sizes)
{
	for (guint level = 0; level < dataset->boot->level->len; level++) {
		gsize size = 0;

		for (guint i = 0; i < sample->rows->len; i++) {
			guint row = g_array_index(sample->rows, guint, i);
			double value = g_array_index(sample->values, double, i);

			if (column_code(dataset->boot, row) != level)
				continue;
			value = is_log ? log(value) : value;
			g_array_append_val(y, value);
			size++;
		}
		if (size)
			g_array_append_val(sizes, size);
	}
}

static double mean_of(const GArray *values)
{
	double sum = 0;

	for (guint i = 0; i < values->len; i++)
		sum += g_array_index(values, double, i) / values->len;
	return sum;
}

struct variance_report *variance_report_new(const struct dataset *dataset, const struct sample *sample, gboolean is_log,
					    double half_pct, double level)
{
	guint boots = sample_count_levels(sample, dataset->boot);
	struct variance_report *report;
	g_autoptr(GArray) y = NULL, sizes = NULL;

	if (boots < BOOTS_MIN || sample->rows->len == boots)
		return NULL;
	y = g_array_new(FALSE, FALSE, sizeof(double));
	sizes = g_array_new(FALSE, FALSE, sizeof(gsize));
	sort_by_boot(dataset, sample, is_log, y, sizes);
	report = g_new(struct variance_report, 1);
	*report = (struct variance_report){.boots = boots,
					   .runs = y->len,
					   .is_log = is_log,
					   .half_pct = half_pct,
					   .level = level,
					   .run_cost_s = run_cost(dataset, sample)};
	report->boot_cost_s = boot_cost(dataset, report->run_cost_s);
	report->is_cost_measured = isfinite(report->boot_cost_s);
	variance_report_fill(report, (const double *)(gconstpointer)y->data, (const gsize *)(gconstpointer)sizes->data,
			     mean_of(sample->values));
	return report;
}
