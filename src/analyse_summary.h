#ifndef ANALYSE_SUMMARY_H
#define ANALYSE_SUMMARY_H

#include <glib.h>

/* struct summary_row of each pair of sides among the comparisons (struct comparison *): over the workloads for which
 * there is a ratio, one metric of each, the first compared, which is the primary one unless others were named. Left
 * out: metrics without a better direction, and sides most runs of which failed. Pairs with fewer than two workloads
 * have no row. */
GArray *summary_new(const GPtrArray *comparisons);

#endif
