#ifndef IMPORT_H
#define IMPORT_H

#include <gio/gio.h>

struct dataset;

/* One file format. A file import_*.c exports one; import.c has a row for each. */
struct importer {
	const char *name;
	const char *summary; /* one line */
	/* Whether the file's beginning (at most 64 KiB, NUL-terminated) looks like this format. */
	gboolean (*detect)(const char *head, gsize length);
	/* Adds the file's runs to the dataset. path is for messages: "path:line: what is wrong". On an error nothing of
	 * the dataset may be used. */
	gboolean (*read)(const char *path, GInputStream *stream, struct dataset *dataset, GError **error);
};

extern const struct importer *const importer_table[]; /* ends with NULL */

/* Reads a file of any known format. Where it has no "label" factor its name without folder and ending is the label;
 * where it has no sitting column the file is one sitting. Sittings, blocks and boots are made distinct from those of
 * other files. Runs of warm-up and calibration are among them (dataset_rows.h). Usage errors (exit 2) for contents,
 * runtime errors for a file that cannot be read. */
struct dataset *import_file(const char *path, GError **error);
/* The same by that importer, whatever the contents look like. */
struct dataset *import_file_as(const char *path, const struct importer *importer, GError **error);
/* A usage error that lists what exists. */
const struct importer *importer_find(const char *name, GError **error);

#endif
