#include "progress.h"

#include <stdio.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "../workloads/workload.h"
#include "clock.h"
#include "plan.h"
#include "run.h"
#include "unit.h"

struct progress {
	const struct plan *plan;
	gboolean shown;
	guint index;
	double run_start;
	double *spent_s; /* reset and run, a workload */
	guint *done;     /* runs, a workload */
	guint failed;
};

struct progress *progress_new(const struct plan *plan, gboolean quiet)
{
	struct progress *progress = g_new0(struct progress, 1);

	progress->plan = plan;
	progress->shown = !quiet && isatty(STDERR_FILENO);
	progress->spent_s = g_new0(double, plan->workloads->len);
	progress->done = g_new0(guint, plan->workloads->len);
	return progress;
}

/* Seconds for the runs from index on, from what runs of each workload have taken; 0 while nothing is known. */
static double time_left(const struct progress *progress)
{
	const struct plan *plan = progress->plan;
	double all_s = 0, left_s = 0;
	guint all = 0;

	for (guint w = 0; w < plan->workloads->len; w++) {
		all_s += progress->spent_s[w];
		all += progress->done[w];
	}
	if (!all)
		return 0;
	for (guint i = progress->index; i < plan->runs->len; i++) {
		guint w = g_array_index(plan->runs, struct planned_run, i).workload;

		left_s += progress->done[w] ? progress->spent_s[w] / progress->done[w] : all_s / all;
	}
	left_s -= clock_monotonic_s() - progress->run_start;
	return MAX(left_s, 1);
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
	run = &g_array_index(progress->plan->runs, struct planned_run, progress->index);
	config = progress->plan->workloads->pdata[run->workload];
	name = text_printable(config->spec);
	left = time_left(progress);
	g_string_printf(line, "run %u of %u", run->position, progress->plan->runs->len);
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
	progress_tick(progress);
}

void progress_finish(struct progress *progress, guint index, const struct run_result *result)
{
	guint w = g_array_index(progress->plan->runs, struct planned_run, index).workload;

	progress->spent_s[w] += clock_monotonic_s() - progress->run_start;
	progress->done[w]++;
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
	g_free(progress->spent_s);
	g_free(progress->done);
	g_free(progress);
}
