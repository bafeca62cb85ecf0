#ifndef IMPORT_CASE_H
#define IMPORT_CASE_H

/* Tables written to a directory of their own and read back. */

#include <glib/gstdio.h>
#include <string.h>

#include "../src/dataset.h"
#include "../src/err.h"
#include "../src/import.h"

static char *directory;

static inline char *write_file(const char *name, const char *text, gssize length)
{
	char *path = g_build_filename(directory, name, NULL);

	assert_true(g_file_set_contents(path, text, length, NULL));
	return path;
}

static inline struct dataset *import_text(const char *text)
{
	g_autofree char *path = write_file("table.tsv", text, -1);
	g_autoptr(GError) error = NULL;
	struct dataset *dataset = import_file(path, &error);

	if (!dataset)
		fail_msg("%s", error->message);
	return dataset;
}

static inline double sum_of(const struct dataset *dataset, const char *metric)
{
	const struct values *values = dataset_find_metric(dataset, metric);
	double sum = 0;

	assert_non_null(values);
	for (guint row = 0; row < dataset->n_runs; row++)
		if (!isnan(values_get(values, row)))
			sum += values_get(values, row);
	return sum;
}

static inline double value_of(const struct dataset *dataset, const char *metric, guint row)
{
	const struct values *values = dataset_find_metric(dataset, metric);

	assert_non_null(values);
	return values_get(values, row);
}

static inline const char *level_of(const struct dataset *dataset, const char *factor, guint row)
{
	return column_get(dataset_find_factor(dataset, factor), row);
}

static inline int make_directory(void **state)
{
	directory = g_dir_make_tmp("test-import-XXXXXX", NULL);
	return directory ? 0 : -1;
}

static inline int remove_directory(void **state)
{
	g_autoptr(GDir) dir = g_dir_open(directory, 0, NULL);
	const char *name;

	while ((name = g_dir_read_name(dir))) {
		g_autofree char *path = g_build_filename(directory, name, NULL);

		g_unlink(path);
	}
	g_rmdir(directory);
	g_free(directory);
	return 0;
}

#endif
