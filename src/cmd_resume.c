#include <errno.h>
#include <unistd.h>

#include "cmd.h"
#include "cmd_reboot.h"
#include "cmd_resume.h"
#include "cmd_sitting.h"
#include "err.h"
#include "report.h"
#include "sitting.h"
#include "store.h"

extern const struct command cmd_resume;

static const char description[] =
    "Goes on with the last plan of the store that has runs left, after an interruption, a kill, a reboot or --max-time,\n"
    "in the directory where it was begun. A run that was interrupted is made again; settings that it left are put back\n"
    "first. Where the machine is no longer what it was, a warning says so and the results are flagged.\n"
    "A plan with --reset reboot goes on by itself with each boot; with --yes-reboot it does so again after it was\n"
    "cancelled or has stopped.\n\n"
    "Examples:\n"
    "  vmstat-bench resume\n"
    "  vmstat-bench resume --store results.db\n"
    "  vmstat-bench resume --status\n\n"
    "Exit codes: 0 ok or nothing to go on with, 2 wrong usage, 3 failure, 4 some runs failed, 130 interrupted.";

static gboolean read_purpose(const char *name, enum plan_purpose *purpose)
{
	*purpose = PURPOSE_RUN;
	if (g_strcmp0(name, plan_purpose_name(PURPOSE_RUN)) == 0)
		return TRUE;
	*purpose = PURPOSE_CALIBRATE;
	return g_strcmp0(name, plan_purpose_name(PURPOSE_CALIBRATE)) == 0;
}

/* A calibration has no treatments to show. */
static gboolean report_calibration(const void *data, const struct sitting *sitting, const struct runner_summary *summary,
				   struct store *store, GString *out, GError **error)
{
	sitting_describe_end(sitting, summary, out);
	g_string_append(out, "calibration: 'vmstat-bench calibrate --show' prints what it says\n");
	return TRUE;
}

gboolean cmd_resume_plan(const struct store_plan *plan, const char *store, const struct resume_options *options,
			 char *const *argv, int *status, GError **error)
{
	static const char *const none[] = {NULL};
	struct sitting_options decoded = {0};
	struct sitting_report report = {.append = cmd_report_plan};
	struct sitting sitting = {0};
	enum plan_purpose purpose = PURPOSE_RUN;
	gboolean ok;

	report.data = report_find_for(options->format ? options->format : "text", REPORT_ANSWER(show), error);
	ok = report.data != NULL;
	if (ok && (!plan->options || !read_purpose(plan->purpose, &purpose) || !sitting_options_decode(plan->options, &decoded)))
		ok = err_runtime(error, "the plan in the store '%s' cannot be resumed: how it was made is not in there", store);
	else if (ok && chdir(plan->cwd) < 0)
		ok = err_errno(error, errno, "cannot go on in '%s', where the plan was begun", plan->cwd);
	if (ok) {
		/* after a reboot another disk may have the name */
		decoded.yes_destroy = options->yes_destroy;
		decoded.yes_reboot = options->yes_reboot;
		decoded.quiet = options->quiet;
		ok = sitting_init(&sitting, &decoded, purpose, none, error);
		if (ok) {
			sitting.resumed = plan->number;
			sitting.after_boot = options->after_boot;
			if (purpose == PURPOSE_CALIBRATE)
				report.append = report_calibration;
			*status = cmd_sitting(&sitting, argv, store, &report);
		}
		sitting_clear(&sitting);
	}
	sitting_options_clear(&decoded);
	return ok;
}

static gboolean is_pending(const struct store_plan *plan)
{
	return plan->left > 0 && !plan->is_under_way;
}

/* The last plan with runs left that nobody is at; NULL where there is none. */
static const struct store_plan *last_pending(const GPtrArray *plans)
{
	for (guint i = plans->len; i-- > 0;)
		if (is_pending(plans->pdata[i]))
			return plans->pdata[i];
	return NULL;
}

static int resume(const struct resume_options *options, char *const *argv)
{
	g_autofree char *path = g_canonicalize_filename(cmd_store_path(options->store), NULL);
	g_autoptr(Store) store = NULL;
	g_autoptr(GPtrArray) plans = NULL;
	g_autoptr(GString) out = g_string_new("nothing to go on with: no plan in the store has runs left that nobody is at\n");
	const struct store_plan *pending;
	GError *error = NULL;
	int status = EXIT_OK;

	store = store_open(path, STORE_READ, &error);
	plans = store ? store_plans(store, &error) : NULL;
	if (!plans)
		return cmd_fail(error);
	g_clear_pointer(&store, store_close);
	pending = last_pending(plans);
	if (!pending && options->format && g_str_equal(options->format, "json"))
		g_string_assign(out, "{\"schema\":\"vmstat-bench/1\",\"results\":[]}\n");
	if (!pending)
		return cmd_print(out);
	return cmd_resume_plan(pending, path, options, argv, &status, &error) ? status : cmd_fail(error);
}

static int execute(const struct resume_options *options, char *const *argv)
{
	if (options->status)
		return cmd_status(cmd_store_path(options->store), options->format ? options->format : "text");
	if (options->after_boot)
		return cmd_after_boot(cmd_store_path(options->store), argv);
	return resume(options, argv);
}

static int run(int argc, char **argv)
{
	struct resume_options options = {0};
	const GOptionEntry entries[] = {
	    {"store", 0, 0, G_OPTION_ARG_FILENAME, &options.store,
	     "File that keeps the plan (default: $VMSTAT_BENCH_STORE or vmstat-bench.db)", "FILE"},
	    {"yes-destroy", 0, 0, G_OPTION_ARG_NONE, &options.yes_destroy,
	     "Mean the --device of the plan: it may be another disk by now", NULL},
	    {"yes-reboot", 0, 0, G_OPTION_ARG_NONE, &options.yes_reboot,
	     "Mean the reboots of a plan with --reset reboot: this machine is rebooted, again and again", NULL},
	    {"status", 0, 0, G_OPTION_ARG_NONE, &options.status, "Only tell where the plans of the store are", NULL},
	    {"after-boot", 0, G_OPTION_FLAG_HIDDEN, G_OPTION_ARG_NONE, &options.after_boot, NULL, NULL},
	    {"format", 0, 0, G_OPTION_ARG_FILENAME, &options.format,
	     "text, markdown, csv, bars or json (default: text); with --status text or json", "FORMAT"},
	    {"quiet", 'q', 0, G_OPTION_ARG_NONE, &options.quiet, "No progress, and no warning about sizes", NULL},
	    G_OPTION_ENTRY_NULL};
	g_auto(GStrv) given = g_strdupv(argv);
	int status = EXIT_USAGE;
	GError *error = NULL;

	if (cmd_parse(&cmd_resume, "", description, entries, &argc, &argv)) {
		if (argc > 1) {
			err_usage(&error, "resume takes no operand, and '%s' is one", argv[1]);
			status = cmd_fail(error);
		} else {
			status = execute(&options, given);
		}
	}
	g_free(options.store);
	g_free(options.format);
	return status;
}

const struct command cmd_resume = {"resume", "go on with an interrupted plan", run};
