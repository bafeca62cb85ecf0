#include "rank.h"

#include <string.h>

#include <gsl/gsl_sort.h>

double doubled_midranks(const double *x, size_t nx, const double *y, size_t ny, size_t *ranks, double *values,
			size_t *order)
{
	size_t n = nx + ny;
	double ties = 0;

	if (nx > 0)
		memcpy(values, x, nx * sizeof *x);
	if (ny > 0)
		memcpy(values + nx, y, ny * sizeof *y);
	gsl_sort_index(order, values, 1, n);
	for (size_t first = 0, last; first < n; first = last) {
		double t;

		for (last = first + 1; last < n && values[order[last]] == values[order[first]]; last++)
			;
		for (size_t i = first; i < last; i++)
			ranks[order[i]] = first + 1 + last;
		t = (double)(last - first);
		ties += t * t * t - t;
	}
	return ties;
}

const double *subset_sum_counts(const size_t *a, size_t n, size_t m, size_t limit, double *counts)
{
	size_t width = limit + 1;

	memset(counts, 0, (m + 1) * width * sizeof *counts);
	counts[0] = 1;
	for (size_t i = 0; i < n; i++) {
		for (size_t j = i + 1 < m ? i + 1 : m; j > 0; j--) {
			const double *fewer = counts + (j - 1) * width;
			double *these = counts + j * width;

			for (size_t sum = a[i]; sum <= limit; sum++)
				these[sum] += fewer[sum - a[i]];
		}
	}
	return counts + m * width;
}

void signed_sum_probabilities(const size_t *a, size_t n, size_t limit, double *probabilities)
{
	memset(probabilities, 0, (limit + 1) * sizeof *probabilities);
	probabilities[0] = 1;
	for (size_t i = 0; i < n; i++) {
		for (size_t sum = limit + 1; sum-- > 0;)
			probabilities[sum] = (probabilities[sum] + (sum >= a[i] ? probabilities[sum - a[i]] : 0)) / 2;
	}
}
