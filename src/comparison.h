#ifndef COMPARISON_H
#define COMPARISON_H

#include <glib.h>

#include "flag.h"
#include "metric.h"

struct variance_report;

/* One side against another, most often the baseline, and what is to be said of it. */

enum verdict { VERDICT_BETTER, VERDICT_WORSE, VERDICT_CHANGED, VERDICT_SAME, VERDICT_UNDECIDED, VERDICT_UNTESTABLE };
const char *verdict_name(enum verdict verdict);

struct side {
	const char *name;
	guint n;        /* complete runs with a value */
	guint runs;     /* that took place */
	guint failed;   /* of these, not ok */
	guint n_units;  /* replicates: runs, blocks, sittings or boots, whichever is the unit */
	double mean;    /* of the n values; NaN where there is none */
	flag_set flags;  /* what its values look like: of FLAG_DRIFT, _AUTOCORRELATED, _OUTLIERS, _MODES */
	guint outliers; /* values that stand out; none is left out */
	struct variance_report *variance; /* NULL where fewer than three boots or no boot with two runs */
};

enum material { MATERIAL_NO, MATERIAL_YES, MATERIAL_UNKNOWN };

struct interval_estimate {
	double estimate, low, high; /* NaN where not defined */
	double level;
	const char *method; /* "welch-log", "paired-log", "pooled-log", "blocks-log"; without "-log" of values as they
			       are; NULL where nothing was computed */
};

/* Two other tests of the same replicates, at the same level. Not asked (NaN, level 0) where there are too many values
 * for the choice of the test to matter, or the comparison is untestable. */
struct cross_check {
	struct interval_estimate hodges_lehmann; /* of the ratio where there is one, else of the difference */
	struct interval_estimate bca;            /* the same; from 20 replicates a side, and only shown */
	double permutation_p, least_p;           /* least_p: the smallest that so many replicates can give */
	gboolean is_exact;                       /* all permutations were tried */
	gboolean hodges_lehmann_disagrees, permutation_disagrees;
};

/* How often runs of the two sides failed. */
struct failure_rate {
	double baseline, other; /* share of a side's runs; NaN where there was none */
	double p, p_adjusted;   /* Fisher's; Holm's over the pairs of sides and workloads of the command */
	gboolean is_repeat;     /* an earlier comparison of the same sides and workload says the same */
};

/* A fact that was not the same on both sides. */
struct fact_difference {
	const char *key;
	GPtrArray *baseline, *other; /* const char *: its values on either side */
};

struct comparison {
	const char *workload; /* "" where the data names none */
	struct metric metric;
	struct side baseline, other;
	const char *design;                  /* "blocked" or "independent" */
	const char *unit_of_replication;     /* "run", "block", "sitting" or "boot" */
	struct interval_estimate ratio;      /* of geometric means, other / baseline; level as adjusted */
	struct interval_estimate difference; /* of means, other - baseline, unit of the metric */
	double p, p_adjusted;                /* of no difference; NaN where it cannot be tested */
	double equivalence_p, equivalence_p_adjusted;
	enum verdict verdict;
	enum material material;
	const char *reason;    /* why it is untestable, NULL where it is not */
	double detectable_pct; /* with a power of 80% at the level used; NaN where it cannot be said */
	double runs_needed;    /* replicates a side to find the margin so; NaN where it cannot be said */
	struct cross_check cross_check;
	struct failure_rate failure_rate;
	flag_set flags;
	const char *ran_first;   /* the side whose runs came first, for FLAG_ORDER_CONFOUNDED; NULL where not known */
	GPtrArray *facts_differ; /* struct fact_difference *, for FLAG_FACTS_DIFFER */
	GPtrArray *mixed;        /* const char *: factors, for FLAG_MIXED_LEVELS */
};

#endif
