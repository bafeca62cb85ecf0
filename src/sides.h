#ifndef SIDES_H
#define SIDES_H

#include <glib.h>

struct operands;

/* The sides of a comparison, struct selection *, the baseline first. NULL with a usage error where there are not two.
 */

/* The labels and files named. */
GPtrArray *sides_by_name(struct operands *operands, GError **error);
/* The levels of a factor among the runs, in order of appearance; baseline NULL: the first. */
GPtrArray *sides_by_factor(struct operands *operands, const char *factor, const char *baseline, GError **error);

/* Names (const char *) of the factors that have two levels or more among the runs. */
GPtrArray *sides_factors(struct operands *operands);

#endif
