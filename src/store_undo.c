#include "store_undo.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "err.h"
#include "store_internal.h"
#include "undo.h"

void store_undo_trust(struct store *store, struct account account)
{
	store->trusted = account;
}

/* What the store says is done to the machine, by root as a rule: only accounts as privileged as this process must be
 * able to write it there: root, its own, the one that it acts for, and the one that root acted for when the store was
 * noted. In a directory of theirs others could put another in its place, or a journal beside it. */
static gboolean check_unshared(const char *path, const struct store *store, GError **error)
{
	struct account caller = process_caller();
	const guint32 users[] = {0, geteuid(), caller.uid, store->trusted.uid};
	const guint32 groups[] = {0, getegid(), caller.gid, store->trusted.gid};
	gboolean is_of_trusted = FALSE, is_for_trusted = FALSE;
	struct stat st;

	if (stat(path, &st) < 0)
		return err_errno(error, errno, "cannot look at '%s'", path);
	for (guint i = 0; i < G_N_ELEMENTS(users); i++) {
		is_of_trusted |= st.st_uid == users[i];
		is_for_trusted |= st.st_gid == groups[i];
	}
	if (is_of_trusted && !(st.st_mode & S_IWOTH) && (!(st.st_mode & S_IWGRP) || is_for_trusted))
		return TRUE;
	return err_runtime(error,
			   "the store '%s' cannot tell what to put back on this machine: others may write to '%s'; "
			   "keep it in a directory of your own (--store)",
			   store->path, path);
}

char *store_undo_path(const struct store *store)
{
	g_autofree char *absolute = g_canonicalize_filename(store->path, NULL);
	char *real = realpath(absolute, NULL), *path = g_strdup(real ? real : absolute);

	free(real);
	return path;
}

static gboolean check_trust(const struct store *store, GError **error)
{
	g_autofree char *path = store_undo_path(store), *directory = g_path_get_dirname(path);

	return check_unshared(store->path, store, error) && check_unshared(directory, store, error);
}

/* source: "Database File Format" of SQLite, the database header */
gboolean store_undo_is_there(const char *path)
{
	static const char magic[16] = "SQLite format 3";
	struct {
		char magic[16];
		char other[52];
		guint32 application;
	} header;
	int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	ssize_t n;

	if (fd < 0)
		return errno != ENOENT && errno != ENOTDIR;
	n = pread(fd, &header, sizeof header, 0);
	close(fd);
	return n < 0 || (n == sizeof header && memcmp(header.magic, magic, sizeof magic) == 0 &&
			 GUINT32_FROM_BE(header.application) == STORE_APPLICATION_ID);
}

gboolean store_undo_add(struct store *store, const struct undo *undo, gint64 *id, GError **error)
{
	static const char sql[] = "INSERT INTO undo (kind, subject, before, ours, boot, pid, pid_start, made_us)"
				  " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)";
	g_autofree char *ours = undo->ours ? g_strjoinv("\n", undo->ours) : g_strdup("");
	g_autoptr(Statement) add = NULL;

	/* outside of a transaction of several statements each of them is one */
	if (!check_trust(store, error) || !store_flush(store, error) || !(add = store_prepare(store, sql, error)))
		return FALSE;
	store_bind_text(add, 1, undo->kind);
	store_bind_text(add, 2, undo->subject);
	store_bind_text(add, 3, undo->before);
	store_bind_text(add, 4, ours);
	store_bind_text(add, 5, undo->boot_id);
	sqlite3_bind_int64(add, 6, undo->pid);
	sqlite3_bind_int64(add, 7, undo->pid_start);
	sqlite3_bind_int64(add, 8, g_get_real_time());
	if (!store_step(store, add, error))
		return FALSE;
	*id = sqlite3_last_insert_rowid(store->db);
	return TRUE;
}

gboolean store_undo_remove(struct store *store, gint64 id, GError **error)
{
	g_autoptr(Statement) remove = NULL;

	if (!store_flush(store, error) || !(remove = store_prepare(store, "DELETE FROM undo WHERE id = ?1", error)))
		return FALSE;
	sqlite3_bind_int64(remove, 1, id);
	return store_step(store, remove, error);
}

gboolean store_undo_own(struct store *store, const struct undo *undo, GError **error)
{
	static const char sql[] = "UPDATE undo SET boot = ?2, pid = ?3, pid_start = ?4 WHERE id = ?1";
	g_autoptr(Statement) own = NULL;

	if (!store_flush(store, error) || !(own = store_prepare(store, sql, error)))
		return FALSE;
	sqlite3_bind_int64(own, 1, undo->id);
	store_bind_text(own, 2, undo->boot_id);
	sqlite3_bind_int64(own, 3, undo->pid);
	sqlite3_bind_int64(own, 4, undo->pid_start);
	return store_step(store, own, error);
}

static char *take_text(sqlite3_stmt *statement, int column)
{
	return g_strdup((const char *)sqlite3_column_text(statement, column));
}

static struct undo *read_undo(sqlite3_stmt *row)
{
	struct undo *undo = g_new0(struct undo, 1);

	undo->id = sqlite3_column_int64(row, 0);
	undo->kind = take_text(row, 1);
	undo->subject = take_text(row, 2);
	undo->before = take_text(row, 3);
	undo->ours = g_strsplit((const char *)sqlite3_column_text(row, 4), "\n", -1);
	undo->boot_id = take_text(row, 5);
	undo->pid = sqlite3_column_int64(row, 6);
	undo->pid_start = sqlite3_column_int64(row, 7);
	return undo;
}

GPtrArray *store_undo_list(struct store *store, GError **error)
{
	static const char sql[] =
	    "SELECT id, kind, subject, before, ours, boot, pid, pid_start FROM undo ORDER BY id DESC";
	g_autoptr(GPtrArray) list = g_ptr_array_new_with_free_func((GDestroyNotify)undo_free);
	g_autoptr(Statement) rows = store_prepare(store, sql, error);
	int code;

	if (!rows)
		return NULL;
	while ((code = sqlite3_step(rows)) == SQLITE_ROW)
		g_ptr_array_add(list, read_undo(rows));
	if (code != SQLITE_DONE) {
		store_fail(store, "read", error);
		return NULL;
	}
	return list->len == 0 || check_trust(store, error) ? g_steal_pointer(&list) : NULL;
}
