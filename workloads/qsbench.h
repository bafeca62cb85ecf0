#ifndef QSBENCH_H
#define QSBENCH_H

#include <stddef.h>

/* Sorts ascending, in place: recursive quicksort with the median of three as pivot. The stack grows with log2(n)
 * whatever the values are. */
void qsbench_sort(int *values, size_t n);

#endif
