#include "anderson_darling.h"

#include <complex.h>
#include <math.h>
#include <stdbool.h>

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_sort.h>

#include "describe.h"
#include "moments.h"
#include "quadrature.h"
#include "sides.h"

struct inversion {
	double x, m;
};

static double complex minus_expm1(double complex z)
{
	double a = creal(z), b = cimag(z), half = sin(b / 2);

	return 2 * half * half - expm1(a) * cos(b) - I * exp(a) * sin(b);
}

/* Im(exp(-itx) phi(t)) / s at t = s^2, where phi(t) = (cos(w) / (-2 pi i t))^(-m/2), w = pi/2 sqrt(1 + 8 i t), is the
 * characteristic function; written so that neither its phase jumps nor its value cancels. */
static double integrand(double s, const void *context)
{
	const struct inversion *inversion = context;
	double t = s * s;
	double complex root = csqrt(1 + 8 * t * I), i_delta = -8 * M_PI * t / (1 + root);
	double complex log_product = clog(minus_expm1(i_delta) / (4 * M_PI * t)) - i_delta / 2;
	double complex z = -t * inversion->x * I - inversion->m / 2 * log_product;

	return exp(creal(z)) * sin(cimag(z)) / s;
}

double anderson_darling_tail(double x, unsigned m)
{
	struct inversion inversion = {.x = x, .m = m};
	double tail = pow(3, m / 2.0) * gsl_cdf_chisq_Q(2 * x, m), p;

	if (x <= 0)
		return 1;
	if (tail < 1e-10)
		return tail;
	p = 0.5 + 2 / M_PI * quadrature(integrand, &inversion, 0, 30.0 / m + 5, fmin(0.25, 1 / (1 + x)));
	return fmin(1, fmax(p, 0));
}

/* The pooled sample in ascending order: values[order[i]] belongs to group of[order[i]]. */
struct pooled {
	double *values;
	size_t *order, *of, n;
};

static size_t total(const struct values *groups, size_t k)
{
	size_t n = 0;

	for (size_t i = 0; i < k; i++)
		n += groups[i].n;
	return n;
}

size_t anderson_darling_bytes(const struct values *groups, size_t k)
{
	return total(groups, k) * (sizeof(double) + 2 * sizeof(size_t)) + 2 * k * sizeof(double);
}

static unsigned flags_of(const struct values *groups, size_t k)
{
	unsigned flags = k < 2 || total(groups, k) < 4 ? EST_TOO_FEW : 0;
	bool varies = false;

	for (size_t i = 0; i < k; i++) {
		flags |= groups[i].n == 0 ? EST_TOO_FEW : 0;
		for (size_t j = 0; j < groups[i].n; j++)
			flags |= isfinite(groups[i].x[j]) ? 0 : EST_NOT_FINITE;
		varies |= groups[i].n > 1 && !is_constant(groups[i].x, groups[i].n);
	}
	return flags ? flags : varies ? 0 : EST_CONSTANT;
}

static void pool(const struct values *groups, size_t k, struct pooled *p)
{
	for (size_t i = 0; i < k; i++) {
		for (size_t j = 0; j < groups[i].n; j++) {
			p->values[p->n] = groups[i].x[j];
			p->of[p->n++] = i;
		}
	}
	gsl_sort_index(p->order, p->values, 1, p->n);
}

/* passed[k], here[k]: how many of each group lie below, and at, the value. */
static double midrank_statistic(const struct pooled *p, const struct values *groups, size_t k, double *passed,
				double *here)
{
	double n = (double)p->n, sum = 0;

	for (size_t i = 0; i < k; i++)
		passed[i] = here[i] = 0;
	for (size_t first = 0, last; first < p->n; first = last) {
		double ties, below, squares = 0;

		for (last = first; last < p->n && p->values[p->order[last]] == p->values[p->order[first]]; last++)
			here[p->of[p->order[last]]]++;
		ties = (double)(last - first);
		below = (double)first + ties / 2;
		for (size_t i = 0; i < k; i++) {
			double of_group = (double)groups[i].n;
			double d = n * (passed[i] + here[i] / 2) - below * of_group;

			squares += d * d / of_group;
			passed[i] += here[i];
			here[i] = 0;
		}
		sum += ties / n * squares / (below * (n - below) - n * ties / 4);
	}
	return sum * (n - 1) / n;
}

/* Variance of the statistic if all is one distribution.   source: Scholz & Stephens 1987, equation 4 */
static double variance(const struct values *groups, size_t k, double n)
{
	double inverse = 0, harmonic = 0, g = 0, groups_n = (double)k, k2 = groups_n * groups_n, a, b, c, d, h;

	for (size_t i = 0; i < k; i++)
		inverse += 1 / (double)groups[i].n;
	for (size_t j = 2; (double)j < n; j++) {
		harmonic += 1 / (n + 1 - (double)j);
		g += harmonic / (double)j;
	}
	h = harmonic + 1;
	a = (4 * g - 6) * (groups_n - 1) + (10 - 6 * g) * inverse;
	b = (2 * g - 4) * k2 + 8 * h * groups_n + (2 * g - 14 * h - 4) * inverse - 8 * h + 4 * g - 6;
	c = (6 * h + 2 * g - 2) * k2 + (4 * h - 4 * g + 6) * groups_n + (2 * h - 6) * inverse + 4 * h;
	d = (2 * h + 6) * k2 - 4 * h * groups_n;
	return (((a * n + b) * n + c) * n + d) / ((n - 1) * (n - 2) * (n - 3));
}

struct test anderson_darling(const struct values *groups, size_t k, void *work)
{
	struct test t = test_unanswered(total(groups, k), flags_of(groups, k));
	struct pooled p = {.values = work};
	double m = (double)k - 1, *passed;

	if (t.flags & ~(unsigned)EST_CONSTANT)
		return t;
	p.order = (size_t *)(void *)(p.values + t.n);
	p.of = p.order + t.n;
	passed = (double *)(void *)(p.of + t.n);
	pool(groups, k, &p);
	if (t.flags) {
		if (is_constant(p.values, p.n)) {
			t.statistic = 0;
			t.p = 1;
		}
		return t;
	}
	t.statistic =
	    (midrank_statistic(&p, groups, k, passed, passed + k) - m) / sqrt(variance(groups, k, (double)t.n));
	t.p = anderson_darling_tail(m + t.statistic * sqrt(2 * m * (M_PI * M_PI / 3 - 3)), (unsigned)m);
	return t;
}

static size_t work_bytes(const struct statistic_input *in)
{
	return anderson_darling_bytes(in->samples, in->n_samples);
}

static void compute(const struct statistic_input *in, union statistic_result *out)
{
	out->test = anderson_darling(in->samples, in->n_samples, in->work);
}

const struct statistic statistic_anderson_darling = {
    .name = "anderson-darling",
    .help = "whether several samples have one distribution, tails included (Anderson-Darling)",
    .kind = STATISTIC_GROUPS,
    .min_n = 2,
    .work_bytes = work_bytes,
    .compute = compute,
};
