#ifndef STATS_NORMAL_MAXIMUM_H
#define STATS_NORMAL_MAXIMUM_H

#include <stddef.h>

/* Mean of the largest of k independent standard normal values: how far the best of k alike is above any one of them,
 * in standard deviations. 0 for k = 1, NaN for 0. 12 digits up to k = 10^6.   source: Tippett 1925 */
double normal_maximum(size_t k);

#endif
