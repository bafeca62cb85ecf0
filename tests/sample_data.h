#ifndef SAMPLE_DATA_H
#define SAMPLE_DATA_H

/* Hand-made datasets, and comparisons of their labels. */

#include "../src/analyse.h"
#include "../src/dataset.h"
#include "../src/names.h"
#include "../src/sides.h"

static const struct metric rate = {"rate", "MB/s", BETTER_HIGHER, NULL};

/* A run of a label with a value of the metric rate; NAN: none. */
static inline guint add_run(struct dataset *dataset, const char *label, double value)
{
	guint row = dataset_add_run(dataset);

	column_set(dataset_factor(dataset, "label"), row, label);
	values_set(dataset_metric(dataset, &rate), row, value);
	return row;
}

static inline void add_runs(struct dataset *dataset, const char *label, const double *values, guint n)
{
	for (guint i = 0; i < n; i++)
		add_run(dataset, label, values[i]);
}

static inline void set_level(struct column **column, const char *name, guint row, const char *level)
{
	if (!*column)
		*column = column_new(name);
	column_set(*column, row, level);
}

static inline void set_number(struct column **column, const char *name, guint row, guint number)
{
	g_autofree char *level = g_strdup_printf("%u", number);

	set_level(column, name, row, level);
}

/* The i-th values of both labels are block i + 1; the order inside alternates. */
static inline void add_blocks(struct dataset *dataset, const double *a, const double *b, guint n)
{
	for (guint i = 0; i < n; i++) {
		guint first = add_run(dataset, i % 2 ? "B" : "A", i % 2 ? b[i] : a[i]);
		guint second = add_run(dataset, i % 2 ? "A" : "B", i % 2 ? a[i] : b[i]);

		set_number(&dataset->block, "block", first, i + 1);
		set_number(&dataset->block, "block", second, i + 1);
	}
}

static inline GArray *rows_with(const struct dataset *dataset, const char *label)
{
	GArray *rows = g_array_new(FALSE, FALSE, sizeof(guint));

	for (guint row = 0; row < dataset->n_runs; row++)
		if (!label || g_strcmp0(column_get(dataset_find_factor(dataset, "label"), row), label) == 0)
			g_array_append_val(rows, row);
	return rows;
}

/* names: the baseline, then the others; ends with NULL. */
static inline struct analysis *compare_labels(const struct dataset *dataset, const char *const *names)
{
	const struct analyse_options options = {.level = 0.95, .margin_pct = 5};
	struct selection sides[8];
	g_autoptr(GPtrArray) others = g_ptr_array_new();
	struct analysis *analysis;
	guint n = 0;

	for (; names[n]; n++) {
		struct level level = {"label", names[n]};

		sides[n].name = g_strdup(names[n]);
		sides[n].levels = g_array_new(FALSE, FALSE, sizeof(struct level));
		g_array_append_val(sides[n].levels, level);
		sides[n].rows = rows_with(dataset, names[n]);
		if (n)
			g_ptr_array_add(others, &sides[n]);
	}
	analysis = analyse_compare(dataset, &sides[0], others, &options, NULL);
	for (guint i = 0; i < n; i++) {
		g_free(sides[i].name);
		g_array_unref(sides[i].levels);
		g_array_unref(sides[i].rows);
	}
	return analysis;
}

static inline const struct comparison *nth(const struct analysis *analysis, guint i)
{
	assert_non_null(analysis);
	assert_true(i < analysis->comparisons->len);
	return g_ptr_array_index(analysis->comparisons, i);
}

#define COMPARE(dataset, ...) compare_labels((dataset), (const char *const[]){__VA_ARGS__, NULL})

#endif
