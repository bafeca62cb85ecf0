#include "select.h"

#include <math.h>

#include "sort.h"

void select_nth(double *x, size_t n, size_t k)
{
	ptrdiff_t low = 0, high = (ptrdiff_t)n - 1, at = (ptrdiff_t)k, left, right;

	/* Some 20 rounds do for a million values: this many are an order made to be slow. */
	for (int rounds = 64; low < high; rounds--) {
		if (rounds == 0) {
			sort_values(x + low, (size_t)(high - low + 1));
			return;
		}
		partition(x, low, high, middle_of(x[low], x[low + (high - low) / 2], x[high]), &left, &right);
		if (at > left && at < right)
			return;
		if (at <= left)
			high = left;
		else
			low = right;
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
