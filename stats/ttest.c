#include "ttest.h"

#include <math.h>

#include "moments.h"
#include "statistic.h"
#include "tdist.h"

static struct contrast unanswered(size_t nx, size_t ny, unsigned flags)
{
	return (struct contrast){
	    .estimate = NAN, .se = NAN, .df = NAN, .t = NAN, .p = NAN, .nx = nx, .ny = ny, .flags = flags};
}

/* Fills in t and p. */
static void test(struct contrast *c)
{
	if (!isfinite(c->estimate) || !isfinite(c->se)) {
		*c = unanswered(c->nx, c->ny, c->flags | EST_NOT_FINITE);
	} else if (c->se > 0) {
		c->t = c->estimate / c->se;
		c->p = fmin(1, 2 * student_t_tail(fabs(c->t), c->df));
	} else {
		c->flags |= EST_CONSTANT;
		c->t = c->estimate == 0 ? 0 : NAN;
		c->p = c->estimate == 0 ? 1 : NAN;
	}
}

static struct contrast welch_of(const struct moments *x, const struct moments *y, double unit)
{
	struct contrast c = unanswered(x->n, y->n, (x->flags | y->flags) & ~(unsigned)EST_CONSTANT);
	double se_x = x->sd / sqrt((double)x->n), se_y = y->sd / sqrt((double)y->n);
	double part_x, part_y;

	if (c.flags & EST_NOT_FINITE)
		return c;
	c.estimate = y->mean - x->mean;
	if (c.flags)
		return c;
	c.se = hypot(se_x, se_y);
	/* Shares of the variance, not variances: these can neither overflow nor vanish. */
	part_x = se_x / c.se * (se_x / c.se);
	part_y = se_y / c.se * (se_y / c.se);
	c.df = 1 / (part_x * part_x / (double)(x->n - 1) + part_y * part_y / (double)(y->n - 1));
	if (c.se == 0 && is_rounding(c.estimate, fmax(unit, fmax(x->magnitude, y->magnitude))))
		c.estimate = 0;
	test(&c);
	return c;
}

static struct contrast paired_of(const struct moments *differences)
{
	size_t n = differences->n;
	struct contrast c = unanswered(n, n, differences->flags);

	if (c.flags & EST_NOT_FINITE)
		return c;
	c.estimate = differences->mean;
	if (c.flags & EST_TOO_FEW)
		return c;
	c.se = differences->sd / sqrt((double)n);
	c.df = (double)n - 1;
	test(&c);
	return c;
}

struct contrast welch(const double *x, size_t nx, const double *y, size_t ny)
{
	struct moments of_x = moments(x, nx, 0), of_y = moments(y, ny, 0);

	return welch_of(&of_x, &of_y, 0);
}

struct contrast welch_log(const double *x, size_t nx, const double *y, size_t ny, double *work)
{
	unsigned flags = logarithms(x, nx, work);
	struct moments of_x, of_y;

	if (!flags)
		of_x = moments(work, nx, 1);
	flags |= logarithms(y, ny, work);
	if (flags)
		return unanswered(nx, ny, flags | (nx < 2 || ny < 2 ? EST_TOO_FEW : 0));
	of_y = moments(work, ny, 1);
	return welch_of(&of_x, &of_y, 1);
}

struct contrast paired(const double *x, const double *y, size_t n)
{
	struct moments m = moments_of_differences(x, y, n, 0);

	return paired_of(&m);
}

struct contrast paired_log(const double *x, const double *y, size_t n, double *work)
{
	unsigned flags = logarithms(x, n, work) | logarithms(y, n, work + n);
	struct moments m;

	if (flags)
		return unanswered(n, n, flags | (n < 2 ? EST_TOO_FEW : 0));
	m = moments_of_differences(work, work + n, n, 1);
	return paired_of(&m);
}

static size_t logs_bytes(const struct statistic_input *in)
{
	return (in->samples[0].n + in->samples[1].n) * sizeof(double);
}

static void welch_compute(const struct statistic_input *in, union statistic_result *out)
{
	out->contrast = welch(in->samples[0].x, in->samples[0].n, in->samples[1].x, in->samples[1].n);
}

static void welch_log_compute(const struct statistic_input *in, union statistic_result *out)
{
	const struct values *s = in->samples;

	out->contrast = welch_log(s[0].x, s[0].n, s[1].x, s[1].n, in->work);
}

static void paired_compute(const struct statistic_input *in, union statistic_result *out)
{
	out->contrast = paired(in->samples[0].x, in->samples[1].x, in->samples[0].n);
}

static void paired_log_compute(const struct statistic_input *in, union statistic_result *out)
{
	out->contrast = paired_log(in->samples[0].x, in->samples[1].x, in->samples[0].n, in->work);
}

const struct statistic statistic_welch = {
    .name = "welch",
    .help = "difference of means by Welch's t test",
    .kind = STATISTIC_CONTRAST,
    .min_n = 2,
    .compute = welch_compute,
};

const struct statistic statistic_welch_log = {
    .name = "welch-log",
    .help = "log ratio of geometric means by Welch's t test",
    .kind = STATISTIC_CONTRAST,
    .domain = STATISTIC_POSITIVE,
    .min_n = 2,
    .work_bytes = logs_bytes,
    .compute = welch_log_compute,
};

const struct statistic statistic_paired = {
    .name = "paired",
    .help = "mean difference of pairs by the t test",
    .kind = STATISTIC_PAIRED,
    .min_n = 2,
    .compute = paired_compute,
};

const struct statistic statistic_paired_log = {
    .name = "paired-log",
    .help = "mean log ratio of pairs by the t test",
    .kind = STATISTIC_PAIRED,
    .domain = STATISTIC_POSITIVE,
    .min_n = 2,
    .work_bytes = logs_bytes,
    .compute = paired_log_compute,
};
