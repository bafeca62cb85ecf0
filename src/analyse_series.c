#include "analyse_series.h"

#include <math.h>
#include <string.h>

#include "../stats/autocorrelation.h"
#include "../stats/dip.h"
#include "../stats/mann_kendall.h"
#include "../stats/moments.h"
#include "../stats/outliers.h"
#include "../stats/untie.h"
#include "flag.h"

/* Per cent of samples of independent normal values flagged (20,000 samples for n up to 30, 4,000 above):
 *
 *   n                5    6    8    10   15   20   30   50   100  300
 *   drift            0    .2   .6   1.0  .8   1.0  .9   .9   .9   1.1
 *   autocorrelated   0    .5   .9   .8   .9   1.0  .9   1.0  1.0  1.1
 *   outliers         1.0  1.1  1.1  1.3  1.1  1.2  1.3  1.2  1.2  1.1
 *   modes                           .2        0         0
 *
 * Modes of uniform values, of which the dip makes most: .8, .4, 1.1. The usual limit of 3.5 on the scaled median
 * deviation would flag outliers in 21% at n = 5 and 9% at n = 30. */
#define ALPHA 0.01
#define OUTLIERS_SHARE 5 /* one value in so many may be an outlier, */
#define OUTLIERS_MAX 10  /* and so many in all */
#define MODES_MIN 10     /* values; fewer leave gaps by themselves */
#define MODES_SIMULATIONS 999
#define MODES_NEVER 0.45 /* a dip of less than this over the root of n never has p < .01, */
#define MODES_ALWAYS 0.8 /* and one of more always has: no need to simulate. Quantiles .99 and .999 of dip_sorted() over 100,000
			  * samples of uniform values: .51 and .58 at n = 10, .62 and .72 at n = 1000 */

/* Of longer samples every k-th value is looked at for drift and modes, and a stretch in the middle for autocorrelation,
 * which does not hide them. No outliers are looked for there: a mean of so many does not hang on one. */
#define LONG 10000
#define LONG_MODES 1000

/* Values at even distances, at most `most` of them. */
static double *thinned(const double *x, guint n, guint most, guint *n_thinned)
{
	guint step = n / most + (n % most > 0);
	double *chosen = g_new(double, n / MAX(1, step) + 1);

	*n_thinned = 0;
	for (guint i = 0; i < n; i += step)
		chosen[(*n_thinned)++] = x[i];
	return chosen;
}

static gboolean has_drift(const double *x, guint n)
{
	g_autofree double *values = thinned(x, n, LONG, &n);
	g_autofree double *work = g_new(double, 2 * (gsize)n + 1);

	return mann_kendall(values, n, work).p < ALPHA;
}

/* Only likeness: values that alternate make intervals too wide, not too narrow. */
static gboolean is_autocorrelated(const double *x, guint n)
{
	struct test test = n > LONG ? lag_one(x + (n - LONG) / 2, LONG) : lag_one(x, n);

	return test.statistic > 0 && test.p < 2 * ALPHA;
}

flag_set series_flags(const double *x, guint n)
{
	return (has_drift(x, n) ? FLAG_DRIFT : 0) | (is_autocorrelated(x, n) ? FLAG_AUTOCORRELATED : 0);
}

/* Places of the values that stand out: at most OUTLIERS_MAX. */
static guint find_outliers(const double *x, guint n, guint places[OUTLIERS_MAX])
{
	gsize max = CLAMP(n / OUTLIERS_SHARE, 1, OUTLIERS_MAX);
	struct gesd_step steps[OUTLIERS_MAX];
	g_autofree double *logs = NULL, *work = NULL;
	g_autofree gsize *order = NULL;
	guint found;

	if (n > LONG)
		return 0;
	logs = g_new(double, n + 1);
	work = g_new(double, n + 1);
	order = g_new(gsize, n + 1);
	found = (guint)gesd(logarithms(x, n, logs) ? x : logs, n, max, ALPHA, steps, work, order);
	for (guint i = 0; i < found; i++)
		places[i] = (guint)steps[i].index;
	return found;
}

static int ascending(gconstpointer a, gconstpointer b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static gboolean has_modes(const double *x, guint n)
{
	g_autofree double *sorted = thinned(x, n, LONG_MODES, &n);
	g_autofree void *work = NULL;
	double dip;

	if (n < MODES_MIN)
		return FALSE;
	work = g_malloc(dip_test_bytes(n));
	qsort(sorted, n, sizeof(double), ascending);
	untie(sorted, n);
	dip = sqrt(n) * dip_sorted(sorted, n, work);
	if (dip < MODES_NEVER || dip > MODES_ALWAYS)
		return dip > MODES_ALWAYS;
	/* a few simulations tell most samples without modes: five of 99 as large means p < .01 with a chance of 1 in 300 */
	return dip_test(sorted, n, MODES_SIMULATIONS / 10, 1, work).p <= 5 * ALPHA &&
	       dip_test(sorted, n, MODES_SIMULATIONS, 1, work).p < ALPHA;
}

flag_set shape_flags(const double *x, guint n, guint *outliers)
{
	guint places[OUTLIERS_MAX];

	*outliers = find_outliers(x, n, places);
	return (*outliers ? FLAG_OUTLIERS : 0) | (has_modes(x, n) ? FLAG_MODES : 0);
}

GArray *outlying_values(const double *x, guint n)
{
	guint places[OUTLIERS_MAX], found = find_outliers(x, n, places);
	GArray *outlying = g_array_new(FALSE, FALSE, sizeof(guint));

	g_array_append_vals(outlying, places, found);
	return outlying;
}
