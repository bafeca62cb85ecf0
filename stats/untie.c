#include "untie.h"

#include <math.h>

#include "moments.h"

static double magnitude(const double *sorted, size_t n)
{
	return fmax(fabs(sorted[0]), fabs(sorted[n - 1]));
}

void untie(double *sorted, size_t n)
{
	double step = INFINITY, size;

	if (n < 2)
		return;
	size = magnitude(sorted, n);
	for (size_t i = 1; i < n; i++)
		if (!is_rounding(sorted[i] - sorted[i - 1], size))
			step = fmin(step, sorted[i] - sorted[i - 1]);
	if (isinf(step))
		return;
	for (size_t first = 0, last; first < n; first = last) {
		double centre = sorted[first];

		for (last = first + 1; last < n && is_rounding(sorted[last] - sorted[last - 1], size);)
			last++;
		for (size_t i = first; i < last && last - first > 1; i++)
			sorted[i] = centre + step * (((double)(i - first) + 0.5) / (double)(last - first) - 0.5);
	}
}
