#ifndef ENVIRONMENT_H
#define ENVIRONMENT_H

#include <glib.h>

#include "place.h"
#include "setting.h"

struct plan;
struct store;
struct treatment;

/* What the runs of a plan take place in: their directory, and the settings of the machine that the plan chooses. */
struct environment {
	struct place place;
	struct setting_env env;
	GPtrArray *settings; /* struct setting *, of the plan's factors, in the order in which they are applied */
	const struct plan *plan;
	gboolean in_guest; /* set before it is opened: settings that made the virtual machine are none here */
};

/* Opens the place and notes what the settings were. All but in_guest is made new. Nothing but the private directory is changed yet. To be closed even where
 * it fails. */
gboolean environment_open(struct environment *environment, const struct plan *plan, const struct place_options *options,
			  struct store *store, GError **error);

/* Before a run: the levels of its treatment and those that are fixed. */
gboolean environment_apply(struct environment *environment, const struct treatment *treatment, GError **error);
/* After it: newly allocated, what others have changed of them meanwhile, for people; NULL: nothing. */
char *environment_changed(const struct environment *environment);
/* And then: what must not outlive it. */
gboolean environment_release(struct environment *environment, GError **error);

/* Tells the facts about the machine what is set: what is varied is no fact, what is fixed is one. */
void environment_amend_facts(const struct environment *environment, GHashTable *facts);

/* Puts everything back and takes the place away; goes on after failures. warn tells of what somebody else has changed
 * meanwhile, and so was left alone. False, with the first failure, where something could not be put back. */
gboolean environment_close(struct environment *environment, void (*warn)(const char *format, ...) G_GNUC_PRINTF(1, 2),
			   GError **error);

#endif
