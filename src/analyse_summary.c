#include "analyse_summary.h"

#include <math.h>

#include "analyse.h"
#include "probe.h"

#define WORKLOADS_MIN 2

static const struct comparison *at(const GPtrArray *comparisons, guint i)
{
	return g_ptr_array_index(comparisons, i);
}

static gboolean is_same_pair(const struct comparison *x, const struct comparison *y)
{
	return g_str_equal(x->baseline.name, y->baseline.name) && g_str_equal(x->other.name, y->other.name);
}

static gboolean is_first_metric(const GPtrArray *comparisons, guint i)
{
	for (guint j = 0; j < i; j++)
		if (is_same_pair(at(comparisons, j), at(comparisons, i)) &&
		    g_str_equal(at(comparisons, j)->workload, at(comparisons, i)->workload))
			return FALSE;
	return TRUE;
}

static gboolean is_first_of_pair(const GPtrArray *comparisons, guint i)
{
	for (guint j = 0; j < i; j++)
		if (is_same_pair(at(comparisons, j), at(comparisons, i)))
			return FALSE;
	return TRUE;
}

/* The workload "idle" is no work, but what probes say of the machine at rest. */
static gboolean can_be_summed(const struct comparison *c)
{
	return !g_str_equal(c->workload, PROBE_IDLE) && isfinite(c->ratio.estimate) &&
	       c->metric.better != BETTER_NONE && c->baseline.failed <= c->baseline.n && c->other.failed <= c->other.n;
}

static struct summary_row row_of(const GPtrArray *comparisons, guint first)
{
	struct summary_row row = {at(comparisons, first)->baseline.name, at(comparisons, first)->other.name, NAN, 0};
	double sum = 0;

	for (guint i = first; i < comparisons->len; i++) {
		const struct comparison *c = at(comparisons, i);

		if (!is_same_pair(c, at(comparisons, first)) || !is_first_metric(comparisons, i) || !can_be_summed(c))
			continue;
		sum += c->metric.better == BETTER_HIGHER ? log(c->ratio.estimate) : -log(c->ratio.estimate);
		row.workloads++;
	}
	row.ratio = exp(sum / row.workloads);
	return row;
}

GArray *summary_new(const GPtrArray *comparisons)
{
	GArray *summary = g_array_new(FALSE, FALSE, sizeof(struct summary_row));

	for (guint i = 0; i < comparisons->len; i++)
		if (is_first_of_pair(comparisons, i)) {
			struct summary_row row = row_of(comparisons, i);

			if (row.workloads >= WORKLOADS_MIN)
				g_array_append_val(summary, row);
		}
	return summary;
}
