#ifndef ANALYSE_DESIGN_H
#define ANALYSE_DESIGN_H

#include <glib.h>

#include "analyse_sample.h"
#include "flag.h"

struct comparison;
struct selection;

/* What the replicate of some samples is, and whether replicates of different samples belong together. Chosen by where
 * and when the runs were made, never by their values. */
struct pairing {
	const struct column *column; /* its levels are the replicates; NULL: the runs are */
	gboolean is_paired;          /* every two of the samples share three levels or more */
	gboolean is_log;             /* no value is <= 0 */
};

struct pairing pairing_of(const struct dataset *dataset, const struct sample *const *samples, guint n);

/* Two samples as they are compared. */
struct design {
	gboolean is_paired; /* values of the two sides are parallel */
	gboolean is_log;
	const char *unit;                 /* "run", "block", "sitting" or "boot" */
	GArray *baseline, *other;         /* double, one a replicate: geometric mean where is_log, else mean */
	GArray *raw_baseline, *raw_other; /* double, the same replicates: mean */
	flag_set flags;
};

void design_init(struct design *design, const struct dataset *dataset, const struct pairing *pairing,
		 const struct sample *baseline, const struct sample *other);
void design_clear(struct design *design);

/* Caveats that follow from how the runs of two sides were made, with what the comparison says about them: order, facts,
 * mixed levels. */
void caveats_add(struct comparison *comparison, const struct dataset *dataset, const struct sample *baseline,
		 const struct sample *other, const struct selection *side, gboolean order_unknown);

/* Whether the runs of one sample of a workload were made under different conditions. */
gboolean facts_are_mixed(const struct dataset *dataset, const struct sample *sample, const char *workload);

#endif
