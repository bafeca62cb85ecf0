#ifndef VARIANCE_H
#define VARIANCE_H

#include <glib.h>

/* How much of the noise of a sample of several boots is between boots and how much within, and the cheapest number of
 * boots and of runs in each for an interval of a wanted width. */
struct variance_report {
	guint boots, runs;
	gboolean is_log;                    /* of logarithms; else of values */
	double between, within;             /* components of the variance of a run; between may come out negative */
	double between_share;               /* of their sum, from 0 to 1 */
	double f, df, df_error, p;          /* of no variance between boots */
	gboolean is_cost_measured;          /* else one boot is counted as costly as one run */
	double boot_cost_s, run_cost_s;     /* of one more; NaN where not measured */
	double half_pct, level;             /* wanted: estimate -+ half_pct per cent */
	double boots_needed, runs_per_boot; /* NaN where it cannot be said */
	double time_s;                      /* that they take; NaN where the cost was not measured */
};

#endif
