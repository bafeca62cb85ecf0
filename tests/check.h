#ifndef CHECK_H
#define CHECK_H

/* What cmocka lacks. Includes cmocka and what it needs. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>

/* Fails unless got is within rel of want, relative to want (absolute where want is 0). NaN and infinity equal themselves
 * only. */
#define assert_close(got, want, rel) check_close((got), (want), (rel), #got, __FILE__, __LINE__)

static inline void check_close(double got, double want, double rel, const char *what, const char *file, int line)
{
	int same = isnan(want) ? isnan(got) : isinf(want) ? got == want : fabs(got - want) <= rel * (want != 0 ? fabs(want) : 1);

	if (!same) {
		print_error("%s:%d: %s is %.17g, not %.17g (within %g)\n", file, line, what, got, want, rel);
		_fail(file, line);
	}
}

/* A test binary that cannot run here (no root, no shared data) says why and exits with this. */
#define EXIT_SKIPPED 77

#endif
