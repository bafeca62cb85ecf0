#include "runner.h"

#include <errno.h>
#include <sys/random.h>

#include "../workloads/workload.h"
#include "clock.h"
#include "err.h"
#include "exec.h"
#include "pace.h"
#include "plan.h"
#include "progress.h"
#include "reset.h"
#include "run.h"
#include "scratch.h"
#include "store.h"
#include "until.h"

/* One execution of a plan as it goes on. */
struct execution {
	const struct runner *runner;
	struct pace pace;
	struct progress *progress;
	struct until *until; /* NULL: no rule */
	double started_s;
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
	progress_finish(execution->progress, result);
	if (execution->until)
		until_add(execution->until, index, result);
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
	double start_s = clock_monotonic_s();
	guint32 flags = 0;
	gboolean ok;

	/* a reset may lose what is not on the disk */
	if (!g_str_equal(runner->reset->name, "none")) {
		if (!store_flush(runner->store, error))
			return FALSE;
		*durable = TRUE;
	}
	progress_start(execution->progress, index);
	/* what is on the screen must be on the disk */
	if (*durable)
		progress_tick(execution->progress);
	if (!prepare(execution, &flags, error))
		return FALSE;
	if (runner->settle_s > 0 && exec_stop_signal())
		return TRUE;
	if (!run_workload(config, runner->scratch->fd, execution->nonce + index, &watch, &result, error))
		return FALSE;
	result.flags |= flags | runner->flags;
	ok = scratch_empty(runner->scratch, error);
	ok = conclude(execution, index, &result, durable, ok ? error : NULL) && ok;
	run_result_clear(&result);
	pace_add(&execution->pace, index, clock_monotonic_s() - start_s);
	if (ok && execution->tick_error) {
		g_propagate_error(error, g_steal_pointer(&execution->tick_error));
		return FALSE;
	}
	return ok;
}

static const struct planned_run *run_at(const struct execution *execution, guint index)
{
	return &g_array_index(execution->runner->plan->runs, struct planned_run, index);
}

/* The first run behind the block that begins at index. */
static guint end_of_block(const struct execution *execution, guint index)
{
	guint end = index;

	while (end < execution->runner->plan->runs->len &&
	       run_at(execution, end)->block == run_at(execution, index)->block)
		end++;
	return end;
}

static gboolean has_time(const struct execution *execution, guint index, guint end)
{
	double spent_s = clock_monotonic_s() - execution->started_s, limit_s = execution->runner->max_time_s;

	return limit_s <= 0 || index == 0 || spent_s + pace_estimate(&execution->pace, index, end) < limit_s;
}

static gboolean end_workload(struct execution *execution, guint workload, guint from, GError **error)
{
	execution->pace.is_ended[workload] = TRUE;
	for (guint i = from; i < execution->runner->plan->runs->len; i++) {
		if (run_at(execution, i)->workload != workload)
			continue;
		if (!store_skip_run(execution->runner->store, i, "stopped early: decided", error))
			return FALSE;
		execution->summary->skipped++;
	}
	return TRUE;
}

/* Asks the rule after a block and ends the workloads of which it has seen enough; end is the run behind the block. */
static gboolean look(struct execution *execution, guint end, GError **error)
{
	const struct plan *plan = execution->runner->plan;
	g_autoptr(GArray) looks = g_array_new(FALSE, FALSE, sizeof(struct look));

	until_look(execution->until, run_at(execution, end - 1)->block, looks);
	for (guint i = 0; i < looks->len; i++) {
		const struct look *seen = &g_array_index(looks, struct look, i);

		if (!store_look(execution->runner->store, seen, error))
			return FALSE;
		if (seen->is_decided)
			g_array_append_vals(execution->summary->decisions, seen, 1);
	}
	for (guint w = 0; w < plan->workloads->len; w++)
		if (!execution->pace.is_ended[w] && until_is_done(execution->until, w) &&
		    !end_workload(execution, w, end, error))
			return FALSE;
	return TRUE;
}

/* A block, or all warm-up runs, from the run at index on. */
static gboolean execute_block(struct execution *execution, guint index, guint end, gboolean *durable, GError **error)
{
	gboolean is_warmup = run_at(execution, index)->warmup;

	for (; index < end; index++) {
		if (exec_stop_signal())
			return TRUE;
		if (!execution->pace.is_ended[run_at(execution, index)->workload] &&
		    !execute_run(execution, index, durable, error))
			return FALSE;
	}
	return !execution->until || is_warmup || exec_stop_signal() || look(execution, end, error);
}

static gboolean execute_blocks(struct execution *execution, GError **error)
{
	gboolean durable = TRUE;

	for (guint index = 0, end; index < execution->runner->plan->runs->len && !exec_stop_signal(); index = end) {
		end = end_of_block(execution, index);
		if (!has_time(execution, index, end)) {
			execution->summary->out_of_time = TRUE;
			return TRUE;
		}
		if (!execute_block(execution, index, end, &durable, error))
			return FALSE;
	}
	return TRUE;
}

gboolean runner_execute(const struct runner *runner, struct runner_summary *summary, GError **error)
{
	struct execution execution = {.runner = runner, .summary = summary, .started_s = clock_monotonic_s()};
	gboolean ok;

	*summary = (struct runner_summary){0};
	if (getrandom(&execution.nonce, sizeof execution.nonce, 0) != sizeof execution.nonce)
		return err_errno(error, errno, "cannot get random bytes");
	pace_init(&execution.pace, runner->plan);
	execution.progress = progress_new(&execution.pace, runner->quiet);
	execution.warned = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	if (runner->rule) {
		execution.until = until_new(runner->rule, runner->plan);
		summary->decisions = g_array_new(FALSE, FALSE, sizeof(struct look));
	}
	ok = execute_blocks(&execution, error);
	ok = store_flush(runner->store, ok ? error : NULL) && ok;
	summary->stop_signal = exec_stop_signal();
	progress_free(execution.progress);
	pace_clear(&execution.pace);
	until_free(execution.until);
	g_hash_table_unref(execution.warned);
	g_clear_error(&execution.tick_error);
	return ok;
}

void runner_summary_clear(struct runner_summary *summary)
{
	g_clear_pointer(&summary->decisions, g_array_unref);
}
