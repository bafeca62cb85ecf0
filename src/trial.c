#include "trial.h"

#include <errno.h>
#include <sys/random.h>

#include "alone.h"
#include "environment.h"
#include "err.h"
#include "exec.h"
#include "outcome.h"
#include "plan.h"
#include "reset.h"
#include "run.h"

gboolean trial_init(struct trial *trial, GError **error)
{
	witness_init(&trial->witness, trial->plan, trial->probes);
	return getrandom(&trial->nonce, sizeof trial->nonce, 0) == sizeof trial->nonce ||
	       err_errno(error, errno, "cannot get random bytes");
}

void trial_clear(struct trial *trial)
{
	witness_clear(&trial->witness);
}

static void trial_tick(void *data)
{
	struct trial *trial = data;

	witness_tick(&trial->witness);
	if (trial->tick)
		trial->tick(trial->data);
}

static struct exec_watch watch_of(struct trial *trial)
{
	return (struct exec_watch){.timeout_s = trial->timeout_s,
				   .tick = trial_tick,
				   .data = trial,
				   .procs_fd = trial->environment->env.procs_fd};
}

static const struct workload_config *config_of(const struct trial *trial, const struct planned_run *planned)
{
	return g_array_index(trial->plan->cells, struct plan_cell, planned->cell).config;
}

/* Brings the machine to where each run of the treatment starts from. Where the workload's own preparation came to
 * nothing the result says so, and *is_ready is FALSE. */
static gboolean prepare(struct trial *trial, const struct planned_run *planned, struct run_result *result,
			gboolean *is_ready, flag_set *flags, GError **error)
{
	struct place *place = &trial->environment->place;
	struct exec_watch watch;
	g_autofree char *warning = NULL;

	if (trial->reset->remakes)
		place->is_stale = TRUE;
	if (!environment_apply(trial->environment, trial->plan->treatments->pdata[planned->treatment], error))
		return FALSE;
	/* before the reset, which then does with those files what it does with all others */
	watch = watch_of(trial);
	*is_ready = run_prepare(config_of(trial, planned), place->dirfd, &watch, result);
	if (!*is_ready)
		return TRUE;
	if (!witness_prepare(&trial->witness, place, error) || !trial->reset->apply(place, flags, &warning, error))
		return FALSE;
	if (warning)
		trial->warn(trial->data, warning);
	if (trial->settle_s > 0)
		exec_sleep(trial->settle_s);
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
static gboolean run_witnessed(struct trial *trial, guint index, struct run_result *result, GError **error)
{
	const struct planned_run *planned = &g_array_index(trial->plan->runs, struct planned_run, index);
	const struct workload_config *config = config_of(trial, planned);
	const struct place *place = &trial->environment->place;
	struct exec_watch watch = watch_of(trial);
	g_autofree char *warning = NULL;

	if (!witness_begin(&trial->witness, planned->cell, config, place, error))
		return FALSE;
	if (!run_workload(config, place->dirfd, trial->nonce + index, &watch, result, error)) {
		witness_abandon(&trial->witness);
		return FALSE;
	}
	witness_end(&trial->witness, planned->cell, result, &warning);
	judge_settings(trial->environment, result);
	if (warning)
		trial->warn(trial->data, warning);
	if (result->flags & FLAG_NOT_ALONE)
		trial->warn(trial->data, ALONE_WARNING);
	return TRUE;
}

gboolean trial_run(struct trial *trial, guint index, gboolean *made, struct run_result *result, GError **error)
{
	flag_set flags = 0;
	gboolean is_ready = FALSE;
	gboolean ok = prepare(trial, &g_array_index(trial->plan->runs, struct planned_run, index), result, &is_ready,
			      &flags, error);

	*made = FALSE;
	if (!ok && exec_stop_signal()) {
		/* what was being made, a filesystem or a swap file, was told to stop as we were */
		g_clear_error(error);
		ok = TRUE;
	} else if (ok && !(is_ready && trial->settle_s > 0 && exec_stop_signal())) {
		ok = *made = !is_ready || run_witnessed(trial, index, result, error);
		if (ok) {
			result->flags |= flags;
			ok = place_empty(&trial->environment->place, error);
		}
	}
	return environment_release(trial->environment, ok ? error : NULL) && ok;
}
