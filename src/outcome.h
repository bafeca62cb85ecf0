#ifndef OUTCOME_H
#define OUTCOME_H

#include <glib.h>

/* What became of a run. Only OUTCOME_OK enters a sample; all others are kept and counted. */
enum outcome {
	OUTCOME_OK,
	OUTCOME_FAILED,
	OUTCOME_OOM_KILLED,
	OUTCOME_TIMED_OUT,
	OUTCOME_DISTURBED,
	OUTCOME_INTERRUPTED,
	OUTCOME_SKIPPED,
	OUTCOMES
};

const char *outcome_name(enum outcome outcome); /* "ok", "failed", "oom-killed", ... */
gboolean outcome_parse(const char *name, enum outcome *outcome);

#endif
