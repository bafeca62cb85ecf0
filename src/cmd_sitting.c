#include "cmd_sitting.h"

#include "analyse.h"
#include "cmd.h"
#include "cmd_calibration.h"
#include "dataset.h"
#include "document.h"
#include "err.h"
#include "exec.h"
#include "machine.h"
#include "reboots.h"
#include "report.h"
#include "sitting.h"
#include "store.h"
#include "unit.h"

static int status_of(const struct sitting *sitting, const struct runner_summary *summary, int printed)
{
	if (summary->stop_signal) {
		cmd_warn("interrupted after %u of %u runs: these are kept, 'vmstat-bench resume' goes on",
			 summary->done + summary->done_before, sitting->plan->runs->len);
		return 128 + summary->stop_signal;
	}
	if (printed != EXIT_OK)
		return printed;
	return summary->failed ? EXIT_SOME_FAILED : EXIT_OK;
}

gboolean cmd_report_plan(const void *data, const struct sitting *sitting, const struct runner_summary *summary,
			    struct store *store, GString *out, GError **error)
{
	const struct report_format *format = data;
	gboolean text = g_str_equal(format->name, "text");
	struct analyse_options analyse = {.level = 0.95, .margin_pct = 5, .primary_only = !format->is_data};
	g_autoptr(Dataset) dataset = store_load(store, TRUE, error);
	g_autoptr(GArray) rows = g_array_new(FALSE, FALSE, sizeof(guint));
	g_autoptr(Analysis) analysis = NULL;
	g_autofree char *path = text_printable(sitting->store_path);
	struct document to;

	if (!dataset)
		return FALSE;
	for (guint i = 0; i < dataset->n_runs; i++)
		g_array_append_val(rows, i);
	analysis = analyse_show(dataset, rows, &analyse, error);
	if (!analysis)
		return FALSE;
	if (text)
		sitting_describe(sitting, out);
	document_of_terminal(&to, out);
	format->show(analysis, &to);
	if (!text)
		return TRUE;
	sitting_describe_end(sitting, summary, out);
	if (!cmd_append_advice(dataset, sitting->store_path, analyse.margin_pct, out, error))
		return FALSE;
	g_string_append_printf(out, "stored in %s\n", path);
	return TRUE;
}

static void append_reboot(const struct sitting *sitting, const struct runner_summary *summary, GString *out)
{
	g_autofree char *path = text_printable(sitting->store_path);
	guint done = summary->done + summary->done_before;

	g_string_append_printf(out, "%u of %u runs are done: this machine reboots for the next ones\n", done,
			       sitting->plan->runs->len);
	if (!sitting->after_boot)
		g_string_append_printf(out,
				       "'vmstat-bench resume --status --store %s' tells where the plan is; 'vmstat-bench run --cancel "
				       "--store %s', or '" REBOOTS_STOP "' on the kernel's command line, stops it\n",
				       path, path);
}

/* The last thing that this process does. */
static int reboot(const struct sitting *sitting, const struct runner_summary *summary, struct store *store, int status)
{
	gboolean is_told = status == EXIT_OK || status == EXIT_SOME_FAILED;
	GError *error = NULL;

	if (is_told && !exec_stop_signal() && machine_reboot(summary->reboot, &error))
		return status;
	/* who is told to stop between two boots leaves the rest to the next one */
	if (error || !sitting->after_boot)
		reboots_end(store, store_plan_begun(store), error ? error->message : "interrupted before the first reboot", NULL);
	if (error)
		return cmd_fail(error);
	return exec_stop_signal() ? 128 + exec_stop_signal() : status;
}

int cmd_sitting(struct sitting *sitting, char *const *argv, const char *store, const struct sitting_report *report)
{
	g_autoptr(GString) out = g_string_new(NULL);
	struct runner_summary summary = {0};
	struct store *opened = NULL;
	GError *error = NULL;
	gboolean ok;
	int status;

	sitting->store_path = cmd_store_path(store);
	sitting->command = sitting_join_command(argv);
	sitting->warn = cmd_warn;
	exec_init();
	ok = sitting_execute(sitting, &summary, &opened, &error);
	if (ok && summary.reboot)
		append_reboot(sitting, &summary, out);
	else
		ok = ok && (!summary.done || report->append(report->data, sitting, &summary, opened, out, &error));
	status = ok ? status_of(sitting, &summary, cmd_print(out)) : cmd_fail(error);
	if (ok && summary.reboot)
		status = reboot(sitting, &summary, opened, status);
	store_close(opened);
	runner_summary_clear(&summary);
	return status;
}
