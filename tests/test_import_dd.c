#include "check.h"

#include "../src/shared.h"
#include "import_report_case.h"

#define COUNTS "256+0 records in\n256+0 records out\n"
#define END "268435456 bytes (268 MB, 256 MiB) copied, 0.5 s, 537 MB/s\n"

/* The last line in all forms that dd has had, with the words of coreutils' translations, BSD's and busybox': bytes and
 * seconds, the latter with a comma in some locales, and the bandwidth that follows from both. */
static void test_forms(void **state)
{
	static const struct {
		const char *line;
		double bytes, seconds;
	} forms[] = {
	    {"268435456 bytes (268 MB, 256 MiB) copied, 0.412267 s, 651 MB/s", 268435456, 0.412267},
	    {"268435456 bytes (268 MB) copied, 12.5 s, 21.5 MB/s", 268435456, 12.5},
	    {"512 bytes copied, 9.0234e-05 s, 5.7 MB/s", 512, 9.0234e-05},
	    {"1 byte copied, 0.000149 s, 6.7 kB/s", 1, 0.000149},
	    {"268435456 bytes transferred in 0.412267 secs (651119242 bytes/sec)", 268435456, 0.412267},
	    {"104857600 bytes (100.0MB) copied, 0.032 seconds, 3.1GB/s", 104857600, 0.032},
	    {"268435456 Bytes (268 MB, 256 MiB) kopiert, 0,412267 s, 651 MB/s", 268435456, 0.412267},
	    {"268435456 octets (268 MB, 256 MiB) copi\xc3\xa9s, 1,5 s, 179 MB/s", 268435456, 1.5},
	    {"268435456 bajtova (268 MB, 256 MiB) je kopirano, 1,5 s, 179 MB/s", 268435456, 1.5},
	    {"\xd1\x81\xd0\xba\xd0\xbe\xd0\xbf\xd1\x96\xd0\xb9\xd0\xbe\xd0\xb2\xd0\xb0\xd0\xbd\xd0\xbe 268435456 "
	     "\xd0\xb1\xd0\xb0\xd0\xb9\xd1\x82\xd1\x96\xd0\xb2 (268 MB, 256 MiB), 1,5 s, 179 MB/s",
	     268435456, 1.5},
	    {"268435456 \xe5\xad\x97\xe8\x8a\x82 (268 MB, 256 MiB) "
	     "\xe5\xb7\xb2\xe5\xa4\x8d\xe5\x88\xb6\xef\xbc\x8c"
	     "1.5 s\xef\xbc\x8c"
	     "179 MB/s",
	     268435456, 1.5},
	};

	for (gsize i = 0; i < G_N_ELEMENTS(forms); i++) {
		g_autofree char *text = g_strconcat(COUNTS, forms[i].line, "\n", NULL);
		g_autoptr(Dataset) dataset = import_text(text);

		assert_int_equal(dataset->n_runs, 1);
		assert_close(value_of(dataset, "bytes", 0), forms[i].bytes, 0);
		assert_close(value_of(dataset, "elapsed", 0), forms[i].seconds, 0);
		assert_close(value_of(dataset, "bandwidth", 0), forms[i].bytes / forms[i].seconds / 1e6, 1e-12);
		assert_string_equal(g_hash_table_lookup(dataset->primary, "dd"), "bandwidth");
	}
}

/* One run after the other, among prompts and blank lines, or with their last lines only, or with one of the counts; also
 * two that ran at once, whose counts of records come together. */
static void test_runs(void **state)
{
	static const char out[] = "256+0 records out\n";
	g_autofree char *one_count = g_strconcat(out, END, out, END, NULL);
	g_autoptr(Dataset) counted = import_text(one_count);
	g_autoptr(Dataset) prompts = import_text("$ dd if=a of=b\n" COUNTS END "\n$ dd if=a of=b\n" COUNTS END "$\n");
	g_autoptr(Dataset) last = import_text(END END END);
	g_autoptr(Dataset) at_once = import_text(COUNTS COUNTS END END COUNTS COUNTS END END);

	assert_int_equal(prompts->n_runs, 2);
	assert_int_equal(last->n_runs, 3);
	assert_int_equal(counted->n_runs, 2);
	assert_int_equal(at_once->n_runs, 4);
	assert_close(sum_of(at_once, "elapsed"), 2, 0);
}

/* Progress is no result: it stands on one line with carriage returns, and the counts of records follow it. */
static void test_progress(void **state)
{
	g_autoptr(Dataset) dataset = import_text(
	    "1048576 bytes (1 MB, 1 MiB) copied, 1 s, 1 MB/s\r2097152 bytes (2 MB, 2 MiB) "
	    "copied, 2 s, 1 MB/s\n" COUNTS END "1048576 bytes (1 MB, 1 MiB) copied, 1 s, 1 MB/s\r\n" COUNTS END);

	assert_int_equal(dataset->n_runs, 2);
	assert_close(sum_of(dataset, "elapsed"), 1, 0);
}

/* A run that dd complained of has failed and has no values, whether it copied something or could not begin; a warning
 * is no complaint. */
static void test_failed(void **state)
{
	g_autoptr(Dataset) dataset =
	    import_text(COUNTS END "dd: error writing 'f': No space left on device\n" COUNTS END
				   "dd: warning: partial read (512 bytes); suggest iflag=fullblock\n" COUNTS END
				   "dd: failed to open 'g': Permission denied\n$ more\n" COUNTS END
				   "dd: failed to open 'g': Permission denied\n");
	static const gboolean ok[] = {TRUE, FALSE, TRUE, FALSE, TRUE, FALSE};

	assert_int_equal(dataset->n_runs, G_N_ELEMENTS(ok));
	for (guint row = 0; row < G_N_ELEMENTS(ok); row++) {
		assert_int_equal(dataset_ok(dataset, row), ok[row]);
		assert_close(value_of(dataset, "bandwidth", row), ok[row] ? 536.870912 : NAN, 1e-12);
	}
}

/* Nothing copied, or in no time, gives no bandwidth. */
static void test_nothing(void **state)
{
	g_autoptr(Dataset) dataset =
	    import_text(END "0 bytes copied, 0.001 s, 0.0 kB/s\n7 bytes copied, 0 s, Infinity B/s\n");

	assert_int_equal(dataset->n_runs, 3);
	assert_close(sum_of(dataset, "bandwidth"), 536.870912, 1e-12);
	assert_close(value_of(dataset, "elapsed", 1), 0.001, 0);
	check_warning(dataset, 0, "table.tsv:", "copied nothing, or in no time");
}

/* What looks like it is not taken for it; where a line is cut off there is no result. */
static void test_odd(void **state)
{
	static const char *const others[] = {
	    "268435456 bytes (268 MB, 256 MiB) copied, 0.5 s, 53",
	    "268435456 bytes copied\n",
	    "copied 5 files, 0.5 s, 1 MB/s\n",
	    "10 bytes, 20 bytes, 0.5 s\n",
	    "256+0 records in\n",
	};

	for (gsize i = 0; i < G_N_ELEMENTS(others); i++)
		assert_false(import_dd.detect(others[i], strlen(others[i])));
	check_detected("$ dd\n" COUNTS END, &import_dd);
	check_text_refused("1 byte copied, 1 s, 1 B/s\n\xff\n", "r.txt:2: ", "not text in UTF-8");
}

/* Any byte may be missing or wrong, and numbers may have a million digits. */
static void test_hostile(void **state)
{
	static const char text[] = "$ x\n" COUNTS END "dd: no\n" COUNTS "5 Bytes kopiert, 0,5 s, 10 B/s\n";

	check_hostile(&import_dd, text);
	check_long_numbers(&import_dd, text);
}

/* dd itself: 64 MiB from nowhere to nowhere, and a device that is full. */
static void test_dd_itself(void **state)
{
	static const char *const good[] = {"dd", "if=/dev/zero", "of=/dev/null", "bs=1M", "count=64", "status=progress",
					   NULL};
	static const char *const full[] = {"dd", "if=/dev/zero", "of=/dev/full", "bs=4k", "count=2", NULL};
	g_autofree char *first = NULL, *second = NULL, *text = NULL;
	g_autoptr(Dataset) dataset = NULL;

	assert_true(g_spawn_sync(NULL, shared(good), NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, NULL, &first, NULL, NULL));
	assert_true(g_spawn_sync(NULL, shared(full), NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, NULL, &second, NULL, NULL));
	text = g_strconcat(first, second, first, NULL);
	dataset = import_text(text);
	assert_int_equal(dataset->n_runs, 3);
	assert_close(value_of(dataset, "bytes", 0), 64 << 20, 0);
	assert_true(value_of(dataset, "elapsed", 0) > 0);
	assert_false(dataset_ok(dataset, 1));
	assert_close(value_of(dataset, "elapsed", 2), value_of(dataset, "elapsed", 0), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_forms),   cmocka_unit_test(test_runs),      cmocka_unit_test(test_progress),
	    cmocka_unit_test(test_failed),  cmocka_unit_test(test_nothing),   cmocka_unit_test(test_odd),
	    cmocka_unit_test(test_hostile), cmocka_unit_test(test_dd_itself),
	};

	return cmocka_run_group_tests_name("import of dd", tests, make_directory, remove_directory);
}
