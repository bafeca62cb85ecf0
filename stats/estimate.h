#ifndef STATS_ESTIMATE_H
#define STATS_ESTIMATE_H

#include <stddef.h>

/* What a result of this library may carry besides its number. A statistic that cannot answer returns NaN (or an
 * interval from -infinity to +infinity) and the flag that says why. Higher bits belong to the callers. */
enum estimate_flag {
	EST_TOO_FEW = 1u << 0,      /* fewer values than the procedure needs */
	EST_CONSTANT = 1u << 1,     /* no variation beyond rounding */
	EST_NOT_FINITE = 1u << 2,   /* a value is NaN or infinite */
	EST_NOT_POSITIVE = 1u << 3, /* a logarithm was asked of a value <= 0 */
	EST_UNBOUNDED = 1u << 4     /* enough values, and still no finite interval at this level */
};

/* One quantity with its interval. Unit: that of the data. n is the number of values it rests on. */
struct estimate {
	double value, low, high;
	double level; /* of the interval, in (0,1) */
	size_t n;
	unsigned flags;
};

/* A difference (y minus x) with all that is needed to make its interval at any level and to test it against any
 * bound: the estimate is t-distributed about the truth with standard error se and df degrees of freedom.
 * t and p (two-sided) test "no difference". Unit of estimate and se: that of the data (log units if logs went in). */
struct contrast {
	double estimate, se, df;
	double t, p;
	size_t nx, ny; /* pairs: nx == ny == number of pairs */
	unsigned flags;
};

/* A test of "no effect". The statistic is the one its function names (W, H, F, chi-squared ...), df its degrees of
 * freedom and df_error the denominator's of an F; NaN where it has none. p is two-sided unless the function says
 * otherwise. n: values in all. Where the data cannot be tested statistic and p are NaN. */
struct test {
	double statistic, df, df_error, p;
	size_t n;
	unsigned flags;
};

/* Fills in t and p from estimate, se and df. se 0: flag CONSTANT, p 1 if the estimate is 0, else NaN. Not finite: flag
 * NOT_FINITE, all NaN. */
void contrast_test(struct contrast *c);

/* Interval of a contrast at a level in (0,1). Zero width where se == 0, with or without df; unbounded where se or df is
 * NaN or the level is none. */
void contrast_interval(const struct contrast *c, double level, double *low, double *high);

/* Equivalence: the larger of the two one-sided p values of H0 "truth <= low" and H0 "truth >= high".
 * NaN where se is NaN or zero.   source: Schuirmann 1987 */
double contrast_tost_p(const struct contrast *c, double low, double high);

#endif
