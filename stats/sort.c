#include "sort.h"

#include <gsl/gsl_sort.h>

/* Shorter stretches are sorted by insertion. */
#define SHORT 16

double middle_of(double a, double b, double c)
{
	if (a < b)
		return b < c ? b : a < c ? c : a;
	return a < c ? a : b < c ? c : b;
}

void partition(double *x, ptrdiff_t low, ptrdiff_t high, double pivot, ptrdiff_t *left, ptrdiff_t *right)
{
	ptrdiff_t i = low, j = high;

	for (;;) {
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
		if (i > j)
			break;
	}
	*left = j;
	*right = i;
}

static void insertion_sort(double *x, ptrdiff_t low, ptrdiff_t high)
{
	for (ptrdiff_t i = low + 1; i <= high; i++) {
		double value = x[i];
		ptrdiff_t j = i;

		for (; j > low && value < x[j - 1]; j--)
			x[j] = x[j - 1];
		x[j] = value;
	}
}

/* Depth is what may still be nested: an order made to be slow uses it up and is left to heapsort. */
static void sort_stretch(double *x, ptrdiff_t low, ptrdiff_t high, int depth)
{
	while (high - low >= SHORT) {
		ptrdiff_t left, right;

		if (depth-- == 0) {
			gsl_sort(x + low, 1, (size_t)(high - low + 1));
			return;
		}
		partition(x, low, high, middle_of(x[low], x[low + (high - low) / 2], x[high]), &left, &right);
		/* The shorter part first: nesting is then no deeper than log2 n. */
		if (left - low < high - right) {
			sort_stretch(x, low, left, depth);
			low = right;
		} else {
			sort_stretch(x, right, high, depth);
			high = left;
		}
	}
	insertion_sort(x, low, high);
}

void sort_values(double *x, size_t n)
{
	int depth = 0;

	for (size_t left = n; left > 0; left /= 2)
		depth += 2;
	sort_stretch(x, 0, (ptrdiff_t)n - 1, depth);
}
