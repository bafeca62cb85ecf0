#include "test_workload.h"

/* A small spec of each workload with a body, in or also from that directory; NULL for a command, or where it copies
 * from none. */
static char *small_spec(const struct workload *workload, const char *dir, gboolean from)
{
	const struct {
		const char *option, *value;
	} small[] = {{"size", "6M"}, {"time", "20ms"}, {"dir", dir}, {"from", from ? dir : NULL}};
	GString *spec;

	if (workload->argv || (from && !workload_has_option(workload, "from")))
		return NULL;
	spec = g_string_new(workload->name);
	for (size_t i = 0; i < G_N_ELEMENTS(small); i++) {
		if (small[i].value && workload_has_option(workload, small[i].option))
			g_string_append_printf(spec, ":%s=%s", small[i].option, small[i].value);
	}
	return g_string_free(spec, FALSE);
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

/* Runs the spec, unless it cannot be measured there, and checks the values. */
static void assert_runs(const char *spec, const struct scratch *scratch)
{
	struct workload_config *config = parse_spec(spec);
	const struct workload *workload = config->workload;
	g_autofree char *reason = workload->unsupported ? workload->unsupported(config, scratch->fd) : NULL;
	struct trial trial;

	workload_config_free(config);
	if (reason) {
		print_message("%s not run: %s\n", spec, reason);
		return;
	}
	trial = run_spec(spec, scratch->fd);
	for (guint i = 0; i < count_metrics(workload); i++)
		assert_true(isfinite(trial.values[i]) && trial.values[i] >= 0);
	assert_int_equal(trial.child_status, 0);
}

/* Each workload with a body runs for real and sets each of its metrics to a finite value that is not negative; one that
 * can copy from a directory does that, too. */
static void test_every_body_runs(void **state)
{
	const struct scratch *scratch = *state;
	g_autofree char *dir = g_strdup_printf("%s/in", scratch->name);

	for (const struct workload *const *row = workload_table; *row; row++) {
		for (int from = FALSE; from <= TRUE; from++) {
			g_autofree char *spec = small_spec(*row, dir, from);

			if (!spec)
				continue;
			assert_int_equal(mkdirat(scratch->fd, "in", 0700), 0);
			for (char name[] = "in/1"; name[3] <= '3'; name[3]++)
				write_file(scratch->fd, name, name, sizeof name);
			assert_runs(spec, scratch);
			assert_true(scratch_empty(scratch, NULL));
		}
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
