#ifndef IMPORT_JSON_H
#define IMPORT_JSON_H

#include <gio/gio.h>
#include <jansson.h>

struct dataset;

/* One of the JSON documents of a file. Its numbers are all reals, its strings UTF-8. */
struct json_document {
	const char *path;
	guint64 line; /* where it begins */
	json_t *root; /* an object */
	struct dataset *dataset;
};

/* Adds what the document tells of. */
typedef gboolean (*json_take)(const struct json_document *document, gpointer data, GError **error);

/* Whether nobody asks for the values of members with this key. */
typedef gboolean (*json_unused)(const char *key);

/* Calls take() for one JSON document of a file after the other: objects, each of which begins a line or follows
 * another, with any text around them. A byte order mark goes unseen. Warned of: text between documents, and lines among
 * those of a document which cannot be JSON (both are skipped), NaN and infinity (null then), a document that was there
 * before in the same file (left out). What is_unused() says of a key (NULL: all are used) goes for all depths; such
 * values are checked, and take no memory. Usage errors "path:line: ..." for a document that is cut off, that is no
 * JSON, or that has more than 64 MiB or 4 million values, and where no run was added by any document; runtime errors
 * for what cannot be read. */
gboolean import_json(const char *path, GInputStream *stream, struct dataset *dataset, json_unused is_unused,
		     json_take take, gpointer data, GError **error);

/* Whether a document in a file's beginning has this key at its top. */
gboolean json_head_has(const char *head, const char *key);

/* A warning about a document: "path:line: ...". */
void json_warn(const struct json_document *document, const char *format, ...) G_GNUC_PRINTF(2, 3);

/* A member's number, NaN where it is none; its text, NULL where it is none. */
double json_get_number(const json_t *object, const char *key);
const char *json_get_text(const json_t *object, const char *key);

#endif
