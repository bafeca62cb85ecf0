#include "estimate.h"

#include <math.h>
#include <stdbool.h>

#include "tdist.h"

void contrast_test(struct contrast *c)
{
	if (!isfinite(c->estimate) || !isfinite(c->se)) {
		c->flags |= EST_NOT_FINITE;
		c->estimate = c->se = c->df = c->t = c->p = NAN;
	} else if (c->se > 0) {
		c->t = c->estimate / c->se;
		c->p = fmin(1, 2 * student_t_tail(fabs(c->t), c->df));
	} else {
		c->flags |= EST_CONSTANT;
		c->t = c->estimate == 0 ? 0 : NAN;
		c->p = c->estimate == 0 ? 1 : NAN;
	}
}

void contrast_interval(const struct contrast *c, double level, double *low, double *high)
{
	bool is_exact = c->se == 0 && isfinite(c->estimate);
	double half = is_exact ? 0 : student_t_critical((1 - level) / 2, c->df) * c->se;
	bool is_known = level > 0 && level < 1 && isfinite(half) && isfinite(c->estimate);

	*low = is_known ? c->estimate - half : -INFINITY;
	*high = is_known ? c->estimate + half : INFINITY;
}

double contrast_tost_p(const struct contrast *c, double low, double high)
{
	double above_low, below_high;

	if (!(c->se > 0))
		return NAN;
	above_low = student_t_tail((c->estimate - low) / c->se, c->df);
	below_high = student_t_tail((high - c->estimate) / c->se, c->df);
	return isnan(above_low) || isnan(below_high) ? NAN : fmax(above_low, below_high);
}
