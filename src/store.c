#include "store.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "err.h"
#include "metric.h"
#include "store_internal.h"

#define BUSY_TIMEOUT_MS 10000

gboolean store_fail(const struct store *store, const char *what, GError **error)
{
	int code = sqlite3_errcode(store->db), system = sqlite3_system_errno(store->db);
	const char *why = sqlite3_errmsg(store->db);

	if (code == SQLITE_FULL)
		why = "no room left on the device";
	else if (code == SQLITE_BUSY || code == SQLITE_LOCKED)
		why = "another process is using it";
	else if (sqlite3_extended_errcode(store->db) == SQLITE_READONLY_DBMOVED)
		why = "it was removed or replaced meanwhile";
	else if (code == SQLITE_READONLY)
		why = "it lies in a read-only place or you may not write to it";
	else if ((code == SQLITE_CANTOPEN || code == SQLITE_IOERR) && system)
		why = g_strerror(system);
	return err_runtime(error, "cannot %s the store '%s': %s", what, store->path, why);
}

static const char *doing(const struct store *store)
{
	return store->mode == STORE_READ ? "read" : "write to";
}

gboolean store_exec(const struct store *store, const char *sql, GError **error)
{
	return sqlite3_exec(store->db, sql, NULL, NULL, NULL) == SQLITE_OK || store_fail(store, doing(store), error);
}

sqlite3_stmt *store_prepare(const struct store *store, const char *sql, GError **error)
{
	sqlite3_stmt *statement = NULL;

	if (sqlite3_prepare_v3(store->db, sql, -1, SQLITE_PREPARE_PERSISTENT, &statement, NULL) != SQLITE_OK)
		store_fail(store, doing(store), error);
	return statement;
}

gboolean store_step(const struct store *store, sqlite3_stmt *statement, GError **error)
{
	gboolean done = sqlite3_step(statement) == SQLITE_DONE || store_fail(store, doing(store), error);

	sqlite3_reset(statement);
	return done;
}

char *store_copy_text(sqlite3_stmt *row, int column)
{
	return g_strdup((const char *)sqlite3_column_text(row, column));
}

void store_bind_text(sqlite3_stmt *statement, int parameter, const char *text)
{
	sqlite3_bind_text(statement, parameter, text, -1, SQLITE_STATIC);
}

gboolean store_for_rows(const struct store *store, sqlite3_stmt *statement, store_each each, gpointer data, GError **error)
{
	int code;

	while ((code = sqlite3_step(statement)) == SQLITE_ROW)
		each(data, statement);
	return code == SQLITE_DONE || store_fail(store, "read", error);
}

const char *store_text_at(sqlite3_stmt *row, int column)
{
	const char *text = (const char *)sqlite3_column_text(row, column);

	return text ? text : "";
}

struct metric store_metric_at(sqlite3_stmt *row)
{
	struct metric metric = {.name = g_intern_string(store_text_at(row, 1)),
				.unit = g_intern_string(store_text_at(row, 2))};
	const char *better = (const char *)sqlite3_column_text(row, 3);

	if (better)
		better_parse(better, &metric.better);
	return metric;
}

gpointer store_key_at(sqlite3_stmt *row, int column)
{
	return GSIZE_TO_POINTER((gsize)sqlite3_column_int64(row, column));
}

/* The number that a query such as "PRAGMA user_version" returns. */
static gboolean query_number(const struct store *store, const char *sql, gint64 *number, GError **error)
{
	g_autoptr(Statement) statement = store_prepare(store, sql, error);

	if (!statement)
		return FALSE;
	if (sqlite3_step(statement) != SQLITE_ROW)
		return store_fail(store, doing(store), error);
	*number = sqlite3_column_int64(statement, 0);
	return TRUE;
}

static gboolean not_a_store(const struct store *store, GError **error)
{
	return err_runtime(error, "'%s' is not a store of vmstat-bench", store->path);
}

/* *empty: there is nothing in it yet. */
static gboolean check_schema(const struct store *store, gboolean *empty, GError **error)
{
	gint64 application = 0, version = 0, tables = 0;

	if (!query_number(store, "PRAGMA application_id", &application, error) ||
	    !query_number(store, "PRAGMA user_version", &version, error) ||
	    !query_number(store, "SELECT count(*) FROM sqlite_schema", &tables, error))
		return FALSE;
	*empty = application == 0 && tables == 0;
	if (*empty)
		return store->mode == STORE_WRITE || not_a_store(store, error);
	if (application != STORE_APPLICATION_ID || version < 1)
		return not_a_store(store, error);
	if (version > STORE_SCHEMA_VERSION)
		return err_runtime(error,
				   "the store '%s' was written by a newer vmstat-bench (schema %" G_GINT64_FORMAT
				   ", this one reads up to %d)",
				   store->path, version, STORE_SCHEMA_VERSION);
	return TRUE;
}

/* Two processes may meet here: the first makes the tables, the second finds them. */
static gboolean make_tables(const struct store *store, GError **error)
{
	g_autofree char *sql = g_strdup_printf("%sPRAGMA application_id = %d; PRAGMA user_version = %d;", store_schema,
					       STORE_APPLICATION_ID, STORE_SCHEMA_VERSION);
	gboolean empty = FALSE;

	if (!store_exec(store, "BEGIN IMMEDIATE", error))
		return FALSE;
	if (check_schema(store, &empty, error) && (!empty || store_exec(store, sql, error)) &&
	    store_exec(store, "COMMIT", error))
		return TRUE;
	sqlite3_exec(store->db, "ROLLBACK", NULL, NULL, NULL);
	return FALSE;
}

/* A store that is written to needs a journal beside it. SQLite itself would open what it may not write to for reading.
 */
static gboolean check_writable(const struct store *store, gboolean exists, GError **error)
{
	g_autofree char *directory = g_path_get_dirname(store->path);

	if (access(directory, W_OK | X_OK) != 0 || (exists && access(store->path, W_OK) != 0))
		return err_errno(error, errno, "cannot write to the store '%s'", store->path);
	return TRUE;
}

static gboolean check_path(const struct store *store, GError **error)
{
	struct stat info;
	gboolean exists = stat(store->path, &info) == 0;

	if (!exists && errno != ENOENT)
		return err_errno(error, errno, "cannot open the store '%s'", store->path);
	/* a FIFO would be waited for */
	if (exists && !S_ISREG(info.st_mode))
		return err_runtime(error, "cannot open the store '%s': it is %s", store->path,
				   S_ISDIR(info.st_mode) ? "a directory" : "no regular file");
	if (store->mode == STORE_WRITE)
		return check_writable(store, exists, error);
	if (!exists)
		return err_runtime(error, "no store at '%s': make one with 'vmstat-bench run' or name one with --store",
				   store->path);
	return TRUE;
}

static gboolean connect_to(struct store *store, int flags, GError **error)
{
	/* An absolute path is never taken for ":memory:" or a URI. */
	g_autofree char *path = g_canonicalize_filename(store->path, NULL);

	sqlite3_close(store->db);
	store->db = NULL;
	if (sqlite3_open_v2(path, &store->db, flags | SQLITE_OPEN_NOMUTEX, NULL) != SQLITE_OK)
		return store_fail(store, "open", error);
	sqlite3_extended_result_codes(store->db, FALSE);
	sqlite3_busy_timeout(store->db, BUSY_TIMEOUT_MS);
	return TRUE;
}

/* The first access to the file's contents. A writer that was killed may have left a journal, which only a connection
 * that may write can roll back. */
static gboolean look(struct store *store, GError **error)
{
	static const char first_query[] = "SELECT count(*) FROM sqlite_schema";
	int code = sqlite3_exec(store->db, first_query, NULL, NULL, NULL);

	if ((code == SQLITE_READONLY || code == SQLITE_CANTOPEN) && store->mode == STORE_READ) {
		if (!connect_to(store, SQLITE_OPEN_READWRITE, error))
			return FALSE;
		code = sqlite3_exec(store->db, first_query, NULL, NULL, NULL);
	}
	if (code == SQLITE_NOTADB)
		return not_a_store(store, error);
	return code == SQLITE_OK || store_fail(store, doing(store), error);
}

static gboolean open_for_reading(struct store *store, GError **error)
{
	gboolean empty;

	return connect_to(store, SQLITE_OPEN_READONLY, error) && look(store, error) &&
	       check_schema(store, &empty, error);
}

static gboolean open_for_writing(struct store *store, GError **error)
{
	gboolean empty;

	return connect_to(store, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, error) && look(store, error) &&
	       check_schema(store, &empty, error) && (!empty || make_tables(store, error)) &&
	       store_exec(store, "PRAGMA journal_mode = DELETE; PRAGMA synchronous = EXTRA; PRAGMA foreign_keys = ON",
			  error);
}

/* What could not be made into a store must not stay behind as an empty file. */
static void remove_if_empty(const char *path)
{
	struct stat info;

	if (lstat(path, &info) == 0 && S_ISREG(info.st_mode) && info.st_size == 0)
		unlink(path);
}

struct store *store_open(const char *path, enum store_mode mode, GError **error)
{
	g_autoptr(Store) store = g_new0(struct store, 1);
	gboolean was_there = access(path, F_OK) == 0;

	store->path = g_strdup(path);
	store->mode = mode;
	if (check_path(store, error) &&
	    (mode == STORE_READ ? open_for_reading(store, error) : open_for_writing(store, error)))
		return g_steal_pointer(&store);
	if (!was_there)
		remove_if_empty(path);
	return NULL;
}

void store_close(struct store *store)
{
	if (!store)
		return;
	store_flush(store, NULL);
	sqlite3_finalize(store->finish);
	sqlite3_finalize(store->value);
	sqlite3_finalize(store->flag);
	sqlite3_finalize(store->series);
	sqlite3_finalize(store->message);
	sqlite3_finalize(store->metric);
	sqlite3_close(store->db);
	g_clear_pointer(&store->run_workload, g_array_unref);
	g_clear_pointer(&store->workload_metrics, g_ptr_array_unref);
	g_clear_pointer(&store->workloads, g_array_unref);
	g_clear_pointer(&store->treatments, g_array_unref);
	g_clear_pointer(&store->metric_rows, g_hash_table_unref);
	g_free(store->path);
	g_free(store);
}
