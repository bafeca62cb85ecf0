#include "sides.h"

#include <math.h>

#include "describe.h"
#include "moments.h"

unsigned sides_flags(const double *x, size_t nx, const double *y, size_t ny, size_t min_n)
{
	unsigned flags = nx < min_n || ny < min_n ? EST_TOO_FEW : 0;

	for (size_t i = 0; i < nx + ny; i++) {
		if (!isfinite(i < nx ? x[i] : y[i - nx]))
			flags |= EST_NOT_FINITE;
	}
	if (!flags && (nx > 1 || ny > 1) && is_constant(x, nx) && is_constant(y, ny))
		flags |= EST_CONSTANT;
	return flags;
}

bool sides_equal(const double *x, size_t nx, const double *y, size_t ny)
{
	return nx > 0 && ny > 0 && is_rounding(y[0] - x[0], fmax(fabs(x[0]), fabs(y[0])));
}

struct test test_unanswered(size_t n, unsigned flags)
{
	return (struct test){.statistic = NAN, .df = NAN, .df_error = NAN, .p = NAN, .n = n, .flags = flags};
}

bool sides_decide(const double *x, size_t nx, const double *y, size_t ny, unsigned flags, struct test *test)
{
	*test = test_unanswered(nx + ny, flags);
	if (flags == EST_CONSTANT && sides_equal(x, nx, y, ny)) {
		test->statistic = 0;
		test->p = 1;
	}
	return flags != 0;
}
