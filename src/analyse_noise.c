#include "analyse_noise.h"
#include "shared.h"

#include <math.h>

struct noise *noise_new(const struct dataset *dataset, const GArray *rows, const struct values *values)
{
	g_autoptr(GPtrArray) sittings = g_ptr_array_new_with_free_func((GDestroyNotify)g_array_unref);
	g_autoptr(GHashTable) index = g_hash_table_new(NULL, NULL);
	struct noise *noise;

	for (guint i = 0; i < rows->len; i++) {
		guint row = g_array_index(rows, guint, i);
		const char *sitting = column_get(dataset->sitting, row);
		double value = log(values_get(values, row));
		GArray *of_sitting = g_hash_table_lookup(index, sitting);

		if (!dataset_ok(dataset, row) || isnan(values_get(values, row)))
			continue;
		if (!isfinite(value))
			return NULL;
		if (!of_sitting) {
			of_sitting = g_array_new(FALSE, FALSE, sizeof(double));
			g_ptr_array_add(sittings, of_sitting);
			g_hash_table_insert(index, shared(sitting), of_sitting);
		}
		g_array_append_val(of_sitting, value);
	}
	if (!sittings->len)
		return NULL;
	noise = g_new(struct noise, 1);
	noise->logs = g_array_new(FALSE, FALSE, sizeof(double));
	noise->sittings = g_array_new(FALSE, FALSE, sizeof(gsize));
	for (guint i = 0; i < sittings->len; i++) {
		const GArray *of_sitting = g_ptr_array_index(sittings, i);
		gsize n = of_sitting->len;

		g_array_append_vals(noise->logs, of_sitting->data, of_sitting->len);
		g_array_append_val(noise->sittings, n);
	}
	return noise;
}

void noise_free(struct noise *noise)
{
	if (!noise)
		return;
	g_array_unref(noise->logs);
	g_array_unref(noise->sittings);
	g_free(noise);
}

struct calibration noise_calibration(const struct noise *noise)
{
	return (struct calibration){.values = (const double *)(gconstpointer)noise->logs->data,
				    .sittings = (const size_t *)(gconstpointer)noise->sittings->data,
				    .n_sittings = noise->sittings->len};
}

char *instrument_of_row(const struct dataset *dataset, guint row, const char *workload)
{
	g_autofree char *options = g_strconcat("options of ", workload, NULL);
	const char *const keys[] = {"host", "cpu", "disk", "filesystem", options};
	const char *name = column_get(dataset->facts, row);
	GHashTable *facts = name ? g_hash_table_lookup(dataset->fact_sets, name) : NULL;
	GString *text;

	if (!facts)
		return NULL;
	text = g_string_new(NULL);
	for (guint i = 0; i < G_N_ELEMENTS(keys); i++) {
		const char *value = g_hash_table_lookup(facts, keys[i]);

		g_string_append_printf(text, "%s%s", i ? "\n" : "", value ? value : "");
	}
	return g_string_free(text, FALSE);
}
