#include "select.h"

#include <math.h>

#include <gsl/gsl_sort.h>

static double middle_of(double a, double b, double c)
{
	if (a < b)
		return b < c ? b : a < c ? c : a;
	return a < c ? a : b < c ? c : b;
}

void select_nth(double *x, size_t n, size_t k)
{
	ptrdiff_t low = 0, high = (ptrdiff_t)n - 1, at = (ptrdiff_t)k;

	/* Some 20 rounds do for a million values: this many are an order made to be slow. */
	for (int rounds = 64; low < high; rounds--) {
		ptrdiff_t i = low, j = high;
		double pivot = middle_of(x[low], x[low + (high - low) / 2], x[high]);

		if (rounds == 0) {
			gsl_sort(x + low, 1, (size_t)(high - low + 1));
			return;
		}
		while (i <= j) {
			double swapped;

			while (x[i] < pivot)
				i++;
			while (pivot < x[j])
				j--;
			if (i > j)
				break;
			swapped = x[i];
			x[i++] = x[j];
			x[j--] = swapped;
		}
		if (at > j && at < i)
			return;
		if (at <= j)
			high = j;
		else
			low = i;
	}
}

double quantile_select(double *x, size_t n, double p)
{
	double position = (double)(n - 1) * p, part = position - floor(position), lower, upper = INFINITY;
	size_t k;

	if (n == 0 || !(p >= 0 && p <= 1))
		return NAN;
	k = (size_t)position;
	select_nth(x, n, k);
	lower = x[k];
	if (part == 0)
		return lower;
	for (size_t i = k + 1; i < n; i++)
		upper = x[i] < upper ? x[i] : upper;
	return lower == upper ? lower : (1 - part) * lower + part * upper;
}
