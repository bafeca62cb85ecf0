#ifndef FACTOR_H
#define FACTOR_H

#include <glib.h>

struct setting;

/* A named option or setting, and the levels that a plan gives it. */

enum factor_kind {
	FACTOR_LABEL,   /* "label": nothing but a name */
	FACTOR_KERNEL,  /* "kernel": what is booted */
	FACTOR_OPTION,  /* "dd1.size": an option of a workload */
	FACTOR_SETTING, /* "sysctl:vm.dirty_ratio": of setting.h */
};

struct factor {
	enum factor_kind kind;
	char *name;
	GPtrArray *levels;       /* char *, as given, each once */
	gboolean is_fixed;       /* --set: one level for every run, so that it tells no treatments apart */
	char *workload;          /* FACTOR_OPTION: name of the workload; */
	const char *option;      /* its option, in name */
	struct setting *setting; /* FACTOR_SETTING, with all levels; owned */
};

/* "NAME=L1,L2,..." of --factor; "NAME=LEVEL" of --set, where a comma is a part of the level. Usage errors say what is wrong
 * with the name or a level, as far as that can be told without touching the machine; workloads are not looked at. */
struct factor *factor_parse(const char *text, gboolean is_fixed, GError **error);
void factor_free(struct factor *factor);

#endif
