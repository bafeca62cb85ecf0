#include "test_workload.h"

/* A small spec of each workload with a body; none for a command. */
static char *small_spec(const struct workload *workload)
{
	if (workload->argv)
		return NULL;
	if (workload_has_option(workload, "time"))
		return g_strdup_printf("%s:time=20ms", workload->name);
	return g_strdup_printf("%s:size=%s", workload->name, workload_has_option(workload, "streams") ? "6M" : "1M");
}

static const struct metric *find_metric(const struct metric *metrics, const char *name)
{
	for (; metrics && metrics->name; metrics++) {
		if (strcmp(metrics->name, name) == 0)
			return metrics;
	}
	return NULL;
}

/* Every row has a name of its own, a one-line summary, a body or a command, and a primary metric that exists. */
static void test_rows_are_described(void **state)
{
	for (const struct workload *const *row = workload_table; *row; row++) {
		const struct workload *workload = *row;

		assert_ptr_equal(workload_find(workload->name), workload);
		assert_non_null(workload->summary);
		assert_true(strlen(workload->summary) > 10 && strlen(workload->summary) < 100);
		assert_null(strchr(workload->summary, '\n'));
		assert_true((workload->run != NULL) != (workload->argv != NULL));
		assert_true(find_metric(workload->metrics, workload->primary) ||
			    find_metric(run_metrics, workload->primary));
	}
	assert_null(workload_find("dd"));
	assert_null(workload_find(""));
}

/* Names are unique, also against those that every run has; rates get better upwards and times downwards. */
static void test_metrics_are_described(void **state)
{
	for (const struct workload *const *row = workload_table; *row; row++) {
		assert_true(count_metrics(*row) <= VALUES_MAX);
		for (const struct metric *metric = (*row)->metrics; metric && metric->name; metric++) {
			assert_ptr_equal(find_metric((*row)->metrics, metric->name), metric);
			assert_null(find_metric(run_metrics, metric->name));
			assert_int_equal(metric->better, better_of_unit(metric->unit));
			assert_true(metric->help && strlen(metric->help) > 10 && !strchr(metric->help, '\n'));
		}
	}
}

/* Names are unique, defaults are read by the parser that reads the user's values. */
static void test_options_are_described(void **state)
{
	for (const struct workload *const *row = workload_table; *row; row++) {
		g_autofree char *spec =
		    (*row)->whole ? g_strdup_printf("%s:true", (*row)->name) : g_strdup((*row)->name);
		struct workload_config *config = parse_spec(spec);
		g_autoptr(GHashTable) names = g_hash_table_new(g_str_hash, g_str_equal);

		for (const struct workload_option *option = (*row)->options; option && option->name; option++) {
			assert_true(g_hash_table_add(names, (gpointer)(guintptr)option->name));
			assert_true(option->help && strlen(option->help) > 5 && !strchr(option->help, '\n'));
			assert_true(workload_has_option(*row, option->name));
			if (option->value)
				assert_true(workload_config_set(config, option->name, option->value, NULL));
		}
		workload_config_free(config);
	}
}

/* Each workload with a body runs for real and sets each of its metrics to a finite value that is not negative
. */
static void test_every_body_runs(void **state)
{
	const struct scratch *scratch = *state;

	for (const struct workload *const *row = workload_table; *row; row++) {
		g_autofree char *spec = small_spec(*row);
		g_autofree char *reason = NULL;
		struct workload_config *config;
		struct trial trial;

		if (!spec)
			continue;
		config = parse_spec(spec);
		reason = (*row)->unsupported ? (*row)->unsupported(config, scratch->fd) : NULL;
		workload_config_free(config);
		if (reason) {
			print_message("%s not run: %s\n", spec, reason);
			continue;
		}
		trial = run_spec(spec, scratch->fd);
		for (guint i = 0; i < count_metrics(*row); i++)
			assert_true(isfinite(trial.values[i]) && trial.values[i] >= 0);
		assert_int_equal(trial.child_status, 0);
		assert_true(scratch_empty(scratch, NULL));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_rows_are_described),
	    cmocka_unit_test(test_metrics_are_described),
	    cmocka_unit_test(test_options_are_described),
	    workload_test(test_every_body_runs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
