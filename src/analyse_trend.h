#ifndef ANALYSE_TREND_H
#define ANALYSE_TREND_H

#include <glib.h>

#include "../stats/estimate.h"
#include "comparison.h"
#include "flag.h"
#include "metric.h"

struct analyse_options;
struct column;
struct dataset;

/* Where along a history of runs something changed. */

struct trend_change {
	guint index;          /* of the first run after the change, from 0 */
	char *at;             /* its label where labels are the order, else its start, else "run N", from 1 */
	const char *label;    /* of that run; NULL where the series has no two */
	double before, after; /* means of the runs from the change before, and up to the next */
	guint n_before, n_after;
	struct interval_estimate ratio;      /* of geometric means, after / before; the place is taken as known */
	struct interval_estimate difference; /* of means, after - before */
	double p;                            /* of a permutation test, see stats/change.h */
	enum verdict
	    verdict; /* VERDICT_BETTER, _WORSE, or _CHANGED where neither way is better or not the mean changed */
};

/* The runs from one change to the next. */
struct trend_segment {
	guint from, n;
	struct estimate mean; /* with Student's interval */
};

struct trend_series {
	const char *workload; /* "" where the data names none */
	struct metric metric;
	char *treatment; /* levels that tell it from other series, the labels' aside; "" where there are none */
	GArray *levels;  /* struct level */
	GArray *values;  /* double, in order */
	guint n_labels;  /* between which changes may fall; 0: anywhere */
	GPtrArray *labels; /* const char *: these, in order; and where the runs of each begin */
	GArray *starts;    /* gsize, parallel */
	guint failed;
	double lag_one;             /* autocorrelation of what changes leave */
	gboolean is_autocorrelated; /* above what independent runs would give 19 times in 20 */
	flag_set flags;
	GPtrArray *changes; /* struct trend_change *, in order */
	GArray *segments;   /* struct trend_segment: one more than changes, in order; none where there is no run */
};

struct trend_analysis {
	double level;      /* of the intervals */
	gboolean by_label; /* the order is that of labels */
	GPtrArray *series; /* struct trend_series * */
};
typedef struct trend_analysis TrendAnalysis;
void trend_analysis_free(struct trend_analysis *analysis);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(TrendAnalysis, trend_analysis_free)

struct trend_options {
	const struct column *labels; /* the factor that names versions; NULL: there is none */
	GPtrArray *order;            /* const char *: its levels in order, and changes fall between them; NULL: in the
				      * order of the runs, and anywhere */
};

/* Series of each workload x metric (its primary one, or those named) x treatment in the rows given, complete runs only,
 * and their changes. A series of more than 10,000 runs is searched by the means of neighbours, as many as leave 10,000.
 * With more than CHANGE_EDIVISIVE_UP_TO runs in the order of labels the series is that of the means of labels. A usage
 * error for a metric or workload that the data does not have. */
struct trend_analysis *analyse_trend(const struct dataset *dataset, const GArray *rows,
				     const struct trend_options *trend, const struct analyse_options *options,
				     GError **error);

#endif
