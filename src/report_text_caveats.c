#include "report_text.h"

#include <math.h>

#include "analyse.h"
#include "document.h"
#include "names.h"
#include "unit.h"

/* is_mixed: those that a side has several values of. */
static void append_facts(GString *line, const GPtrArray *differences, gboolean is_mixed)
{
	for (guint i = 0; i < differences->len; i++) {
		const struct fact_difference *difference = g_ptr_array_index(differences, i);
		g_autofree char *baseline = names_join(difference->baseline, " and "),
				*other = names_join(difference->other, " and ");

		if (is_mixed && difference->baseline->len == 1 && difference->other->len == 1)
			continue;
		g_string_append_printf(line, "%s%s %s / %s", line->len ? ", " : "", difference->key, baseline, other);
	}
}

static const struct comparison *nth(const GPtrArray *comparisons, guint i)
{
	return g_ptr_array_index(comparisons, i);
}

/* The sides whose own values raise the flag; both, where it was seen in the pairs. */
static void append_sides(GString *line, const struct comparison *c, flag_set flag)
{
	gboolean of_baseline = (c->baseline.flags & flag) != 0, of_other = (c->other.flags & flag) != 0;

	if (!of_baseline && !of_other)
		g_string_append(line, "the paired differences");
	else
		g_string_append_printf(line, "%s%s%s", of_baseline ? c->baseline.name : "",
				       of_baseline && of_other ? " and " : "", of_other ? c->other.name : "");
}

static void append_outliers(GString *line, const struct comparison *c)
{
	const struct side *const sides[] = {&c->baseline, &c->other};

	for (guint i = 0; i < G_N_ELEMENTS(sides); i++)
		if (sides[i]->outliers)
			g_string_append_printf(line, "%s%u of %u of %s", line->len ? ", " : "", sides[i]->outliers,
					       sides[i]->n, sides[i]->name);
}

static void append_disagreement(GString *line, const struct comparison *c)
{
	const struct cross_check *check = &c->cross_check;

	if (check->permutation_disagrees) {
		g_autofree char *p = number_format(check->permutation_p);

		g_string_append_printf(line, "the permutation test has p = %s", p);
	}
	if (check->hodges_lehmann_disagrees) {
		g_autofree char *low = number_format(check->hodges_lehmann.low),
				*high = number_format(check->hodges_lehmann.high);

		g_string_append_printf(line, "%sHodges and Lehmann's interval is %s to %s", line->len ? ", " : "", low,
				       high);
	}
}

char *text_caveat_detail(const struct comparison *c, flag_set flag)
{
	GString *line = g_string_new(NULL);

	if (flag & (FLAG_FACTS_DIFFER | FLAG_MIXED_FACTS))
		append_facts(line, c->facts_differ, flag == FLAG_MIXED_FACTS);
	if (flag == FLAG_ORDER_CONFOUNDED && c->ran_first)
		g_string_append_printf(line, "%s ran before %s", c->ran_first,
				       c->ran_first == c->baseline.name ? c->other.name : c->baseline.name);
	if (flag == FLAG_MIXED_LEVELS) {
		g_autofree char *factors = names_join(c->mixed, ", ");

		g_string_append(line, factors);
	}
	if (flag == FLAG_FRAGILE)
		append_disagreement(line, c);
	if (flag == FLAG_OUTLIERS)
		append_outliers(line, c);
	if (flag & (FLAG_DRIFT | FLAG_AUTOCORRELATED | FLAG_MODES))
		append_sides(line, c, flag);
	return g_string_free(line, FALSE);
}

static void print_caveat(const char *subject, const struct flag_info *info, const char *text, const char *more,
			 struct document *to)
{
	g_autoptr(GString) line = g_string_new(info->name);

	if (*text)
		g_string_append_printf(line, ": %s", text);
	if (*more)
		g_string_append_printf(line, ": %s", more);
	document_caveat(to, subject, 2, line->str);
}

flag_set text_shared_flags(const GPtrArray *comparisons)
{
	flag_set flags = comparisons->len > 1 ? G_MAXUINT64 : 0;

	for (guint i = 0; i < comparisons->len; i++)
		flags &= nth(comparisons, i)->flags;
	return flags;
}

static gboolean is_shared_detail(const GPtrArray *comparisons, flag_set flag)
{
	g_autofree char *first = text_caveat_detail(nth(comparisons, 0), flag);

	for (guint i = 1; i < comparisons->len; i++) {
		g_autofree char *other = text_caveat_detail(nth(comparisons, i), flag);

		if (!g_str_equal(first, other))
			return FALSE;
	}
	return TRUE;
}

/* What a caveat is about, where it stands apart from its sentence. */
static char *subject_of(const struct comparison *c, const GPtrArray *comparisons)
{
	if (comparisons->len == 1)
		return g_strdup("");
	return g_strdup_printf("%s%s%s, %s against %s", c->workload, *c->workload ? " " : "", c->metric.name,
			       c->other.name, c->baseline.name);
}

void text_own_caveats(const struct comparison *c, const GPtrArray *comparisons, flag_set shared, struct document *to)
{
	g_autofree char *subject = subject_of(c, comparisons);

	for (const struct flag_info *info = flag_table; info->flag; info++) {
		g_autofree char *more = text_caveat_detail(c, info->flag);

		if (!(c->flags & info->flag))
			continue;
		if (!(shared & info->flag))
			print_caveat(subject, info, info->text, more, to);
		else if (!is_shared_detail(comparisons, info->flag))
			print_caveat(subject, info, "", more, to);
	}
}

void text_shared_caveats(const GPtrArray *comparisons, flag_set shared, struct document *to)
{
	if (shared && !to->is_markdown)
		document_paragraph(to, "all of these:");
	for (const struct flag_info *info = flag_table; info->flag; info++) {
		g_autofree char *more = text_caveat_detail(nth(comparisons, 0), info->flag);

		if (shared & info->flag)
			print_caveat("all", info, info->text, is_shared_detail(comparisons, info->flag) ? more : "",
				     to);
	}
}
