#include "import_formats.h"

#include <math.h>
#include <string.h>

#include "dataset.h"
#include "err.h"
#include "import_common.h"
#include "import_line.h"
#include "import_notes.h"
#include "shared.h"
#include "text_reader.h"
#include "unit.h"

/* The text of Go's benchmarks: lines "BenchmarkName-8  iterations  value unit  value unit...", among them "key: value"
 * lines, each of which holds until the next of its key, and "Unit name better=higher". A line is a run, and each unit a
 * metric of that name. Source: Go's proposal 14313 (the benchmark data format) and its successor in x/perf/benchfmt. */

#define NAME_PREFIX "Benchmark"
#define BLANKS " \t"
#define PACKAGE "pkg"

/* The one that every benchmark has. */
static const struct metric time_metric = {.name = "ns/op", .unit = "ns/op", .better = BETTER_LOWER};

/* What a key has been since a row. */
struct setting {
	char *key, *value; /* value NULL: nothing */
	guint since;
};

struct gobench {
	struct text_reader reader;
	struct dataset *dataset;
	struct notes notes;
	GPtrArray *settings; /* struct setting *, in order of appearance */
	GHashTable *index;   /* key -> struct setting * */
	GHashTable *better;  /* unit -> enum better */
	struct column *package;
};

static void setting_free(struct setting *setting)
{
	g_free(setting->key);
	g_free(setting->value);
	g_free(setting);
}

/* Cuts the next word off and returns it; "" at the end. */
static char *next_word(char **text)
{
	char *word = *text + strspn(*text, BLANKS), *end = word + strcspn(word, BLANKS);

	*text = end + (*end != '\0');
	*end = '\0';
	return word;
}

/* After the prefix a name has no small letter: "Benchmarks" is a word. */
static gboolean is_name(const char *word)
{
	return g_str_has_prefix(word, NAME_PREFIX) &&
	       !g_unichar_islower(g_utf8_get_char_validated(word + strlen(NAME_PREFIX), -1));
}

static gboolean is_count(const char *word)
{
	return *word && !word[strspn(word, "0123456789")];
}

/* The directions that Go's own units have, and those that follow from others. */
static enum better better_of(const char *unit)
{
	return g_str_equal(unit, "B/op") || g_str_equal(unit, "allocs/op") ? BETTER_LOWER : better_of_unit(unit);
}

static gboolean is_not_finite(const char *word)
{
	char *end;
	double value = g_ascii_strtod(word, &end);

	return *word && !*end && !isfinite(value);
}

/* Why a number in a result cannot be one; NULL: it can. */
static const char *what_is_wrong(const char *number, const char *unit)
{
	double value;

	if (strchr(number, ','))
		return "has a decimal comma; write a point";
	if (!number_parse(number, &value))
		return "is not a number";
	return *unit ? NULL : "has no unit: the line is cut off";
}

static gboolean add_value(struct gobench *gobench, guint row, const char *number, const char *unit, GError **error)
{
	struct metric metric = {.name = unit, .unit = unit, .better = better_of(unit)};
	g_autofree char *shown = import_quote(number, strlen(number));
	const char *wrong = what_is_wrong(number, unit);
	double value;

	if (is_not_finite(number)) {
		import_warn(&gobench->reader, gobench->dataset,
			    "'%s' is not a finite number: taken for a missing value", shown);
		return TRUE;
	}
	if (wrong)
		return import_fail(&gobench->reader, error, "'%s' %s", shown, wrong);
	if (number_parse(number, &value))
		import_value(gobench->dataset, row, &metric, value);
	return TRUE;
}

static guint add_run(struct gobench *gobench, const char *name)
{
	const struct setting *package = g_hash_table_lookup(gobench->index, PACKAGE);
	guint row = import_run(gobench->dataset, name);

	if (package)
		column_set(gobench->package, row, package->value);
	return row;
}

static gboolean add_result(struct gobench *gobench, char *line, GError **error)
{
	const char *name = next_word(&line), *count;
	g_autofree char *shown = import_quote(name, strlen(name));
	guint row;

	/* go test -v writes the name alone when a benchmark begins */
	if (!line[strspn(line, BLANKS)])
		return TRUE;
	count = next_word(&line);
	if (!is_count(count)) {
		import_warn(&gobench->reader, gobench->dataset,
			    "'%s' is followed by no number of iterations: the line is left out", shown);
		return TRUE;
	}
	if (!line[strspn(line, BLANKS)])
		return import_fail(&gobench->reader, error, "'%s' has no values: the line is cut off", shown);
	row = add_run(gobench, name);
	while (line[strspn(line, BLANKS)]) {
		const char *number = next_word(&line);

		if (!add_value(gobench, row, number, next_word(&line), error))
			return FALSE;
	}
	return TRUE;
}

/* Notes what a key was until now. */
static void settle(struct gobench *gobench, const struct setting *setting)
{
	/* a package that tells two benchmarks apart is in their names */
	enum note_kind kind = g_str_equal(setting->key, PACKAGE) ? NOTE_FACT : NOTE_ANY;

	if (setting->value)
		notes_set(&gobench->notes, setting->since, gobench->dataset->n_runs - setting->since, setting->key,
			  setting->value, kind);
}

/* "key: value"; "key:" takes it back. A key begins with a small letter and has neither blanks nor capitals. */
static void add_setting(struct gobench *gobench, char *line)
{
	char *colon = strchr(line, ':'), *value = colon ? colon + 1 : NULL;
	struct setting *setting;

	if (!colon || !g_unichar_islower(g_utf8_get_char(line)) || (*value && !strchr(BLANKS, *value)))
		return;
	for (char *at = line; at < colon; at = g_utf8_next_char(at))
		if (g_unichar_isspace(g_utf8_get_char(at)) || g_unichar_isupper(g_utf8_get_char(at)))
			return;
	*colon = '\0';
	g_strstrip(value);
	setting = g_hash_table_lookup(gobench->index, line);
	if (!setting) {
		setting = g_new0(struct setting, 1);
		setting->key = g_strdup(line);
		g_ptr_array_add(gobench->settings, setting);
		g_hash_table_insert(gobench->index, setting->key, setting);
	}
	if (g_strcmp0(setting->value, value) == 0)
		return;
	settle(gobench, setting);
	g_free(setting->value);
	setting->value = *value ? g_strdup(value) : NULL;
	setting->since = gobench->dataset->n_runs;
}

static void add_unit(struct gobench *gobench, char *line)
{
	const char *unit = next_word(&line);

	while (line[strspn(line, BLANKS)]) {
		const char *word = next_word(&line);
		g_autofree char *shown = import_quote(word, strlen(word));
		enum better better;

		if (!g_str_has_prefix(word, "better="))
			continue;
		if (better_parse(word + strlen("better="), &better))
			g_hash_table_insert(gobench->better, g_strdup(unit), GINT_TO_POINTER(better));
		else
			import_warn(&gobench->reader, gobench->dataset,
				    "'%s' is neither better=higher nor better=lower", shown);
	}
}

static gboolean add_line(gpointer data, char *line, GError **error)
{
	static const char failed[] = "--- FAIL: ", unit[] = "Unit ";
	struct gobench *gobench = data;

	if (is_name(line))
		return add_result(gobench, line, error);
	if (g_str_has_prefix(line, failed) && is_name(line + strlen(failed))) {
		char *rest = line + strlen(failed);
		guint row = add_run(gobench, next_word(&rest));

		import_metric(gobench->dataset, row, &time_metric);
		import_failed(gobench->dataset, row);
	} else if (g_str_has_prefix(line, unit)) {
		add_unit(gobench, line + strlen(unit));
	} else {
		add_setting(gobench, line);
	}
	return TRUE;
}

/* Codes of the workloads that more than one package has. */
static GHashTable *ambiguous_names(const struct gobench *gobench)
{
	const struct column *workload = gobench->dataset->workload;
	g_autoptr(GHashTable) first = g_hash_table_new(NULL, NULL); /* workload -> package + 1 */
	GHashTable *ambiguous = g_hash_table_new(NULL, NULL);

	for (guint row = 0; row < gobench->dataset->n_runs; row++) {
		gpointer name = GUINT_TO_POINTER(column_code(workload, row));
		gpointer package = GSIZE_TO_POINTER((gsize)column_code(gobench->package, row) + 1);
		gpointer known = g_hash_table_lookup(first, name);

		if (!known)
			g_hash_table_insert(first, name, package);
		else if (known != package)
			g_hash_table_add(ambiguous, name);
	}
	return ambiguous;
}

/* Puts the package before names that two packages have. */
static void name_packages(struct gobench *gobench)
{
	struct dataset *dataset = gobench->dataset;
	g_autoptr(GHashTable) ambiguous = ambiguous_names(gobench);
	struct column *named;

	if (!g_hash_table_size(ambiguous))
		return;
	named = column_new("workload");
	for (guint row = 0; row < dataset->n_runs; row++) {
		const char *name = column_get(dataset->workload, row), *package = column_get(gobench->package, row);
		const char *primary = g_hash_table_lookup(dataset->primary, name);
		gpointer code = GUINT_TO_POINTER(column_code(dataset->workload, row));
		g_autofree char *with_package =
		    package && g_hash_table_contains(ambiguous, code) ? g_strconcat(package, ".", name, NULL) : NULL;

		column_set(named, row, with_package ? with_package : name);
		if (primary)
			g_hash_table_insert(dataset->primary, shared(column_get(named, row)), shared(primary));
	}
	column_free(dataset->workload);
	dataset->workload = named;
}

static gboolean finish(struct gobench *gobench, GError **error)
{
	struct dataset *dataset = gobench->dataset;
	gpointer better;

	if (dataset->n_runs == 0)
		return err_usage(error, "%s: no results in it", gobench->reader.path);
	name_packages(gobench);
	for (guint i = 0; i < gobench->settings->len; i++)
		settle(gobench, g_ptr_array_index(gobench->settings, i));
	notes_finish(&gobench->notes, NOTES_ANYWHERE);
	for (guint i = 0; i < dataset->metrics->len; i++) {
		struct values *values = g_ptr_array_index(dataset->metrics, i);

		if (g_hash_table_lookup_extended(gobench->better, values->metric.unit, NULL, &better))
			values->metric.better = (enum better)GPOINTER_TO_INT(better);
	}
	return TRUE;
}

static gboolean import_gobench_read(const char *path, GInputStream *stream, struct dataset *dataset, GError **error)
{
	struct gobench gobench = {.dataset = dataset, .package = column_new("package")};
	gboolean ok;

	text_reader_init(&gobench.reader, path, stream);
	notes_init(&gobench.notes, path, dataset);
	gobench.settings = g_ptr_array_new_with_free_func((GDestroyNotify)setting_free);
	gobench.index = g_hash_table_new(g_str_hash, g_str_equal);
	gobench.better = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	ok = import_lines(&gobench.reader, add_line, &gobench, error) && finish(&gobench, error);
	g_hash_table_unref(gobench.better);
	g_hash_table_unref(gobench.index);
	g_ptr_array_unref(gobench.settings);
	notes_clear(&gobench.notes);
	text_reader_clear(&gobench.reader);
	column_free(gobench.package);
	return ok;
}

/* A name, a count, a number and a unit. */
static gboolean is_result(char *line)
{
	const char *number;
	double value;

	if (!is_name(next_word(&line)) || !is_count(next_word(&line)))
		return FALSE;
	number = next_word(&line);
	return (number_parse(number, &value) || is_not_finite(number)) && *next_word(&line);
}

static gboolean import_gobench_detect(const char *head, gsize length)
{
	return import_any_line(head, is_result);
}

const struct importer import_gobench = {
    .name = "gobench",
    .summary = "text of Go's benchmarks",
    .detect = import_gobench_detect,
    .read = import_gobench_read,
};
