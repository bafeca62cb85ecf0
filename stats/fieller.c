#include "fieller.h"

#include <math.h>

#include "moments.h"
#include "statistic.h"
#include "tdist.h"

/* The ends solve (ratio - r)^2 = t^2 (se_y^2 + r^2 se_x^2), all over the mean of x, in units of the larger of ratio and
 * se_y. */
static void solve(struct estimate *e, const struct moments *x, const struct moments *y)
{
	double se_x = x->sd / sqrt((double)x->n) / x->mean, se_y = y->sd / sqrt((double)y->n) / x->mean;
	double unit = fmax(fabs(e->value), fabs(se_y)), ratio = e->value / unit;
	double of_x = ratio * se_x * (ratio * se_x), of_y = se_y / unit * (se_y / unit), both = of_x + of_y;
	double t, h, root;

	if (unit == 0) {
		e->low = e->high = 0;
		return;
	}
	t = student_t_critical((1 - e->level) / 2,
			       both * both / (of_x * of_x / ((double)x->n - 1) + of_y * of_y / ((double)y->n - 1)));
	h = t * se_x * (t * se_x);
	root = sqrt(ratio * ratio * h + t * t * of_y * (1 - h));
	if (!(h < 1) || !isfinite(unit)) {
		e->flags |= EST_UNBOUNDED;
		return;
	}
	e->low = unit * ((ratio - root) / (1 - h));
	e->high = unit * ((ratio + root) / (1 - h));
}

struct estimate fieller(const double *x, size_t nx, const double *y, size_t ny, double level)
{
	struct moments of_x = moments(x, nx, 0), of_y = moments(y, ny, 0);
	struct estimate e = {.value = NAN, .low = -INFINITY, .high = INFINITY, .level = level, .n = nx + ny};

	e.flags = (of_x.flags | of_y.flags) & ~(unsigned)EST_CONSTANT;
	if (nx == 0 || ny == 0 || e.flags & EST_NOT_FINITE)
		return e;
	if (of_x.mean != 0)
		e.value = of_y.mean / of_x.mean;
	if (e.flags)
		return e;
	if (of_x.sd == 0 && of_y.sd == 0) {
		e.flags = EST_CONSTANT;
		if (of_x.mean != 0)
			e.low = e.high = e.value;
		return e;
	}
	if (of_x.mean == 0)
		e.flags = EST_UNBOUNDED;
	else
		solve(&e, &of_x, &of_y);
	return e;
}

static void compute(const struct statistic_input *in, union statistic_result *out)
{
	const struct values *s = in->samples;

	out->estimate = fieller(s[0].x, s[0].n, s[1].x, s[1].n, in->level);
}

const struct statistic statistic_fieller = {
    .name = "fieller",
    .help = "ratio of arithmetic means with Fieller's interval",
    .kind = STATISTIC_SHIFT,
    .shift = SHIFT_RATIO,
    .min_n = 2,
    .compute = compute,
};
