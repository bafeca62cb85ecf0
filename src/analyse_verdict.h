#ifndef ANALYSE_VERDICT_H
#define ANALYSE_VERDICT_H

#include <glib.h>

#include "../stats/estimate.h"
#include "comparison.h"
#include "analyse_design.h"

/* A comparison on its way to a verdict: the contrasts stay at hand until all p values of the command are adjusted. */
struct trial {
	struct comparison *comparison; /* not owned */
	struct design design;
	struct contrast contrast; /* that the verdict rests on: of logarithms where design.is_log, else of values */
	struct contrast raw;      /* of values */
	double margin;            /* smallest difference that matters, in the unit of contrast; NaN where undefined */
};

/* Tests: fills p and equivalence_p, or says why it is untestable. margin_pct as in the options. */
void trial_test(struct trial *trial, double margin_pct);

/* Adjusts the p values over all trials (struct trial) and settles intervals, verdicts and what was detectable. */
void trials_settle(GArray *trials, double level, double margin_pct);

#endif
