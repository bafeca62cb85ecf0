#ifndef STORE_UNDO_H
#define STORE_UNDO_H

#include <glib.h>

struct store;
struct undo;

/* The undo journal's part of the store. */

/* Durable on return; what the store's plan has under way is flushed with it. */
gboolean store_undo_add(struct store *store, const struct undo *undo, gint64 *id, GError **error);
gboolean store_undo_remove(struct store *store, gint64 id, GError **error);
/* Newest first: struct undo *, owned. NULL on error. */
GPtrArray *store_undo_list(struct store *store, GError **error);

#endif
