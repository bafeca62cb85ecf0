#ifndef IMPORT_REPORT_CASE_H
#define IMPORT_REPORT_CASE_H

/* Reports of programs, read from text or from the public logs of ../shared. */

#include <stdlib.h>

#include "../src/import_formats.h"
#include "import_case.h"

/* The public log of that name; the test is skipped where the logs are not there. */
static inline struct dataset *import_public(const char *name)
{
	const char *shared_dir = g_getenv("VMSTAT_BENCH_SHARED");
	char *path = g_build_filename(shared_dir ? shared_dir : "../shared", "logs", name, NULL);
	g_autoptr(GError) error = NULL;
	struct dataset *dataset = g_file_test(path, G_FILE_TEST_EXISTS) ? import_file(path, &error) : NULL;

	g_free(path);
	if (error)
		fail_msg("%s", error->message);
	if (!dataset)
		skip();
	return dataset;
}

static inline int by_value(const void *a, const void *b)
{
	const double *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/* What the logs' index says of a column of numbers, with its ten digits. */
struct column_case {
	const char *metric, *unit;
	guint n;
	double mean, sd, median, min, max;
};

/* Checks the values that the runs of a workload (NULL: all) have of a metric. */
static inline void check_column_case(const struct dataset *dataset, const char *workload,
				     const struct column_case *want)
{
	const struct values *values = dataset_find_metric(dataset, want->metric);
	g_autoptr(GArray) found = g_array_new(FALSE, FALSE, sizeof(double));
	double sum = 0, squares = 0;

	assert_non_null(values);
	assert_string_equal(values->metric.unit, want->unit);
	for (guint row = 0; row < dataset->n_runs; row++) {
		double value = values_get(values, row);

		if (isnan(value) || (workload && !g_str_equal(column_get(dataset->workload, row), workload)))
			continue;
		g_array_append_val(found, value);
		sum += value;
	}
	assert_int_equal(found->len, want->n);
	qsort(found->data, found->len, sizeof(double), by_value);
	for (guint i = 0; i < found->len; i++) {
		double off = g_array_index(found, double, i) - sum / found->len;

		squares += off * off;
	}
	assert_close(sum / found->len, want->mean, 1e-9);
	assert_close(sqrt(squares / (found->len - 1)), want->sd, 1e-9);
	assert_close(
	    (g_array_index(found, double, found->len / 2) + g_array_index(found, double, (found->len - 1) / 2)) / 2,
	    want->median, 1e-9);
	assert_close(g_array_index(found, double, 0), want->min, 1e-9);
	assert_close(g_array_index(found, double, found->len - 1), want->max, 1e-9);
}

/* A fact or the factor of that name. */
static inline const char *setting_of(const struct dataset *dataset, const char *name, guint row)
{
	const char *level = level_of(dataset, name, row), *set = column_get(dataset->facts, row);

	return level || !set ? level : g_hash_table_lookup(g_hash_table_lookup(dataset->fact_sets, set), name);
}

/* The text is refused as a usage error that says where and what. */
static inline void check_text_refused(const char *text, const char *where, const char *what)
{
	g_autofree char *path = write_file("r.txt", text, -1);
	g_autoptr(GError) error = NULL;
	struct dataset *dataset = import_file(path, &error);

	if (dataset)
		fail_msg("was read: %s", text);
	if (!strstr(error->message, where) || !strstr(error->message, what))
		fail_msg("\"%s\" does not say \"%s\" and \"%s\"", error->message, where, what);
	assert_int_equal(err_exit_code(error), EXIT_USAGE);
}

/* The nth warning, from 0, says where and what. */
static inline void check_warning(const struct dataset *dataset, guint n, const char *where, const char *what)
{
	const char *warning = n < dataset->warnings->len ? g_ptr_array_index(dataset->warnings, n) : "";

	if (!strstr(warning, where) || !strstr(warning, what))
		fail_msg("warning %u \"%s\" does not say \"%s\" and \"%s\"", n, warning, where, what);
}

/* The text is of this format and of no other but a table. */
static inline void check_detected(const char *text, const struct importer *format)
{
	for (const struct importer *const *row = importer_table; *row; row++)
		if (*row != &import_table && (*row)->detect(text, strlen(text)) != (*row == format))
			fail_msg("%s %s", (*row)->name, *row == format ? "does not know its own" : "takes another's");
}

/* Reads bytes as the format: nothing of them may crash, and a file that is read has runs. */
static inline void read_bytes(const struct importer *format, const char *bytes, gsize length)
{
	g_autoptr(GInputStream) stream = g_memory_input_stream_new_from_data(bytes, (gssize)length, NULL);
	g_autoptr(Dataset) dataset = dataset_new();
	g_autoptr(GError) error = NULL;

	if (format->read("hostile", stream, dataset, &error))
		assert_true(dataset->n_runs > 0);
	else
		assert_int_equal(err_exit_code(error), EXIT_USAGE);
}

/* Reads the text cut off at each byte, and with each byte made another. */
static inline void check_hostile(const struct importer *format, const char *text)
{
	static const char others[] = {'\0', '\n', '9', '-', '\t', '"', '\xff', '/'};
	gsize length = strlen(text);
	g_autofree char *bytes = g_strdup(text);

	for (gsize i = 0; i < length; i++) {
		read_bytes(format, text, i);
		bytes[i] = others[i % sizeof others];
		read_bytes(format, bytes, length);
		bytes[i] = text[i];
	}
}

/* Each run of digits grows to a million of them, which is no number, or one too large. */
static inline void check_long_numbers(const struct importer *format, const char *text)
{
	g_autofree char *digits = g_strnfill(1000000, '7');

	for (const char *at = text; *at; at++) {
		g_autofree char *bytes = NULL;
		g_autofree char *before = g_strndup(text, (gsize)(at - text));

		if (!g_ascii_isdigit(*at) || (at > text && g_ascii_isdigit(at[-1])))
			continue;
		bytes = g_strconcat(before, digits, at, NULL);
		read_bytes(format, bytes, strlen(bytes));
	}
}

#endif
