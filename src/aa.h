#ifndef AA_H
#define AA_H

#include <glib.h>

#include "metric.h"

struct dataset;

/* Comparisons of runs that differ in nothing: how often the default verdict says that they do. */

enum aa_order {
	AA_SEQUENTIAL, /* AAA..BBB */
	AA_INTERLEAVED /* pairs, the order inside each by chance */
};
const char *aa_order_name(enum aa_order order);

struct aa_rate {
	enum aa_order order;
	guint n;           /* runs a side */
	guint comparisons; /* 0 where there are too few runs for one */
	guint declared;    /* different */
};

/* Cuts 2 n consecutive values, at most about 1000 times, compares one half with the other, in pairs or not, and counts
 * what is declared different at a level of 5%. The values of the second side are multiplied by factor: 1 counts false
 * alarms, else what is found. values: in run order, above 0. calibration: as in analyse_options. */
struct aa_rate aa_rate(const GArray *values, enum aa_order order, guint n, double factor,
		       const struct dataset *calibration, guint64 seed);

struct aa_analysis {
	const char *workload;
	struct metric metric;
	guint n_runs, failed;
	double run_s;  /* of a run, its reset included */
	double level;  /* of the verdicts, 0.95 */
	GArray *rates; /* struct aa_rate */
	double time_s; /* for which the following are: */
	guint runs_a_side;
	double sequential_pct, interleaved_pct; /* smallest differences found; NaN where these runs do not say */
};
void aa_analysis_clear(struct aa_analysis *analysis);

/* The metric that the first run's workload is compared by, of all runs in the dataset; run_s and time_s as above. An
 * error where no two runs of it are complete. */
gboolean analyse_aa(const struct dataset *dataset, double run_s, double time_s, struct aa_analysis *analysis,
		    GError **error);

#endif
