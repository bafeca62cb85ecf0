#include "cmd.h"
#include "cmd_reboot.h"
#include "err.h"
#include "reboot_unit.h"
#include "reboots.h"
#include "report_json.h"
#include "store.h"
#include "store_reboot.h"
#include "unit.h"

/* Whether the plan goes on by itself. */
static gboolean goes_on(const struct store_reboot *reboot)
{
	return reboot->plan && !reboot->stopped && reboot_unit_is_there();
}

static const char *state_of(const struct store_plan *plan, const struct store_reboot *reboot)
{
	if (!plan->left)
		return "done";
	if (plan->is_under_way)
		return "under way";
	return goes_on(reboot) ? "rebooting" : "pending";
}

static void append_reboots(const struct store_plan *plan, const struct store_reboot *reboot, GString *out)
{
	g_autofree char *unit = reboot_unit_path(), *kernel = reboot->kernel ? text_printable(reboot->kernel) : NULL;
	g_autofree char *trouble = reboot->trouble ? text_printable(reboot->trouble) : NULL;
	g_autofree char *stopped = reboot->stopped ? text_printable(reboot->stopped) : NULL;

	if (!reboot->plan)
		return;
	g_string_append_printf(
	    out, "      reboots: %u of at most %u boots in a row without a finished run; unit '%s' is %s\n",
	    reboot->boots, REBOOTS_MAX, unit, reboot_unit_is_there() ? "installed" : "not there");
	if (goes_on(reboot))
		g_string_append_printf(out, "      kernel of the %s boot: %s\n",
				       plan->is_under_way ? "present" : "next",
				       kernel ? kernel : "the one that is booted by default");
	if (trouble)
		g_string_append_printf(out, "      the last boot: %s\n", trouble);
	if (stopped)
		g_string_append_printf(out, "      no more reboots: %s\n", stopped);
}

static void append_text(const struct store_plan *plan, const struct store_reboot *reboot, GString *out)
{
	g_autoptr(GDateTime) created = g_date_time_new_from_unix_local(plan->created_us / G_USEC_PER_SEC);
	g_autofree char *when = g_date_time_format(created, "%Y-%m-%d %H:%M:%S");
	g_autofree char *command = text_printable(plan->command ? plan->command : "-");

	g_string_append_printf(out, "%4" G_GINT64_FORMAT "  %s: %u of %u runs done, %u left, %u failed, %u boot%s\n",
			       plan->number, state_of(plan, reboot), plan->runs - plan->left, plan->runs, plan->left,
			       plan->failed, plan->boots, plan->boots == 1 ? "" : "s");
	g_string_append_printf(out, "      begun %s by %s\n", when, command);
	append_reboots(plan, reboot, out);
}

static json_t *to_json(const struct store_plan *plan, const struct store_reboot *reboot)
{
	json_t *object = json_object();

	json_put(object, "plan", json_integer(plan->number));
	json_put(object, "state", json_string(state_of(plan, reboot)));
	json_put(object, "runs", json_integer(plan->runs));
	json_put(object, "left", json_integer(plan->left));
	json_put(object, "failed", json_integer(plan->failed));
	json_put(object, "boots", json_integer(plan->boots));
	json_put(object, "command", json_of_text(plan->command));
	if (reboot->plan)
		json_put(object, "reboots",
			 json_pack("{s:i,s:i,s:b,s:o,s:o,s:o}", "boots_without_run", (int)reboot->boots, "limit",
				   REBOOTS_MAX, "unit_installed", reboot_unit_is_there(), "kernel",
				   json_of_text(reboot->kernel), "trouble", json_of_text(reboot->trouble), "stopped",
				   json_of_text(reboot->stopped)));
	return object;
}

int cmd_status(const char *path, const char *format)
{
	gboolean is_json = g_str_equal(format, "json");
	g_autoptr(GString) out = g_string_new(NULL);
	g_autoptr(Store) store = NULL;
	g_autoptr(GPtrArray) plans = NULL;
	json_t *list = json_array();
	GError *error = NULL;

	if (is_json || g_str_equal(format, "text") || err_usage(&error, "no format '%s': there are text, json", format))
		store = store_open(path, STORE_READ, &error);
	plans = store ? store_plans(store, &error) : NULL;
	for (guint i = 0; plans && i < plans->len && !error; i++) {
		struct store_reboot reboot;

		if (store_reboot_read(store, ((const struct store_plan *)plans->pdata[i])->number, &reboot, &error)) {
			append_text(plans->pdata[i], &reboot, out);
			json_array_append_new(list, to_json(plans->pdata[i], &reboot));
		}
		store_reboot_clear(&reboot);
	}
	if (plans && !plans->len)
		g_string_assign(out, "no plan in the store\n");
	if (is_json) {
		g_string_truncate(out, 0);
		json_print(json_pack("{s:s,s:O}", "schema", "vmstat-bench/1", "plans", list), out);
	}
	json_decref(list);
	return error ? cmd_fail(error) : cmd_print(out);
}
