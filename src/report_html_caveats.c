#include "report_html.h"

#include "analyse.h"
#include "analyse_effects.h"
#include "dataset.h"
#include "report_page.h"
#include "report_text.h"

#define LIST_MAX 20 /* lines about one flag */

static const struct comparison *nth(const GPtrArray *comparisons, guint i)
{
	return g_ptr_array_index(comparisons, i);
}

static void add_contrast(struct html *html, const struct comparison *c, flag_set flag)
{
	struct comparison copy = html_comparison(html, c);
	g_autofree char *detail = text_caveat_detail(&copy, flag);

	html_add(html, "<li>");
	if (*copy.workload) {
		html_text(html, copy.workload);
		html_add(html, ", ");
	}
	html_text(html, copy.metric.name);
	html_add(html, ", ");
	html_text(html, copy.other.name);
	if (*detail) {
		html_add(html, ": ");
		html_text(html, detail);
	}
	html_add(html, "</li>\n");
}

/* What all add to the flag, "" where that is nothing; NULL where not all have it or they add different things. */
static char *shared_detail(const GPtrArray *comparisons, flag_set flag)
{
	g_autofree char *first = text_caveat_detail(nth(comparisons, 0), flag);

	for (guint i = 0; i < comparisons->len; i++) {
		g_autofree char *detail = text_caveat_detail(nth(comparisons, i), flag);

		if (!(nth(comparisons, i)->flags & flag) || !g_str_equal(detail, first))
			return NULL;
	}
	return g_steal_pointer(&first);
}

static void add_contrast_list(struct html *html, const GPtrArray *comparisons, flag_set flag, guint n)
{
	guint shown = 0;

	g_string_append_printf(html->out, "<p>%u of %u %s:</p>\n<ul>\n", n, comparisons->len,
			       comparisons->len == 1 ? "verdict" : "verdicts");
	for (guint i = 0; i < comparisons->len && shown < LIST_MAX; i++)
		if (nth(comparisons, i)->flags & flag) {
			add_contrast(html, nth(comparisons, i), flag);
			shown++;
		}
	if (shown < n)
		g_string_append_printf(html->out, "<li>and %u more</li>\n", n - shown);
	html_add(html, "</ul>\n");
}

/* The comparisons that carry the flag, with what each adds to it. */
static void add_contrasts(struct html *html, const GPtrArray *comparisons, flag_set flag)
{
	g_autofree char *shared = comparisons->len ? shared_detail(comparisons, flag) : NULL;
	guint n = 0;

	for (guint i = 0; i < comparisons->len; i++)
		n += (nth(comparisons, i)->flags & flag) != 0;
	if (shared) {
		g_string_append(html->out, n == 1 ? "<p>The verdict has it" : "<p>All verdicts have it");
		html_add(html, *shared ? ": " : "");
		html_text(html, shared);
		html_add(html, ".</p>\n");
	} else if (n) {
		add_contrast_list(html, comparisons, flag, n);
	}
}

static flag_set flags_of_run(const struct report_page *page, guint row)
{
	const GArray *flags = page->dataset->flags;

	return flags && row < flags->len ? g_array_index(flags, flag_set, row) : 0;
}

struct tally {
	flag_set all;
	guint estimates[64], runs[64]; /* by the number of the flag's bit */
};

static void count_flags(guint *count, flag_set flags)
{
	for (; flags; flags &= flags - 1)
		count[__builtin_ctzll(flags)]++;
}

static void tally_flags(struct tally *tally, const struct report_page *page)
{
	for (guint i = 0; page->comparison && i < page->comparison->comparisons->len; i++)
		tally->all |= nth(page->comparison->comparisons, i)->flags;
	for (guint i = 0; page->effects && i < page->effects->effects->len; i++)
		tally->all |= ((const struct effects *)page->effects->effects->pdata[i])->flags;
	for (guint i = 0; i < page->estimates->estimates->len; i++) {
		const struct estimate_row *row = g_ptr_array_index(page->estimates->estimates, i);

		tally->all |= row->flags;
		count_flags(tally->estimates, row->flags);
	}
	for (guint i = 0; i < page->rows->len; i++) {
		flag_set flags = flags_of_run(page, g_array_index(page->rows, guint, i));

		tally->all |= flags;
		count_flags(tally->runs, flags);
	}
}

static void add_flag(struct html *html, const struct report_page *page, const struct tally *tally,
		     const struct flag_info *info)
{
	guint bit = (guint)__builtin_ctzll(info->flag);

	g_string_append_printf(html->out, "<section class=\"caveat\" id=\"flag-%s\"><h3>%s</h3>\n<p>", info->name,
			       info->name);
	html_text(html, info->text);
	if (tally->estimates[bit])
		g_string_append_printf(html->out, ". It stands at %u of %u estimates", tally->estimates[bit],
				       page->estimates->estimates->len);
	if (tally->runs[bit])
		g_string_append_printf(html->out, ". %u of %u runs have it", tally->runs[bit], page->rows->len);
	html_add(html, ".</p>\n");
	if (page->comparison)
		add_contrasts(html, page->comparison->comparisons, info->flag);
	html_add(html, "</section>\n");
}

static void add_open(struct html *html, const GPtrArray *comparisons)
{
	guint undecided = 0, untestable = 0;

	for (guint i = 0; i < comparisons->len; i++) {
		undecided += nth(comparisons, i)->verdict == VERDICT_UNDECIDED;
		untestable += nth(comparisons, i)->verdict == VERDICT_UNTESTABLE;
	}
	if (undecided)
		g_string_append_printf(html->out,
				       "<p>%u of %u verdicts: undecided. These runs cannot tell the sides apart, which "
				       "does not mean that they are the same.</p>\n",
				       undecided, comparisons->len);
	if (untestable)
		g_string_append_printf(html->out,
				       "<p>%u of %u verdicts: untestable. The sentence of each says why.</p>\n",
				       untestable, comparisons->len);
}

void html_caveats(struct html *html, const struct report_page *page)
{
	struct tally tally = {0};

	tally_flags(&tally, page);
	if (page->comparison)
		add_open(html, page->comparison->comparisons);
	for (const struct flag_info *info = flag_table; info->flag; info++)
		if (tally.all & info->flag)
			add_flag(html, page, &tally, info);
	if (!tally.all)
		html_add(html, "<p>No caveat was raised by these runs.</p>\n");
}
