#include "analyse_comparison.h"

#include <math.h>

#include "../stats/adjust.h"
#include "../stats/fisher.h"
#include "comparison.h"

static gboolean is_same_pair(const struct comparison *x, const struct comparison *y)
{
	return g_str_equal(x->workload, y->workload) && g_str_equal(x->baseline.name, y->baseline.name) &&
	       g_str_equal(x->other.name, y->other.name);
}

/* The first comparison of the same workload and sides: metrics differ, the runs do not. */
static guint first_of_pair(const GPtrArray *comparisons, guint i)
{
	for (guint j = 0; j < i; j++)
		if (is_same_pair(g_ptr_array_index(comparisons, j), g_ptr_array_index(comparisons, i)))
			return j;
	return i;
}

static double share(const struct side *side)
{
	return side->runs ? (double)side->failed / side->runs : NAN;
}

void failures_compare(const GPtrArray *comparisons)
{
	guint n = comparisons->len;
	g_autofree double *p = g_new(double, n + 1), *adjusted = g_new(double, n + 1);
	g_autofree gsize *work = g_new(gsize, n + 1);

	for (guint i = 0; i < n; i++) {
		struct comparison *c = g_ptr_array_index(comparisons, i);

		c->failure_rate = (struct failure_rate){
		    .baseline = share(&c->baseline),
		    .other = share(&c->other),
		    .p = fisher(c->baseline.failed, c->baseline.runs, c->other.failed, c->other.runs).p,
		    .is_repeat = first_of_pair(comparisons, i) != i};
		p[i] = c->failure_rate.is_repeat ? NAN : c->failure_rate.p;
	}
	holm(p, n, adjusted, work);
	for (guint i = 0; i < n; i++) {
		struct comparison *c = g_ptr_array_index(comparisons, i);

		c->failure_rate.p_adjusted = adjusted[first_of_pair(comparisons, i)];
	}
}
