#include "power.h"

#include <math.h>
#include <stdbool.h>

#include "tdist.h"

/* A power nearer to 1 than the accuracy of the noncentral t is asked for as this. */
#define POWER_MAX (1 - 1e-12)

static double sides(enum power_design design)
{
	return design == POWER_UNPAIRED ? 2 : 1;
}

/* n at least 2, sd at least 0, alpha in (0,1). */
static bool is_design(double n, double sd, double alpha)
{
	return n >= 2 && isfinite(n) && sd >= 0 && isfinite(sd) && alpha > 0 && alpha < 1;
}

static double critical(double n, double alpha, enum power_design design)
{
	return student_t_critical(alpha / 2, (n - 1) * sides(design));
}

double power_t(double n, double delta, double sd, double alpha, enum power_design design)
{
	if (!is_design(n, sd, alpha))
		return NAN;
	return noncentral_t_tails(critical(n, alpha, design), (n - 1) * sides(design),
				  sqrt(n / sides(design)) * (delta / sd));
}

/* The power as a rising function of one unknown, less the power wanted. */
struct search {
	double n, effect, alpha, power, critical;
	enum power_design design;
};

static double excess_at_effect(double effect, const struct search *s)
{
	double df = (s->n - 1) * sides(s->design);

	return noncentral_t_tails(s->critical, df, sqrt(s->n / sides(s->design)) * effect) - s->power;
}

static double excess_at_n(double n, const struct search *s)
{
	return power_t(n, s->effect, 1, s->alpha, s->design) - s->power;
}

/* The zero of a rising function between low (f < 0) and high (f >= 0), relative to 1e-13.   source: Ridders 1979 */
static double zero(double (*f)(double x, const struct search *s), const struct search *s, double low, double high)
{
	double f_low = f(low, s), f_high = f(high, s);

	while (high - low > 1e-13 * high) {
		double middle = low + (high - low) / 2, f_middle = f(middle, s), x, f_x;

		if (middle <= low || middle >= high || f_middle == 0)
			return middle;
		x = middle - (middle - low) * f_middle / sqrt(f_middle * f_middle - f_low * f_high);
		if (!(x > low && x < high))
			x = middle;
		f_x = x == middle ? f_middle : f(x, s);
		if (f_middle < 0) {
			low = middle;
			f_low = f_middle;
		} else {
			high = middle;
			f_high = f_middle;
		}
		if (x > low && x < high && f_x < 0) {
			low = x;
			f_low = f_x;
		} else if (x > low && x < high) {
			high = x;
			f_high = f_x;
		}
	}
	return high;
}

double power_detectable(double n, double sd, double alpha, double power, enum power_design design)
{
	struct search s = {.n = n, .alpha = alpha, .power = fmin(power, POWER_MAX), .design = design};
	double high = 1;

	if (!is_design(n, sd, alpha) || !(power > 0 && power < 1))
		return NAN;
	s.critical = critical(n, alpha, design);
	if (sd == 0 || power <= alpha)
		return 0;
	while (excess_at_effect(high, &s) < 0)
		high *= 2;
	while (excess_at_effect(high / 2, &s) >= 0)
		high /= 2;
	return sd * zero(excess_at_effect, &s, high / 2, high);
}

double power_n(double delta, double sd, double alpha, double power, enum power_design design)
{
	struct search s = {
	    .effect = fabs(delta) / sd, .alpha = alpha, .power = fmin(power, POWER_MAX), .design = design};
	double high = 2;

	if (!is_design(2, sd, alpha) || !(power > 0 && power < 1) || !isfinite(delta))
		return NAN;
	if (delta == 0)
		return INFINITY;
	if (sd == 0 || excess_at_n(2, &s) >= 0)
		return 2;
	do
		high *= 2;
	while (isfinite(high) && !(excess_at_n(high, &s) >= 0));
	return isfinite(high) ? zero(excess_at_n, &s, high / 2, high) : INFINITY;
}
