#ifndef LOG_CASE_H
#define LOG_CASE_H

/* Logs read as files: the public ones, and texts written here. */

#include "import_case.h"

static inline char *shared_path(const char *folder, const char *name)
{
	const char *shared_dir = g_getenv("VMSTAT_BENCH_SHARED");

	return g_build_filename(shared_dir ? shared_dir : "../shared", folder, name, NULL);
}

/* A file of the public ones; the test is skipped where they are not there. */
static inline struct dataset *import_shared(const char *folder, const char *name)
{
	g_autofree char *path = shared_path(folder, name);
	g_autoptr(GError) error = NULL;
	struct dataset *dataset;

	if (!g_file_test(path, G_FILE_TEST_EXISTS))
		skip();
	dataset = import_file(path, &error);
	if (!dataset)
		fail_msg("%s", error->message);
	return dataset;
}

/* Reads a text that is to be refused; the error says that it is in that place and what it is. */
static inline void assert_refused(const char *text, gssize length, const char *where, const char *what)
{
	g_autofree char *path = write_file("table.tsv", text, length);
	g_autoptr(GError) error = NULL;
	g_autoptr(Dataset) dataset = import_file(path, &error);

	if (dataset)
		fail_msg("read, instead of: %s", what);
	if (!strstr(error->message, where) || !strstr(error->message, what))
		fail_msg("\"%s\" does not say %s and \"%s\"", error->message, where, what);
	assert_int_equal(err_exit_code(error), EXIT_USAGE);
}

static inline void assert_level(const char *got, const char *want)
{
	if (g_strcmp0(got, want))
		fail_msg("'%s' is not '%s'", got ? got : "(none)", want ? want : "(none)");
}

static inline const char *outcome_of(const struct dataset *dataset, guint row)
{
	const char *outcome = column_get(dataset->outcome, row);

	return outcome ? outcome : "ok";
}

/* The metric's value of a row; absent where it is NaN. The values stand in the public tables with these digits, so that
 * they are to be the same numbers. */
#define assert_value(dataset, metric, row, want) assert_close(value_of((dataset), (metric), (row)), (want), 0)

#endif
