#include "analyse_comparison.h"

#include <math.h>

#include "analyse.h"
#include "analyse_series.h"
#include "analyse_variance.h"

void side_init(struct side *side, const struct dataset *dataset, const struct selection *selection,
	       const struct sample *sample, const struct analyse_options *options)
{
	const double *x = (const double *)(gconstpointer)sample->values->data;
	guint n = sample->values->len;
	double sum = 0;

	for (guint i = 0; i < n; i++)
		sum += x[i] / n;
	*side = (struct side){.name = g_intern_string(selection->name),
			      .n = n,
			      .runs = sample->n_ok + sample->failed,
			      .failed = sample->failed,
			      .mean = n ? sum : NAN};
	if (options->verdict_only)
		return;
	side->flags = shape_flags(x, n, &side->outliers);
	side->variance =
	    variance_report_new(dataset, sample, sample_is_positive(sample), options->margin_pct, options->level);
}

void side_clear(struct side *side)
{
	g_free(side->variance);
}

static struct side side_copy(const struct side *side, guint n_units)
{
	struct side copy = *side;

	copy.n_units = n_units;
	copy.variance = side->variance ? g_memdup2(side->variance, sizeof(*side->variance)) : NULL;
	return copy;
}

static void fact_difference_free(struct fact_difference *difference)
{
	g_ptr_array_unref(difference->baseline);
	g_ptr_array_unref(difference->other);
	g_free(difference);
}

/* Where boots or sittings are compared, a side's mean is theirs: each counts once. */
static void side_take_mean(struct side *side, const GArray *units)
{
	side->mean = 0;
	for (guint i = 0; i < units->len; i++)
		side->mean += g_array_index(units, double, i) / units->len;
}

struct comparison *comparison_new(const struct side *baseline, const struct side *other, const struct design *design)
{
	struct comparison *c = g_new0(struct comparison, 1);

	c->facts_differ = g_ptr_array_new_with_free_func((GDestroyNotify)fact_difference_free);
	c->mixed = g_ptr_array_new();
	c->design = design->is_paired ? "blocked" : "independent";
	c->unit_of_replication = design->unit;
	c->baseline = side_copy(baseline, design->baseline->len);
	c->other = side_copy(other, design->other->len);
	if (!g_str_equal(design->unit, "run") && design->raw_baseline->len && design->raw_other->len) {
		side_take_mean(&c->baseline, design->raw_baseline);
		side_take_mean(&c->other, design->raw_other);
	}
	return c;
}

void comparison_free(struct comparison *comparison)
{
	side_clear(&comparison->baseline);
	side_clear(&comparison->other);
	g_ptr_array_unref(comparison->facts_differ);
	g_ptr_array_unref(comparison->mixed);
	g_free(comparison);
}

static flag_set flags_of_side(const GArray *values)
{
	return series_flags((const double *)(gconstpointer)values->data, values->len);
}

static flag_set flags_of_pairs(const struct design *design)
{
	g_autofree double *x = g_new(double, design->baseline->len + 1);

	for (guint i = 0; i < design->baseline->len; i++) {
		double before = g_array_index(design->baseline, double, i),
		       after = g_array_index(design->other, double, i);

		x[i] = design->is_log ? log(after) - log(before) : after - before;
	}
	return series_flags(x, design->baseline->len);
}

void comparison_add_series(struct comparison *comparison, const struct design *design)
{
	if (design->is_paired) {
		comparison->flags |= flags_of_pairs(design);
	} else {
		comparison->baseline.flags |= flags_of_side(design->baseline);
		comparison->other.flags |= flags_of_side(design->other);
	}
	comparison->flags |= comparison->baseline.flags | comparison->other.flags;
}
