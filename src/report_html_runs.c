#include "report_html.h"

#include <math.h>

#include "analyse.h"
#include "dataset.h"
#include "outcome.h"
#include "past_sitting.h"
#include "report_page.h"
#include "shared.h"
#include "unit.h"

#define RUNS_MAX 2000 /* rows of the table: more make a page that browsers are slow with */
#define FACTORS_MAX 8 /* columns of the table */
#define UUID_HEAD 8

/* Which columns the table has, and which metric each workload shows. */
struct outline {
	GPtrArray *factors;  /* const struct column *: those that vary */
	GHashTable *metrics; /* workload -> const struct values: the first that was estimated */
	const struct column *workload, *block, *sitting, *boot; /* NULL where they say nothing */
	gboolean has_start, has_message;
};

static gboolean varies(const struct column *column, const GArray *rows)
{
	for (guint i = 1; i < rows->len; i++)
		if (column_code(column, g_array_index(rows, guint, i)) !=
		    column_code(column, g_array_index(rows, guint, 0)))
			return TRUE;
	return FALSE;
}

static const struct column *telling(const struct column *column, const GArray *rows)
{
	return column && varies(column, rows) ? column : NULL;
}

static const struct values *find_values(const struct dataset *dataset, const struct metric *metric)
{
	for (guint i = 0; i < dataset->metrics->len; i++) {
		const struct values *values = g_ptr_array_index(dataset->metrics, i);

		if (g_str_equal(values->metric.name, metric->name) && g_str_equal(values->metric.unit, metric->unit))
			return values;
	}
	return NULL;
}

static void outline_init(struct outline *outline, const struct report_page *page)
{
	outline->factors = g_ptr_array_new();
	outline->metrics = g_hash_table_new(g_str_hash, g_str_equal);
	outline->has_start = outline->has_message = FALSE;
	outline->workload = page->dataset->workload;
	outline->block = telling(page->dataset->block, page->rows);
	outline->sitting = telling(page->dataset->sitting, page->rows);
	outline->boot = telling(page->dataset->boot, page->rows);
	for (guint i = 0; i < page->dataset->factors->len; i++)
		if (varies(page->dataset->factors->pdata[i], page->rows) && outline->factors->len < FACTORS_MAX)
			g_ptr_array_add(outline->factors, page->dataset->factors->pdata[i]);
	for (guint i = 0; i < page->estimates->estimates->len; i++) {
		const struct estimate_row *row = g_ptr_array_index(page->estimates->estimates, i);

		if (!g_hash_table_contains(outline->metrics, row->workload))
			g_hash_table_insert(outline->metrics, shared(row->workload),
					    shared(find_values(page->dataset, &row->metric)));
	}
	for (guint i = 0; i < page->rows->len; i++) {
		guint row = g_array_index(page->rows, guint, i);

		outline->has_start = outline->has_start || dataset_started_us(page->dataset, row) != 0;
		outline->has_message = outline->has_message || column_get(page->dataset->message, row);
	}
}

static void outline_clear(struct outline *outline)
{
	g_ptr_array_unref(outline->factors);
	g_hash_table_unref(outline->metrics);
}

static void add_heads(struct html *html, const struct outline *outline)
{
	html_table_head(html, "run", HTML_RIGHT);
	if (outline->has_start)
		html_table_head(html, "started (UTC)", HTML_LEFT);
	if (outline->workload)
		html_table_head(html, "workload", HTML_LEFT);
	for (guint i = 0; i < outline->factors->len; i++)
		html_table_head(html, html_name(html, ((const struct column *)outline->factors->pdata[i])->name),
				HTML_LEFT);
	html_table_head(html, "outcome", HTML_LEFT);
	if (outline->has_message)
		html_table_head(html, "why", HTML_LEFT);
	html_table_head(html, "value", HTML_RIGHT);
	html_table_head(html, "of metric", HTML_LEFT);
	if (outline->block)
		html_table_head(html, "block", HTML_LEFT);
	if (outline->sitting)
		html_table_head(html, "sitting", HTML_LEFT);
	if (outline->boot)
		html_table_head(html, "boot", HTML_LEFT);
	html_table_head(html, "caveats", HTML_LEFT);
}

static void add_level(struct html *html, const struct column *column, guint row)
{
	const char *level = column_get(column, row);

	html_cell(html, level ? html_name(html, level) : "–");
}

static void add_outcome(struct html *html, const struct dataset *dataset, guint row)
{
	const char *outcome = column_get(dataset->outcome, row);

	html_add(html, dataset_ok(dataset, row) ? "<td>" : "<td><span class=\"badge failed\">");
	html_text(html, outcome ? outcome : outcome_name(OUTCOME_OK));
	html_add(html, dataset_ok(dataset, row) ? "</td>" : "</span></td>");
}

static void add_value(struct html *html, const struct values *values, guint row)
{
	g_autofree char *unit = NULL;

	html_number(html, values ? values_get(values, row) : NAN);
	unit = values ? g_strdup_printf("%s%s%s", html_name(html, values->metric.name),
					*values->metric.unit ? ", " : "", values->metric.unit)
		      : g_strdup("–");
	html_cell(html, unit);
}

/* The kernel's identity of a boot is long, and its beginning tells it from others. */
static void add_boot(struct html *html, const struct column *boot, guint row)
{
	const char *level = column_get(boot, row);
	g_autofree char *head = level && g_uuid_string_is_valid(level) ? g_strndup(level, UUID_HEAD) : NULL;

	html_cell(html, head ? head : level ? html_name(html, level) : "–");
}

static void add_run(struct html *html, const struct report_page *page, const struct outline *outline, guint number)
{
	const struct dataset *dataset = page->dataset;
	guint row = g_array_index(page->rows, guint, number);
	const char *workload = column_get(dataset->workload, row), *message = column_get(dataset->message, row);
	g_autofree char *start = html_time(dataset_started_us(dataset, row));

	g_string_append_printf(html->out, "<tr><th scope=\"row\" class=\"n\">%u</th>", number + 1);
	if (outline->has_start)
		html_cell(html, start);
	if (outline->workload)
		add_level(html, outline->workload, row);
	for (guint i = 0; i < outline->factors->len; i++)
		add_level(html, outline->factors->pdata[i], row);
	add_outcome(html, dataset, row);
	if (outline->has_message)
		html_cell(html, message ? message : "–");
	add_value(html, g_hash_table_lookup(outline->metrics, workload ? workload : ""), row);
	if (outline->block)
		add_level(html, outline->block, row);
	if (outline->sitting)
		add_level(html, outline->sitting, row);
	if (outline->boot)
		add_boot(html, outline->boot, row);
	html_flags(html,
		   dataset->flags && row < dataset->flags->len ? g_array_index(dataset->flags, flag_set, row) : 0);
	html_add(html, "</tr>\n");
}

void html_runs(struct html *html, const struct report_page *page)
{
	guint shown = MIN(page->rows->len, RUNS_MAX);
	struct outline outline;

	outline_init(&outline, page);
	if (shown < page->rows->len)
		g_string_append_printf(html->out,
				       "<p>The first %u of %u runs are in the table; all are in <a href=\"#data\">the "
				       "data</a>.</p>\n",
				       shown, page->rows->len);
	html_table_open(html, "Runs, in the order in which they were made", TRUE);
	add_heads(html, &outline);
	html_table_body(html);
	for (guint i = 0; i < shown; i++)
		add_run(html, page, &outline, i);
	html_table_close(html);
	outline_clear(&outline);
}

static void add_seconds(struct html *html, double seconds)
{
	g_autofree char *text = seconds > 0 ? duration_format(seconds) : g_strdup("none");

	html_cell(html, text);
}

static void add_sitting(struct html *html, const struct past_sitting *sitting)
{
	gboolean is_imported = g_strcmp0(sitting->order, "imported") == 0;
	g_autofree char *start = html_time(sitting->started_us);

	g_string_append_printf(html->out, "<tr><th scope=\"row\" class=\"n\">%" G_GINT64_FORMAT "</th>",
			       sitting->number);
	html_cell(html, start);
	html_add(html, "<td class=\"command\"><code>");
	html_text(html, sitting->command ? sitting->command : "not told");
	html_add(html, "</code></td>");
	html_cell(html, sitting->order ? sitting->order : "");
	html_cell(html, !is_imported && sitting->seed ? sitting->seed : "–");
	html_cell(html, sitting->reset ? sitting->reset : "–");
	html_count(html, sitting->repeat);
	html_count(html, sitting->warmup);
	add_seconds(html, sitting->settle_s);
	add_seconds(html, sitting->timeout_s);
	html_add(html, "</tr>\n");
}

void html_sittings(struct html *html, const struct report_page *page)
{
	static const struct {
		const char *text;
		enum html_align align;
	} heads[] = {{"sitting", HTML_RIGHT}, {"started (UTC)", HTML_LEFT}, {"command", HTML_LEFT},
		     {"order", HTML_LEFT},    {"seed", HTML_LEFT},          {"reset", HTML_LEFT},
		     {"repeat", HTML_RIGHT},  {"warmup", HTML_RIGHT},       {"settle", HTML_LEFT},
		     {"timeout", HTML_LEFT}};

	if (!page->sittings->len) {
		html_add(html,
			 "<p>These runs come from files, not from a store: how they were made is not known.</p>\n");
		return;
	}
	html_table_open(html, "The invocations that made the runs", FALSE);
	for (guint i = 0; i < G_N_ELEMENTS(heads); i++)
		html_table_head(html, heads[i].text, heads[i].align);
	html_table_body(html);
	for (guint i = 0; i < page->sittings->len; i++)
		add_sitting(html, page->sittings->pdata[i]);
	html_table_close(html);
}
