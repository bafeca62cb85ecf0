#ifndef STATS_POWER_H
#define STATS_POWER_H

/* Power of two-sided t tests by the noncentral t distribution, both tails counted.
 * delta: true difference; sd: of one value (unpaired) or of one paired difference (paired); n: values a side, or pairs,
 * real-valued, >= 2. All are NaN outside the domain: n < 2, sd < 0, alpha or power not in (0,1).
 * Accurate to 1e-12, so a power wanted above 1 - 1e-12 counts as that.
 * source: R power.t.test(strict = TRUE), type two.sample and paired */
enum power_design { POWER_UNPAIRED, POWER_PAIRED };

/* sd 0: 1 for any difference, NaN for none. */
double power_t(double n, double delta, double sd, double alpha, enum power_design design);

/* Smallest delta >= 0 found with the given power: 0 where sd is 0 or chance alone (alpha) gives it. */
double power_detectable(double n, double sd, double alpha, double power, enum power_design design);

/* n (a side, or pairs) for the given power, real-valued, at least 2: round up. Infinity where delta is 0. */
double power_n(double delta, double sd, double alpha, double power, enum power_design design);

#endif
