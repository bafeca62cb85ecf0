#include "sitting.h"

#include <errno.h>
#include <string.h>
#include <sys/random.h>
#include <sys/utsname.h>

#include "../workloads/workload.h"
#include "err.h"
#include "factor.h"
#include "operand.h"
#include "probe.h"
#include "reset.h"
#include "sitting_boots.h"
#include "unit.h"

#define FILESYSTEM "ext4" /* on --image and --device */
#define SETTLE_AFTER_BOOT_S 10.0
#define SEED_MAX 0xffffffffu /* what the generator takes */

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

static gboolean add_workloads(struct plan *plan, char *const *specs, const char *const *usual, GError **error)
{
	for (; !specs && *usual; usual++)
		if (!add_workload(plan, *usual, error))
			return FALSE;
	if (!specs && !plan->workloads->len)
		return err_usage(error, "no workload: give one with -w, as -w dd1");
	for (char *const *spec = specs; spec && *spec; spec++) {
		/* only plain names may be a list: options and commands may hold commas of their own */
		g_auto(GStrv) names = strchr(*spec, ':') || !**spec ? NULL : g_strsplit(*spec, ",", -1);
		char *const whole[] = {*spec, NULL};

		for (char *const *name = names ? names : whole; *name; name++)
			if (!add_workload(plan, names ? g_strstrip(*name) : *name, error))
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

/* Takes the metric. */
static gboolean add_output(struct workload_config *config, struct output_metric *output, GError **error)
{
	for (guint i = 0; i < config->outputs->len; i++) {
		const struct output_metric *other = config->outputs->pdata[i];

		if (g_str_equal(other->metric.name, output->metric.name)) {
			err_usage(error, "--metric: '%s' was given twice", output->metric.name);
			output_metric_free(output);
			return FALSE;
		}
	}
	g_ptr_array_add(config->outputs, output);
	return TRUE;
}

static gboolean apply_metrics(struct plan *plan, char *const *metrics, GError **error)
{
	gboolean used = FALSE;

	for (char *const *metric = metrics; metric && *metric; metric++) {
		for (guint i = 0; i < plan->workloads->len; i++) {
			struct workload_config *config = plan->workloads->pdata[i];
			struct output_metric *output;

			if (!config->workload->argv)
				continue;
			output = output_metric_parse(*metric, error);
			if (!output)
				return FALSE;
			used = TRUE;
			if (!add_output(config, output, error))
				return FALSE;
		}
		if (!used)
			return err_usage(error,
					 "--metric '%s': only commands (-w cmd:...) have output to take a value from",
					 *metric);
	}
	return TRUE;
}

/* Without one given the kernel that is measured; several, in one plan, are told apart by the factor. */
static gboolean read_label(struct sitting *sitting, const char *text, GError **error)
{
	const struct factor *kernel = plan_factor(sitting->plan, "kernel");
	struct utsname names;

	if (!text && uname(&names) < 0)
		return err_errno(error, errno, "cannot tell the kernel's release for a label: give one with --label");
	if (!text && kernel)
		text = kernel->is_fixed ? kernel->levels->pdata[0] : "kernels";
	sitting->label = g_strdup(text ? text : names.release);
	if (!label_check(sitting->label, error))
		return FALSE;
	plan_add_label(sitting->plan, sitting->label);
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

static gboolean read_counts(struct plan *plan, const struct sitting_options *options, GError **error)
{
	const char *usual = options->until ? SITTING_REPEAT_UNTIL : SITTING_REPEAT;
	const char *name = options->repeat_name ? options->repeat_name : "--repeat";
	guint64 repeat, warmup;

	if (!count_parse(options->repeat ? options->repeat : usual, name, 1, PLAN_RUNS_MAX, &repeat, error) ||
	    !count_parse(options->warmup ? options->warmup : "0", "--warmup", 0, PLAN_RUNS_MAX, &warmup, error))
		return FALSE;
	plan->repeat = (guint)repeat;
	plan->warmup = (guint)warmup;
	return TRUE;
}

static gboolean read_times(struct sitting *sitting, const struct sitting_options *options, GError **error)
{
	if ((options->settle && !duration_parse(options->settle, &sitting->settle_s, error)) ||
	    (options->timeout && !duration_parse(options->timeout, &sitting->timeout_s, error)) ||
	    (options->max_time && !duration_parse(options->max_time, &sitting->max_time_s, error)))
		return FALSE;
	if (!options->settle && sitting->reset->boots == BOOT_MACHINE)
		sitting->settle_s = SETTLE_AFTER_BOOT_S;
	if (options->max_time && !(sitting->max_time_s > 0))
		return err_usage(error, "--max-time '%s' leaves no time for a run", options->max_time);
	return TRUE;
}

/* What the options say, with what was left to chance or to a default that may change. */
static char *encode_options(const struct sitting *sitting, const struct sitting_options *options)
{
	struct sitting_options settled = *options;
	g_autofree char *seed = g_strdup_printf("%" G_GUINT64_FORMAT, sitting->plan->seed);
	g_autoptr(GPtrArray) specs = g_ptr_array_new();

	for (guint i = 0; i < sitting->plan->workloads->len; i++)
		if ((int)i != sitting->plan->baseline)
			g_ptr_array_add(specs, ((const struct workload_config *)sitting->plan->workloads->pdata[i])->spec);
	g_ptr_array_add(specs, NULL);
	settled.workloads = (char **)specs->pdata;
	settled.seed = seed;
	if (!plan_factor(sitting->plan, "label"))
		settled.label = sitting->label;
	return sitting_options_encode(&settled);
}

static gboolean read_place(struct sitting *sitting, const struct sitting_options *options, GError **error)
{
	sitting->dir = g_strdup(options->dir ? options->dir : ".");
	sitting->device = g_strdup(options->device);
	sitting->place = (struct place_options){.dir = sitting->dir, .device = sitting->device};
	if (sitting->reset->boots == BOOT_GUEST && options->device)
		return err_usage(error, "--device '%s': a virtual machine has its disk on --image", options->device);
	if (options->image && options->device)
		return err_usage(error, "--image and --device both say where the filesystem is made: give one");
	if (options->device && !options->yes_destroy)
		return err_usage(error, "--device '%s': all that is on it would be lost; say --yes-destroy if that is meant",
				 options->device);
	if (options->yes_destroy && !options->device)
		return err_usage(error, "--yes-destroy: there is no --device that it could be about");
	if (options->image && (!size_parse(options->image, &sitting->place.image_bytes, error) ||
			       sitting->place.image_bytes == 0)) {
		if (error && *error)
			g_prefix_error(error, "--image: ");
		else
			err_usage(error, "--image '%s': an image of no size", options->image);
		return FALSE;
	}
	if (sitting->reset->needs_filesystem && !options->image && !options->device)
		return err_usage(error, "--reset %s needs a filesystem of its own: give --image SIZE or --device DEV",
				 sitting->reset->name);
	return TRUE;
}

static gboolean add_factor(struct plan *plan, const char *text, gboolean is_fixed, GError **error)
{
	struct factor *factor = factor_parse(text, is_fixed, error);

	if (factor)
		g_ptr_array_add(plan->factors, factor);
	return factor != NULL;
}

static gboolean read_factors(struct sitting *sitting, const struct sitting_options *options, GError **error)
{
	struct plan *plan = sitting->plan;
	gboolean has_filesystem = options->image || options->device;
	const struct factor *label;

	for (char *const *text = options->factors; text && *text; text++)
		if (!add_factor(plan, *text, FALSE, error))
			return FALSE;
	for (char *const *text = options->sets; text && *text; text++)
		if (!add_factor(plan, *text, TRUE, error))
			return FALSE;
	if (plan_factor(plan, "fs") && !has_filesystem)
		return err_usage(error, "'fs' needs a filesystem of its own: give --image SIZE or --device DEV");
	if (has_filesystem && !plan_factor(plan, "fs") && !add_factor(plan, "fs=" FILESYSTEM, TRUE, error))
		return FALSE;
	if (plan_factor(plan, "kernel") && sitting->reset->boots == BOOT_NONE)
		return err_usage(error, "'kernel' needs a boot: give --reset vm or reboot, and the kernels with --kernel");
	label = plan_factor(plan, "label");
	if (label && label->is_fixed)
		return err_usage(error, "a label for every run is given with --label");
	if (label && options->label)
		return err_usage(error, "--label and --factor label both name what is measured: give one");
	for (guint i = 0; label && i < label->levels->len; i++)
		if (!label_check(label->levels->pdata[i], error))
			return FALSE;
	return plan_cross(plan, error);
}

/* A directory's name may hold a comma: what begins with one is one probe. */
static char **split_probes(char *const *texts)
{
	g_autoptr(GStrvBuilder) specs = g_strv_builder_new();

	for (; texts && *texts; texts++) {
		g_auto(GStrv) parts = g_str_has_prefix(*texts, "ls:") ? NULL : g_strsplit(*texts, ",", -1);

		for (char **part = parts; part && *part; part++)
			g_strv_builder_add(specs, g_strstrip(*part));
		if (!parts)
			g_strv_builder_add(specs, *texts);
	}
	return g_strv_builder_end(specs);
}

static gboolean read_probes(struct sitting *sitting, const struct sitting_options *options, GError **error)
{
	struct plan *plan = sitting->plan;
	g_auto(GStrv) specs = split_probes(options->probes);
	struct workload_config *idle;

	if (!options->probes)
		return TRUE;
	sitting->probes = probes_parse(specs, error);
	if (!sitting->probes)
		return FALSE;
	/* what the probes say while nothing runs is what all else is to be seen against */
	for (guint i = 0; i < plan->workloads->len; i++) {
		idle = plan->workloads->pdata[i];
		if (g_str_equal(idle->workload->name, PROBE_IDLE))
			plan->baseline = (int)i;
	}
	if (plan->baseline < 0) {
		if (!add_workload(plan, PROBE_IDLE, error))
			return FALSE;
		plan->baseline = (int)plan->workloads->len - 1;
	}
	idle = plan->workloads->pdata[plan->baseline];
	idle->primary = g_array_index(probes_metrics(sitting->probes), struct metric, 0).name;
	return TRUE;
}

gboolean sitting_init(struct sitting *sitting, const struct sitting_options *options, enum plan_purpose purpose,
		      const char *const *usual, GError **error)
{
	struct plan *plan = plan_new();

	*sitting = (struct sitting){.plan = plan, .quiet = options->quiet};
	plan->purpose = purpose;
	if (!read_counts(plan, options, error) || !read_seed(options->seed, &plan->seed, error))
		return FALSE;
	if (options->order && !plan_order_parse(options->order, &plan->order))
		return err_usage(error, "no order '%s': there are random, blocked, abba", options->order);
	sitting->reset = reset_find(options->reset ? options->reset : "drop-caches", error);
	if (!sitting->reset || !sitting_read_boots(sitting, options, error) ||
	    !sitting_add_kernels(sitting, options, error) || !read_label(sitting, options->label, error) ||
	    !read_times(sitting, options, error) || !read_place(sitting, options, error) ||
	    !add_workloads(plan, options->workloads, usual, error) ||
	    (options->size && !apply_size(plan, options->size, error)) ||
	    !apply_metrics(plan, options->metrics, error) || !read_probes(sitting, options, error) ||
	    !read_factors(sitting, options, error))
		return FALSE;
	if (options->until && (!stopping_rule_parse(options->until, &sitting->rule, error) ||
			       !stopping_rule_check(&sitting->rule, plan, error)))
		return FALSE;
	sitting->options = encode_options(sitting, options);
	return plan_lay_out(plan, error);
}

void sitting_clear(struct sitting *sitting)
{
	plan_free(sitting->plan);
	probes_free(sitting->probes);
	g_free(sitting->label);
	g_free(sitting->dir);
	g_free(sitting->device);
	g_strfreev(sitting->kernels);
	g_strfreev(sitting->guest_files);
	g_free(sitting->command);
	g_free(sitting->options);
}
