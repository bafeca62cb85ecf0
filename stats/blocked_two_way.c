#include "blocked_two_way.h"

#include <math.h>

#include "fdist.h"

size_t blocked_two_way_work(size_t levels_a, size_t levels_b, size_t levels_block)
{
	size_t factors = two_way_work(levels_a, levels_b), cells = two_way_work(levels_a * levels_b, levels_block);

	return factors > cells ? factors : cells;
}

static void test_again(struct anova_term *t, const struct anova_term *error, unsigned flags)
{
	t->f = t->p = NAN;
	if (flags || !(t->df > 0))
		return;
	t->f = t->ms / error->ms;
	t->p = f_tail(t->f, t->df, error->df);
}

struct two_way blocked_two_way(const struct crossed *data, const size_t *block, size_t levels_block,
			       struct anova_term *blocks, size_t *cell, double *work)
{
	struct two_way t = two_way(data, true, work), within;
	struct crossed treatments = *data;

	for (size_t i = 0; i < data->n; i++)
		cell[i] = data->a[i] * data->levels_b + data->b[i];
	treatments.a = cell;
	treatments.levels_a = data->levels_a * data->levels_b;
	treatments.b = block;
	treatments.levels_b = levels_block;
	within = two_way(&treatments, false, work);
	*blocks = within.b;
	/* The error within cells may be rounding only because blocks are; that of the cells' own fit decides. */
	t.flags = (t.flags & ~(unsigned)EST_CONSTANT) | within.flags;
	t.error = within.error;
	test_again(&t.a, &t.error, t.flags);
	test_again(&t.b, &t.error, t.flags);
	test_again(&t.a_given_b, &t.error, t.flags);
	test_again(&t.interaction, &t.error, t.flags);
	return t;
}
