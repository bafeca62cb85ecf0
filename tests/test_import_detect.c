#include "check.h"

#include "import_report_case.h"

/* Importers whose files lie in a folder of their name. */
static const struct importer *const known[] = {&import_bonnie,     &import_iozone,     &import_sysbench, &import_ioping,
					       &import_interbench, &import_cyclictest, &import_stressng};

static char *shared_path(const char *name)
{
	const char *shared_dir = g_getenv("VMSTAT_BENCH_SHARED");

	return g_build_filename(shared_dir ? shared_dir : "../shared", name, NULL);
}

/* Each file of the folder is taken by the importer of the folder's name, and by no other of the known ones. */
static void check_folder(const char *folder, const char *name)
{
	g_autoptr(GDir) dir = g_dir_open(folder, 0, NULL);
	const char *file;

	while (dir && (file = g_dir_read_name(dir))) {
		g_autofree char *path = g_build_filename(folder, file, NULL), *text = NULL;
		gsize length;

		if (!g_file_get_contents(path, &text, &length, NULL))
			continue;
		text[MIN(length, 64u << 10)] = '\0';
		for (gsize i = 0; i < G_N_ELEMENTS(known); i++)
			if (known[i]->detect(text, strlen(text)) != g_str_equal(known[i]->name, name))
				fail_msg("%s: %s", known[i]->name, path);
	}
}

/* The public logs and threads: no format is taken for another. */
static void test_public_files(void **state)
{
	g_autofree char *logs = shared_path("logs"), *raw = shared_path("threads/raw"),
			*threads = shared_path("threads");
	g_autoptr(GDir) dir = g_dir_open(logs, 0, NULL);
	const char *name;

	if (!dir)
		skip();
	while ((name = g_dir_read_name(dir))) {
		g_autofree char *folder = g_build_filename(logs, name, NULL);

		check_folder(folder, name);
	}
	check_folder(raw, "");
	check_folder(threads, "");
}

/* Samples of the project's own are tables. */
static void test_samples(void **state)
{
	check_folder("samples", "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_public_files), cmocka_unit_test(test_samples)};

	return cmocka_run_group_tests_name("detection of reports", tests, NULL, NULL);
}
