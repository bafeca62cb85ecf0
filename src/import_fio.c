#include "import_formats.h"

#include <math.h>
#include <string.h>

#include "dataset.h"
#include "import_common.h"
#include "import_fio_job.h"
#include "import_json.h"
#include "import_notes.h"
#include "shared.h"

/* fio's JSON (--output-format=json, or among others), one document an invocation. A job is a workload, and a run. */

#define YEAR_2286_MS 1e13 /* times beyond are none */

/* What a document shows of a job. */
struct look {
	struct fio_work work;
	double at_ms;      /* when the document was written; NaN where it does not say */
	double started_ms; /* at_ms less the time that the job has run for */
	guint row;
};

struct fio {
	struct notes notes;
	GHashTable *last; /* workload -> struct look * of the document before */
	gboolean has_told_of_parts, has_told_of_looks;
};

/* With --status-interval fio writes a document again and again while its jobs run. */
static gboolean is_later_look(const struct look *look, const struct look *before)
{
	double apart_ms = fmin(250, before->work.runtime_ms / 2);

	return look->at_ms > before->at_ms && look->work.runtime_ms > before->work.runtime_ms &&
	       look->work.bytes >= before->work.bytes && fabs(look->started_ms - before->started_ms) < apart_ms;
}

static gboolean is_path(const char *option)
{
	static const char *const paths[] = {"filename", "directory", "filename_format", "opendir"};

	for (gsize i = 0; i < G_N_ELEMENTS(paths); i++)
		if (g_str_equal(option, paths[i]))
			return TRUE;
	return FALSE;
}

/* Names of jobs and of logs say nothing about what was done. */
static gboolean is_of_no_matter(const char *option)
{
	return g_str_equal(option, "name") || g_str_equal(option, "description") || g_str_has_suffix(option, "_log");
}

static void note_options(struct notes *notes, guint row, json_t *options)
{
	const char *key;
	json_t *value;

	json_object_foreach (options, key, value) {
		const char *text = json_string_value(value);

		if (text && !is_of_no_matter(key))
			notes_set(notes, row, 1, key, *text ? text : "yes", is_path(key) ? NOTE_FACT : NOTE_ANY);
	}
}

static void add_notes(const struct json_document *document, struct notes *notes, const struct fio_job *job, guint row)
{
	const json_t *first = g_ptr_array_index(job->parts, 0);

	notes_set(notes, row, 1, "fio version", json_get_text(document->root, "fio version"), NOTE_ANY);
	note_options(notes, row, json_object_get(document->root, "global options"));
	/* these last: a job's own options prevail */
	note_options(notes, row, json_object_get(first, "job options"));
}

/* What it measured is known, though it has no values. */
static void set_failed(struct dataset *dataset, guint row)
{
	import_failed(dataset, row);
	for (guint i = 0; i < dataset->metrics->len; i++)
		values_set(g_ptr_array_index(dataset->metrics, i), row, NAN);
}

static void add_job(const struct json_document *document, struct fio *fio, const struct fio_job *job, guint row)
{
	fio_job_values(document, job, row);
	if (fio_job_has_failed(job))
		set_failed(document->dataset, row);
	add_notes(document, &fio->notes, job, row);
	if (job->parts->len > 1 && !fio->has_told_of_parts) {
		g_autofree char *shown = import_quote(job->name, strlen(job->name));

		json_warn(document, "%u jobs are named '%s': taken for one that ran in as many processes",
			  job->parts->len, shown);
		fio->has_told_of_parts = TRUE;
	}
}

static guint add_run(struct dataset *dataset, const char *name, const struct look *look)
{
	guint row = import_run(dataset, name);

	if (look->started_ms > 0 && look->started_ms < YEAR_2286_MS)
		import_started(dataset, row, (gint64)(look->started_ms * 1e3));
	return row;
}

static struct look *look_new(const struct json_document *document, const struct fio_job *job)
{
	struct look *look = g_new0(struct look, 1);
	double at_ms = json_get_number(document->root, "timestamp_ms");

	look->work = fio_job_work(document, job);
	look->at_ms = isnan(at_ms) ? 1e3 * json_get_number(document->root, "timestamp") : at_ms;
	look->started_ms = look->at_ms - look->work.runtime_ms;
	return look;
}

/* FALSE: there is no run to look at. */
static gboolean take_look(const struct json_document *document, struct fio *fio, const struct fio_job *job,
			  struct look *look, gboolean is_later)
{
	const struct look *before = is_later ? g_hash_table_lookup(fio->last, job->name) : NULL;

	if (!before && isnan(look->work.runtime_ms) && !fio_job_has_failed(job)) {
		g_autofree char *shown = import_quote(job->name, strlen(job->name));

		json_warn(document, "job '%s' did no I/O", shown);
		return FALSE;
	}
	look->row = before ? before->row : add_run(document->dataset, job->name, look);
	add_job(document, fio, job, look->row);
	return TRUE;
}

static gboolean take(const struct json_document *document, gpointer data, GError **error)
{
	struct fio *fio = data;
	g_autoptr(GPtrArray) jobs = json_get_text(document->root, "fio version") ? fio_jobs_of(document) : NULL;
	GHashTable *present = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
	gboolean is_later = FALSE;

	if (!jobs)
		json_warn(document, "a document without jobs of fio is left out");
	for (guint i = 0; jobs && i < jobs->len; i++) {
		const struct fio_job *job = g_ptr_array_index(jobs, i);
		struct look *look = look_new(document, job);
		const struct look *before = g_hash_table_lookup(fio->last, job->name);

		is_later |= before && is_later_look(look, before);
		g_hash_table_insert(present, g_strdup(job->name), look);
	}
	if (is_later && !fio->has_told_of_looks) {
		json_warn(document, "a later look at the same run (--status-interval): only the last one counts");
		fio->has_told_of_looks = TRUE;
	}
	for (guint i = 0; jobs && i < jobs->len; i++) {
		const struct fio_job *job = g_ptr_array_index(jobs, i);

		if (!take_look(document, fio, job, g_hash_table_lookup(present, job->name), is_later))
			g_hash_table_remove(present, job->name);
	}
	g_hash_table_unref(fio->last);
	fio->last = present;
	return TRUE;
}

static gboolean import_fio_detect(const char *head, gsize length)
{
	return json_head_has(head, "fio version");
}

static gboolean import_fio_read(const char *path, GInputStream *stream, struct dataset *dataset, GError **error)
{
	struct fio fio = {.last = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free)};
	gboolean ok;

	notes_init(&fio.notes, path, dataset);
	ok = import_json(path, stream, dataset, fio_unused, take, &fio, error);
	if (ok)
		notes_finish(&fio.notes, NOTES_IN_WORKLOAD);
	notes_clear(&fio.notes);
	g_hash_table_unref(fio.last);
	return ok;
}

const struct importer import_fio = {
    .name = "fio",
    .summary = "JSON of fio, a job a workload",
    .detect = import_fio_detect,
    .read = import_fio_read,
};
