#include "series.h"

#include <math.h>

#include "describe.h"

bool series_is_testable(const double *x, size_t n, size_t min_n, struct test *t)
{
	*t = (struct test){.statistic = NAN, .df = NAN, .df_error = NAN, .p = NAN, .n = n};
	if (n < min_n)
		t->flags |= EST_TOO_FEW;
	for (size_t i = 0; i < n; i++) {
		if (!isfinite(x[i]))
			t->flags |= EST_NOT_FINITE;
	}
	if (!t->flags && is_constant(x, n))
		t->flags |= EST_CONSTANT;
	return !t->flags;
}
