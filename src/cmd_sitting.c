#include "cmd_sitting.h"

#include "cmd.h"
#include "err.h"
#include "exec.h"
#include "sitting.h"
#include "store.h"

static int status_of(const struct sitting *sitting, const struct runner_summary *summary, int printed)
{
	if (summary->stop_signal) {
		cmd_warn("interrupted after %u of %u runs: these are kept", summary->done, sitting->plan->runs->len);
		return 128 + summary->stop_signal;
	}
	if (printed != EXIT_OK)
		return printed;
	return summary->failed ? EXIT_SOME_FAILED : EXIT_OK;
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
	ok = sitting_execute(sitting, &summary, &opened, &error) &&
	     (!summary.done || report->append(report->data, sitting, &summary, opened, out, &error));
	store_close(opened);
	status = ok ? status_of(sitting, &summary, cmd_print(out)) : cmd_fail(error);
	runner_summary_clear(&summary);
	return status;
}
