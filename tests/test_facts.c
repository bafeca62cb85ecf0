#include "check.h"

#include <fcntl.h>
#include <unistd.h>

#include "../src/facts.h"

/* The number behind a name in /proc/meminfo, with its unit as facts write it. */
static char *meminfo(const char *name)
{
	g_autofree char *text = NULL;
	g_autofree char *key = g_strdup_printf("\n%s:", name);
	g_autofree char *whole = NULL;
	const char *line;

	assert_true(g_file_get_contents("/proc/meminfo", &text, NULL, NULL));
	whole = g_strconcat("\n", text, NULL);
	line = strstr(whole, key);
	assert_non_null(line);
	return g_strdup_printf("%" G_GUINT64_FORMAT " KiB", g_ascii_strtoull(line + strlen(key), NULL, 10));
}

/* Memory and swap are each what the kernel says of it, not one for the other. */
static void test_memory(void **state)
{
	int root = open("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	g_autoptr(GHashTable) facts = facts_collect(root);
	g_autofree char *memory = meminfo("MemTotal"), *swap = meminfo("SwapTotal");

	assert_string_equal(g_hash_table_lookup(facts, "memory"), memory);
	assert_string_equal(g_hash_table_lookup(facts, "swap"), swap);
	close(root);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_memory)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
