#ifndef ANALYSE_CROSSCHECK_H
#define ANALYSE_CROSSCHECK_H

#include <glib.h>

struct trial;

/* More replicates a side than this are not cross-checked: the means of so many are normal whatever the values are, and
 * the time is better spent. */
#define CROSS_CHECK_MAX 200

/* Asks two tests that assume less whether they agree, at the level of the comparison's own interval: Hodges and
 * Lehmann's interval and the studentised permutation test (of pairs: of Walsh averages, and by turning signs). Fills in
 * cross_check and sets FLAG_FRAGILE. alpha: of the whole command. is_wanted FALSE: says only that nothing was asked. */
void trial_cross_check(struct trial *trial, double alpha, double level, gboolean is_wanted);

#endif
