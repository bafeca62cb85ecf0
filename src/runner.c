#include "runner.h"

#include <errno.h>
#include <sys/random.h>

#include "../workloads/workload.h"
#include "clock.h"
#include "environment.h"
#include "err.h"
#include "exec.h"
#include "flag.h"
#include "pace.h"
#include "plan.h"
#include "progress.h"
#include "reset.h"
#include "run.h"
#include "store.h"
#include "until.h"
#include "witness.h"

/* One execution of a plan as it goes on. */
struct execution {
	const struct runner *runner;
	struct pace pace;
	struct progress *progress;
	struct until *until; /* NULL: no rule */
	struct witness witness;
	double started_s;
	struct runner_summary *summary;
	guint64 nonce;
	GHashTable *warned; /* texts that were said once */
	GError *tick_error;
};

static void execution_tick(void *data)
{
	struct execution *execution = data;

	witness_tick(&execution->witness);
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

static const struct planned_run *run_at(const struct execution *execution, guint index)
{
	return &g_array_index(execution->runner->plan->runs, struct planned_run, index);
}

static const struct workload_config *config_of(const struct execution *execution, const struct planned_run *planned)
{
	return g_array_index(execution->runner->plan->cells, struct plan_cell, planned->cell).config;
}

static struct exec_watch watch_of(struct execution *execution)
{
	return (struct exec_watch){.timeout_s = execution->runner->timeout_s,
				   .tick = execution_tick,
				   .data = execution,
				   .procs_fd = execution->runner->environment->env.procs_fd};
}

/* Brings the machine to where each run of the treatment starts from. Where the workload's own preparation came to
 * nothing the result says so, and *is_ready is FALSE. */
static gboolean prepare(struct execution *execution, const struct planned_run *planned, struct run_result *result,
			gboolean *is_ready, flag_set *flags, GError **error)
{
	const struct runner *runner = execution->runner;
	struct place *place = &runner->environment->place;
	struct exec_watch watch;
	g_autofree char *warning = NULL;

	if (runner->reset->remakes)
		place->is_stale = TRUE;
	if (!environment_apply(runner->environment, runner->plan->treatments->pdata[planned->treatment], error))
		return FALSE;
	/* before the reset, which then does with those files what it does with all others */
	watch = watch_of(execution);
	*is_ready = run_prepare(config_of(execution, planned), place->dirfd, &watch, result);
	if (!*is_ready)
		return TRUE;
	if (!witness_prepare(&execution->witness, place, error) ||
	    !runner->reset->apply(place, flags, &warning, error))
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
	const struct workload_config *config = config_of(execution, run_at(execution, index));

	if (!store_finish_run(runner->store, index, result, durable, error))
		return FALSE;
	execution->summary->done += result->outcome != OUTCOME_INTERRUPTED;
	progress_finish(execution->progress, result);
	if (execution->until)
		until_add(execution->until, index, run_result_primary(result, config));
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

/* What ran with other settings than were made for it cannot count. */
static void judge_settings(const struct environment *environment, struct run_result *result)
{
	g_autofree char *changed = result->outcome == OUTCOME_OK ? environment_changed(environment) : NULL;

	if (!changed)
		return;
	result->outcome = OUTCOME_DISTURBED;
	result->message = g_strdup_printf("%s during the run", changed);
}

/* The run itself, with what looks on; result is filled in where it is TRUE. */
static gboolean run_witnessed(struct execution *execution, guint index, struct run_result *result, GError **error)
{
	const struct runner *runner = execution->runner;
	const struct planned_run *planned = run_at(execution, index);
	const struct workload_config *config = config_of(execution, planned);
	const struct place *place = &runner->environment->place;
	struct exec_watch watch = watch_of(execution);
	g_autofree char *warning = NULL;

	if (!witness_begin(&execution->witness, planned->cell, config, place, error))
		return FALSE;
	if (!run_workload(config, place->dirfd, execution->nonce + index, &watch, result, error)) {
		witness_abandon(&execution->witness);
		return FALSE;
	}
	witness_end(&execution->witness, planned->cell, result, &warning);
	judge_settings(runner->environment, result);
	if (warning)
		warn_once(execution, warning);
	if (result->flags & FLAG_NOT_ALONE)
		warn_once(execution, "another vmstat-bench is running on this machine: they disturb each other");
	return TRUE;
}

/* One run, from the reset to what is left of it; nothing is stored where we were asked to stop before it began. */
static gboolean execute_prepared(struct execution *execution, guint index, gboolean *durable, GError **error)
{
	const struct runner *runner = execution->runner;
	struct run_result result;
	flag_set flags = 0;
	gboolean is_ready = FALSE;
	gboolean ok = prepare(execution, run_at(execution, index), &result, &is_ready, &flags, error);

	if (!ok && exec_stop_signal()) {
		/* what was being made, a filesystem or a swap file, was told to stop as we were */
		g_clear_error(error);
		ok = TRUE;
	} else if (ok && !(is_ready && runner->settle_s > 0 && exec_stop_signal())) {
		ok = !is_ready || run_witnessed(execution, index, &result, error);
		if (ok) {
			result.flags |= flags;
			ok = place_empty(&runner->environment->place, error);
			ok = conclude(execution, index, &result, durable, ok ? error : NULL) && ok;
			run_result_clear(&result);
		}
	}
	return environment_release(runner->environment, ok ? error : NULL) && ok;
}

static gboolean execute_run(struct execution *execution, guint index, gboolean *durable, GError **error)
{
	const struct runner *runner = execution->runner;
	double start_s = clock_monotonic_s();
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
	ok = execute_prepared(execution, index, durable, error);
	pace_add(&execution->pace, index, clock_monotonic_s() - start_s);
	if (ok && execution->tick_error) {
		g_propagate_error(error, g_steal_pointer(&execution->tick_error));
		return FALSE;
	}
	return ok;
}

static gboolean is_done(const struct execution *execution, guint index)
{
	return execution->runner->done && execution->runner->done[index];
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

	return limit_s <= 0 || execution->summary->done == 0 || spent_s + pace_estimate(&execution->pace, index, end) < limit_s;
}

static gboolean end_workload(struct execution *execution, guint workload, guint from, GError **error)
{
	execution->pace.is_ended[workload] = TRUE;
	for (guint i = from; i < execution->runner->plan->runs->len; i++) {
		if (run_at(execution, i)->workload != workload || is_done(execution, i))
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

	execution->runner->environment->place.is_stale = TRUE;
	for (; index < end; index++) {
		if (exec_stop_signal())
			return TRUE;
		if (!is_done(execution, index) && !execution->pace.is_ended[run_at(execution, index)->workload] &&
		    !execute_run(execution, index, durable, error))
			return FALSE;
	}
	return !execution->until || is_warmup || exec_stop_signal() || look(execution, end, error);
}

/* The first run from index on that has no result yet, or the end of the plan. */
static guint next_pending(const struct execution *execution, guint index)
{
	while (index < execution->runner->plan->runs->len && is_done(execution, index))
		index++;
	return index;
}

/* What earlier sittings of the plan found: the rule looks at it as it did then. */
static gboolean replay(struct execution *execution, GError **error)
{
	const struct plan *plan = execution->runner->plan;

	for (guint index = 0, end; index < plan->runs->len; index = end) {
		g_autoptr(GArray) looks = g_array_new(FALSE, FALSE, sizeof(struct look));

		end = end_of_block(execution, index);
		for (guint i = index; i < end; i++) {
			const struct planned_run *planned = run_at(execution, i);
			double value;

			if (!is_done(execution, i))
				continue;
			execution->summary->done_before++;
			if (!execution->until)
				continue;
			if (!store_run_value(execution->runner->store, i, workload_config_primary(config_of(execution, planned)),
					     &value, error))
				return FALSE;
			until_add(execution->until, i, value);
		}
		if (execution->until && !run_at(execution, index)->warmup && next_pending(execution, index) >= end)
			until_look(execution->until, run_at(execution, index)->block, looks);
	}
	for (guint w = 0; execution->until && w < plan->workloads->len; w++)
		execution->pace.is_ended[w] = until_is_done(execution->until, w);
	return TRUE;
}

static gboolean execute_blocks(struct execution *execution, GError **error)
{
	gboolean durable = TRUE;

	for (guint index = 0, end; index < execution->runner->plan->runs->len && !exec_stop_signal(); index = end) {
		end = end_of_block(execution, index);
		if (next_pending(execution, index) >= end)
			continue;
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
	pace_init(&execution.pace, runner->plan, runner->done);
	execution.progress = progress_new(&execution.pace, runner->quiet);
	execution.warned = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	if (runner->rule) {
		execution.until = until_new(runner->rule, runner->plan);
		summary->decisions = g_array_new(FALSE, FALSE, sizeof(struct look));
	}
	witness_init(&execution.witness, runner->plan, runner->probes);
	ok = (!runner->done || replay(&execution, error)) && execute_blocks(&execution, error);
	for (guint w = 0; execution.until && w < MIN(64, runner->plan->workloads->len); w++)
		if (!until_is_done(execution.until, w))
			summary->undecided |= G_GUINT64_CONSTANT(1) << w;
	ok = store_flush(runner->store, ok ? error : NULL) && ok;
	summary->stop_signal = exec_stop_signal();
	progress_free(execution.progress);
	pace_clear(&execution.pace);
	until_free(execution.until);
	witness_clear(&execution.witness);
	g_hash_table_unref(execution.warned);
	g_clear_error(&execution.tick_error);
	return ok;
}

void runner_summary_clear(struct runner_summary *summary)
{
	g_clear_pointer(&summary->decisions, g_array_unref);
}
