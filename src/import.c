#include "import.h"

#include <string.h>

#include "dataset.h"
#include "err.h"
#include "import_formats.h"

#define HEAD_SIZE (64u << 10)

/* The tidy table comes last: nearly any text looks a little like one. */
const struct importer *const importer_table[] = {
    &import_runs,
    &import_fio,
    &import_hyperfine,
    &import_pyperf,
    &import_gobench,
    &import_interbench,
    &import_iozone,
    &import_bonnie,
    &import_sysbench,
    &import_stressng,
    &import_ioping,
    &import_cyclictest,
    &import_log,
    &import_dd, /* among the output of others it is but one of their lines */
    &import_table,
    NULL,
};

/* What the file was opened for fails with the system's words where they say enough. */
static gboolean open_failed(const char *path, const GError *cause, GError **error)
{
	if (cause->domain == G_IO_ERROR && cause->code == G_IO_ERROR_NOT_FOUND)
		return err_errno(error, ENOENT, "cannot read '%s'", path);
	if (cause->domain == G_IO_ERROR && cause->code == G_IO_ERROR_PERMISSION_DENIED)
		return err_errno(error, EACCES, "cannot read '%s'", path);
	if (cause->domain == G_IO_ERROR && cause->code == G_IO_ERROR_IS_DIRECTORY)
		return err_errno(error, EISDIR, "cannot read '%s'", path);
	return err_runtime(error, "cannot read '%s': %s", path, cause->message);
}

/* Opens a file and reads its beginning, which stays in the stream. */
static GBufferedInputStream *open_file(const char *path, GError **error)
{
	/* The local file system's own object: g_file_new_for_path() would load modules for remote ones. */
	g_autoptr(GFile) file = g_vfs_get_file_for_path(g_vfs_get_local(), path);
	g_autoptr(GError) cause = NULL;
	g_autoptr(GFileInputStream) stream = g_file_read(file, NULL, &cause);
	GBufferedInputStream *buffered;
	gssize got = 1;

	if (!stream) {
		open_failed(path, cause, error);
		return NULL;
	}
	buffered = G_BUFFERED_INPUT_STREAM(g_buffered_input_stream_new_sized(G_INPUT_STREAM(stream), HEAD_SIZE));
	while (got > 0 && g_buffered_input_stream_get_available(buffered) < HEAD_SIZE)
		got = g_buffered_input_stream_fill(buffered, -1, NULL, &cause);
	if (got < 0) {
		open_failed(path, cause, error);
		g_object_unref(buffered);
		return NULL;
	}
	return buffered;
}

/* What a file is, by its first bytes, that holds no text, and what to do about it. */
static const struct {
	const char *magic, *advice;
} no_texts[] = {
    {"SQLite format 3", "a database, not a table: name a store with --store"},
    {"\x1f\x8b", "compressed: unpack it with gunzip"},
    {"BZh91AY&SY", "compressed: unpack it with bunzip2"},
    {"\xfd" "7zXZ", "compressed: unpack it with unxz"},
    {"\x28\xb5\x2f\xfd", "compressed: unpack it with unzstd"},
    {"\xff\xfe", "text in UTF-16: convert it to UTF-8"},
    {"\xfe\xff", "text in UTF-16: convert it to UTF-8"},
};

/* as: what was asked for, whatever it looks like; NULL: nothing was. */
static const struct importer *detect(const char *path, GBufferedInputStream *stream, const struct importer *as,
				     GError **error)
{
	gsize length;
	const char *buffer = g_buffered_input_stream_peek_buffer(stream, &length);
	g_autofree char *head = g_malloc(length + 1);
	g_autoptr(GString) known = g_string_new(NULL);
	const char *nul;

	memcpy(head, buffer, length);
	head[length] = '\0';
	if (length == 0) {
		err_usage(error, "'%s' is empty", path);
		return NULL;
	}
	for (gsize i = 0; i < G_N_ELEMENTS(no_texts); i++)
		if (g_str_has_prefix(head, no_texts[i].magic)) {
			err_usage(error, "'%s' is %s", path, no_texts[i].advice);
			return NULL;
		}
	nul = memchr(head, '\0', length);
	if (nul) {
		guint line = 1;

		for (const char *at = head; at < nul; at++)
			line += *at == '\n';
		err_usage(error, "%s:%u: binary data, not text", path, line);
		return NULL;
	}
	for (const struct importer *const *importer = importer_table; !as && *importer; importer++) {
		if ((*importer)->detect(head, length))
			return *importer;
		g_string_append_printf(known, "%s%s (%s)", known->len ? ", " : "", (*importer)->name,
				       (*importer)->summary);
	}
	if (!as)
		err_usage(error, "'%s' is of no format that can be read: %s", path, known->str);
	return as;
}

/* The name without its folder and an ending such as ".tsv"; "6.12" has none. */
static char *label_of_path(const char *path)
{
	g_autofree char *name = g_path_get_basename(path);
	char *dot = strrchr(name, '.');

	if (dot && dot > name && g_ascii_isalpha(dot[1]))
		*dot = '\0';
	return g_strdup(name);
}

static void add_what_the_file_tells(struct dataset *dataset, const char *path)
{
	g_autofree char *prefix = g_strconcat(path, "/", NULL);

	if (!dataset_find_factor(dataset, "label")) {
		g_autofree char *label = label_of_path(path);
		struct column *column = column_new("label");

		column_fill(column, 0, dataset->n_runs, label);
		g_ptr_array_insert(dataset->factors, 0, column);
	}
	if (dataset->sitting) {
		column_prefix(dataset->sitting, prefix);
	} else {
		dataset->sitting = column_new("sitting");
		column_fill(dataset->sitting, 0, dataset->n_runs, path);
	}
	if (dataset->block)
		column_prefix(dataset->block, prefix);
	if (dataset->boot)
		column_prefix(dataset->boot, prefix);
}

const struct importer *importer_find(const char *name, GError **error)
{
	g_autoptr(GString) names = g_string_new(NULL);

	for (const struct importer *const *row = importer_table; *row; row++) {
		if (g_str_equal((*row)->name, name))
			return *row;
		g_string_append_printf(names, "%s%s", names->len ? ", " : "", (*row)->name);
	}
	err_usage(error, "no format '%s': there are %s", name, names->str);
	return NULL;
}

struct dataset *import_file(const char *path, GError **error)
{
	return import_file_as(path, NULL, error);
}

struct dataset *import_file_as(const char *path, const struct importer *as, GError **error)
{
	g_autoptr(GBufferedInputStream) stream = open_file(path, error);
	const struct importer *importer = stream ? detect(path, stream, as, error) : NULL;
	g_autoptr(Dataset) dataset = dataset_new();

	if (!importer || !importer->read(path, G_INPUT_STREAM(stream), dataset, error))
		return NULL;
	add_what_the_file_tells(dataset, path);
	return g_steal_pointer(&dataset);
}
