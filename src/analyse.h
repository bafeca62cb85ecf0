#ifndef ANALYSE_H
#define ANALYSE_H

#include <glib.h>

#include "../stats/describe.h"
#include "../stats/ttest.h"
#include "comparison.h"
#include "flag.h"
#include "metric.h"
#include "selection.h"

struct dataset;
struct variance_report;

/* From samples to estimates, contrasts and verdicts. Reports and charts print what is computed here and nothing else.
 */

/* How the p values and intervals of one command allow for its number of comparisons. */
enum correction {
	CORRECTION_HOLM,
	CORRECTION_DUNNETT,      /* against one baseline, variances pooled */
	CORRECTION_GAMES_HOWELL, /* all pairs, each with its own variance */
	CORRECTION_TUKEY         /* all pairs in blocks */
};
const char *correction_name(enum correction correction); /* "holm", "dunnett", "games-howell", "tukey" */

/* Geometric mean of one side's ratios to another over the workloads that both have, each turned so that more than 1 is
 * better. */
struct summary_row {
	const char *baseline, *other;
	double ratio;
	guint workloads;
};

struct estimate_row {
	const char *workload; /* "" where the data names none */
	struct metric metric;
	char *treatment; /* the levels that tell it from the others, for people: "6.1" or "6.1 swap=200" */
	GArray *levels;  /* struct level */
	guint n, failed; /* complete runs with a value; runs that were not ok */
	struct description summary;
	double q1, q3;         /* quartiles, type 7 */
	struct estimate ci;    /* of the mean of the replicates */
	const char *ci_method; /* "t"; "t-boot", "t-sitting" where the replicates are means of three or more of these */
	flag_set flags;
	guint outliers;                   /* values that stand out; none is left out */
	struct variance_report *variance; /* NULL where fewer than three boots or no boot with two runs */
	GArray *samples;                  /* double, in run order */
	GArray *rows, *failed_rows;       /* guint: of the dataset, parallel to samples; and of the runs that failed */
	GArray *outlying;                 /* guint: places among samples of the values that stand out */
};

struct analysis {
	const char *baseline;   /* compare only; NULL for all pairs */
	double level;           /* confidence asked for, 0.95 */
	double margin_pct;      /* 5 */
	GPtrArray *estimates;   /* struct estimate_row * */
	GPtrArray *comparisons; /* struct comparison * */
	GArray *summary;        /* struct summary_row; compare only, empty where fewer than two workloads; else NULL */
	guint corrections;      /* 1u << enum correction: those used; all pairs take one or the other by design */
	guint families;         /* groups of comparisons that were corrected together, but for Holm's: that has one */
	GPtrArray *profiles;    /* struct profile *; calibrate only, else NULL */
};
typedef struct analysis Analysis;
void analysis_free(struct analysis *analysis);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Analysis, analysis_free)

struct analyse_options {
	double level;           /* 0.95 */
	double margin_pct;      /* 5 */
	char **metrics;         /* names; NULL: show takes all, compare each workload's primary; "all": all */
	char **workloads;       /* NULL: all */
	gboolean all_pairs;     /* compare: every two sides, not each with the baseline */
	gboolean use_dunnett;   /* compare: instead of Holm's correction */
	gboolean verdict_only;  /* compare: leave out the cross-check, power and the looks at each side's values */
	gboolean primary_only;  /* show, where metrics is NULL: only each workload's primary metric (plot) */
	const struct dataset *calibration; /* runs of one treatment, for comparisons that drift can spoil; NULL: none */
	gboolean order_unknown; /* rows come from several sources: their order is not that in which they ran */
};

/* Estimates of each workload x metric x treatment in the rows given. A usage error for a metric or workload that the
 * data does not have, naming those that it has. */
struct analysis *analyse_show(const struct dataset *dataset, const GArray *rows, const struct analyse_options *options,
			      GError **error);

/* Each of the others (struct selection *) against the baseline, or every two of them. Errors as above. */
struct analysis *analyse_compare(const struct dataset *dataset, const struct selection *baseline,
				 const GPtrArray *others, const struct analyse_options *options, GError **error);

#endif
