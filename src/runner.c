#include "runner.h"

#include <errno.h>
#include <sys/random.h>

#include "../workloads/workload.h"
#include "err.h"
#include "exec.h"
#include "plan.h"
#include "progress.h"
#include "reset.h"
#include "run.h"
#include "scratch.h"
#include "store.h"

/* One execution of a plan as it goes on. */
struct execution {
	const struct runner *runner;
	struct progress *progress;
	struct runner_summary *summary;
	guint64 nonce;
	GHashTable *warned; /* texts that were said once */
	GError *tick_error;
};

static void execution_tick(void *data)
{
	struct execution *execution = data;

	/* this run is a long one: what short ones before it left unwritten must not wait for its end */
	if (!execution->tick_error)
		store_flush(execution->runner->store, &execution->tick_error);
	progress_tick(execution->progress);
}

static void warn_once(struct execution *execution, const char *text)
{
	if (!g_hash_table_add(execution->warned, g_strdup(text)))
		return;
	progress_clear(execution->progress);
	execution->runner->warn("%s", text);
}

/* Brings the machine to where each run starts from. */
static gboolean prepare(struct execution *execution, guint32 *flags, GError **error)
{
	const struct runner *runner = execution->runner;
	g_autofree char *warning = NULL;

	if (!g_str_equal(runner->reset->name, "none") && !store_flush(runner->store, error))
		return FALSE;
	if (!runner->reset->apply(runner->scratch->fd, flags, &warning, error))
		return FALSE;
	if (warning)
		warn_once(execution, warning);
	if (runner->settle_s > 0)
		exec_sleep(runner->settle_s);
	return TRUE;
}

/* Stores what came of a run and tells of a failure, in this order. */
static gboolean conclude(struct execution *execution, guint index, const struct run_result *result, gboolean *durable,
                         GError **error)
{
	const struct runner *runner = execution->runner;
	const struct planned_run *planned = &g_array_index(runner->plan->runs, struct planned_run, index);
	const struct workload_config *config = runner->plan->workloads->pdata[planned->workload];

	if (!store_finish_run(runner->store, index, result, durable, error))
		return FALSE;
	execution->summary->done++;
	progress_finish(execution->progress, index, result);
	if (result->outcome == OUTCOME_OK)
		return TRUE;
	execution->summary->failed++;
	if (!store_flush(runner->store, error))
		return FALSE;
	*durable = TRUE;
	if (result->outcome != OUTCOME_INTERRUPTED) {
		g_autofree char *text =
		    g_strdup_printf("%s: run %s: %s", config->spec, outcome_name(result->outcome), result->message);

		warn_once(execution, text);
	}
	return TRUE;
}

static gboolean execute_run(struct execution *execution, guint index, gboolean *durable, GError **error)
{
	const struct runner *runner = execution->runner;
	const struct planned_run *planned = &g_array_index(runner->plan->runs, struct planned_run, index);
	const struct workload_config *config = runner->plan->workloads->pdata[planned->workload];
	struct exec_watch watch = {.timeout_s = runner->timeout_s, .tick = execution_tick, .data = execution};
	struct run_result result;
	guint32 flags = 0;
	gboolean ok;

	/* what is on the screen must be on the disk */
	if (*durable)
		progress_start(execution->progress, index);
	if (!prepare(execution, &flags, error))
		return FALSE;
	if (runner->settle_s > 0 && exec_stop_signal())
		return TRUE;
	if (!run_workload(config, runner->scratch->fd, execution->nonce + index, &watch, &result, error))
		return FALSE;
	result.flags |= flags;
	ok = scratch_empty(runner->scratch, error);
	ok = conclude(execution, index, &result, durable, ok ? error : NULL) && ok;
	run_result_clear(&result);
	if (ok && execution->tick_error) {
		g_propagate_error(error, g_steal_pointer(&execution->tick_error));
		return FALSE;
	}
	return ok;
}

gboolean runner_execute(const struct runner *runner, struct runner_summary *summary, GError **error)
{
	struct execution execution = {.runner = runner, .summary = summary};
	gboolean ok = TRUE, durable = TRUE;

	*summary = (struct runner_summary){0};
	if (getrandom(&execution.nonce, sizeof execution.nonce, 0) != sizeof execution.nonce)
		return err_errno(error, errno, "cannot get random bytes");
	execution.progress = progress_new(runner->plan, runner->quiet);
	execution.warned = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	for (guint i = 0; ok && i < runner->plan->runs->len && !exec_stop_signal(); i++)
		ok = execute_run(&execution, i, &durable, error);
	ok = store_flush(runner->store, ok ? error : NULL) && ok;
	summary->stop_signal = exec_stop_signal();
	progress_free(execution.progress);
	g_hash_table_unref(execution.warned);
	g_clear_error(&execution.tick_error);
	return ok;
}
