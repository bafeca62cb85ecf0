#include "analyse_design.h"

#include "flag.h"

#define PAIRS_MIN 3 /* fewer common blocks are no blocked design */

static GHashTable *codes_of(const struct sample *sample, const struct column *column)
{
	GHashTable *codes = g_hash_table_new(NULL, NULL);

	for (guint i = 0; i < sample->rows->len; i++) {
		guint row = g_array_index(sample->rows, guint, i);

		if (column_get(column, row))
			g_hash_table_add(codes, GUINT_TO_POINTER(g_array_index(column->code, guint32, row)));
	}
	return codes;
}

static guint count_common(const struct sample *x, const struct sample *y, const struct column *column)
{
	g_autoptr(GHashTable) of_x = codes_of(x, column), of_y = codes_of(y, column);
	GHashTableIter iter;
	gpointer code;
	guint n = 0;

	g_hash_table_iter_init(&iter, of_x);
	while (g_hash_table_iter_next(&iter, &code, NULL))
		n += g_hash_table_contains(of_y, code);
	return n;
}

static gboolean all_positive(const struct sample *sample)
{
	for (guint i = 0; i < sample->values->len; i++)
		if (g_array_index(sample->values, double, i) <= 0)
			return FALSE;
	return TRUE;
}

/* Brings the units of both sides into one order and drops those that only one side has. */
static void keep_pairs(const struct units *x, const struct units *y, GArray *of_x, GArray *of_y)
{
	g_autoptr(GHashTable) place = g_hash_table_new(NULL, NULL);

	for (guint i = 0; i < y->code->len; i++)
		g_hash_table_insert(place, GUINT_TO_POINTER(g_array_index(y->code, guint32, i)),
				    GUINT_TO_POINTER(i + 1));
	for (guint i = 0; i < x->code->len; i++) {
		guint32 code = g_array_index(x->code, guint32, i);
		guint at = GPOINTER_TO_UINT(g_hash_table_lookup(place, GUINT_TO_POINTER(code)));

		if (at) {
			g_array_append_val(of_x, g_array_index(x->values, double, i));
			g_array_append_val(of_y, g_array_index(y->values, double, at - 1));
		}
	}
}

static void fill(const struct sample *x, const struct sample *y, const struct column *column, gboolean is_paired,
		 gboolean is_log, GArray **of_x, GArray **of_y)
{
	struct units units_x, units_y;

	units_init(&units_x, x, column, is_log);
	units_init(&units_y, y, column, is_log);
	if (is_paired) {
		*of_x = g_array_new(FALSE, FALSE, sizeof(double));
		*of_y = g_array_new(FALSE, FALSE, sizeof(double));
		keep_pairs(&units_x, &units_y, *of_x, *of_y);
	} else {
		*of_x = g_array_ref(units_x.values);
		*of_y = g_array_ref(units_y.values);
	}
	units_clear(&units_x);
	units_clear(&units_y);
}

/* Whether runs were left out: in a unit that the other side lacks, or in none. */
static gboolean is_broken(const struct sample *sample, const struct column *column, guint n_pairs)
{
	return sample_count_levels(sample, column) != n_pairs;
}

static gboolean has_repeats(const struct sample *sample, const struct column *column)
{
	g_autoptr(GHashTable) codes = codes_of(sample, column);

	return sample->rows->len > g_hash_table_size(codes);
}

static guint32 boot_flags(const struct dataset *dataset, const struct sample *x, const struct sample *y)
{
	guint of_x = sample_count_levels(x, dataset->boot), of_y = sample_count_levels(y, dataset->boot);

	if (of_x == 1 || of_y == 1)
		return FLAG_ONE_BOOT;
	return of_x == 2 || of_y == 2 ? FLAG_FEW_BOOTS : 0;
}

static guint32 sitting_flags(const struct dataset *dataset, const struct sample *x, const struct sample *y)
{
	guint of_x = sample_count_levels(x, dataset->sitting), of_y = sample_count_levels(y, dataset->sitting);

	if (!of_x || !of_y)
		return 0;
	return of_x != of_y || count_common(x, y, dataset->sitting) != of_x ? FLAG_CROSS_SITTING : 0;
}

void design_init(struct design *design, const struct dataset *dataset, const struct sample *baseline,
		 const struct sample *other)
{
	const struct sample *const sides[] = {baseline, other};
	const struct column *column = sample_replicate(dataset, sides, 2);
	guint n_pairs;

	*design = (struct design){.is_log = all_positive(baseline) && all_positive(other), .unit = "run"};
	if (column) {
		design->unit = column == dataset->boot ? "boot" : "sitting";
	} else {
		column = dataset->block;
		design->flags |= sitting_flags(dataset, baseline, other);
	}
	n_pairs = column ? count_common(baseline, other, column) : 0;
	design->is_paired = n_pairs >= PAIRS_MIN;
	if (column == dataset->block && !design->is_paired)
		column = NULL;
	fill(baseline, other, column, design->is_paired, design->is_log, &design->baseline, &design->other);
	fill(baseline, other, column, design->is_paired, FALSE, &design->raw_baseline, &design->raw_other);
	if (design->is_paired && (is_broken(baseline, column, n_pairs) || is_broken(other, column, n_pairs)))
		design->flags |= FLAG_BROKEN_BLOCKS;
	if (column && column == dataset->block && (has_repeats(baseline, column) || has_repeats(other, column)))
		design->unit = "block";
	if (!column || column != dataset->boot)
		design->flags |= boot_flags(dataset, baseline, other);
	if (!design->is_log)
		design->flags |= EST_NOT_POSITIVE;
}

void design_clear(struct design *design)
{
	g_array_unref(design->baseline);
	g_array_unref(design->other);
	g_array_unref(design->raw_baseline);
	g_array_unref(design->raw_other);
}
