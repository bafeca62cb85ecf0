#include "change.h"

#include "edivisive.h"
#include "pelt.h"

const struct change_settings change_settings_usual = {.alpha = 0.02, .permutations = 499, .min_length = 2, .seed = 1};

size_t change_points_bytes(size_t n)
{
	return n <= CHANGE_EDIVISIVE_UP_TO ? edivisive_bytes(n) : pelt_bytes(n);
}

size_t change_points(const double *x, size_t n, const struct change_settings *settings, struct change *changes,
		     size_t max, void *work)
{
	return n <= CHANGE_EDIVISIVE_UP_TO ? edivisive(x, n, settings, changes, max, work)
					   : pelt_confirmed(x, n, settings, changes, max, work);
}
