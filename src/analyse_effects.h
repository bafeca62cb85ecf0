#ifndef ANALYSE_EFFECTS_H
#define ANALYSE_EFFECTS_H

#include <glib.h>

#include "../stats/estimate.h"
#include "flag.h"
#include "metric.h"

struct column;
struct dataset;
struct analyse_options;
struct layout;

/* Which of one or two factors matters, and which cell of theirs is best: analysis of variance. */

#define EFFECTS_FACTORS 2

struct effects_term {
	const char *source;          /* a factor, "a:b" for the interaction, "block", "boot" or "sitting", "residual" */
	double df, df_error, ss, ms; /* df_error, f and p are NaN for the residual */
	double f, p;
};

struct effects_level {
	const char *level;
	guint n;
	double mean; /* as of a cell */
};

/* Replicates with one level of each factor. */
struct effects_cell {
	const char *level[EFFECTS_FACTORS]; /* the second NULL where there is one factor */
	guint at[EFFECTS_FACTORS];          /* where these stand among the levels */
	guint n;                            /* replicates */
	double mean;                        /* arithmetic; geometric on the scale of logarithms */
	double p;            /* Tukey's, that the best one is no better; NaN for itself and where it cannot be tested */
	gboolean is_best;    /* its mean is; FALSE for all where the metric has no direction */
	gboolean is_as_good; /* it is best, or cannot be told from the best */
};

struct effects {
	const char *workload; /* "" where the data names none */
	struct metric metric;
	gboolean is_log, is_replicated; /* a cell has more than one replicate */
	guint n_factors;
	const char *factor[EFFECTS_FACTORS];
	GArray *levels[EFFECTS_FACTORS]; /* struct effects_level; the second NULL where there is one factor */
	GArray *cells;                   /* struct effects_cell, those that have values, row by row */
	GArray *terms;                   /* struct effects_term; the last is the residual, which is the error of all */
	struct test welch;               /* one factor, independent runs; else NaN */
	struct test kruskal;             /* of the cells, on replicates; NaN where no cell has two */
	struct test nonadditivity;       /* two factors, one replicate a cell; else NaN */
	gboolean has_nonadditivity;
	gboolean welch_leads;    /* by the numbers of replicates: see below */
	const char *unit;        /* of replication: "run", "block", "boot" or "sitting" */
	const char *blocked_by;  /* "block", "boot" or "sitting" where all cells were run within each; else NULL */
	double sd;               /* of one replicate, from the residual; unit of the metric, or of logarithms */
	double luck;             /* how many sd the best of these cells is above any one where nothing has an effect */
	guint n, failed;         /* replicates; runs that failed */
	GPtrArray *without_runs; /* char *: cells all of whose runs failed */
	GPtrArray *mixed;        /* const char *: factors not asked about, of which cells mix levels */
	GPtrArray *confounded;   /* const char *: factors whose levels were run one after the other */
	flag_set flags;
};

struct effects_analysis {
	double level;        /* confidence of the comparisons with the best cell */
	GPtrArray *effects;  /* struct effects *, one at least */
	GPtrArray *left_out; /* char *: what could not be analysed, and why */
};
typedef struct effects_analysis EffectsAnalysis;
void effects_analysis_free(struct effects_analysis *analysis);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(EffectsAnalysis, effects_analysis_free)

/* Effects of one or two factors on each workload x metric (its primary one, or those named) in the rows given. A usage
 * error where a metric or workload is not in the data, and where nothing is left to analyse: a factor has no two levels
 * with values, or a logarithm is asked of a value that has none. */
struct effects_analysis *analyse_effects(const struct dataset *dataset, const GArray *rows,
					 const struct column *const *factors, guint n_factors, gboolean is_log,
					 const struct analyse_options *options, GError **error);

/* The same from the replicates: fills terms, tests, means and the best of effects whose cells and levels are listed
 * already. level: confidence of the comparisons with the best.
 *
 * Of the two one-way tests Welch's leads where the numbers of replicates make it the sure one: where they differ, the
 * classical F is off by far when spreads differ too (33% false alarms instead of 5% for 10, 10 and 3 values of sd 1, 1
 * and 4; Welch's 7%); with five or more of each, Welch's keeps its level whether spreads are alike or not. With fewer,
 * of one number, it has 7% (six levels of three) where nothing differs, and the classical one leads. */
void effects_test(struct effects *effects, const struct layout *layout, double level);

#endif
