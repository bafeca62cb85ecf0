#ifndef STORE_UNDO_H
#define STORE_UNDO_H

#include <glib.h>

#include "process.h"

struct store;
struct undo;

/* The undo journal's part of the store. */

/* Durable on return; what the store's plan has under way is flushed with it. */
gboolean store_undo_add(struct store *store, const struct undo *undo, gint64 *id, GError **error);
gboolean store_undo_remove(struct store *store, gint64 id, GError **error);
/* Stores its owner. */
gboolean store_undo_own(struct store *store, const struct undo *undo, GError **error);
/* Newest first: struct undo *, owned. NULL on error. */
GPtrArray *store_undo_list(struct store *store, GError **error);

/* The account counts for as much as root: it may be able to write into the store. */
void store_undo_trust(struct store *store, struct account account);
/* Its path, absolute and without symlinks. */
char *store_undo_path(const struct store *store);
/* Whether a store is there, be it one that cannot be read now. Not to be asked of one that is open: its locks would
 * be gone. */
gboolean store_undo_is_there(const char *path);

#endif
