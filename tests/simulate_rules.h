#ifndef SIMULATE_RULES_H
#define SIMULATE_RULES_H

#include "simulate.h"

/* How a repetition is made and judged: the run members of scenarios. */

/* Runs of all sides in random order, no blocks. n: of the baseline. */
unsigned independent(const struct scenario *s, guint n, struct stream *stream);
/* n blocks: each side once, in random order, on a machine whose noise has a memory. */
unsigned blocked(const struct scenario *s, guint n, struct stream *stream);
/* Three boots a side of n runs each; spread[0] is that of boots, spread[1] that of runs. EVENT_NAIVE: Welch's test of
 * all runs. */
unsigned boots(const struct scenario *s, guint n, struct stream *stream);
/* Blocks of two, looked at after each from the third to the n-th. EVENT_NAIVE: p < .05 at any look. */
unsigned until_decided(const struct scenario *s, guint n, struct stream *stream);
/* The interval that show gives for the mean of n normal runs. */
unsigned shown(const struct scenario *s, guint n, struct stream *stream);

#endif
