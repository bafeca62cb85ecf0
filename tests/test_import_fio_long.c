#include "check.h"

#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "import_case.h"

#define LOG_BYTES (20u << 20)
#define MEMORY_MAX_KIB (64 << 10)

/* A document of some kilobytes, laid out as fio does, its numbers following from n. */
static void append_document(GString *text, guint n)
{
	g_string_append_printf(
	    text,
	    "{\n  \"fio version\" : \"fio-3.33\",\n  \"timestamp_ms\" : %u,\n  \"jobs\" : [\n    {\n"
	    "      \"jobname\" : \"long\",\n      \"error\" : 0,\n      \"write\" : {\n"
	    "        \"io_bytes\" : 1000000,\n        \"io_kbytes\" : 976,\n        \"bw_bytes\" : %u,\n"
	    "        \"runtime\" : 1000,\n        \"total_ios\" : 1000,\n        \"clat_ns\" : {\n"
	    "          \"bins\" : {\n",
	    2000 * n, 1000000 + n);
	for (guint bin = 0; bin < 300; bin++)
		g_string_append_printf(text, "            \"%u\" : %u%s\n", 1000 + 16 * bin, n + bin,
				       bin < 299 ? "," : "");
	g_string_append(text, "          }\n        }\n      }\n    }\n  ]\n}\n");
}

static guint write_log(const char *path)
{
	FILE *file = fopen(path, "we");
	g_autoptr(GString) text = g_string_new(NULL);
	gsize written = 0;
	guint n = 0;

	assert_non_null(file);
	for (; written < LOG_BYTES; n++) {
		g_string_truncate(text, 0);
		append_document(text, n);
		assert_int_equal(fwrite(text->str, 1, text->len, file), text->len);
		written += text->len;
	}
	assert_int_equal(fclose(file), 0);
	return n;
}

/* Whether all documents are runs with their own values. */
static gboolean is_read_well(const char *path, guint n)
{
	g_autoptr(Dataset) dataset = import_file(path, NULL);
	const struct values *values = dataset ? dataset_find_metric(dataset, "write_bandwidth") : NULL;

	if (!values || dataset->n_runs != n || dataset->warnings->len)
		return FALSE;
	for (guint row = 0; row < n; row++)
		if (fabs(values_get(values, row) - (1 + row * 1e-6)) > 1e-9)
			return FALSE;
	return TRUE;
}

/* A log of 20 MB, some thousand documents one after the other, is read as a stream: the process that reads it stays
 * below 64 MiB. */
static void test_memory(void **state)
{
	g_autofree char *path = NULL;
	struct rusage usage;
	int status;
	guint n;
	pid_t pid;

#ifdef __SANITIZE_ADDRESS__
	skip();
#endif
	if (getenv("VALGRIND"))
		skip();
	path = g_build_filename(directory, "long.json", NULL);
	n = write_log(path);
	pid = fork();
	assert_true(pid >= 0);
	if (pid == 0)
		_exit(is_read_well(path, n) ? 0 : 1);
	assert_int_equal(wait4(pid, &status, 0, &usage), pid);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 0);
	if (usage.ru_maxrss >= MEMORY_MAX_KIB)
		fail_msg("%ld KiB of memory", usage.ru_maxrss);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_memory)};

	return cmocka_run_group_tests_name("import of a long log of fio", tests, make_directory, remove_directory);
}
