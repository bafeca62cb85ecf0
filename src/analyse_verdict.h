#ifndef ANALYSE_VERDICT_H
#define ANALYSE_VERDICT_H

#include <glib.h>

#include "../stats/estimate.h"
#include "comparison.h"
#include "analyse_design.h"
#include "analyse_noise.h"

struct family;

/* A comparison on its way to a verdict: the contrasts stay at hand until all p values of the command are adjusted. */
struct trial {
	struct comparison *comparison; /* not owned */
	struct design design;
	struct family *family;    /* with which it is corrected, not owned; NULL: with all of the command, by Holm */
	guint sides[2];           /* of the family: baseline, other */
	struct noise *noise;      /* of a calibration that fits it; NULL: none */
	struct contrast contrast; /* that the verdict rests on: of logarithms where design.is_log, else of values */
	struct contrast raw;      /* of values */
	gboolean verdict_only;    /* leaves out what was detectable, and the cross-check */
	double margin;            /* smallest difference that matters, in the unit of contrast; NaN where undefined */
};

/* Tests: fills p and equivalence_p, or says why it is untestable. margin_pct as in the options. */
void trial_test(struct trial *trial, double margin_pct);

/* Adjusts the p values over all trials (struct trial) and settles intervals, verdicts and what was detectable. */
/* The level of each interval is its own: that of a family or of all of the command is what was asked for. */
void trials_settle(GArray *trials, double level, double margin_pct);

/* Families in which something could be tested; 1 for Holm's. */
guint trials_count_families(const GArray *trials);

#endif
