#include "probe_internal.h"

/* Waking up is all that it does. */
static gboolean timer_request(struct probe *probe, GError **error)
{
	return TRUE;
}

static const struct metric timer_metrics[] = LATENCY_METRICS("timer", "wake-up by the clock");

const struct probe_kind probe_timer = {
    .name = "timer",
    .summary = "wakes up every 10 ms",
    .metrics = timer_metrics,
    .period_ns = 10 * PROBE_MS,
    .request = timer_request,
};
