#include <stdio.h>
#include <unistd.h>

#include "channel.h"
#include "cmd.h"
#include "environment.h"
#include "err.h"
#include "exec.h"
#include "facts.h"
#include "factor.h"
#include "guest_init.h"
#include "reset.h"
#include "run.h"
#include "run_json.h"
#include "sitting.h"
#include "store.h"
#include "trial.h"

extern const struct command cmd_guest;

/* The side of guests.h that is in the virtual machine. It says "hello", is told the options of the plan ("options", the
 * text of sitting_options_encode()), then for each run its number ("run"), and answers with "boot" (once: boot id and
 * facts) and "result" (with "now_us", the guest's clock); "warning" comes in between, and "error" in place of anything. */

struct serving {
	struct channel channel;
	struct sitting sitting;
	struct environment environment;
	struct store *store;
	struct trial trial;
	gboolean has_told_boot;
};

static void warn(void *data, const char *text)
{
	struct serving *serving = data;

	channel_send(&serving->channel, json_pack("{s:s}", "warning", text), NULL);
}

static void warn_nobody(const char *format, ...)
{
}

/* The plan, and the place in which its runs are made. */
static gboolean prepare(struct serving *serving, const char *options, GError **error)
{
	static const char *const none[] = {NULL};
	struct sitting *sitting = &serving->sitting;
	struct sitting_options decoded = {0};
	struct place_options place = {.dir = GUEST_SCRATCH, .device = GUEST_DISK};
	gboolean ok = sitting_options_decode(options, &decoded);

	if (!ok)
		return err_runtime(error, "cannot read the options of the plan in the guest");
	decoded.in_guest = decoded.quiet = TRUE;
	ok = sitting_init(sitting, &decoded, PURPOSE_RUN, none, error);
	sitting_options_clear(&decoded);
	if (!ok || !guest_find_disks(plan_factor(sitting->plan, "swap") != NULL, error))
		return FALSE;
	serving->store = store_open("/root/undo.db", STORE_WRITE, error);
	serving->environment.in_guest = TRUE;
	if (!serving->store || !environment_open(&serving->environment, sitting->plan, &place, serving->store, error))
		return FALSE;
	g_setenv("VMSTAT_BENCH_DIR", serving->environment.place.path, TRUE);
	serving->trial = (struct trial){.plan = sitting->plan,
					.reset = sitting->reset,
					.environment = &serving->environment,
					.probes = sitting->probes,
					.settle_s = sitting->settle_s,
					.timeout_s = sitting->timeout_s,
					.warn = warn,
					.data = serving};
	return trial_init(&serving->trial, error);
}

static json_t *facts_to_json(GHashTable *facts)
{
	json_t *object = json_object();
	GHashTableIter iter;
	gpointer key, value;

	g_hash_table_iter_init(&iter, facts);
	while (g_hash_table_iter_next(&iter, &key, &value)) {
		g_autofree char *valid = g_utf8_make_valid(value, -1);

		json_object_set_new(object, key, json_string(valid));
	}
	return object;
}

/* Whether the first run can be made here, and what here is. */
static gboolean tell_boot(struct serving *serving, const struct plan_cell *cell, GError **error)
{
	struct environment *environment = &serving->environment;
	const struct treatment *treatment = serving->sitting.plan->treatments->pdata[cell->treatment];
	g_autoptr(GHashTable) facts = NULL;
	gboolean ok = environment_apply(environment, treatment, error) &&
		      sitting_check_workload(&serving->sitting, cell->config, environment, error);

	if (ok) {
		facts = sitting_collect_facts(&serving->sitting, environment);
		ok = channel_send(
		    &serving->channel,
		    json_pack("{s:{s:s,s:o}}", "boot", "boot_id", facts_boot_id(), "facts", facts_to_json(facts)),
		    error);
	}
	serving->has_told_boot = TRUE;
	return environment_release(environment, ok ? error : NULL) && ok;
}

static gboolean make_run(struct serving *serving, guint index, GError **error)
{
	const struct plan *plan = serving->sitting.plan;
	const struct planned_run *planned;
	struct run_result result;
	gboolean made, ok;

	if (index >= plan->runs->len)
		return err_runtime(error, "no run %u in the guest's plan of %u", index, plan->runs->len);
	planned = &g_array_index(plan->runs, struct planned_run, index);
	if (!serving->has_told_boot &&
	    !tell_boot(serving, &g_array_index(plan->cells, struct plan_cell, planned->cell), error))
		return FALSE;
	ok = trial_run(&serving->trial, index, &made, &result, error);
	if (!made)
		return ok && err_runtime(error, "the guest was told to stop");
	ok = channel_send(
		 &serving->channel,
		 json_pack("{s:o,s:I}", "result", run_result_to_json(&result), "now_us", (json_int_t)g_get_real_time()),
		 ok ? error : NULL) &&
	     ok;
	run_result_clear(&result);
	return ok;
}

static gboolean serve(struct serving *serving, GError **error)
{
	gboolean ok = channel_send(&serving->channel, json_pack("{s:b}", "hello", 1), error), is_ready = FALSE;
	json_t *message;

	while (ok && (message = channel_receive(&serving->channel, -1))) {
		const char *options = json_string_value(json_object_get(message, "options"));
		const json_t *run = json_object_get(message, "run");

		if (options && !is_ready)
			ok = is_ready = prepare(serving, options, error);
		else if (is_ready && json_is_integer(run))
			ok = make_run(serving, (guint)json_integer_value(run), error);
		json_decref(message);
	}
	return ok;
}

static int run(int argc, char **argv)
{
	struct serving serving = {0};
	GError *error = NULL;
	int fd;

	if (getpid() != 1) {
		err_usage(&error, "'guest' is what a virtual machine of 'vmstat-bench run --reset vm' starts with");
		return cmd_fail(error);
	}
	exec_init();
	fd = guest_mount(&error) ? guest_open_channel(&error) : -1;
	if (fd >= 0) {
		guest_start_heartbeat(fd);
		channel_init(&serving.channel, fd);
		if (!serve(&serving, &error))
			channel_send(&serving.channel,
				     json_pack("{s:s,s:i}", "error", error->message, "code", err_exit_code(error)),
				     NULL);
		if (serving.store)
			environment_close(&serving.environment, warn_nobody, NULL);
	}
	if (error)
		cmd_fail(error);
	guest_power_off();
}

const struct command cmd_guest = {"guest", "be the first process of a virtual machine", run};
