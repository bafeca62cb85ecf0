#include "store_internal.h"

#include "past_sitting.h"

static void sitting_destroy(gpointer data)
{
	struct past_sitting *sitting = data;

	g_free(sitting->order);
	g_free(sitting->seed);
	g_free(sitting->command);
	g_free(sitting->reset);
	g_free(sitting->boot_id);
	g_free(sitting);
}

static struct past_sitting *sitting_of_row(sqlite3_stmt *row)
{
	struct past_sitting *sitting = g_new0(struct past_sitting, 1);

	sitting->number = sqlite3_column_int64(row, 0);
	sitting->plan = sqlite3_column_int64(row, 1);
	sitting->started_us = sqlite3_column_int64(row, 2);
	sitting->command = store_copy_text(row, 3);
	sitting->reset = store_copy_text(row, 4);
	sitting->settle_s = sqlite3_column_double(row, 5);
	sitting->timeout_s = sqlite3_column_double(row, 6);
	sitting->boot_id = store_copy_text(row, 7);
	sitting->order = store_copy_text(row, 8);
	sitting->seed = store_copy_text(row, 9);
	sitting->repeat = (guint)sqlite3_column_int64(row, 10);
	sitting->warmup = (guint)sqlite3_column_int64(row, 11);
	return sitting;
}

GPtrArray *store_past_sittings(struct store *store, GError **error)
{
	g_autoptr(GPtrArray) sittings = g_ptr_array_new_with_free_func(sitting_destroy);
	g_autoptr(Statement) find = store_prepare(
	    store,
	    "SELECT sitting.id, plan, started_us, command, reset, settle_s, timeout_s, boot, ordering, seed,"
	    " repeat, warmup FROM sitting JOIN plan ON plan = plan.id ORDER BY sitting.id",
	    error);
	int code;

	if (!find)
		return NULL;
	while ((code = sqlite3_step(find)) == SQLITE_ROW)
		g_ptr_array_add(sittings, sitting_of_row(find));
	if (code != SQLITE_DONE) {
		store_fail(store, "read", error);
		return NULL;
	}
	return g_steal_pointer(&sittings);
}
