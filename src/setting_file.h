#ifndef SETTING_FILE_H
#define SETTING_FILE_H

#include "setting.h"
#include "undo.h"

/* What settings that are a file of the kernel have in common: the value is read, noted in the store, written, read
 * back, and put back where nobody else has changed it. A subject names a file to its kind: "vm.dirty_ratio",
 * "vda/scheduler". */

struct setting_file_kind {
	const struct undo_kind *undo;
	gboolean has_choices; /* a file lists all values, that in force in brackets; it may also have none */
	/* -1 with errno. */
	int (*open)(const char *subject, int flags);
	/* The file that loses its value, for 0, when this one is set and the reverse; NULL: none. */
	const char *(*partner)(const char *subject);
	/* Newly allocated: further lines for what is noted of a file, which are for the kind's put_back; NULL: none. */
	char *(*notes)(const char *subject);
};

/* A usage error for what cannot be a level of any of these: empty, with a line end, above a page with a line end. */
gboolean setting_file_check_level(const char *prefix, const char *rest, const char *level, GError **error);

/* As the functions of struct setting_kind. is_covered: another setting that was begun puts this one back with it, and
 * the file may be there only once that one is applied: nothing is noted. */
gboolean setting_file_begin(struct setting *setting, const struct setting_file_kind *kind, const char *subject,
			    gboolean is_covered, struct setting_env *env, GError **error);
gboolean setting_file_apply(struct setting *setting, const char *level, struct setting_env *env, GError **error);
char *setting_file_changed(const struct setting *setting);
gboolean setting_file_end(struct setting *setting, struct setting_env *env, char **left, GError **error);

/* As that of struct undo_kind, without the notes. */
gboolean setting_file_put_back(const struct setting_file_kind *kind, const struct undo *undo, gboolean *is_changed,
			       char **left, GError **error);

/* The file's value: of choices that in force. NULL with errno. */
char *setting_file_read(const struct setting_file_kind *kind, const char *subject);
/* False with errno. */
gboolean setting_file_write(const struct setting_file_kind *kind, const char *subject, const char *value);

#endif
