#include "import_formats.h"

#include <math.h>
#include <string.h>

#include "dataset.h"
#include "err.h"
#include "import_common.h"
#include "import_line.h"
#include "import_notes.h"
#include "text_reader.h"
#include "unit.h"

/* bonnie++ prints a table and the same figures as a line of CSV, which is what is read here.
 * source: the fields are those of bon_csv2html(1) of 2.00a and of the header that this version prints; bonnie++(8) says
 * that its K is 1024 bytes and that '+++++' is a test of less than 500 ms */

#define RESULTS 6
#define FIELDS_MANY 20 /* a line with as many is meant to be CSV */

/* Where a version's line has what; 0 where it has none. */
struct layout {
	const char *workload;
	guint n_fields;
	guint name, concurrency, size, chunk; /* settings */
	guint results, files, creation;       /* pairs of value and CPU; the four settings that begin at files */
	guint latencies;
};

static const struct layout layouts[] = {
    /* A workload of its own: what one version writes with one call a byte the other gives to stdio. */
    {"bonnie++ 1.03", 27, .name = 0, .size = 1, .results = 2, .files = 14, .creation = 15},
    {"bonnie++", 48, 2, 3, 5, 6, 7, 19, 24, 36},
    {"bonnie++", 50, 2, 3, 5, 6, 9, 21, 26, 38}, /* 1.98: with the number of seeks and of seekers */
};

static const char *const result_names[] = {"putc", "put_block", "rewrite", "getc", "get_block", "seeks"};
static const char *const creation_names[] = {"seq_create", "seq_stat", "seq_del", "ran_create", "ran_stat", "ran_del"};

struct bonnie {
	struct text_reader reader;
	struct dataset *dataset;
	struct notes notes;
	struct {
		guint64 line; /* the first */
		guint n;
	} unmeasured[2 * RESULTS]; /* '+++++' */
	guint n_rows;
};

/* The format's version is a line's first field since 1.90, which is "version 2" of the format. */
static gboolean is_version(const char *text)
{
	return (g_str_has_prefix(text, "1.9") || g_str_has_prefix(text, "2.0")) && g_ascii_isdigit(text[3]) &&
	       strspn(text, "0123456789.abcdefg") == strlen(text);
}

static gboolean is_unmeasured(const char *text)
{
	return *text && text[strspn(text, "+")] == '\0';
}

/* Version 1.03 names no version: its line is known by numbers where there must be some. */
static gboolean is_old(char *const *fields, guint n)
{
	const struct layout *old = &layouts[0];
	guint n_numbers = 0;
	double number;

	for (guint i = old->results; i < MIN(n, old->n_fields); i++) {
		gboolean is_number = number_parse(fields[i], &number);

		if (i != old->files && *fields[i] && !is_unmeasured(fields[i]) && !is_number)
			return FALSE;
		n_numbers += is_number;
	}
	return n_numbers > 1 && g_ascii_isdigit(*fields[old->size]);
}

static const struct layout *layout_of(char *const *fields, guint n)
{
	for (guint i = 0; i < G_N_ELEMENTS(layouts); i++)
		if (n == layouts[i].n_fields && (layouts[i].name ? is_version(fields[0]) : is_old(fields, n)))
			return &layouts[i];
	return NULL;
}

static gboolean fail_field(const struct bonnie *bonnie, const char *metric, const char *text, GError **error)
{
	g_autofree char *shown = import_quote(text, strlen(text));

	return import_fail(&bonnie->reader, error, "%s is '%s', which is no number", metric, shown);
}

static void set_value(struct bonnie *bonnie, guint row, const struct metric *metric, double value)
{
	values_set(dataset_metric(bonnie->dataset, metric), row, value);
}

/* A value and its CPU share. Tests that were not asked for leave both empty. */
static gboolean add_pair(struct bonnie *bonnie, guint row, guint test, char *const *fields, GError **error)
{
	gboolean is_creation = test >= RESULTS;
	const char *name = is_creation ? creation_names[test - RESULTS] : result_names[test];
	gboolean is_per_second = is_creation || test == RESULTS - 1;
	g_autofree char *cpu = g_strconcat(name, "_cpu", NULL);
	double value;

	if (is_unmeasured(fields[0]) || import_missing(fields[0])) {
		if (bonnie->unmeasured[test].n++ == 0)
			bonnie->unmeasured[test].line = bonnie->reader.line;
	} else if (*fields[0]) {
		if (!number_parse(fields[0], &value))
			return fail_field(bonnie, name, fields[0], error);
		set_value(bonnie, row, &(struct metric){name, is_per_second ? "/s" : "KiB/s", BETTER_HIGHER, NULL},
			  value);
	}
	if (!*fields[1] || is_unmeasured(fields[1]) || import_missing(fields[1]))
		return TRUE;
	if (!number_parse(fields[1], &value))
		return fail_field(bonnie, cpu, fields[1], error);
	set_value(bonnie, row, &(struct metric){cpu, "%", BETTER_NONE, NULL}, value);
	return TRUE;
}

/* The longest time that one operation took: us, ms and s in one column become ms. */
static gboolean add_latency(struct bonnie *bonnie, guint row, guint test, const char *text, GError **error)
{
	g_autofree char *name =
	    g_strconcat(test < RESULTS ? result_names[test] : creation_names[test - RESULTS], "_latency", NULL);
	const char *end;
	double nanoseconds;

	if (!*text || is_unmeasured(text))
		return TRUE;
	end = import_quantity(text, import_times, &nanoseconds);
	if (!end || *end) {
		g_autofree char *shown = import_quote(text, strlen(text));

		return import_fail(&bonnie->reader, error, "%s is '%s', which is no time in us, ms or s", name, shown);
	}
	set_value(bonnie, row, &(struct metric){name, "ms", BETTER_LOWER, NULL}, nanoseconds / 1e6);
	return TRUE;
}

static void add_settings(struct bonnie *bonnie, guint row, const struct layout *layout, char *const *fields)
{
	if (*fields[layout->name])
		column_set(dataset_factor(bonnie->dataset, "name"), row, fields[layout->name]);
	if (*fields[layout->size])
		column_set(dataset_factor(bonnie->dataset, "size"), row, fields[layout->size]);
	if (layout->concurrency)
		notes_set(&bonnie->notes, row, 1, "concurrency", fields[layout->concurrency], NOTE_ANY);
	if (layout->chunk && *fields[layout->chunk])
		notes_set(&bonnie->notes, row, 1, "chunk", fields[layout->chunk], NOTE_ANY);
	if (*fields[layout->files])
		notes_set(&bonnie->notes, row, 1, "files", fields[layout->files], NOTE_ANY);
}

static gboolean add_row(struct bonnie *bonnie, const struct layout *layout, char *const *fields, GError **error)
{
	guint row = import_run(bonnie->dataset, layout->workload);

	add_settings(bonnie, row, layout, fields);
	for (guint test = 0; test < 2 * RESULTS; test++) {
		gsize first = test < RESULTS ? layout->results : layout->creation;

		if (!add_pair(bonnie, row, test, fields + first + (gsize)2 * (test % RESULTS), error))
			return FALSE;
	}
	for (guint test = 0; layout->latencies && test < 2 * RESULTS; test++)
		if (!add_latency(bonnie, row, test, fields[layout->latencies + test], error))
			return FALSE;
	bonnie->n_rows++;
	return TRUE;
}

/* A line of the table for people, of a comment or of CSV's own header is passed over. */
static gboolean read_line(gpointer data, char *line, GError **error)
{
	struct bonnie *bonnie = data;
	g_auto(GStrv) fields = g_strsplit(line, ",", -1);
	guint n = g_strv_length(fields);
	const struct layout *layout = layout_of(fields, n);

	if (*line == '#' || g_str_has_prefix(line, "format_version,"))
		return TRUE;
	if (layout)
		return add_row(bonnie, layout, fields, error);
	if (n > 1 && is_version(fields[0]) && g_ascii_isdigit(*fields[1]))
		return import_fail(&bonnie->reader, error, "%u fields where bonnie++ %s has %u or %u", n, fields[0],
				   layouts[1].n_fields, layouts[2].n_fields);
	if (n >= FIELDS_MANY || (n > layouts[0].results && is_old(fields, n)))
		return import_fail(&bonnie->reader, error, "%u fields, as no version of bonnie++ writes them", n);
	return TRUE;
}

/* Block writes say most; where there are none, what was measured first. */
static void add_primaries(struct dataset *dataset)
{
	const struct values *first = dataset->metrics->len ? g_ptr_array_index(dataset->metrics, 0) : NULL;
	const char *metric = dataset_find_metric(dataset, "put_block") ? "put_block"
			     : first                                   ? first->metric.name
								       : NULL;

	for (guint i = 0; metric && i < dataset->workload->level->len; i++)
		import_primary(dataset, g_ptr_array_index(dataset->workload->level, i), metric);
}

static gboolean finish(struct bonnie *bonnie, GError **error)
{
	if (bonnie->n_rows == 0)
		return err_usage(error, "%s: no results in it: bonnie++'s line of CSV is not there",
				 bonnie->reader.path);
	for (guint i = 0; i < 2 * RESULTS; i++)
		if (bonnie->unmeasured[i].n)
			dataset_warn(bonnie->dataset,
				     "%s:%" G_GUINT64_FORMAT
				     ": %s has no value in %u of %u runs ('+++++': too fast to be measured)",
				     bonnie->reader.path, bonnie->unmeasured[i].line,
				     i < RESULTS ? result_names[i] : creation_names[i - RESULTS],
				     bonnie->unmeasured[i].n, bonnie->n_rows);
	add_primaries(bonnie->dataset);
	notes_finish(&bonnie->notes, NOTES_IN_WORKLOAD);
	return TRUE;
}

static gboolean import_bonnie_read(const char *path, GInputStream *stream, struct dataset *dataset, GError **error)
{
	struct bonnie bonnie = {.dataset = dataset};
	gboolean ok;

	text_reader_init(&bonnie.reader, path, stream);
	notes_init(&bonnie.notes, path, dataset);
	ok = import_lines(&bonnie.reader, read_line, &bonnie, error) && finish(&bonnie, error);
	text_reader_clear(&bonnie.reader);
	notes_clear(&bonnie.notes);
	return ok;
}

static gboolean is_known(char *line)
{
	g_auto(GStrv) fields = g_strsplit(line, ",", -1);

	return *line != '#' && layout_of(fields, g_strv_length(fields)) != NULL;
}

static gboolean import_bonnie_detect(const char *head, gsize length)
{
	return import_any_line(head, is_known);
}

const struct importer import_bonnie = {
    .name = "bonnie",
    .summary = "CSV lines of bonnie++ 1.03 and 1.96 to 2.00",
    .detect = import_bonnie_detect,
    .read = import_bonnie_read,
};
