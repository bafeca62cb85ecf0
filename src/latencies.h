#ifndef LATENCIES_H
#define LATENCIES_H

#include <glib.h>

/* Latencies of requests that are due a period apart, one after the other. Each counts from when its request was due
 * and not from when it was sent, so that a stall counts for every request that it delayed and not only for the one
 * that met it ("coordinated omission", Tene 2013). Arithmetic only: times are nanoseconds of any one clock. */

/* Buckets of a width of 1 up to 256, and from there on 128 to an octave: their middle is within 0.4% of each value in
 * them. Up to 2^63.   source: the idea of HdrHistogram (Tene) */
#define LATENCIES_SUB_BITS 7
#define LATENCIES_BUCKETS ((63 - LATENCIES_SUB_BITS + 1) << LATENCIES_SUB_BITS)

/* Of a fixed size and without pointers, so that it may lie in memory that processes share. */
struct latencies {
	gint64 period_ns;
	gint64 due_ns;         /* when the first request that is not done was or will be due */
	gint64 done_ns;        /* when the last one was done; 0: none */
	gint64 min_ns, max_ns; /* exact */
	guint64 n;
	guint64 n_missed; /* not done before the next was due */
	guint32 buckets[LATENCIES_BUCKETS];
};

void latencies_begin(struct latencies *latencies, gint64 first_due_ns, gint64 period_ns);

/* The request that was due at due_ns is done; the next is due a period later. */
void latencies_done(struct latencies *latencies, gint64 now_ns);

/* No more are sent from stop_ns on. What was due by then and is not done at end_ns (stop_ns or later) counts with its
 * delay up to there. */
void latencies_end(struct latencies *latencies, gint64 stop_ns, gint64 end_ns);

/* Quantile type 7, as quantile_sorted() of stats/describe.h; p in [0,1]. Within 0.4%, exact for 0 and 1. NaN where
 * there is no latency. */
double latencies_quantile_ns(const struct latencies *latencies, double p);

#endif
