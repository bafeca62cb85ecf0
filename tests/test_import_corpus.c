#include "check.h"

#include <string.h>

#include "../src/dataset.h"
#include "../src/err.h"
#include "../src/import.h"
#include "../src/shared.h"

#define FOLDER "tests/corpus"

/* The importer whose name the file's begins with: "fio-old.txt". */
static const struct importer *importer_of(const char *name)
{
	for (const struct importer *const *importer = importer_table; *importer; importer++) {
		g_autofree char *prefix = g_strconcat((*importer)->name, "-", NULL);

		if (g_str_has_prefix(name, prefix))
			return *importer;
	}
	return NULL;
}

static void check_file(const char *name)
{
	const struct importer *importer = importer_of(name);
	g_autofree char *path = g_build_filename(FOLDER, name, NULL), *head = NULL;
	g_autoptr(GError) error = NULL;
	g_autoptr(Dataset) dataset = import_file(path, &error);
	gsize length;

	assert_true(g_file_get_contents(path, &head, &length, NULL));
	if (!importer)
		fail_msg("%s: its name begins with that of no importer", name);
	for (const struct importer *const *other = importer_table; *other != importer; other++)
		if ((*other)->detect(head, length))
			fail_msg("%s: taken for %s", name, (*other)->name);
	if (!importer->detect(head, length))
		fail_msg("%s: not recognised", name);
	if (strstr(name, "-bad")) {
		assert_null(dataset);
		assert_int_equal(err_exit_code(error), EXIT_USAGE);
		assert_true(g_str_has_prefix(error->message, path));
	} else if (!dataset) {
		fail_msg("%s", error->message);
	} else {
		assert_true(dataset->n_runs > 0);
	}
}

/* The files from which fuzzing starts: each is read by the importer that its name begins with, and by no other one, or
 * is refused with its name where that says "-bad". */
static void test_files(void **state)
{
	g_autoptr(GDir) folder = g_dir_open(FOLDER, 0, NULL);
	const char *name;
	guint n = 0;

	assert_non_null(folder);
	for (; (name = g_dir_read_name(folder)); n++)
		check_file(name);
	assert_true(n > 0);
}

static gboolean has_good_file(const struct importer *importer)
{
	g_autoptr(GDir) folder = g_dir_open(FOLDER, 0, NULL);
	const char *name;

	while ((name = g_dir_read_name(folder)))
		if (importer_of(name) == importer && !strstr(name, "-bad"))
			return TRUE;
	return FALSE;
}

/* Each importer has a name of its own, one line that says what it reads, and a file that it reads; it takes neither an
 * empty file nor words for its own. */
static void test_contract(void **state)
{
	static const char *const nothing[] = {"", "\n", "some words\n", "{}\n", "[1, 2]\n", "{\"a\": [true, null]}\n"};
	g_autoptr(GHashTable) names = g_hash_table_new(g_str_hash, g_str_equal);

	for (const struct importer *const *at = importer_table; *at; at++) {
		const struct importer *importer = *at;

		assert_true(g_hash_table_add(names, shared(importer->name)));
		assert_true(*importer->summary && !strchr(importer->summary, '\n'));
		if (!has_good_file(importer))
			fail_msg("no file of %s in " FOLDER, importer->name);
		for (gsize i = 0; i < G_N_ELEMENTS(nothing); i++)
			if (importer->detect(nothing[i], strlen(nothing[i])))
				fail_msg("%s takes \"%s\"", importer->name, nothing[i]);
	}
}

/* Every file cut off behind each of its bytes is read, or refused as wrong usage: nothing crashes or hangs. */
static void test_truncated(void **state)
{
	g_autoptr(GDir) folder = g_dir_open(FOLDER, 0, NULL);
	const char *name;

	while ((name = g_dir_read_name(folder))) {
		const struct importer *importer = importer_of(name);
		g_autofree char *path = g_build_filename(FOLDER, name, NULL), *text = NULL;
		gsize length;

		assert_true(g_file_get_contents(path, &text, &length, NULL));
		for (gsize n = 0; importer && n < length; n++) {
			g_autoptr(GInputStream) stream = g_memory_input_stream_new_from_data(text, (gssize)n, NULL);
			g_autoptr(Dataset) dataset = dataset_new();
			g_autoptr(GError) error = NULL;

			if (importer->read(path, stream, dataset, &error))
				assert_true(dataset->n_runs > 0);
			else
				assert_int_equal(err_exit_code(error), EXIT_USAGE);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_files),
	    cmocka_unit_test(test_contract),
	    cmocka_unit_test(test_truncated),
	};

	return cmocka_run_group_tests_name("importers and the corpus", tests, NULL, NULL);
}
