#include "analyse_effects.h"

#include <math.h>

#include "../stats/anova.h"
#include "../stats/blocked_two_way.h"
#include "../stats/error_contrast.h"
#include "../stats/kruskal_wallis.h"
#include "../stats/normal_maximum.h"
#include "../stats/studentized_range.h"
#include "analyse_layout.h"

#define WELCH_LEADS_FROM 5

static const double *values_of(const struct layout *layout)
{
	return (const double *)(gconstpointer)layout->y->data;
}

static const size_t *indices_of(const GArray *array)
{
	return (const size_t *)(gconstpointer)array->data;
}

static struct values *groups_of(const struct layout *layout)
{
	guint k = layout->first->len - 1;
	struct values *groups = g_new(struct values, k);

	for (guint i = 0; i < k; i++) {
		gsize first = g_array_index(layout->first, gsize, i);

		groups[i].x = values_of(layout) + first;
		groups[i].n = g_array_index(layout->first, gsize, i + 1) - first;
	}
	return groups;
}

static void add_term(struct effects *effects, const char *source, const struct anova_term *term,
		     const struct anova_term *error)
{
	struct effects_term row = {
	    g_intern_string(source), term->df, error ? error->df : NAN, term->ss, term->ms, term->f, term->p};

	g_array_append_val(effects->terms, row);
}

/* The level of a factor that each replicate has. */
static size_t *levels_of(const struct effects *effects, const struct layout *layout, guint factor)
{
	size_t *at = g_new0(size_t, layout->y->len);

	for (guint i = 0; i < effects->cells->len; i++)
		for (gsize j = g_array_index(layout->first, gsize, i); j < g_array_index(layout->first, gsize, i + 1);
		     j++)
			at[j] = g_array_index(effects->cells, struct effects_cell, i).at[factor];
	return at;
}

static struct crossed crossed_of(const struct effects *effects, const struct layout *layout, const size_t *a,
				 const size_t *b)
{
	return (struct crossed){.y = values_of(layout),
				.a = a,
				.b = b,
				.n = layout->y->len,
				.levels_a = effects->levels[0]->len,
				.levels_b = effects->n_factors > 1 ? effects->levels[1]->len : 1,
				.unit = effects->is_log};
}

static gboolean welch_leads(const struct effects *effects)
{
	const struct effects_cell *first = &g_array_index(effects->cells, struct effects_cell, 0);
	guint least = first->n;
	gboolean is_balanced = TRUE;

	for (guint i = 1; i < effects->cells->len; i++) {
		guint n = g_array_index(effects->cells, struct effects_cell, i).n;

		is_balanced &= n == first->n;
		least = MIN(least, n);
	}
	return (!is_balanced || least >= WELCH_LEADS_FROM) && isfinite(effects->welch.p);
}

static struct anova_term test_one_factor(struct effects *effects, const struct layout *layout)
{
	g_autofree struct values *groups = groups_of(layout);
	struct one_way t = one_way(groups, effects->cells->len, effects->is_log);

	add_term(effects, effects->factor[0], &t.between, &t.within);
	effects->flags |= t.flags;
	effects->welch = welch_anova(groups, effects->cells->len, effects->is_log);
	effects->welch_leads = welch_leads(effects);
	return t.within;
}

static struct anova_term test_one_factor_in_blocks(struct effects *effects, const struct layout *layout)
{
	g_autofree size_t *a = levels_of(effects, layout, 0);
	struct crossed data = crossed_of(effects, layout, a, indices_of(layout->block));
	g_autofree double *work = NULL;
	struct two_way t;

	data.levels_b = layout->levels_block;
	work = g_new(double, two_way_work(data.levels_a, data.levels_b));
	t = two_way(&data, FALSE, work);
	add_term(effects, effects->factor[0], &t.a, &t.error);
	add_term(effects, effects->blocked_by, &t.b, &t.error);
	effects->flags |= t.flags;
	return t.error;
}

static struct anova_term test_two_factors(struct effects *effects, const struct layout *layout)
{
	g_autofree char *interaction = g_strdup_printf("%s:%s", effects->factor[0], effects->factor[1]);
	g_autofree size_t *a = levels_of(effects, layout, 0), *b = levels_of(effects, layout, 1);
	struct crossed data = crossed_of(effects, layout, a, b);
	gsize size = effects->blocked_by ? blocked_two_way_work(data.levels_a, data.levels_b, layout->levels_block)
					 : two_way_work(data.levels_a, data.levels_b);
	g_autofree double *work = g_new(double, size);
	g_autofree size_t *cell = g_new(size_t, data.n);
	struct anova_term blocks;
	struct two_way t;

	if (effects->blocked_by)
		t = blocked_two_way(&data, indices_of(layout->block), layout->levels_block, &blocks, cell, work);
	else
		t = two_way(&data, TRUE, work);
	add_term(effects, effects->factor[0], &t.a_given_b, &t.error);
	add_term(effects, effects->factor[1], &t.b, &t.error);
	if (t.interaction.df > 0)
		add_term(effects, interaction, &t.interaction, &t.error);
	if (effects->blocked_by)
		add_term(effects, effects->blocked_by, &blocks, &t.error);
	if (!effects->is_replicated) {
		effects->nonadditivity = t.nonadditivity;
		effects->has_nonadditivity = isfinite(t.nonadditivity.p);
	}
	effects->flags |= t.flags;
	return t.error;
}

static double mean_of(const double *y, gsize n)
{
	double sum = 0;

	for (gsize i = 0; i < n; i++)
		sum += (y[i] - y[0]) / (double)n;
	return y[0] + sum;
}

/* On the scale of the analysis. */
static double *cell_means(const struct effects *effects, const struct layout *layout)
{
	double *means = g_new0(double, effects->cells->len);

	for (guint i = 0; i < effects->cells->len; i++) {
		gsize first = g_array_index(layout->first, gsize, i);

		means[i] = mean_of(values_of(layout) + first, g_array_index(layout->first, gsize, i + 1) - first);
	}
	return means;
}

static void fill_levels(struct effects *effects, const struct layout *layout, guint factor)
{
	g_autofree size_t *at = levels_of(effects, layout, factor);
	g_autoptr(GArray) values = g_array_new(FALSE, FALSE, sizeof(double));

	for (guint i = 0; i < effects->levels[factor]->len; i++) {
		struct effects_level *level = &g_array_index(effects->levels[factor], struct effects_level, i);

		g_array_set_size(values, 0);
		for (guint j = 0; j < layout->y->len; j++)
			if (at[j] == i)
				g_array_append_val(values, g_array_index(layout->y, double, j));
		level->n = values->len;
		level->mean = mean_of((const double *)(gconstpointer)values->data, values->len);
		if (effects->is_log)
			level->mean = exp(level->mean);
	}
}

static guint best_of(const struct effects *effects, const double *means)
{
	gboolean is_higher = effects->metric.better == BETTER_HIGHER;
	guint best = 0;

	for (guint i = 1; i < effects->cells->len; i++)
		if (is_higher ? means[i] > means[best] : means[i] < means[best])
			best = i;
	return best;
}

/* Tukey's procedure, which allows for the best being chosen by looking: Dunnett's asks for a control named before. */
static void compare_with_best(struct effects *effects, const double *means, const struct anova_term *error,
			      double level)
{
	guint best = best_of(effects, means);
	gboolean has_best = effects->metric.better != BETTER_NONE;

	for (guint i = 0; i < effects->cells->len; i++) {
		struct effects_cell *cell = &g_array_index(effects->cells, struct effects_cell, i);
		guint n_best = g_array_index(effects->cells, struct effects_cell, best).n;
		struct contrast c = error_contrast(means[best], n_best, means[i], cell->n, error);

		cell->mean = effects->is_log ? exp(means[i]) : means[i];
		cell->p = has_best && i != best ? tukey_p(&c, effects->cells->len) : NAN;
		cell->is_best = has_best && i == best;
		cell->is_as_good = cell->is_best || (has_best && !(cell->p < 1 - level) &&
						     !(c.flags & EST_CONSTANT && means[i] != means[best]));
	}
}

static struct test kruskal_of(const struct effects *effects, const struct layout *layout)
{
	g_autofree struct values *groups = groups_of(layout);
	g_autofree void *work = g_malloc(kruskal_wallis_bytes(groups, effects->cells->len));

	return kruskal_wallis(groups, effects->cells->len, work);
}

void effects_test(struct effects *effects, const struct layout *layout, double level)
{
	const struct test none = {.statistic = NAN, .df = NAN, .df_error = NAN, .p = NAN};
	g_autofree double *means = cell_means(effects, layout);
	struct anova_term error;

	effects->welch = effects->nonadditivity = none;
	effects->is_replicated = layout->y->len > effects->cells->len;
	if (effects->n_factors > 1)
		error = test_two_factors(effects, layout);
	else if (effects->blocked_by)
		error = test_one_factor_in_blocks(effects, layout);
	else
		error = test_one_factor(effects, layout);
	error.f = error.p = NAN;
	add_term(effects, "residual", &error, NULL);
	effects->kruskal = kruskal_of(effects, layout);
	effects->sd = sqrt(error.ms);
	effects->luck = normal_maximum(effects->cells->len);
	for (guint i = 0; i < effects->n_factors; i++)
		fill_levels(effects, layout, i);
	compare_with_best(effects, means, &error, level);
}
