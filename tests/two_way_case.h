#ifndef TWO_WAY_CASE_H
#define TWO_WAY_CASE_H

/* Rows of the tables of two factors: the data, and what R's lm() says of them. */

#include "../stats/two_way.h"
#include "reference/table.h"

/* Indices of levels, n of them, newly allocated. */
static inline size_t *levels_read(const struct table *table, guint row, const char *column, size_t n)
{
	size_t n_found;
	g_autofree double *numbers = table_numbers(table, row, column, &n_found);
	size_t *indices = g_new(size_t, n);

	assert_int_equal(n_found, n);
	for (size_t i = 0; i < n; i++)
		indices[i] = (size_t)numbers[i];
	return indices;
}

/* y, a and b are newly allocated, and what the result points to. */
static inline struct crossed crossed_read(const struct table *table, guint row, double **y, size_t **a, size_t **b)
{
	size_t n;

	*y = table_numbers(table, row, "y", &n);
	*a = levels_read(table, row, "a", n);
	*b = levels_read(table, row, "b", n);
	return (struct crossed){.y = *y,
				.a = *a,
				.b = *b,
				.n = n,
				.levels_a = (size_t)table_number(table, row, "levels_a"),
				.levels_b = (size_t)table_number(table, row, "levels_b")};
}

static inline void check_term(const struct table *table, guint row, const char *prefix, const struct anova_term *term,
			      double *worst)
{
	const struct {
		const char *name;
		double got;
	} cells[] = {{"ss", term->ss}, {"df", term->df}, {"f", term->f}, {"p", term->p}};

	for (size_t i = 0; i < sizeof cells / sizeof cells[0]; i++) {
		g_autofree char *column = g_strconcat(prefix, cells[i].name, NULL);

		table_check(table, row, column, cells[i].got, 1e-9, worst);
	}
}

static inline void check_terms(const struct table *table, guint row, const struct two_way *t, double *worst)
{
	check_term(table, row, "a_", &t->a, worst);
	check_term(table, row, "b_", &t->b, worst);
	check_term(table, row, "ab_", &t->a_given_b, worst);
	check_term(table, row, "axb_", &t->interaction, worst);
	table_check(table, row, "error_ss", t->error.ss, 1e-9, worst);
	table_check(table, row, "error_df", t->error.df, 0, worst);
}

#endif
