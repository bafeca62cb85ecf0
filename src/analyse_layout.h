#ifndef ANALYSE_LAYOUT_H
#define ANALYSE_LAYOUT_H

#include <glib.h>

#include "flag.h"

struct dataset;

/* Replicates of the cells of a design, cell by cell, and the blocks that they share. The replicate is the boot or the
 * sitting where each cell has three or more, else the run. Cells are blocked where at least three blocks (boots,
 * sittings) have runs of every cell; only these blocks are kept then, and the replicate is the mean within one. */
struct layout {
	GArray *y;              /* double: values, or their logarithms */
	GArray *first;          /* gsize: where each cell begins in y, and the end */
	GArray *block;          /* gsize, parallel to y, counted from 0; empty where not blocked */
	gsize levels_block;     /* how many; 0 where not blocked */
	const char *unit;       /* of replication: "run", "block", "boot" or "sitting" */
	const char *blocked_by; /* "block", "boot" or "sitting"; NULL */
	flag_set flags;          /* FLAG_BROKEN_BLOCKS */
};

/* cells: struct sample, none of them empty. */
void layout_init(struct layout *layout, const struct dataset *dataset, const GArray *cells, gboolean is_log);
void layout_clear(struct layout *layout);

#endif
