#include "error_contrast.h"

#include <math.h>

struct contrast error_contrast(double mean_x, size_t nx, double mean_y, size_t ny, const struct anova_term *error)
{
	struct contrast c = {.estimate = mean_y - mean_x, .se = NAN, .df = NAN, .t = NAN, .p = NAN, .nx = nx, .ny = ny};

	if (nx == 0 || ny == 0 || !(error->df > 0)) {
		c.flags = EST_TOO_FEW;
		return c;
	}
	c.df = error->df;
	c.se = sqrt(error->ms) * sqrt(1 / (double)nx + 1 / (double)ny);
	contrast_test(&c);
	return c;
}
