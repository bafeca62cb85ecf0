#include "../workloads/workload.h"
#include "cmd.h"
#include "cmd_reboot.h"
#include "cmd_sitting.h"
#include "err.h"
#include "job.h"
#include "report.h"
#include "sitting.h"
#include "unit.h"

extern const struct command cmd_run;

struct run_options {
	struct sitting_options sitting;
	char *format;
	gboolean dry_run, cancel;
};

/* The levels of what is varied: the label says itself once for all, above. */
static void append_levels(const struct plan *plan, const struct treatment *treatment, GString *out)
{
	for (guint i = 0; i < treatment->factor->len; i++) {
		g_autofree char *factor = text_printable(treatment->factor->pdata[i]);
		g_autofree char *level = text_printable(treatment->level->pdata[i]);

		if (!g_str_equal(factor, "label") || plan_factor(plan, "label"))
			g_string_append_printf(out, "  %s=%s", factor, level);
	}
}

static int print_dry_run(const struct sitting *sitting)
{
	const struct plan *plan = sitting->plan;
	g_autoptr(GString) out = g_string_new(NULL);

	sitting_describe(sitting, out);
	for (guint i = 0; i < plan->runs->len; i++) {
		const struct planned_run *run = &g_array_index(plan->runs, struct planned_run, i);
		const struct workload_config *config = plan->workloads->pdata[run->workload];
		g_autofree char *spec = text_printable(config->spec);

		if (run->warmup)
			g_string_append_printf(out, "%6u  warm-up    %s", run->position, spec);
		else
			g_string_append_printf(out, "%6u  block %-4u %s", run->position, run->block, spec);
		append_levels(plan, plan->treatments->pdata[run->treatment], out);
		g_string_append_c(out, '\n');
	}
	return cmd_print(out);
}

static int make_and_run_plan(struct run_options *options, char *const *argv)
{
	static const char *const usual[] = {"dd1", "dd1-dir", "dd3", "qsbench", NULL};
	struct sitting_report report = {.append = cmd_report_plan};
	struct sitting sitting;
	GError *error = NULL;
	int status;

	if (options->sitting.job && !job_read(options->sitting.job, &options->sitting, &error))
		return cmd_fail(error);
	if (!sitting_init(&sitting, &options->sitting, PURPOSE_RUN, usual, &error) ||
	    !(report.data = report_find_for(options->format ? options->format : "text", REPORT_ANSWER(show), &error))) {
		if (options->sitting.job)
			g_prefix_error(&error, "with the job file '%s': ", options->sitting.job);
		status = cmd_fail(error);
	} else if (options->dry_run && options->format && !g_str_equal(options->format, "text"))
		status = cmd_fail((err_usage(&error, "--dry-run prints text only: leave --format out"), error));
	else if (options->dry_run)
		status = print_dry_run(&sitting);
	else
		status = cmd_sitting(&sitting, argv, options->sitting.store, &report);
	sitting_clear(&sitting);
	return status;
}

static const char description[] =
    "--until ends each workload as soon as its primary metric is known well enough: with a percentage, when the 95%\n"
    "interval of the mean lies within so much of it (10 runs or more); with 'decided', when a test that may be looked "
    "at\n"
    "at any time tells every treatment of the plan from the first. Every look is kept in the store.\n\n"
    "Examples:\n"
    "  vmstat-bench --repeat 10\n"
    "  vmstat-bench run -w dd1,dd3 --size 2xRAM --dir /mnt/test --label 6.12\n"
    "  vmstat-bench run -w dd1 --until 2% --max-time 1h\n"
    "  vmstat-bench run -w 'cmd:dd if=/dev/zero of=/dev/null bs=1M count=9999' --metric 'rate=GB/s,higher:([0-9.]+) GB/s'\n\n"
    "--reset reboot boots this machine anew for each group of runs, by a unit of systemd that is gone at the end of the plan:\n"
    "'vmstat-bench resume --status' tells where it is, 'vmstat-bench run --cancel' or 'vmstat-bench.stop' on the kernel's\n"
    "command line stops it, and so do three boots in a row without a finished run.\n\n"
    "'vmstat-bench list workloads' shows the workloads and their options. Exit codes: 0 ok, 2 wrong\n"
    "usage, 3 failure, 4 some runs failed, 130 interrupted.";

static int run(int argc, char **argv)
{
	struct run_options options = {0};
	struct sitting_options *sitting = &options.sitting;
	const GOptionEntry entries[] = {
	    {"workload", 'w', 0, G_OPTION_ARG_FILENAME_ARRAY, &sitting->workloads,
	     "What to run: NAME, NAME:option=value:..., a list of names, or cmd:COMMAND; repeat for more (default: "
	     "dd1,dd1-dir,dd3,qsbench)",
	     "SPEC"},
	    {"repeat", 0, 0, G_OPTION_ARG_FILENAME, &sitting->repeat,
	     "Runs of each workload (default: " SITTING_REPEAT "; with --until: at most " SITTING_REPEAT_UNTIL ")",
	     "N"},
	    {"until", 0, 0, G_OPTION_ARG_FILENAME, &sitting->until,
	     "End a workload early: when its mean is known within PCT, or when treatments are told apart",
	     "PCT|decided"},
	    {"max-time", 0, 0, G_OPTION_ARG_FILENAME, &sitting->max_time,
	     "Begin no block of runs that would end after this time; what is left stays pending", "DUR"},
	    {"warmup", 0, 0, G_OPTION_ARG_FILENAME, &sitting->warmup,
	     "Runs of each workload before that, stored but in no mean (default: 0; with --reset vm or reboot: 1, in each boot)", "N"},
	    {"label", 0, 0, G_OPTION_ARG_FILENAME, &sitting->label,
	     "Name of what is measured, for compare (default: the kernel's release)", "NAME"},
	    SITTING_ENTRIES(sitting),
	    {"factor", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &sitting->factors,
	     "Vary a setting or a workload's option, as dd1.size; repeat for more: all combinations are run", "NAME=L1,L2"},
	    {"kernel", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &sitting->kernels,
	     "Boot this kernel; repeat to compare. With --reset vm: an image, its modules beside it in ../lib/modules (default: the "
	     "running one); with --reset reboot: a release or an entry of the boot loader",
	     "KERNEL"},
	    {"runs-per-boot", 0, 0, G_OPTION_ARG_FILENAME, &sitting->runs_per_boot,
	     "With --reset vm or reboot: runs that follow each other in a boot, after one to warm up (default: 1)", "N"},
	    {"guest-file", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &sitting->guest_files,
	     "With --reset vm: a program or file that a cmd: workload needs in there", "PATH"},
	    {"yes-reboot", 0, 0, G_OPTION_ARG_NONE, &sitting->yes_reboot, "Mean --reset reboot", NULL},
	    {"cancel", 0, 0, G_OPTION_ARG_NONE, &options.cancel, "Stop the reboots of a plan in --store; what is left stays pending",
	     NULL},
	    {"probe", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &sitting->probes,
	     "See how the machine answers meanwhile: fsync,ls:DIR,audio...: see 'vmstat-bench list probes'", "SPEC"},
	    {"job", 0, 0, G_OPTION_ARG_FILENAME, &sitting->job,
	     "Take from this file what the command line does not say", "FILE"},
	    {"order", 0, 0, G_OPTION_ARG_FILENAME, &sitting->order,
	     "Inside each block of one run a workload: random, blocked (as given) or abba (as given and reversed in "
	     "turn) "
	     "(default: random)",
	     "ORDER"},
	    {"seed", 0, 0, G_OPTION_ARG_FILENAME, &sitting->seed,
	     "Seed of the random order (default: a random one, stored)", "N"},
	    {"metric", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &sitting->metrics,
	     "A value that a command prints: the first group of the last match", "NAME=UNIT[,higher|lower]:REGEX"},
	    {"format", 0, 0, G_OPTION_ARG_FILENAME, &options.format, "text, markdown, csv, bars or json (default: text)", "FORMAT"},
	    {"dry-run", 0, 0, G_OPTION_ARG_NONE, &options.dry_run, "Print the plan and do nothing", NULL},
	    G_OPTION_ENTRY_NULL};
	g_auto(GStrv) given = g_strdupv(argv);
	int status = EXIT_USAGE;
	GError *error = NULL;

	if (cmd_parse(&cmd_run, "", description, entries, &argc, &argv)) {
		if (argc > 1) {
			err_usage(&error, "run takes no operand, and '%s' is one: workloads are given with -w",
				  argv[1]);
			status = cmd_fail(error);
		} else if (options.cancel) {
			status = cmd_cancel(cmd_store_path(sitting->store));
		} else {
			status = make_and_run_plan(&options, given);
		}
	}
	sitting_options_clear(&options.sitting);
	g_free(options.format);
	return status;
}

const struct command cmd_run = {"run", "run workloads repeatedly and keep every run", run};
