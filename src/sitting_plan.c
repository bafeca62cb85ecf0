#include "sitting.h"

#include <errno.h>
#include <string.h>
#include <sys/random.h>
#include <sys/utsname.h>

#include "../workloads/workload.h"
#include "err.h"
#include "reset.h"
#include "unit.h"

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

static gboolean read_label(struct sitting *sitting, const char *text, GError **error)
{
	struct utsname names;

	if (!text && uname(&names) < 0)
		return err_errno(error, errno, "cannot tell the kernel's release for a label: give one with --label");
	sitting->label = g_strdup(text ? text : names.release);
	if (!*sitting->label || !g_utf8_validate(sitting->label, -1, NULL))
		return err_usage(error, "the label must be UTF-8 text and not empty");
	if (*sitting->label == '-' || strchr(sitting->label, '='))
		return err_usage(error, "the label '%s' would be taken for an %s by show and compare: choose another",
				 sitting->label, *sitting->label == '-' ? "option" : "operand NAME=LEVEL");
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
	if (options->max_time && !(sitting->max_time_s > 0))
		return err_usage(error, "--max-time '%s' leaves no time for a run", options->max_time);
	return TRUE;
}

gboolean sitting_init(struct sitting *sitting, const struct sitting_options *options, enum plan_purpose purpose,
		      const char *const *usual, GError **error)
{
	struct plan *plan = plan_new();

	*sitting = (struct sitting){.plan = plan, .quiet = options->quiet};
	sitting->dir = g_strdup(options->dir ? options->dir : ".");
	plan->purpose = purpose;
	if (!read_counts(plan, options, error) || !read_seed(options->seed, &plan->seed, error) ||
	    !read_label(sitting, options->label, error))
		return FALSE;
	if (options->order && !plan_order_parse(options->order, &plan->order))
		return err_usage(error, "no order '%s': there are random, blocked, abba", options->order);
	sitting->reset = reset_find(options->reset ? options->reset : "drop-caches", error);
	if (!sitting->reset || !read_times(sitting, options, error))
		return FALSE;
	return add_workloads(plan, options->workloads, usual, error) &&
	       (!options->size || apply_size(plan, options->size, error)) &&
	       apply_metrics(plan, options->metrics, error) &&
	       (!options->until || (stopping_rule_parse(options->until, &sitting->rule, error) &&
				    stopping_rule_check(&sitting->rule, plan, error))) &&
	       plan_lay_out(plan, error);
}

void sitting_options_clear(struct sitting_options *options)
{
	char **texts[] = {&options->repeat, &options->warmup,   &options->label, &options->dir,    &options->size,
			  &options->reset,  &options->order,    &options->seed,  &options->settle, &options->timeout,
			  &options->until,  &options->max_time, &options->store};

	g_strfreev(options->workloads);
	g_strfreev(options->metrics);
	for (guint i = 0; i < G_N_ELEMENTS(texts); i++)
		g_free(*texts[i]);
}

void sitting_clear(struct sitting *sitting)
{
	plan_free(sitting->plan);
	g_free(sitting->label);
	g_free(sitting->dir);
	g_free(sitting->command);
}
