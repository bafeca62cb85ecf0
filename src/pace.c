#include "pace.h"

#include "plan.h"

void pace_init(struct pace *pace, const struct plan *plan, const gboolean *has_result)
{
	*pace = (struct pace){.plan = plan,
			      .has_result = has_result,
			      .spent_s = g_new0(double, plan->workloads->len),
			      .done = g_new0(guint, plan->workloads->len),
			      .is_ended = g_new0(gboolean, plan->workloads->len)};
}

void pace_clear(struct pace *pace)
{
	g_free(pace->spent_s);
	g_free(pace->done);
	g_free(pace->is_ended);
}

void pace_add(struct pace *pace, guint index, double seconds)
{
	guint w = g_array_index(pace->plan->runs, struct planned_run, index).workload;

	pace->spent_s[w] += seconds;
	pace->done[w]++;
}

double pace_estimate(const struct pace *pace, guint from, guint to)
{
	double all_s = 0, left_s = 0;
	guint all = 0;

	for (guint w = 0; w < pace->plan->workloads->len; w++) {
		all_s += pace->spent_s[w];
		all += pace->done[w];
	}
	for (guint i = from; all && i < to; i++) {
		guint w = g_array_index(pace->plan->runs, struct planned_run, i).workload;

		/* one that has not run yet may take as long as the others did */
		if (!pace->is_ended[w] && !(pace->has_result && pace->has_result[i]))
			left_s += pace->done[w] ? pace->spent_s[w] / pace->done[w] : all_s / all;
	}
	return left_s;
}
