#include "cmd_reboot.h"

#include <unistd.h>

#include "cmd.h"
#include "cmd_resume.h"
#include "err.h"
#include "exec.h"
#include "machine.h"
#include "reboots.h"
#include "store.h"
#include "unit.h"

/* The plan of that number, with all others, which own it. */
static const struct store_plan *find_plan(const GPtrArray *plans, gint64 number)
{
	for (guint i = 0; i < plans->len; i++)
		if (((const struct store_plan *)plans->pdata[i])->number == number)
			return plans->pdata[i];
	return NULL;
}

static int go_on(const char *path, gint64 number, char *const *argv)
{
	const struct resume_options options = {.after_boot = TRUE, .yes_reboot = TRUE, .quiet = TRUE};
	g_autoptr(Store) store = NULL;
	g_autoptr(GPtrArray) plans = NULL;
	const struct store_plan *plan;
	GError *error = NULL;
	int status = EXIT_OK;

	store = store_open(path, STORE_WRITE, &error);
	plans = store ? store_plans(store, &error) : NULL;
	plan = plans ? find_plan(plans, number) : NULL;
	/* a power cut may have come between the last run and the end */
	if (plan && !plan->left)
		return reboots_end(store, number, "all runs are done", &error) ? EXIT_OK : cmd_fail(error);
	g_clear_pointer(&store, store_close);
	if (plan && !cmd_resume_plan(plan, path, &options, argv, &status, &error)) {
		store = store_open(path, STORE_WRITE, NULL);
		if (store)
			reboots_end(store, number, error->message, NULL);
	}
	return error ? cmd_fail(error) : status;
}

int cmd_after_boot(const char *store_path, char *const *argv)
{
	g_autofree char *path = g_canonicalize_filename(store_path, NULL), *why = NULL;
	g_autoptr(Store) store = NULL;
	const char *verb = NULL;
	enum reboots_found found;
	GError *error = NULL;
	gint64 plan;

	exec_init();
	store = store_open(path, STORE_WRITE, &error);
	if (!store || !reboots_enter(store, &plan, &found, &verb, &why, &error))
		return cmd_fail(error);
	g_clear_pointer(&store, store_close);
	if (found == REBOOTS_RUN)
		return go_on(path, plan, argv);
	cmd_warn("plan %" G_GINT64_FORMAT " %s: %s", plan, found == REBOOTS_AGAIN ? "needs another boot" : "stops here",
		 why);
	if (found == REBOOTS_AGAIN && !exec_stop_signal() && !machine_reboot(verb, &error))
		return cmd_fail(error);
	return found == REBOOTS_AGAIN ? EXIT_OK : EXIT_RUNTIME;
}

int cmd_cancel(const char *path)
{
	g_autoptr(GString) out = g_string_new(NULL);
	g_autofree char *printable = text_printable(path);
	g_autoptr(Store) store = NULL;
	GError *error = NULL;
	gint64 plan;

	/* none is made for this */
	store = store_open(path, STORE_READ, &error);
	if (store) {
		store_close(store);
		store = store_open(path, STORE_WRITE, &error);
	}
	if (!store || !reboots_cancel(store, &plan, &error))
		return cmd_fail(error);
	if (!plan && !reboots_check_none(&error))
		return cmd_fail(error);
	if (plan)
		g_string_printf(out,
				"plan %" G_GINT64_FORMAT
				" is cancelled: nothing reboots any more; what is left stays pending, and "
				"'vmstat-bench resume --yes-reboot --store %s' goes on with it\n",
				plan, printable);
	else
		g_string_assign(out, "nothing to cancel: no plan in the store goes on with reboots\n");
	return cmd_print(out);
}
