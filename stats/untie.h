#ifndef STATS_UNTIE_H
#define STATS_UNTIE_H

#include <stddef.h>

/* Undoes rounding as far as can be: values of ascending sorted[n] that are alike are spread evenly over the width that
 * one step of the scale has, the smallest distance between two different values; a value alone stays. What steps did to
 * the shape of a sample, as its dip sees it, goes away; distances of many steps remain. Alike means but for rounding.
 * Ascending still. Values that are all alike stay. */
void untie(double *sorted, size_t n);

#endif
