/* A target for libFuzzer: the first byte chooses an importer, or beyond their number leaves the choice to their
 * detect(); the rest is the file. */

#include <math.h>
#include <string.h>

#include "../src/dataset.h"
#include "../src/err.h"
#include "../src/import.h"

#define HEAD_MAX (64u << 10)

int LLVMFuzzerTestOneInput(const guint8 *data, gsize size);

static const struct importer *choose(guint8 number, const char *text, gsize length)
{
	g_autofree char *head = g_strndup(text, MIN(length, HEAD_MAX));
	const struct importer *const *importer = importer_table;

	while (number && *importer) {
		number--;
		importer++;
	}
	if (*importer)
		return *importer;
	for (importer = importer_table; *importer; importer++)
		if ((*importer)->detect(head, strlen(head)))
			return *importer;
	return NULL;
}

/* What all that read a dataset rely on. */
static void check(const struct dataset *dataset)
{
	g_assert_cmpuint(dataset->n_runs, >, 0);
	for (guint i = 0; i < dataset->metrics->len; i++) {
		const struct values *values = g_ptr_array_index(dataset->metrics, i);

		g_assert_cmpuint(values->value->len, <=, dataset->n_runs);
		for (guint row = 0; row < dataset->n_runs; row++)
			g_assert_false(isinf(values_get(values, row)));
	}
	for (guint row = 0; row < dataset->n_runs; row++) {
		const char *facts = column_get(dataset->facts, row);

		g_assert_true(!facts || g_hash_table_contains(dataset->fact_sets, facts));
	}
}

int LLVMFuzzerTestOneInput(const guint8 *data, gsize size)
{
	const char *text = (const char *)data + 1;
	const struct importer *importer = size ? choose(data[0], text, size - 1) : NULL;
	g_autoptr(GInputStream) stream = NULL;
	g_autoptr(Dataset) dataset = NULL;
	g_autoptr(GError) error = NULL;

	if (!importer)
		return 0;
	stream = g_memory_input_stream_new_from_data(text, (gssize)size - 1, NULL);
	dataset = dataset_new();
	if (importer->read("fuzz", stream, dataset, &error)) {
		g_assert_no_error(error);
		check(dataset);
	} else {
		g_assert_error(error, ERR, ERR_USAGE);
		g_assert_true(g_utf8_validate(error->message, -1, NULL));
	}
	return 0;
}
