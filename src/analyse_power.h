#ifndef ANALYSE_POWER_H
#define ANALYSE_POWER_H

#include <glib.h>

#include "flag.h"
#include "metric.h"

struct dataset;
struct analyse_options;

/* How many runs are needed to find a difference, and what those at hand could have found: two sides of n replicates
 * each, compared by a two-sided t test. */

/* What n replicates a side can do. */
struct power_point {
	double n;
	double detectable_pct; /* with the power asked for */
	double power;          /* to find the difference asked for */
	double cost_s;         /* of both sides; NaN where not known */
};

struct power_row {
	const char *workload;  /* "" where the data names none */
	struct metric metric;  /* name NULL where the spread was given, not measured */
	char *treatment;       /* for people; "" where there is none */
	GArray *levels;        /* struct level; NULL where there is no data */
	guint n, failed;       /* replicates; runs that failed */
	const char *unit;      /* of replication: "run", "boot" or "sitting" */
	double cv;             /* sd of logarithms of replicates; sd / |mean| where is_raw */
	gboolean is_raw;       /* a value is zero or negative, or the spread was given in % of the mean */
	double detectable_pct; /* by the replicates at hand, with the power asked for; NaN where it cannot be said */
	double runs_needed;    /* replicates a side, with the power asked for; NaN where it cannot be said */
	double runs_needed_90; /* with a power of 90% */
	double run_s;  /* machine time of one replicate, reset and pause included where starts are known; else NaN */
	double cost_s; /* of runs_needed on both sides */
	flag_set flags;
	GArray *points; /* struct power_point: n of 3, 5, 10, 20, 30 and runs_needed, ascending */
};

struct power_analysis {
	double level;      /* confidence of the test */
	double power;      /* asked for */
	double detect_pct; /* difference asked for */
	GPtrArray *rows;   /* struct power_row * */
};
typedef struct power_analysis PowerAnalysis;
void power_analysis_free(struct power_analysis *analysis);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(PowerAnalysis, power_analysis_free)

struct power_options {
	double power;      /* 0.8 */
	double detect_pct; /* 5 */
};

/* Each workload x metric (its primary one, or those named) x treatment in the rows given, on logarithms, where a
 * difference of 5% is a factor of 1.05. A usage error for a metric or workload that the data does not have. */
struct power_analysis *analyse_power(const struct dataset *dataset, const GArray *rows,
				     const struct power_options *power, const struct analyse_options *options,
				     GError **error);

/* Without data: a spread in % of the mean, and so the difference. R's power.t.test(delta = detect, sd = sd, strict =
 * TRUE). */
struct power_analysis *analyse_power_of_sd(double sd_pct, const struct power_options *power, double level);

#endif
