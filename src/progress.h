#ifndef PROGRESS_H
#define PROGRESS_H

#include <glib.h>

struct pace;
struct run_result;

/* One line on a terminal's standard error that says where a plan is and how long it may still take. Silent where
 * standard error is no terminal, or when told to be. */
struct progress;

/* The pace is kept by the caller, and read here whenever the line is drawn. */
struct progress *progress_new(const struct pace *pace, gboolean quiet);
/* The run plan->runs[index] starts with its reset; then, once it is over. Draws nothing. */
void progress_start(struct progress *progress, guint index);
void progress_finish(struct progress *progress, const struct run_result *result);
/* Draws it. An exec_watch tick. */
void progress_tick(void *progress);
/* Takes the line away, so that something else can be printed. */
void progress_clear(struct progress *progress);
void progress_free(struct progress *progress);

#endif
