#include "outcome.h"

static const char *const outcome_names[OUTCOMES] = {
    [OUTCOME_OK] = "ok",
    [OUTCOME_FAILED] = "failed",
    [OUTCOME_OOM_KILLED] = "oom-killed",
    [OUTCOME_TIMED_OUT] = "timed-out",
    [OUTCOME_DISTURBED] = "disturbed",
    [OUTCOME_INTERRUPTED] = "interrupted",
    [OUTCOME_SKIPPED] = "skipped",
};

const char *outcome_name(enum outcome outcome)
{
	return outcome_names[outcome];
}

gboolean outcome_parse(const char *name, enum outcome *outcome)
{
	for (int i = 0; i < OUTCOMES; i++)
		if (g_str_equal(name, outcome_names[i])) {
			*outcome = (enum outcome)i;
			return TRUE;
		}
	return FALSE;
}
