#include "analyse_layout.h"

#include <math.h>

#include "analyse_sample.h"
#include "flag.h"

#define BLOCKS_MIN 3 /* as for a comparison in pairs */

static const struct sample *sample_at(const GArray *cells, guint i)
{
	return &g_array_index(cells, struct sample, i);
}

static const struct column *replicate_of(const struct dataset *dataset, const GArray *cells)
{
	g_autofree const struct sample **samples = g_new(const struct sample *, cells->len);

	for (guint i = 0; i < cells->len; i++)
		samples[i] = sample_at(cells, i);
	return sample_replicate(dataset, samples, cells->len);
}

/* The units of all cells by a column, and the number + 1 of each unit that every cell has. */
struct partition {
	guint k;
	struct units *units; /* one a cell */
	GHashTable *complete;
	gboolean is_broken, has_repeats;
};

static void partition_init(struct partition *p, const GArray *cells, const struct column *column, gboolean is_log)
{
	g_autoptr(GHashTable) count = g_hash_table_new(NULL, NULL);

	*p = (struct partition){.k = cells->len, .units = g_new(struct units, cells->len)};
	p->complete = g_hash_table_new(NULL, NULL);
	for (guint i = 0; i < p->k; i++) {
		const struct sample *sample = sample_at(cells, i);

		units_init(&p->units[i], sample, column, is_log);
		p->has_repeats |= sample->values->len > p->units[i].code->len;
		for (guint j = 0; column && j < p->units[i].code->len; j++) {
			gpointer code = GUINT_TO_POINTER(g_array_index(p->units[i].code, guint32, j));
			guint n = GPOINTER_TO_UINT(g_hash_table_lookup(count, code)) + 1;

			g_hash_table_insert(count, code, GUINT_TO_POINTER(n));
			if (n == p->k)
				g_hash_table_insert(p->complete, code,
						    GUINT_TO_POINTER(g_hash_table_size(p->complete) + 1));
		}
	}
	p->is_broken = g_hash_table_size(count) > g_hash_table_size(p->complete);
}

static void partition_clear(struct partition *p)
{
	for (guint i = 0; i < p->k; i++)
		units_clear(&p->units[i]);
	g_free(p->units);
	g_hash_table_unref(p->complete);
}

static void add_cell(struct layout *layout, const struct units *units, GHashTable *complete, gboolean is_log)
{
	gsize first = layout->y->len;

	g_array_append_val(layout->first, first);
	for (guint i = 0; i < units->values->len; i++) {
		double value = g_array_index(units->values, double, i), y = is_log ? log(value) : value;
		guint32 code = g_array_index(units->code, guint32, i);
		gsize block = GPOINTER_TO_UINT(g_hash_table_lookup(complete, GUINT_TO_POINTER(code)));

		if (layout->levels_block && !block)
			continue;
		g_array_append_val(layout->y, y);
		if (layout->levels_block) {
			block--;
			g_array_append_val(layout->block, block);
		}
	}
}

void layout_init(struct layout *layout, const struct dataset *dataset, const GArray *cells, gboolean is_log)
{
	const struct column *replicate = replicate_of(dataset, cells), *column = replicate ? replicate : dataset->block;
	const char *name = column == dataset->boot ? "boot" : column == dataset->sitting ? "sitting" : "block";
	struct partition p;
	gboolean is_blocked;
	gsize end;

	*layout = (struct layout){.y = g_array_new(FALSE, FALSE, sizeof(double)),
				  .first = g_array_new(FALSE, FALSE, sizeof(gsize)),
				  .block = g_array_new(FALSE, FALSE, sizeof(gsize)),
				  .unit = "run"};
	partition_init(&p, cells, column, is_log);
	is_blocked = g_hash_table_size(p.complete) >= BLOCKS_MIN;
	if (is_blocked) {
		layout->levels_block = g_hash_table_size(p.complete);
		layout->blocked_by = name;
		layout->flags = p.is_broken ? FLAG_BROKEN_BLOCKS : 0;
	} else if (!replicate && column) {
		partition_clear(&p);
		partition_init(&p, cells, NULL, is_log);
	}
	if (replicate || (is_blocked && p.has_repeats))
		layout->unit = name;
	for (guint i = 0; i < cells->len; i++)
		add_cell(layout, &p.units[i], p.complete, is_log);
	end = layout->y->len;
	g_array_append_val(layout->first, end);
	partition_clear(&p);
}

void layout_clear(struct layout *layout)
{
	g_array_unref(layout->y);
	g_array_unref(layout->first);
	g_array_unref(layout->block);
}
