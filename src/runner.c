#include "runner.h"

#include "../workloads/workload.h"
#include "clock.h"
#include "environment.h"
#include "exec.h"
#include "guests.h"
#include "pace.h"
#include "plan.h"
#include "progress.h"
#include "reset.h"
#include "run.h"
#include "store.h"
#include "trial.h"
#include "until.h"

/* One execution of a plan as it goes on. */
struct execution {
	const struct runner *runner;
	struct pace pace;
	struct progress *progress;
	struct until *until; /* NULL: no rule */
	struct trial trial; /* where there are no guests */
	double started_s;
	gboolean has_boot; /* a run was made in this boot, which begins with the run at */
	guint boot;
	struct runner_summary *summary;
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

static void warn_once(void *data, const char *text)
{
	struct execution *execution = data;

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

/* Where the run takes place. */
static gboolean make_run(struct execution *execution, guint index, gboolean *made, struct run_result *result, GError **error)
{
	return execution->runner->guests ? guests_run(execution->runner->guests, index, made, result, error)
					 : trial_run(&execution->trial, index, made, result, error);
}

static gboolean execute_run(struct execution *execution, guint index, gboolean *durable, GError **error)
{
	const struct runner *runner = execution->runner;
	double start_s = clock_monotonic_s();
	struct run_result result;
	gboolean made, ok;

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
	ok = make_run(execution, index, &made, &result, error);
	if (made) {
		ok = conclude(execution, index, &result, durable, ok ? error : NULL) && ok;
		run_result_clear(&result);
	}
	pace_add(&execution->pace, index, clock_monotonic_s() - start_s);
	if (ok && execution->tick_error) {
		g_propagate_error(error, g_steal_pointer(&execution->tick_error));
		return FALSE;
	}
	return ok;
}

/* The first run of the boot that the run at index belongs to. */
static guint begin_of_boot(const struct execution *execution, guint index)
{
	while (plan_continues_boot(execution->runner->plan, index))
		index--;
	return index;
}

/* Before the first run of this boot: where the plan goes on in the middle of one, it has its warm-up runs again,
 * unrecorded. */
static gboolean enter_boot(struct execution *execution, guint index, GError **error)
{
	const struct plan *plan = execution->runner->plan;
	gboolean is_amid = plan_continues_boot(plan, index) && !run_at(execution, index)->warmup;

	execution->has_boot = TRUE;
	execution->boot = begin_of_boot(execution, index);
	for (guint i = 0; is_amid && i < plan->warmup; i++) {
		struct run_result ignored;
		gboolean made, ok = trial_run(&execution->trial, index, &made, &ignored, error);

		if (made)
			run_result_clear(&ignored);
		if (!ok)
			return FALSE;
	}
	return TRUE;
}

/* Where only one boot is allowed: whether the run is of another. */
static gboolean needs_boot(const struct execution *execution, guint index)
{
	return execution->runner->one_boot && execution->has_boot && begin_of_boot(execution, index) != execution->boot;
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
	gboolean is_warmup = run_at(execution, index)->block == 0;

	if (execution->runner->environment)
		execution->runner->environment->place.is_stale = TRUE;
	for (; index < end; index++) {
		if (exec_stop_signal())
			return TRUE;
		if (is_done(execution, index) || execution->pace.is_ended[run_at(execution, index)->workload])
			continue;
		if (needs_boot(execution, index)) {
			execution->summary->next_boot = index;
			return TRUE;
		}
		if ((execution->runner->one_boot && !execution->has_boot && !enter_boot(execution, index, error)) ||
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
		if (execution->until && run_at(execution, index)->block > 0 && next_pending(execution, index) >= end)
			until_look(execution->until, run_at(execution, index)->block, looks);
	}
	for (guint w = 0; execution->until && w < plan->workloads->len; w++)
		execution->pace.is_ended[w] = until_is_done(execution->until, w);
	return TRUE;
}

static gboolean execute_blocks(struct execution *execution, GError **error)
{
	gboolean durable = TRUE;
	guint n = execution->runner->plan->runs->len;

	for (guint index = 0, end; index < n && !execution->summary->next_boot && !exec_stop_signal(); index = end) {
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
	struct execution execution = {.runner = runner,
				      .summary = summary,
				      .started_s = clock_monotonic_s(),
				      .trial = {.plan = runner->plan,
						.reset = runner->reset,
						.environment = runner->environment,
						.probes = runner->probes,
						.settle_s = runner->settle_s,
						.timeout_s = runner->timeout_s,
						.tick = execution_tick,
						.warn = warn_once,
						.data = &execution}};
	gboolean ok;

	*summary = (struct runner_summary){0};
	pace_init(&execution.pace, runner->plan, runner->done);
	execution.progress = progress_new(&execution.pace, runner->quiet);
	execution.warned = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	if (runner->rule) {
		execution.until = until_new(runner->rule, runner->plan);
		summary->decisions = g_array_new(FALSE, FALSE, sizeof(struct look));
	}
	if (runner->guests)
		guests_watch(runner->guests, execution_tick, warn_once, &execution);
	ok = (runner->guests || trial_init(&execution.trial, error)) && (!runner->done || replay(&execution, error)) &&
	     execute_blocks(&execution, error);
	for (guint w = 0; execution.until && w < MIN(64, runner->plan->workloads->len); w++)
		if (!until_is_done(execution.until, w))
			summary->undecided |= G_GUINT64_CONSTANT(1) << w;
	ok = store_flush(runner->store, ok ? error : NULL) && ok;
	summary->stop_signal = exec_stop_signal();
	progress_free(execution.progress);
	pace_clear(&execution.pace);
	until_free(execution.until);
	if (!runner->guests)
		trial_clear(&execution.trial);
	g_hash_table_unref(execution.warned);
	g_clear_error(&execution.tick_error);
	return ok;
}

void runner_summary_clear(struct runner_summary *summary)
{
	g_clear_pointer(&summary->decisions, g_array_unref);
}
