#include "progress.h"

#include <stdio.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "../workloads/workload.h"
#include "clock.h"
#include "pace.h"
#include "plan.h"
#include "run.h"
#include "unit.h"

struct progress {
	const struct pace *pace;
	gboolean shown;
	guint index;
	double run_start;
	guint failed;
};

struct progress *progress_new(const struct pace *pace, gboolean quiet)
{
	struct progress *progress = g_new0(struct progress, 1);

	progress->pace = pace;
	progress->shown = !quiet && isatty(STDERR_FILENO) && g_strcmp0(g_getenv("TERM"), "dumb") != 0;
	return progress;
}

/* Seconds from now to the end of the plan; 0 while nothing is known. */
static double time_left(const struct progress *progress)
{
	double left_s = pace_estimate(progress->pace, progress->index, progress->pace->plan->runs->len);

	return left_s > 0 ? MAX(left_s - (clock_monotonic_s() - progress->run_start), 1) : 0;
}

static guint terminal_width(void)
{
	struct winsize size;

	return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

void progress_tick(void *data)
{
	struct progress *progress = data;
	const struct planned_run *run;
	const struct workload_config *config;
	g_autoptr(GString) line = g_string_new(NULL);
	g_autofree char *name = NULL;
	double left;

	if (!progress->shown)
		return;
	run = &g_array_index(progress->pace->plan->runs, struct planned_run, progress->index);
	config = progress->pace->plan->workloads->pdata[run->workload];
	name = text_printable(config->spec);
	left = time_left(progress);
	g_string_printf(line, "run %u of %u", run->position, progress->pace->plan->runs->len);
	if (left > 0) {
		g_autofree char *text = duration_format(left);

		g_string_append_printf(line, ", about %s left", text);
	}
	if (progress->failed)
		g_string_append_printf(line, ", %u failed", progress->failed);
	g_string_append_printf(line, ": %s%s", name, run->warmup ? " (warm-up)" : "");
	if (g_utf8_strlen(line->str, -1) >= terminal_width())
		g_string_truncate(line, (gsize)(g_utf8_offset_to_pointer(line->str, terminal_width() - 1) - line->str));
	fprintf(stderr, "\r\033[K%s", line->str);
	fflush(stderr);
}

void progress_start(struct progress *progress, guint index)
{
	progress->index = index;
	progress->run_start = clock_monotonic_s();
}

void progress_finish(struct progress *progress, const struct run_result *result)
{
	if (result->outcome != OUTCOME_OK)
		progress->failed++;
}

void progress_clear(struct progress *progress)
{
	if (progress->shown)
		fputs("\r\033[K", stderr);
}

void progress_free(struct progress *progress)
{
	progress_clear(progress);
	g_free(progress);
}
