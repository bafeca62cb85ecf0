#include "additive.h"

#include <math.h>
#include <string.h>

#include "estimate.h"
#include "sum.h"

#define REFINEMENTS 3

size_t additive_work(size_t levels_a, size_t levels_b)
{
	return 5 * levels_a * levels_b + levels_a * levels_a + 4 * levels_a + 2 * levels_b +
	       (levels_a * sizeof(size_t) + sizeof(double) - 1) / sizeof(double);
}

static double *take(double **work, size_t n)
{
	double *taken = *work;

	*work += n;
	return taken;
}

static void lay_out(struct additive *m, double *work)
{
	size_t ka = m->data->levels_a, kb = m->data->levels_b;

	memset(work, 0, additive_work(ka, kb) * sizeof *work);
	m->count = take(&work, ka * kb);
	m->mean = take(&work, ka * kb);
	m->fit = take(&work, ka * kb);
	m->product = take(&work, ka * kb);
	m->rest = take(&work, ka * kb);
	m->factor = take(&work, ka * ka);
	m->effect_a = take(&work, ka);
	m->effect_b = take(&work, kb);
	m->count_a = take(&work, ka);
	m->count_b = take(&work, kb);
	m->solution = take(&work, 2 * ka);
	m->component = (void *)work;
}

static void scale(struct additive *m)
{
	double magnitude = 0;

	for (size_t i = 0; i < m->data->n; i++) {
		if (!isfinite(m->data->y[i]))
			m->flags |= EST_NOT_FINITE;
		magnitude = fmax(magnitude, fabs(m->data->y[i]));
	}
	if (m->data->n == 0)
		m->flags |= EST_TOO_FEW;
	if (m->flags)
		return;
	m->origin = m->data->y[0];
	m->resolution = fmax(magnitude, m->data->unit);
	frexp(magnitude, &m->exponent);
}

static double value(const struct additive *m, size_t i)
{
	return ldexp(m->data->y[i], -m->exponent) - ldexp(m->origin, -m->exponent);
}

static size_t cell_of(const struct additive *m, size_t i)
{
	return m->data->a[i] * m->data->levels_b + m->data->b[i];
}

/* Means of the cells, and the squares about them. fit and rest hold what sums lose until the model needs them. */
static void fill_cells(struct additive *m)
{
	const struct crossed *data = m->data;
	size_t n_cells = data->levels_a * data->levels_b;
	struct compensated ss = {0, 0};

	for (size_t i = 0; i < data->n; i++) {
		size_t cell = cell_of(m, i);
		struct compensated sum = {m->mean[cell], m->fit[cell]};

		compensated_add(&sum, value(m, i));
		m->mean[cell] = sum.sum;
		m->fit[cell] = sum.lost;
		m->count[cell]++;
	}
	for (size_t cell = 0; cell < n_cells; cell++) {
		m->cells += m->count[cell] > 0;
		m->count_a[cell / data->levels_b] += m->count[cell];
		m->count_b[cell % data->levels_b] += m->count[cell];
		m->mean[cell] = (m->mean[cell] + m->fit[cell]) / m->count[cell];
	}
	for (size_t i = 0; i < data->n; i++) {
		double d = value(m, i) - m->mean[cell_of(m, i)];

		/* The mean of one value is that value, whatever rounding says. */
		if (m->count[cell_of(m, i)] > 1)
			compensated_add(&ss, d * d);
	}
	m->ss_within = compensated_value(&ss);
}

/* Levels of a that share a level of b are connected; a component has the number of its first level. */
static void connect(struct additive *m)
{
	size_t ka = m->data->levels_a, kb = m->data->levels_b;
	bool is_changed = true;

	for (size_t i = 0; i < ka; i++)
		m->component[i] = i;
	while (is_changed) {
		is_changed = false;
		for (size_t b = 0; b < kb; b++) {
			size_t first = ka;

			for (size_t a = 0; a < ka; a++) {
				if (m->count[a * kb + b] > 0 && m->component[a] < first)
					first = m->component[a];
			}
			for (size_t a = 0; a < ka; a++) {
				if (m->count[a * kb + b] > 0 && m->component[a] != first) {
					m->component[a] = first;
					is_changed = true;
				}
			}
		}
	}
}

/* Whether the effect of a level is set to 0, by which those of its component are measured. */
static bool is_ground(const struct additive *m, size_t a)
{
	return m->component[a] == a;
}

static void count_rank(struct additive *m)
{
	size_t components = 0;

	for (size_t a = 0; a < m->data->levels_a; a++) {
		m->used_a += m->count_a[a] > 0;
		components += m->count_a[a] > 0 && is_ground(m, a);
	}
	for (size_t b = 0; b < m->data->levels_b; b++)
		m->used_b += m->count_b[b] > 0;
	m->rank = m->used_a + m->used_b - components;
}

/* Cholesky factor of the information on a within the levels of b, the ground left out. */
static void factorise(struct additive *m)
{
	size_t ka = m->data->levels_a, kb = m->data->levels_b;
	double *f = m->factor;

	for (size_t i = 0; i < ka; i++) {
		for (size_t j = 0; j <= i; j++) {
			double sum = i == j ? m->count_a[i] : 0;

			if (is_ground(m, i) || is_ground(m, j)) {
				f[i * ka + j] = i == j;
				continue;
			}
			for (size_t b = 0; b < kb; b++) {
				if (m->count_b[b] > 0)
					sum -= m->count[i * kb + b] * (m->count[j * kb + b] / m->count_b[b]);
			}
			for (size_t k = 0; k < j; k++)
				sum -= f[i * ka + k] * f[j * ka + k];
			f[i * ka + j] = i == j ? sqrt(sum) : sum / f[j * ka + j];
		}
	}
}

/* x in place of the right side. */
static void solve(const struct additive *m, double *x)
{
	size_t ka = m->data->levels_a;
	const double *f = m->factor;

	for (size_t i = 0; i < ka; i++) {
		for (size_t k = 0; k < i; k++)
			x[i] -= f[i * ka + k] * x[k];
		x[i] /= f[i * ka + i];
	}
	for (size_t i = ka; i-- > 0;) {
		for (size_t k = i + 1; k < ka; k++)
			x[i] -= f[k * ka + i] * x[k];
		x[i] /= f[i * ka + i];
	}
}

/* effect_b that fits best beside effect_a, and the fit of both. */
static void fit_b(const struct additive *m, const double *values, double *fit)
{
	size_t ka = m->data->levels_a, kb = m->data->levels_b;

	for (size_t b = 0; b < kb; b++) {
		struct compensated sum = {0, 0};

		for (size_t a = 0; a < ka; a++) {
			if (m->count[a * kb + b] > 0)
				compensated_add(&sum, m->count[a * kb + b] * (values[a * kb + b] - m->effect_a[a]));
		}
		m->effect_b[b] = m->count_b[b] > 0 ? compensated_value(&sum) / m->count_b[b] : NAN;
		for (size_t a = 0; a < ka; a++)
			fit[a * kb + b] = m->effect_a[a] + m->effect_b[b];
	}
}

void additive_project(const struct additive *m, const double *values, double *fit)
{
	size_t ka = m->data->levels_a, kb = m->data->levels_b;

	memset(m->effect_a, 0, ka * sizeof(double));
	for (int pass = 0; pass < REFINEMENTS; pass++) {
		fit_b(m, values, fit);
		for (size_t a = 0; a < ka; a++) {
			struct compensated sum = {0, 0};

			for (size_t b = 0; b < kb; b++) {
				if (m->count[a * kb + b] > 0)
					compensated_add(&sum,
							m->count[a * kb + b] * (values[a * kb + b] - fit[a * kb + b]));
			}
			m->solution[a] = is_ground(m, a) ? 0 : compensated_value(&sum);
		}
		solve(m, m->solution);
		for (size_t a = 0; a < ka; a++)
			m->effect_a[a] += m->solution[a];
	}
	fit_b(m, values, fit);
}

struct additive additive_fit(const struct crossed *data, double *work)
{
	struct additive m = {.data = data};

	lay_out(&m, work);
	scale(&m);
	if (m.flags)
		return m;
	fill_cells(&m);
	connect(&m);
	count_rank(&m);
	factorise(&m);
	additive_project(&m, m.mean, m.fit);
	return m;
}

double additive_variance(const struct additive *m, size_t x, size_t y)
{
	double *z = m->solution;

	if (m->component[x] != m->component[y] || m->count_a[x] == 0 || m->count_a[y] == 0)
		return NAN;
	memset(z, 0, m->data->levels_a * sizeof *z);
	if (!is_ground(m, y))
		z[y] += 1;
	if (!is_ground(m, x))
		z[x] -= 1;
	solve(m, z);
	return z[y] - z[x];
}
