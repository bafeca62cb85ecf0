#ifndef ANALYSE_H
#define ANALYSE_H

#include <glib.h>

#include "../stats/describe.h"
#include "../stats/ttest.h"
#include "flag.h"
#include "metric.h"

struct dataset;

/* From samples to estimates, contrasts and verdicts. Reports and charts print what is computed here and nothing else. */

struct level {
	const char *factor, *level;
};

/* The runs of one side: a name and the rows of the dataset. */
struct selection {
	char *name;
	GArray *levels; /* struct level: the treatment */
	GArray *rows;   /* guint, in run order */
};

struct estimate_row {
	const char *workload; /* "" where the data names none */
	struct metric metric;
	char *treatment;      /* the levels that tell it from the others, for people: "6.1" or "6.1 swap=200" */
	GArray *levels;       /* struct level */
	guint n, failed;      /* complete runs with a value; runs that were not ok */
	struct description summary;
	double q1, q3;        /* quartiles, type 7 */
	struct estimate ci;   /* of the mean */
	guint32 flags;
	GArray *samples;      /* double, in run order */
};

enum verdict { VERDICT_BETTER, VERDICT_WORSE, VERDICT_CHANGED, VERDICT_SAME, VERDICT_UNDECIDED, VERDICT_UNTESTABLE };
const char *verdict_name(enum verdict verdict);

struct side {
	const char *name;
	guint n, failed; /* replicates are n_units */
	guint n_units;   /* runs, sittings or boots, whichever is the unit */
	double mean;
};

enum material { MATERIAL_NO, MATERIAL_YES, MATERIAL_UNKNOWN };

struct interval_estimate {
	double estimate, low, high; /* NaN where not defined */
	double level;
	const char *method; /* "welch-log", "paired-log", "welch", "paired" */
};

struct comparison {
	const char *workload;
	struct metric metric;
	struct side baseline, other;
	const char *design; /* "blocked" or "independent" */
	const char *unit_of_replication; /* "run", "sitting" or "boot" */
	struct interval_estimate ratio;      /* of geometric means, other / baseline; level as adjusted */
	struct interval_estimate difference; /* of means, other - baseline, unit of the metric */
	double p, p_adjusted;
	double equivalence_p, equivalence_p_adjusted;
	enum verdict verdict;
	enum material material;
	double detectable_pct; /* NaN where it cannot be said */
	double runs_needed;    /* replicates a side; NaN where it cannot be said */
	guint32 flags;
	GPtrArray *facts_differ; /* const char *: keys, for FLAG_FACTS_DIFFER */
};

struct analysis {
	const char *baseline; /* compare only */
	double level;      /* confidence asked for, 0.95 */
	double margin_pct; /* 5 */
	GPtrArray *estimates;   /* struct estimate_row * */
	GPtrArray *comparisons; /* struct comparison * */
};
typedef struct analysis Analysis;
void analysis_free(struct analysis *analysis);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Analysis, analysis_free)

struct analyse_options {
	double level;      /* 0.95 */
	double margin_pct; /* 5 */
	char **metrics;    /* names; NULL: show takes all, compare each workload's primary; "all": all */
	char **workloads;  /* NULL: all */
};

/* Estimates of each workload x metric x treatment in the rows given. A usage error for a metric or workload that the
 * data does not have, naming those that it has. */
struct analysis *analyse_show(const struct dataset *dataset, const GArray *rows, const struct analyse_options *options,
                              GError **error);

/* Each of the others (struct selection *) against the baseline. */
struct analysis *analyse_compare(const struct dataset *dataset, const struct selection *baseline,
                                 const GPtrArray *others, const struct analyse_options *options, GError **error);

#endif
