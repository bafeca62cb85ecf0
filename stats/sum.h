#ifndef STATS_SUM_H
#define STATS_SUM_H

#include <math.h>

/* A sum that keeps what its rounding throws away. Start from {0, 0}.   source: Neumaier 1974 */
struct compensated {
	double sum, lost;
};

static inline void compensated_add(struct compensated *s, double x)
{
	double sum = s->sum + x;

	s->lost += fabs(s->sum) >= fabs(x) ? (s->sum - sum) + x : (x - sum) + s->sum;
	s->sum = sum;
}

static inline double compensated_value(const struct compensated *s)
{
	return s->sum + s->lost;
}

#endif
