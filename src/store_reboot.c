#include "store_reboot.h"

#include "store_internal.h"

void store_reboot_clear(struct store_reboot *reboot)
{
	g_free(reboot->boot_id);
	g_free(reboot->kernel);
	g_free(reboot->trouble);
	g_free(reboot->stopped);
	*reboot = (struct store_reboot){0};
}

static char *take_text(sqlite3_stmt *row, int column)
{
	return g_strdup((const char *)sqlite3_column_text(row, column));
}

gboolean store_reboot_read(struct store *store, gint64 plan, struct store_reboot *reboot, GError **error)
{
	g_autoptr(Statement) find = store_prepare(
	    store, "SELECT plan, boots, runs_left, boot, kernel, trouble, stopped FROM reboot WHERE plan = ?1", error);
	int code;

	*reboot = (struct store_reboot){0};
	if (!find)
		return FALSE;
	sqlite3_bind_int64(find, 1, plan);
	code = sqlite3_step(find);
	if (code == SQLITE_ROW)
		*reboot = (struct store_reboot){.plan = sqlite3_column_int64(find, 0),
						.boots = (guint)sqlite3_column_int64(find, 1),
						.left = (guint)sqlite3_column_int64(find, 2),
						.boot_id = take_text(find, 3),
						.kernel = take_text(find, 4),
						.trouble = take_text(find, 5),
						.stopped = take_text(find, 6)};
	return code == SQLITE_ROW || code == SQLITE_DONE || store_fail(store, "read", error);
}

gboolean store_reboot_write(struct store *store, const struct store_reboot *reboot, GError **error)
{
	g_autoptr(Statement) write = NULL;

	/* outside of a transaction of several statements this one is durable at its end */
	if (!store_flush(store, error) ||
	    !(write = store_prepare(
		  store,
		  "INSERT INTO reboot (plan, boots, runs_left, boot, kernel, trouble, stopped)"
		  " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7) ON CONFLICT (plan) DO UPDATE SET boots = ?2, runs_left = ?3,"
		  " boot = ?4, kernel = ?5, trouble = ?6, stopped = coalesce(stopped, ?7)",
		  error)))
		return FALSE;
	sqlite3_bind_int64(write, 1, reboot->plan);
	sqlite3_bind_int64(write, 2, reboot->boots);
	sqlite3_bind_int64(write, 3, reboot->left);
	store_bind_text(write, 4, reboot->boot_id);
	store_bind_text(write, 5, reboot->kernel);
	store_bind_text(write, 6, reboot->trouble);
	store_bind_text(write, 7, reboot->stopped);
	return store_step(store, write, error);
}

gboolean store_reboot_forget(struct store *store, gint64 plan, GError **error)
{
	g_autoptr(Statement) forget = NULL;

	if (!store_flush(store, error) || !(forget = store_prepare(store, "DELETE FROM reboot WHERE plan = ?1", error)))
		return FALSE;
	sqlite3_bind_int64(forget, 1, plan);
	return store_step(store, forget, error);
}

gboolean store_reboot_plan(struct store *store, gint64 *plan, GError **error)
{
	g_autoptr(Statement) find =
	    store_prepare(store, "SELECT coalesce(max(plan), 0) FROM reboot WHERE stopped IS NULL", error);

	if (!find)
		return FALSE;
	if (sqlite3_step(find) != SQLITE_ROW)
		return store_fail(store, "read", error);
	*plan = sqlite3_column_int64(find, 0);
	return TRUE;
}
