#include "latencies.h"

#include <math.h>

static guint bucket_of(guint64 value)
{
	int shift = MAX(0, 63 - __builtin_clzll(value | 1) - LATENCIES_SUB_BITS);

	return ((guint)shift << LATENCIES_SUB_BITS) + (guint)(value >> shift);
}

static double bucket_middle(guint bucket)
{
	int shift = MAX(0, (int)(bucket >> LATENCIES_SUB_BITS) - 1);
	guint64 low = (guint64)(bucket - ((guint)shift << LATENCIES_SUB_BITS)) << shift;

	return (double)low + (double)((G_GUINT64_CONSTANT(1) << shift) - 1) / 2;
}

void latencies_begin(struct latencies *latencies, gint64 first_due_ns, gint64 period_ns)
{
	*latencies = (struct latencies){.period_ns = period_ns, .due_ns = first_due_ns};
}

static void count(struct latencies *latencies, gint64 latency_ns)
{
	latencies->min_ns = latencies->n ? MIN(latencies->min_ns, latency_ns) : latency_ns;
	latencies->max_ns = latencies->n ? MAX(latencies->max_ns, latency_ns) : latency_ns;
	latencies->buckets[bucket_of((guint64)latency_ns)]++;
	latencies->n_missed += latency_ns >= latencies->period_ns;
	latencies->n++;
}

void latencies_done(struct latencies *latencies, gint64 now_ns)
{
	count(latencies, MAX(now_ns - latencies->due_ns, 0));
	latencies->due_ns += latencies->period_ns;
	latencies->done_ns = now_ns;
}

void latencies_end(struct latencies *latencies, gint64 stop_ns, gint64 end_ns)
{
	for (; latencies->due_ns <= stop_ns; latencies->due_ns += latencies->period_ns)
		count(latencies, end_ns - latencies->due_ns);
}

/* The latency that k others are not above. */
static double order_statistic(const struct latencies *latencies, guint64 k)
{
	guint64 below = 0;
	guint bucket = 0;

	if (k == 0)
		return (double)latencies->min_ns;
	if (k == latencies->n - 1)
		return (double)latencies->max_ns;
	for (; bucket < LATENCIES_BUCKETS - 1; bucket++) {
		below += latencies->buckets[bucket];
		if (below > k)
			break;
	}
	return CLAMP(bucket_middle(bucket), (double)latencies->min_ns, (double)latencies->max_ns);
}

double latencies_quantile_ns(const struct latencies *latencies, double p)
{
	double position, low;
	guint64 k;

	if (latencies->n == 0)
		return NAN;
	position = (double)(latencies->n - 1) * p;
	k = (guint64)position;
	low = order_statistic(latencies, k);
	if (k == latencies->n - 1)
		return low;
	return low + (position - (double)k) * (order_statistic(latencies, k + 1) - low);
}
