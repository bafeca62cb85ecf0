#include "fisher.h"

#include <math.h>

#include <gsl/gsl_randist.h>

#include "sides.h"

/* Tables that are as likely as the observed one but for rounding are so. As in R. */
#define TIE (1 + 1e-7)

struct test fisher(unsigned failed_x, unsigned nx, unsigned failed_y, unsigned ny)
{
	struct test t = test_unanswered((size_t)nx + ny, 0);
	unsigned failed = failed_x + failed_y, first, last;
	double observed, below = 0, above = 0;

	if (nx == 0 || ny == 0 || failed_x > nx || failed_y > ny) {
		t.flags = EST_TOO_FEW;
		return t;
	}
	t.statistic = (double)failed_y * (nx - failed_x) / ((double)failed_x * (ny - failed_y));
	first = failed > nx ? failed - nx : 0;
	last = failed < ny ? failed : ny;
	observed = gsl_ran_hypergeometric_pdf(failed_y, ny, nx, failed);
	for (unsigned k = first; k <= last; k++) {
		double p = gsl_ran_hypergeometric_pdf(k, ny, nx, failed);

		if (p <= observed * TIE)
			below += p;
		else
			above += p;
	}
	t.p = below / (below + above);
	return t;
}
