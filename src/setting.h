#ifndef SETTING_H
#define SETTING_H

#include <glib.h>

struct place;
struct store;

/* What a factor or --set can choose about the machine, looked up by name as a workload's options are. */

/* What settings act on. */
struct setting_env {
	struct store *store;  /* takes what was there before, before it is changed */
	struct place *place;  /* where runs take place */
	int procs_fd;         /* the cgroup.procs that a run's process is put into; 0: none */
};

struct setting_kind;

/* One that a plan uses. */
struct setting {
	const struct setting_kind *kind;
	char *name;        /* as given: "sysctl:vm.dirty_ratio" */
	const char *rest;  /* of name, behind a ':': "vm.dirty_ratio"; "" */
	GPtrArray *levels; /* char *: all that the plan gives it */
	char *effective;   /* what it is now, read back from the kernel; NULL: nothing was set yet */
	gpointer state;    /* the kind's own, from begin to end; NULL before and after */
};

/* A file setting_*.c exports rows; setting.c has the table. All settings of a plan are begun in its order before the first
 * is applied, are applied in it, and ended in the reverse. */
struct setting_kind {
	const char *name;    /* "mem"; or with a ':' at its end "sysctl:": any name may follow that no row before has */
	const char *summary; /* one line */
	const char *levels;  /* what a level looks like, for help: "always|madvise|never" */
	gboolean of_guest;   /* a virtual machine is made so: in there it is nothing to set */
	/* Whether there can be such a setting and level: a usage error that says what could. Looks at nothing that needs root and
	 * changes nothing. */
	gboolean (*check)(const char *rest, const char *level, GError **error);
	/* Newly allocated: the key of the fact that tells the same, which is no fact while a factor varies it; NULL: none. */
	char *(*fact)(const char *rest);
	/* Whether it is here and may be set, and what it was, into the store; changes nothing. NULL: nothing to do. Errors:
	 * "setting 'sysctl:vm.foo' is not available here: ...", "setting 'thp' needs root". */
	gboolean (*begin)(struct setting *setting, struct setting_env *env, GError **error);
	/* Before each run: sets the level and reads it back into setting->effective. An error where it did not take. */
	gboolean (*apply)(struct setting *setting, const char *level, struct setting_env *env, GError **error);
	/* After each run: newly allocated, what others have made of what was applied, as "sysctl 'vm.swappiness' was
	 * changed from 60 to 10"; NULL: nothing. No such function: others cannot get at it. */
	char *(*changed)(const struct setting *setting);
	/* After each run: takes away what must not outlive it. NULL: nothing to do. */
	gboolean (*release)(struct setting *setting, struct setting_env *env, GError **error);
	/* Puts back what was before, and only that; *left (newly allocated, or NULL) as in undo.h. Also after a failed begin. */
	gboolean (*end)(struct setting *setting, struct setting_env *env, char **left, GError **error);
};
extern const struct setting_kind *const setting_table[]; /* ends with NULL */

/* A setting of that name with no level yet; NULL where no row has it (no error: it may be a workload's option). */
struct setting *setting_new(const char *name);
void setting_free(struct setting *setting);

#endif
