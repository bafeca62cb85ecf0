#ifndef COMPARISON_H
#define COMPARISON_H

#include <glib.h>

#include "metric.h"

/* One side against the baseline, and what is to be said of it. */

enum verdict { VERDICT_BETTER, VERDICT_WORSE, VERDICT_CHANGED, VERDICT_SAME, VERDICT_UNDECIDED, VERDICT_UNTESTABLE };
const char *verdict_name(enum verdict verdict);

struct side {
	const char *name;
	guint n, failed; /* complete runs with a value; runs that were not ok */
	guint n_units;   /* replicates: runs, blocks, sittings or boots, whichever is the unit */
	double mean;     /* of the n values; NaN where there is none */
};

enum material { MATERIAL_NO, MATERIAL_YES, MATERIAL_UNKNOWN };

struct interval_estimate {
	double estimate, low, high; /* NaN where not defined */
	double level;
	const char *method; /* "welch-log", "paired-log", "welch", "paired"; NULL where nothing was computed */
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
	guint32 flags;
	const char *ran_first;   /* the side whose runs came first, for FLAG_ORDER_CONFOUNDED; NULL where not known */
	GPtrArray *facts_differ; /* struct fact_difference *, for FLAG_FACTS_DIFFER */
	GPtrArray *mixed;        /* const char *: factors, for FLAG_MIXED_LEVELS */
};

#endif
