#include <errno.h>
#include <time.h>

#include "../src/err.h"
#include "workload.h"

static gboolean idle_run(struct workload_env *env, GError **error)
{
	double seconds = workload_option_value(env->config, "time")->seconds;
	struct timespec left = {.tv_sec = (time_t)seconds, .tv_nsec = (long)((seconds - (double)(time_t)seconds) * 1e9)};
	int failure;

	while ((failure = clock_nanosleep(CLOCK_MONOTONIC, 0, &left, &left)) == EINTR)
		;
	return !failure || err_errno(error, failure, "cannot sleep");
}

static const struct workload_option idle_options[] = {{"time", OPTION_DURATION, "5s", "how long"}, {.name = NULL}};

const struct workload workload_idle = {
    .name = "idle",
    .summary = "does nothing for a while: what probes measure beside it is the machine at rest",
    .options = idle_options,
    .primary = "elapsed",
    .run = idle_run,
};
