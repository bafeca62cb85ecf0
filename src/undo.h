#ifndef UNDO_H
#define UNDO_H

#include <glib.h>

struct store;

/* What was changed on this machine and must be put back. It is in the store before it is done; who finds it there after
 * its owner died puts it back. */
struct undo {
	gint64 id;
	char *kind;    /* of undo_table */
	char *subject; /* what was changed, as its kind names it: a path, "vm.dirty_ratio" */
	char *before;  /* of a setting: what it was, in its first line; NULL: there was nothing */
	char **ours;   /* of a setting: all that it may have been set to; what is neither is somebody else's change */
	char *boot_id; /* of its owner; */
	gint64 pid;    /* whether it lives, its start time tells from a later process of the same number */
	gint64 pid_start;
	char *store; /* the path of another store that has it; NULL: that of the call */
};
void undo_free(struct undo *undo);
typedef struct undo Undo; /* for g_autoptr(Undo) */
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Undo, undo_free)

/* One row for each kind of thing that can be put back. */
struct undo_kind {
	const char *name;
	gboolean outlives_boot; /* a file does, a kernel's setting does not */
	gboolean is_private;    /* nothing but runs in that place is affected: other stores need not know of it */
	/* Puts it back; *is_changed becomes TRUE unless that was done already. *left (newly allocated, or NULL) says why
	 * it was left alone: somebody else has changed it meanwhile. False where it could not be put back. */
	gboolean (*put_back)(const struct undo *undo, gboolean *is_changed, char **left, GError **error);
};
extern const struct undo_kind *const undo_table[]; /* ends with NULL */

/* Notes in the store what this process is about to change; it is on the disk on return, so that it may be changed now.
 * ours: no level has a line end; NULL: none. NULL on error. */
struct undo *undo_add(struct store *store, const struct undo_kind *kind, const char *subject, const char *before,
		      char *const *ours, GError **error);

/* Makes this process the owner of the newest of that kind that the store has noted, whose own is gone; *adopted is NULL where
 * there is none. False on error. */
gboolean undo_adopt(struct store *store, const struct undo_kind *kind, struct undo **adopted, GError **error);

/* All that the store (NULL: none) has noted, newest first, then what others of this machine have, but for what is
 * private to them: struct undo *, owned. NULL on error. */
GPtrArray *undo_list(struct store *store, GError **error);

/* The first of that kind and subject in undo_list() that a live process, this or another, has noted. False on error;
 * *found is NULL where there is none: as long as the registry is locked there will be none. */
gboolean undo_find(struct store *store, const struct undo_kind *kind, const char *subject, struct undo **found,
		   GError **error);

/* Whether the process that made the change is still there to put it back. */
gboolean undo_owner_lives(const struct undo *undo);

/* Puts back one thing and takes it out of the store. */
gboolean undo_one(struct store *store, const struct undo *undo, char **left, GError **error);

/* Puts back all of undo_list() whose owner is dead, going on after failures. report gets a line for each thing that was
 * put back or left alone, for each store that is gone, and for each failure but the first, which is the error; what
 * failed stays noted. */
gboolean undo_orphans(struct store *store, GString *report, GError **error);

#endif
