#ifndef ANALYSE_DESIGN_H
#define ANALYSE_DESIGN_H

#include <glib.h>

#include "analyse_sample.h"

struct comparison;
struct selection;

/* How two samples are compared: what the replicate is, and whether replicates of the two sides belong together. Chosen
 * by where and when the runs were made, never by their values. */
struct design {
	gboolean is_paired;               /* values of the two sides are parallel */
	gboolean is_log;                  /* no value is <= 0 */
	const char *unit;                 /* "run", "block", "sitting" or "boot" */
	GArray *baseline, *other;         /* double, one a replicate: geometric mean where is_log, else mean */
	GArray *raw_baseline, *raw_other; /* double, the same replicates: mean */
	guint32 flags;
};

void design_init(struct design *design, const struct dataset *dataset, const struct sample *baseline,
		 const struct sample *other);
void design_clear(struct design *design);

/* Caveats that follow from how the runs of two sides were made, with what the comparison says about them: order, facts,
 * mixed levels. */
void caveats_add(struct comparison *comparison, const struct dataset *dataset, const struct sample *baseline,
		 const struct sample *other, const struct selection *side, gboolean order_unknown);

#endif
