#ifndef ADAPTER_CASE_H
#define ADAPTER_CASE_H

/* Runs of other people's programs: those that are not installed are not tested. */

#include "test_workload.h"

#include "../src/exec.h"
#include "../src/run.h"

static const struct exec_watch no_watch;

static inline double value_of(const struct workload *workload, const struct run_result *result, const char *name)
{
	for (guint i = 0; i < count_metrics(workload); i++)
		if (g_str_equal(workload->metrics[i].name, name))
			return g_array_index(result->own, double, i);
	fail_msg("no metric %s", name);
	return NAN;
}

/* With what it has to make before. */
static inline struct run_result run_config(const struct workload_config *config, int dirfd)
{
	g_autoptr(GError) error = NULL;
	struct run_result result;

	if (run_prepare(config, dirfd, &no_watch, &result))
		assert_true(run_workload(config, dirfd, NONCE, &no_watch, &result, &error));
	return result;
}

/* Skips where it is not installed. regex: also taken from the output, as the value behind the workload's own; NULL:
 * none. */
static inline struct run_result run_tool(const char *spec, int dirfd, const char *regex)
{
	struct workload_config *config = parse_spec(spec);
	g_autofree char *reason = config->workload->unsupported(config, dirfd);
	struct run_result result;

	if (reason) {
		print_message("%s not run: %s\n", spec, reason);
		workload_config_free(config);
		skip();
	}
	if (regex)
		g_ptr_array_add(config->outputs, output_metric_parse(regex, NULL));
	result = run_config(config, dirfd);
	workload_config_free(config);
	return result;
}

/* The same for options that unsupported() refuses. */
static inline struct run_result run_unsupported(const char *spec, int dirfd)
{
	struct workload_config *config = parse_spec(spec);
	struct run_result result;

	if (access(config->argv[0], X_OK) < 0) {
		workload_config_free(config);
		skip();
	}
	result = run_config(config, dirfd);
	workload_config_free(config);
	return result;
}

static inline void assert_ok(const struct run_result *result)
{
	if (result->outcome != OUTCOME_OK)
		print_error("%s\n", result->message);
	assert_int_equal(result->outcome, OUTCOME_OK);
	assert_null(result->message);
}

static inline void assert_arguments(const char *spec, const char *arguments)
{
	struct workload_config *config = parse_spec(spec);
	char *const *argv = config->workload->argv(config);
	g_autofree char *joined = g_strjoinv(" ", config->argv + 1);

	assert_true(g_path_is_absolute(argv[0]));
	assert_string_equal(joined, arguments);
	workload_config_free(config);
}

static inline void assert_refused(const char *spec, const char *message)
{
	g_autoptr(GError) error = NULL;

	assert_null(workload_config_parse(spec, &error));
	assert_text_contains(error->message, message);
}

#endif
