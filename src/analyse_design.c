#include "analyse_design.h"

#include "flag.h"

#define PAIRS_MIN 3 /* fewer common blocks are no blocked design */

static GHashTable *codes_of(const struct sample *sample, const struct column *column)
{
	GHashTable *codes = g_hash_table_new(NULL, NULL);
	guint32 last = DATASET_ABSENT;

	for (guint i = 0; i < sample->rows->len; i++) {
		guint32 code = column_code(column, g_array_index(sample->rows, guint, i));

		/* Most runs follow one of the same level. */
		if (code != DATASET_ABSENT && code != last)
			g_hash_table_add(codes, GUINT_TO_POINTER(code));
		last = code;
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

static flag_set boot_flags(const struct dataset *dataset, const struct sample *x, const struct sample *y)
{
	guint of_x = sample_count_levels(x, dataset->boot), of_y = sample_count_levels(y, dataset->boot);

	if (of_x == 1 || of_y == 1)
		return FLAG_ONE_BOOT;
	return of_x == 2 || of_y == 2 ? FLAG_FEW_BOOTS : 0;
}

static flag_set sitting_flags(const struct dataset *dataset, const struct sample *x, const struct sample *y)
{
	guint of_x = sample_count_levels(x, dataset->sitting), of_y = sample_count_levels(y, dataset->sitting);

	if (!of_x || !of_y)
		return 0;
	return of_x != of_y || count_common(x, y, dataset->sitting) != of_x ? FLAG_CROSS_SITTING : 0;
}

struct pairing pairing_of(const struct dataset *dataset, const struct sample *const *samples, guint n)
{
	struct pairing pairing = {sample_replicate(dataset, samples, n), TRUE, TRUE};

	if (!pairing.column)
		pairing.column = dataset->block;
	for (guint i = 0; i < n; i++) {
		pairing.is_log &= sample_is_positive(samples[i]);
		for (guint j = i + 1; j < n && pairing.column; j++)
			pairing.is_paired &= count_common(samples[i], samples[j], pairing.column) >= PAIRS_MIN;
	}
	pairing.is_paired &= pairing.column != NULL;
	if (pairing.column == dataset->block && !pairing.is_paired)
		pairing.column = NULL;
	return pairing;
}

static flag_set block_flags(const struct design *design, const struct column *column, const struct sample *x,
			   const struct sample *y)
{
	guint n = design->baseline->len;

	return design->is_paired && (is_broken(x, column, n) || is_broken(y, column, n)) ? FLAG_BROKEN_BLOCKS : 0;
}

void design_init(struct design *design, const struct dataset *dataset, const struct pairing *pairing,
		 const struct sample *baseline, const struct sample *other)
{
	const struct column *column = pairing->column;
	gboolean is_block = column && column == dataset->block;

	*design = (struct design){.is_paired = pairing->is_paired, .is_log = pairing->is_log, .unit = "run"};
	fill(baseline, other, column, design->is_paired, design->is_log, &design->baseline, &design->other);
	fill(baseline, other, column, design->is_paired, FALSE, &design->raw_baseline, &design->raw_other);
	design->flags = block_flags(design, column, baseline, other);
	if (is_block && (has_repeats(baseline, column) || has_repeats(other, column)))
		design->unit = "block";
	else if (column && !is_block)
		design->unit = column == dataset->boot ? "boot" : "sitting";
	if (!column || is_block)
		design->flags |= sitting_flags(dataset, baseline, other);
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
