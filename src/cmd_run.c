#include <errno.h>
#include <string.h>
#include <sys/random.h>
#include <sys/statvfs.h>
#include <sys/utsname.h>

#include "../workloads/workload.h"
#include "analyse.h"
#include "cmd.h"
#include "dataset.h"
#include "err.h"
#include "exec.h"
#include "facts.h"
#include "plan.h"
#include "report.h"
#include "reset.h"
#include "runner.h"
#include "scratch.h"
#include "store.h"
#include "unit.h"

extern const struct command cmd_run;

#define REPEAT_DEFAULT "10"
#define SEED_MAX 0xffffffffu /* what the generator takes */

/* The command line as it was given, and what was made of it. */
struct run_options {
	char **workloads, **metrics;
	char *repeat, *warmup, *label, *dir, *size, *reset, *order, *seed, *settle, *timeout, *store, *format;
	gboolean quiet, dry_run;

	const struct reset *reset_row;
	const struct report_format *report;
	double settle_s, timeout_s;
};

static void run_options_clear(struct run_options *options)
{
	char **texts[] = {&options->repeat, &options->warmup, &options->label,  &options->dir,
	                  &options->size,   &options->reset,  &options->order,  &options->seed,
	                  &options->settle, &options->timeout, &options->store, &options->format};

	g_strfreev(options->workloads);
	g_strfreev(options->metrics);
	for (guint i = 0; i < G_N_ELEMENTS(texts); i++)
		g_free(*texts[i]);
}

static gboolean add_workload(struct plan *plan, const char *spec, GError **error)
{
	struct workload_config *config = workload_config_parse(spec, error);

	if (!config)
		return FALSE;
	for (guint i = 0; i < plan->workloads->len; i++) {
		const struct workload_config *other = plan->workloads->pdata[i];

		if (g_str_equal(other->spec, config->spec)) {
			err_usage(error, "workload '%s' was given twice", config->spec);
			workload_config_free(config);
			return FALSE;
		}
	}
	g_ptr_array_add(plan->workloads, config);
	return TRUE;
}

static gboolean add_workloads(struct plan *plan, char **specs, GError **error)
{
	static const char *const usual[] = {"dd1", "dd1-dir", "dd3", "qsbench", NULL};

	if (!specs) {
		for (const char *const *name = usual; *name; name++)
			if (!add_workload(plan, *name, error))
				return FALSE;
		return TRUE;
	}
	for (char **spec = specs; *spec; spec++) {
		/* only plain names may be a list: options and commands may hold commas of their own */
		g_auto(GStrv) names = strchr(*spec, ':') ? NULL : g_strsplit(*spec, ",", -1);
		char *const whole[] = {*spec, NULL};

		for (char *const *name = names ? names : whole; *name; name++)
			if (!add_workload(plan, *name, error))
				return FALSE;
	}
	return TRUE;
}

/* --size is for every workload that has a size and whose spec does not say its own. */
static gboolean apply_size(struct plan *plan, const char *size, GError **error)
{
	gboolean used = FALSE;

	for (guint i = 0; i < plan->workloads->len; i++) {
		struct workload_config *config = plan->workloads->pdata[i];

		if (!workload_has_option(config->workload, "size"))
			continue;
		used = TRUE;
		if (!strstr(config->spec, ":size=") && !workload_config_set(config, "size", size, error))
			return FALSE;
	}
	return used || err_usage(error, "--size %s: none of the workloads has a size", size);
}

static gboolean apply_metrics(struct plan *plan, char **metrics, GError **error)
{
	gboolean used = FALSE;

	for (char **metric = metrics; metric && *metric; metric++) {
		for (guint i = 0; i < plan->workloads->len; i++) {
			struct workload_config *config = plan->workloads->pdata[i];
			struct output_metric *output;

			if (!config->workload->argv)
				continue;
			output = output_metric_parse(*metric, error);
			if (!output)
				return FALSE;
			used = TRUE;
			g_ptr_array_add(config->outputs, output);
		}
		if (!used)
			return err_usage(error, "--metric '%s': only commands (-w cmd:...) have output to take a value from", *metric);
	}
	return TRUE;
}

static gboolean read_label(struct run_options *options, GError **error)
{
	struct utsname names;

	if (!options->label) {
		if (uname(&names) < 0)
			return err_errno(error, errno, "cannot tell the kernel's release for a label: give one with --label");
		options->label = g_strdup(names.release);
	}
	if (!*options->label || !g_utf8_validate(options->label, -1, NULL))
		return err_usage(error, "the label must be UTF-8 text and not empty");
	return TRUE;
}

static gboolean read_seed(const char *text, guint64 *seed, GError **error)
{
	guint32 random;

	if (text)
		return count_parse(text, "--seed", 0, SEED_MAX, seed, error);
	if (getrandom(&random, sizeof random, 0) != sizeof random)
		return err_errno(error, errno, "cannot get random bytes for a seed: give one with --seed");
	*seed = random;
	return TRUE;
}

/* Turns the texts of the options into a plan, or says what is wrong with them. */
static gboolean make_plan(struct run_options *options, struct plan *plan, GError **error)
{
	guint64 repeat, warmup;

	if (!count_parse(options->repeat ? options->repeat : REPEAT_DEFAULT, "--repeat", 1, PLAN_RUNS_MAX, &repeat, error) ||
	    !count_parse(options->warmup ? options->warmup : "0", "--warmup", 0, PLAN_RUNS_MAX, &warmup, error) ||
	    !read_seed(options->seed, &plan->seed, error) || !read_label(options, error))
		return FALSE;
	plan->repeat = (guint)repeat;
	plan->warmup = (guint)warmup;
	if (options->order && !plan_order_parse(options->order, &plan->order))
		return err_usage(error, "no order '%s': there are random, blocked, abba", options->order);
	options->reset_row = reset_find(options->reset ? options->reset : "drop-caches", error);
	if (!options->reset_row)
		return FALSE;
	options->report = report_find(options->format ? options->format : "text", error);
	if (!options->report)
		return FALSE;
	if ((options->settle && !duration_parse(options->settle, &options->settle_s, error)) ||
	    (options->timeout && !duration_parse(options->timeout, &options->timeout_s, error)))
		return FALSE;
	plan_add_label(plan, options->label);
	return add_workloads(plan, options->workloads, error) &&
	       (!options->size || apply_size(plan, options->size, error)) &&
	       apply_metrics(plan, options->metrics, error) && plan_lay_out(plan, error);
}

/* Whether every workload can run there, before anything has been run. */
static gboolean check_directory(const struct plan *plan, const char *dir, int dirfd, GError **error)
{
	struct statvfs fs;

	if (fstatvfs(dirfd, &fs) < 0)
		return err_errno(error, errno, "cannot tell the free space of '%s'", dir);
	for (guint i = 0; i < plan->workloads->len; i++) {
		const struct workload_config *config = plan->workloads->pdata[i];
		const struct workload *workload = config->workload;
		g_autofree char *reason = workload->unsupported ? workload->unsupported(config, dirfd) : NULL;
		guint64 needed = workload->space ? workload->space(config) : 0;
		guint64 free_bytes = (guint64)fs.f_bavail * fs.f_frsize;

		if (reason)
			return err_runtime(error, "workload '%s' cannot run in '%s': %s", config->spec, dir, reason);
		if (needed > free_bytes) {
			g_autofree char *need = size_format(needed), *have = size_format(free_bytes);

			return err_runtime(error, "workload '%s' needs %s in '%s', where %s are free: give a smaller --size or "
			                          "another --dir", config->spec, need, dir, have);
		}
	}
	return TRUE;
}

/* Data that fits into memory may be measured as memory. */
static void warn_of_small_sizes(const struct plan *plan)
{
	g_autoptr(GString) names = g_string_new(NULL);
	guint64 threshold = facts_dirty_threshold(), memory = facts_memory(), smallest = G_MAXUINT64;

	for (guint i = 0; i < plan->workloads->len; i++) {
		const struct workload_config *config = plan->workloads->pdata[i];
		guint64 size = config->workload->space ? config->workload->space(config) : 0;

		if (size == 0 || size >= MAX(memory, threshold))
			continue;
		g_string_append_printf(names, "%s%s", names->len ? ", " : "", config->spec);
		smallest = MIN(smallest, size);
	}
	if (names->len) {
		g_autofree char *size = size_format(smallest), *dirty = size_format(threshold), *ram = size_format(memory);

		cmd_warn("%s: %s of data fits into memory (%s, of which %s may be dirty): the final sync is counted, but a "
		         "device's sustained speed takes more, as --size 2xRAM", names->str, size, ram, dirty);
	}
}

static void describe_plan(const struct run_options *options, const struct plan *plan, GString *out)
{
	g_autofree char *label = text_printable(options->label);

	g_string_append_printf(out, "plan: %u run%s, label %s, order %s, seed %" G_GUINT64_FORMAT ", reset %s\n",
	                       plan->runs->len, plan->runs->len == 1 ? "" : "s", label, plan_order_name(plan->order), plan->seed, options->reset_row->name);
	for (guint i = 0; i < plan->workloads->len; i++) {
		const struct workload_config *config = plan->workloads->pdata[i];
		g_autofree char *settled = workload_config_describe(config), *spec = text_printable(config->spec);
		g_autofree char *shown = text_printable(settled);

		g_string_append_printf(out, "workload %s%s%s\n", spec, *shown ? ": " : "", shown);
	}
}

static int print_dry_run(const struct run_options *options, const struct plan *plan)
{
	g_autoptr(GString) out = g_string_new(NULL);

	describe_plan(options, plan, out);
	for (guint i = 0; i < plan->runs->len; i++) {
		const struct planned_run *run = &g_array_index(plan->runs, struct planned_run, i);
		const struct workload_config *config = plan->workloads->pdata[run->workload];
		g_autofree char *spec = text_printable(config->spec);

		if (run->warmup)
			g_string_append_printf(out, "%6u  warm-up    %s\n", run->position, spec);
		else
			g_string_append_printf(out, "%6u  block %-4u %s\n", run->position, run->block, spec);
	}
	return cmd_print(out);
}

/* What the plan's runs say, as show would print it. */
static gboolean report_plan(const struct run_options *options, const struct plan *plan, const char *store_path,
                            struct store *store, GString *out, GError **error)
{
	gboolean text = g_str_equal(options->report->name, "text");
	struct analyse_options analyse = {.level = 0.95, .margin_pct = 5, .primary_only = text};
	g_autoptr(Dataset) dataset = store_load(store, TRUE, error);
	g_autoptr(GArray) rows = g_array_new(FALSE, FALSE, sizeof(guint));
	g_autoptr(Analysis) analysis = NULL;
	g_autofree char *path = text_printable(store_path);

	if (!dataset)
		return FALSE;
	for (guint i = 0; i < dataset->n_runs; i++)
		g_array_append_val(rows, i);
	analysis = analyse_show(dataset, rows, &analyse, error);
	if (!analysis)
		return FALSE;
	if (text)
		describe_plan(options, plan, out);
	options->report->show(analysis, out);
	if (text)
		g_string_append_printf(out, "stored in %s\n", path);
	return TRUE;
}

static char *join_command(char **argv)
{
	g_autoptr(GString) text = g_string_new(NULL);

	for (; *argv; argv++) {
		g_autofree char *quoted = g_shell_quote(*argv);

		g_string_append_printf(text, "%s%s", text->len ? " " : "", strpbrk(*argv, " '\"\\$`|&;<>()*?[]#~\n\t") ? quoted : *argv);
	}
	return g_utf8_make_valid(text->str, (gssize)text->len);
}

static gboolean begin_store(const struct run_options *options, const struct plan *plan, const struct scratch *scratch,
                            const char *command, struct store *store, GError **error)
{
	g_autoptr(GHashTable) facts = facts_collect(scratch->fd);
	struct store_sitting sitting = {.command = command, .reset = options->reset_row->name, .settle_s = options->settle_s,
	                                .timeout_s = options->timeout_s, .facts = facts, .boot_id = facts_boot_id()};

	/* a workload of the same name with other options is not the same workload: let it show as a difference */
	for (guint i = 0; i < plan->workloads->len; i++) {
		const struct workload_config *config = plan->workloads->pdata[i];

		g_hash_table_insert(facts, g_strconcat("options of ", config->spec, NULL), workload_config_describe(config));
	}
	return store_begin(store, plan, &sitting, error);
}

/* Commands run where the user is; the directory under test is told to them. */
static void export_directory(const char *dir, const struct scratch *scratch)
{
	g_autofree char *absolute = g_canonicalize_filename(dir, NULL);
	g_autofree char *path = g_build_filename(absolute, scratch->name, NULL);

	g_setenv("VMSTAT_BENCH_DIR", path, TRUE);
}

/* Everything between a checked plan and its report. The private directory is gone on return, whatever happened. */
static gboolean execute(const struct run_options *options, const struct plan *plan, const char *command, GString *out,
                        struct runner_summary *summary, GError **error)
{
	const char *dir = options->dir ? options->dir : ".";
	const char *store_path = cmd_store_path(options->store);
	g_autoptr(Store) store = NULL;
	struct scratch scratch;
	gboolean ok;

	if (!scratch_open(dir, &scratch, error))
		return FALSE;
	export_directory(dir, &scratch);
	ok = check_directory(plan, dir, scratch.fd, error) && (store = store_open(store_path, STORE_WRITE, error)) &&
	     begin_store(options, plan, &scratch, command, store, error);
	if (ok) {
		struct runner runner = {.plan = plan, .reset = options->reset_row, .settle_s = options->settle_s,
		                        .timeout_s = options->timeout_s, .scratch = &scratch, .store = store,
		                        .quiet = options->quiet, .warn = cmd_warn};

		if (!options->quiet)
			warn_of_small_sizes(plan);
		ok = runner_execute(&runner, summary, error);
	}
	ok = scratch_remove(&scratch, ok ? error : NULL) && ok;
	if (ok && summary->done > 0)
		ok = report_plan(options, plan, store_path, store, out, error);
	return ok;
}

static int run_plan(struct run_options *options, const char *command)
{
	g_autoptr(Plan) plan = plan_new();
	g_autoptr(GString) out = g_string_new(NULL);
	struct runner_summary summary = {0};
	GError *error = NULL;
	int printed;

	if (!make_plan(options, plan, &error))
		return cmd_fail(error);
	if (options->dry_run)
		return print_dry_run(options, plan);
	exec_init();
	if (!execute(options, plan, command, out, &summary, &error))
		return cmd_fail(error);
	printed = cmd_print(out);
	if (summary.stop_signal) {
		cmd_warn("interrupted after %u of %u runs: these are kept", summary.done, plan->runs->len);
		return 128 + summary.stop_signal;
	}
	if (printed != EXIT_OK)
		return printed;
	return summary.failed ? EXIT_SOME_FAILED : EXIT_OK;
}

static int run(int argc, char **argv)
{
	struct run_options options = {0};
	const GOptionEntry entries[] = {
	    {"workload", 'w', 0, G_OPTION_ARG_FILENAME_ARRAY, &options.workloads, "What to run: NAME, NAME:option=value:..., a list of names, or cmd:COMMAND; repeat for more (default: dd1,dd1-dir,dd3,qsbench)", "SPEC"},
	    {"repeat", 0, 0, G_OPTION_ARG_FILENAME, &options.repeat, "Runs of each workload (default: " REPEAT_DEFAULT ")", "N"},
	    {"warmup", 0, 0, G_OPTION_ARG_FILENAME, &options.warmup, "Runs of each workload before that, stored but in no mean (default: 0)", "N"},
	    {"label", 0, 0, G_OPTION_ARG_FILENAME, &options.label, "Name of what is measured, for compare (default: the kernel's release)", "NAME"},
	    {"dir", 0, 0, G_OPTION_ARG_FILENAME, &options.dir, "Directory on the filesystem to test; a private one is made in it and removed (default: .)", "DIR"},
	    {"size", 0, 0, G_OPTION_ARG_FILENAME, &options.size, "Bytes of each workload that has a size: 256M, 1.5G, 2xRAM; k M G T and KiB MiB are powers of 1024, kB MB GB of 1000", "SIZE"},
	    {"reset", 0, 0, G_OPTION_ARG_FILENAME, &options.reset, "Before each run: none, sync or drop-caches (default: drop-caches)", "POLICY"},
	    {"settle", 0, 0, G_OPTION_ARG_FILENAME, &options.settle, "Pause between reset and run, as 2s or 500ms (default: none)", "DUR"},
	    {"timeout", 0, 0, G_OPTION_ARG_FILENAME, &options.timeout, "End a run after this time; it counts as failed (default: none)", "DUR"},
	    {"order", 0, 0, G_OPTION_ARG_FILENAME, &options.order, "Inside each block of one run a workload: random, blocked (as given) or abba (as given and reversed in turn) (default: random)", "ORDER"},
	    {"seed", 0, 0, G_OPTION_ARG_FILENAME, &options.seed, "Seed of the random order (default: a random one, stored)", "N"},
	    {"metric", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &options.metrics, "A value that a command prints: the first group of the last match", "NAME=UNIT[,higher|lower]:REGEX"},
	    {"store", 0, 0, G_OPTION_ARG_FILENAME, &options.store, "File that keeps every run (default: $VMSTAT_BENCH_STORE or vmstat-bench.db)", "FILE"},
	    {"format", 0, 0, G_OPTION_ARG_FILENAME, &options.format, "text or json (default: text)", "FORMAT"},
	    {"quiet", 'q', 0, G_OPTION_ARG_NONE, &options.quiet, "No progress, and no warning about sizes", NULL},
	    {"dry-run", 0, 0, G_OPTION_ARG_NONE, &options.dry_run, "Print the plan and do nothing", NULL},
	    G_OPTION_ENTRY_NULL};
	g_autofree char *command = join_command(argv);
	int status = EXIT_USAGE;
	GError *error = NULL;

	if (cmd_parse(&cmd_run, "", "Examples:\n"
	              "  vmstat-bench --repeat 10\n"
	              "  vmstat-bench run -w dd1,dd3 --size 2xRAM --dir /mnt/test --label 6.12\n"
	              "  vmstat-bench run -w 'cmd:sort -u words' --metric 'rate=MB/s,higher:([0-9.]+) MB/s'\n\n"
	              "'vmstat-bench list workloads' shows the workloads and their options. Exit codes: 0 ok, 2 wrong\n"
	              "usage, 3 failure, 4 some runs failed, 130 interrupted.", entries, &argc, &argv)) {
		if (argc > 1) {
			err_usage(&error, "run takes no operand, and '%s' is one: workloads are given with -w", argv[1]);
			status = cmd_fail(error);
		} else {
			status = run_plan(&options, command);
		}
	}
	run_options_clear(&options);
	return status;
}

const struct command cmd_run = {"run", "run workloads repeatedly and keep every run", run};
