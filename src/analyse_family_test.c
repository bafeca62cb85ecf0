#include "analyse_family.h"

#include <math.h>

#include "../stats/anova.h"
#include "../stats/dunnett.h"
#include "../stats/studentized_range.h"
#include "../stats/tdist.h"
#include "../stats/ttest.h"
#include "../stats/two_way.h"
#include "analyse_layout.h"

static const struct layout *layout_of(const struct family *family, gboolean is_raw)
{
	return is_raw && family->raw ? family->raw : family->used;
}

static struct values group_of(const struct layout *layout, guint place)
{
	gsize first = g_array_index(layout->first, gsize, place), end = g_array_index(layout->first, gsize, place + 1);

	return (struct values){(const double *)(gconstpointer)layout->y->data + first, end - first};
}

static struct values *groups_of(const struct family *family, const struct layout *layout)
{
	struct values *groups = g_new(struct values, family->k);

	for (guint i = 0; i < family->k; i++)
		groups[i] = group_of(layout, i);
	return groups;
}

static struct contrast in_blocks(const struct family *family, const struct layout *layout, const gsize places[2],
				 double unit)
{
	g_autofree gsize *side = g_new(gsize, layout->y->len);
	g_autofree double *work = g_new(double, additive_work(family->k, layout->levels_block));
	struct crossed data = {.y = (const double *)(gconstpointer)layout->y->data,
			       .a = side,
			       .b = (const gsize *)(gconstpointer)layout->block->data,
			       .n = layout->y->len,
			       .levels_a = family->k,
			       .levels_b = layout->levels_block,
			       .unit = unit};

	for (guint i = 0; i < family->k; i++)
		for (gsize j = g_array_index(layout->first, gsize, i); j < g_array_index(layout->first, gsize, i + 1);
		     j++)
			side[j] = i;
	return block_contrast(&data, places[0], places[1], work);
}

struct contrast family_contrast(const struct family *family, const guint sides[2], gboolean is_raw)
{
	const struct layout *layout = layout_of(family, is_raw);
	const gsize places[] = {family->place[sides[0]], family->place[sides[1]]};
	double unit = family->is_log && !is_raw ? 1 : 0;
	g_autofree struct values *groups = groups_of(family, layout);
	const struct values *x = &groups[places[0]], *y = &groups[places[1]];

	if (layout->levels_block)
		return in_blocks(family, layout, places, unit);
	if (family->correction == CORRECTION_DUNNETT)
		return pooled_contrast(groups, family->k, places[0], places[1], unit);
	return welch(x->x, x->n, y->x, y->n);
}

const char *family_method(const struct family *family, gboolean is_raw)
{
	static const char *const names[][2] = {
	    {"welch-log", "welch"}, {"pooled-log", "pooled"}, {"blocks-log", "blocks"}};

	is_raw |= !family->is_log;
	if (family->used && family->used->levels_block)
		return names[2][is_raw];
	return names[family->correction == CORRECTION_DUNNETT][is_raw];
}

/* How many values each other side has, the control left out. */
static gsize *others_of(const struct family *family, guint control, gsize *n_control)
{
	g_autofree struct values *groups = groups_of(family, family->used);
	gsize *n = g_new(gsize, family->k), m = 0;

	for (guint i = 0; i < family->k; i++)
		if (i == control)
			*n_control = groups[i].n;
		else
			n[m++] = groups[i].n;
	return n;
}

double family_p(const struct family *family, const guint sides[2], const struct contrast *contrast)
{
	gsize n_control = 0;
	g_autofree gsize *n = NULL;

	if (family->correction != CORRECTION_DUNNETT || !(contrast->se > 0))
		return tukey_p(contrast, family->k);
	n = others_of(family, family->place[sides[0]], &n_control);
	return dunnett_tail(fabs(contrast->t), n, family->k - 1, n_control, contrast->df);
}

static double critical(const struct family *family, guint control, double alpha, double df)
{
	gsize n_control = 0;
	g_autofree gsize *n = NULL;

	if (family->correction != CORRECTION_DUNNETT)
		return studentized_range_critical(alpha, family->k, df) / M_SQRT2;
	n = others_of(family, control, &n_control);
	return dunnett_critical(alpha, n, family->k - 1, n_control, df);
}

double family_level(struct family *family, const guint sides[2], const struct contrast *contrast, double alpha)
{
	/* one control: Dunnett's sides[0] is always the baseline */
	if (family->last_alpha != alpha || family->last_df != contrast->df) {
		family->last_alpha = alpha;
		family->last_df = contrast->df;
		family->last_t = critical(family, family->place[sides[0]], alpha, contrast->df);
	}
	return 1 - 2 * student_t_tail(family->last_t, contrast->df);
}
