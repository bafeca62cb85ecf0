#include "report_json.h"

#include <math.h>

#include "analyse_effects.h"
#include "document.h"

static json_t *term(const struct effects_term *term)
{
	json_t *object = json_object();

	json_put(object, "source", json_of_text(term->source));
	json_put(object, "df", json_of_number(term->df));
	json_put(object, "df_error", json_of_number(term->df_error));
	json_put(object, "ss", json_of_number(term->ss));
	json_put(object, "ms", json_of_number(term->ms));
	json_put(object, "f", json_of_number(term->f));
	json_put(object, "p", json_of_number(term->p));
	return object;
}

static json_t *f_test(const struct test *test)
{
	json_t *object = json_object();

	json_put(object, "f", json_of_number(test->statistic));
	json_put(object, "df", json_of_number(test->df));
	json_put(object, "df_error", json_of_number(test->df_error));
	json_put(object, "p", json_of_number(test->p));
	return object;
}

static json_t *kruskal(const struct test *test)
{
	json_t *object = json_object();

	json_put(object, "h", json_of_number(test->statistic));
	json_put(object, "df", json_of_number(test->df));
	json_put(object, "p", json_of_number(test->p));
	return object;
}

static json_t *cell(const struct effects *effects, const struct effects_cell *cell)
{
	json_t *object = json_object(), *levels = json_object();

	for (guint i = 0; i < effects->n_factors; i++) {
		g_autofree char *factor = g_utf8_make_valid(effects->factor[i], -1);

		json_put(levels, factor, json_of_text(cell->level[i]));
	}
	json_put(object, "levels", levels);
	json_put(object, "n", json_integer(cell->n));
	json_put(object, "mean", json_of_number(cell->mean));
	json_put(object, "best", json_boolean(cell->is_best));
	json_put(object, "as_good_as_best", json_boolean(cell->is_as_good));
	json_put(object, "p_best", json_of_number(cell->p));
	return object;
}

static void put_effects(json_t *object, const struct effects *effects)
{
	json_t *terms = json_array(), *cells = json_array();

	json_put(object, "workload", json_of_name(effects->workload));
	json_put(object, "metric", json_of_text(effects->metric.name));
	json_put(object, "unit", json_of_text(effects->metric.unit));
	json_put(object, "better", json_of_text(better_name(effects->metric.better)));
	json_put(object, "scale", json_string(effects->is_log ? "log" : "raw"));
	for (guint i = 0; i < effects->terms->len; i++)
		json_array_append_new(terms, term(&g_array_index(effects->terms, struct effects_term, i)));
	for (guint i = 0; i < effects->cells->len; i++)
		json_array_append_new(cells, cell(effects, &g_array_index(effects->cells, struct effects_cell, i)));
	json_put(object, "terms", terms);
	json_put(object, "welch", isnan(effects->welch.p) ? json_null() : f_test(&effects->welch));
	json_put(object, "nonadditivity", effects->has_nonadditivity ? f_test(&effects->nonadditivity) : json_null());
	json_put(object, "kruskal", kruskal(&effects->kruskal));
	json_put(object, "cells", cells);
	json_put(object, "failed", json_integer(effects->failed));
	json_put(object, "unit_of_replication", json_of_text(effects->unit));
	json_put(object, "flags", json_of_flags(effects->flags));
}

void report_json_effects(const struct effects_analysis *analysis, struct document *to)
{
	json_t *root = json_object(), *results;

	json_put(root, "schema", json_string(JSON_SCHEMA));
	if (analysis->effects->len == 1) {
		put_effects(root, g_ptr_array_index(analysis->effects, 0));
	} else {
		results = json_array();
		for (guint i = 0; i < analysis->effects->len; i++) {
			json_t *object = json_object();

			put_effects(object, g_ptr_array_index(analysis->effects, i));
			json_array_append_new(results, object);
		}
		json_put(root, "results", results);
	}
	json_print(root, to->out);
}
